// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NETLAB_LAB_LOAD_LOAD_RESULT_H_
#define NETLAB_LAB_LOAD_LOAD_RESULT_H_

#include <cstdint>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "netlab/lab/load/latency_histogram.h"
#include "netlab/lab/load/load_options.h"
#include "netlab/lab/measure/process_usage.h"

namespace netlab::lab {

// What went wrong, by kind, over the whole run, set-up and warm-up included: a
// run that was not clean must not look it. Except for `connect`, which counts
// attempts, a request counts once, under what ended it.
struct ErrorCounts {
  int64_t connect = 0;
  int64_t read = 0;  // The connection ended or broke before the response.
  int64_t write = 0;
  int64_t timeout = 0;
  int64_t status = 0;  // A status other than 2xx, or no valid response at all.
  int64_t cut_short = 0;  // The connection ended within the response.
  int64_t body = 0;       // Not the body that was expected.

  int64_t total() const {
    return connect + read + write + timeout + status + cut_short + body;
  }

  ErrorCounts& operator+=(const ErrorCounts& other) {
    connect += other.connect;
    read += other.read;
    write += other.write;
    timeout += other.timeout;
    status += other.status;
    cut_short += other.cut_short;
    body += other.body;
    return *this;
  }
};

// What one worker has counted, or all of them together. All but the errors is
// of the measured window alone.
struct LoadCounts {
  // Responses of status 2xx, complete, and with the expected body.
  int64_t requests = 0;
  int64_t bytes_received = 0;
  ErrorCounts errors;
  // From the intended send to the end of the response.
  LatencyHistogram latency;
  // From the actual send; open loop only.
  LatencyHistogram service_time;
  // Open loop: requests that fell due, and those of them (and of earlier ones)
  // that waited for a free connection at the end.
  int64_t arrivals = 0;
  int64_t backlog = 0;
  // The first failure in words, if there was one.
  std::string first_error;

  void Merge(const LoadCounts& other) {
    requests += other.requests;
    bytes_received += other.bytes_received;
    errors += other.errors;
    latency.Merge(other.latency);
    service_time.Merge(other.service_time);
    arrivals += other.arrivals;
    backlog += other.backlog;
    if (first_error.empty()) first_error = other.first_error;
  }
};

// What a run has measured.
struct LoadResult {
  LoadCounts counts;
  // The one that was used; not kAuto.
  EngineKind engine = EngineKind::kEpoll;
  // Of the measured window; shorter than asked for if the run was stopped.
  absl::Duration elapsed;
  absl::StatusOr<ProcessUsage> generator = ProcessUsage();
  // Nothing if nobody was to be observed; an error if that process ended.
  std::optional<absl::StatusOr<ProcessUsage>> observed;
};

}  // namespace netlab::lab

#endif  // NETLAB_LAB_LOAD_LOAD_RESULT_H_
