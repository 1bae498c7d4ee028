// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

// What //lab:load prints, schema "netlab.load/1".

#ifndef NETLAB_LAB_RUN_LOAD_RESULT_H_
#define NETLAB_LAB_RUN_LOAD_RESULT_H_

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace netlab::lab {

// Of one side, between the begin and the end of the measured window.
struct SideUsage {
  double user_s = 0;
  double system_s = 0;
  double switches = 0;  // context switches of both kinds
  double max_rss_bytes = 0;

  double cpu_s() const { return user_s + system_s; }
};

struct LoadResult {
  double elapsed_s = 0;
  double requests = 0;
  double requests_per_s = 0;
  double threads = 0;
  std::map<std::string, int64_t> errors;
  std::map<std::string, double> latency_us;  // "p50", "p99_9", "mean", ...
  SideUsage generator;
  std::optional<SideUsage> server;  // absent when no process was observed
  nlohmann::ordered_json json;      // all of it, as it came
};

// InvalidArgumentError naming what is missing.
absl::StatusOr<LoadResult> ParseLoadResult(absl::string_view text);

}  // namespace netlab::lab

#endif  // NETLAB_LAB_RUN_LOAD_RESULT_H_
