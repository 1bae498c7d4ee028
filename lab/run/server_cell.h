// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

// One server under load, once: start it, wait until it listens, load it, stop
// it. Whatever goes wrong is an observation that says so, not an error: a row
// is never missing.

#ifndef NETLAB_LAB_RUN_SERVER_CELL_H_
#define NETLAB_LAB_RUN_SERVER_CELL_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "netlab/lab/measure/topology.h"
#include "netlab/lab/run/load_result.h"
#include "netlab/lab/run/observation.h"
#include "netlab/lab/run/ports.h"

namespace netlab::lab {

struct LoadPlan {
  std::vector<std::string> program;  // the load generator, and flags of it
  int connections = 100;
  absl::Duration warmup = absl::Milliseconds(300);
  absl::Duration duration = absl::Seconds(1);
};

struct Patience {
  absl::Duration start = absl::Seconds(10);  // until the server listens
  absl::Duration stop = absl::Seconds(5);    // from SIGTERM to its end
  absl::Duration load = absl::Seconds(15);   // beyond warm-up and duration
};

// Measures `subject` with `threads` threads. The observation's round and
// position are left to the caller. CancelledError, with nothing left running,
// when `interrupt_fd` becomes readable; no other error.
absl::StatusOr<Observation> MeasureServer(const Subject& subject, int threads,
                                          const Placement& placement,
                                          const LoadPlan& plan, PortPool& ports,
                                          int interrupt_fd,
                                          const Patience& patience = {});

// The metrics that MeasureServer() records.
std::vector<Metric> ServerMetrics();

// From this share of its threads' time on, a side counts as saturated.
inline constexpr double kSaturated = 0.9;

// Observation::limited_by, from the share of its threads' time that each side
// used and, for sides that share CPUs, the share of the CPUs that both used.
absl::string_view LimitedBy(double server_utilisation,
                            double generator_utilisation,
                            double shared_cpu_utilisation);

}  // namespace netlab::lab

#endif  // NETLAB_LAB_RUN_SERVER_CELL_H_
