// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

#include "netlab/lab/experiment/flags.h"

#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <optional>
#include <string>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/flags/parse.h"
#include "absl/flags/usage.h"
#include "absl/flags/usage_config.h"
#include "absl/strings/match.h"
#include "absl/strings/string_view.h"

ABSL_FLAG(std::string, profile, "quick",
          "quick (about three minutes) or full (more rounds, longer ones, more "
          "thread counts); the flags below override its parts");
ABSL_FLAG(std::optional<int>, rounds, std::nullopt,
          "how often each cell is measured; verdicts take at least 5, a 95 % "
          "interval takes 6");
ABSL_FLAG(std::string, warmup, "", "load before each measurement, e.g. 500ms");
ABSL_FLAG(std::string, duration, "", "of each measurement, e.g. 2s");
ABSL_FLAG(std::optional<int>, connections, std::nullopt,
          "connections that the load generator keeps busy");
ABSL_FLAG(std::string, threads, "",
          "thread counts of the subjects, e.g. 1,2,4");
ABSL_FLAG(std::string, subjects, "",
          "names of the subjects to compare, e.g. raw_epoll,asio; all of them "
          "by default");
ABSL_FLAG(std::string, server_cpus, "",
          "CPUs of the subjects, e.g. 0,2-3; chosen by default so that no "
          "physical core is shared with the load, where there are enough");
ABSL_FLAG(std::string, load_cpus, "", "CPUs of the load generator");
ABSL_FLAG(int, load_threads, 0,
          "threads of the load generator; 0: as many as its CPUs allow, at "
          "most two for each of the subject's");
ABSL_FLAG(std::string, output_dir, "",
          "where the results go; lab-results/<experiment>-<time> by default");
ABSL_FLAG(std::optional<uint64_t>, seed, std::nullopt,
          "of the random order within rounds; drawn by default, and recorded");

namespace netlab::lab {

RawOptions ParseFlags(int argc, char** argv, absl::string_view usage) {
  absl::SetProgramUsageMessage(usage);
  absl::FlagsUsageConfig config;
  config.contains_help_flags = [](absl::string_view file) {
    return absl::StrContains(file, "lab/experiment/flags");
  };
  absl::SetFlagsUsageConfig(config);
  const std::vector<char*> rest = absl::ParseCommandLine(argc, argv);
  if (rest.size() > 1) {
    std::cerr << "ERROR: '" << rest[1]
              << "' is not a flag, and only flags are taken; see --help\n";
    std::exit(1);
  }
  return {.profile = absl::GetFlag(FLAGS_profile),
          .rounds = absl::GetFlag(FLAGS_rounds),
          .warmup = absl::GetFlag(FLAGS_warmup),
          .duration = absl::GetFlag(FLAGS_duration),
          .connections = absl::GetFlag(FLAGS_connections),
          .threads = absl::GetFlag(FLAGS_threads),
          .subjects = absl::GetFlag(FLAGS_subjects),
          .server_cpus = absl::GetFlag(FLAGS_server_cpus),
          .load_cpus = absl::GetFlag(FLAGS_load_cpus),
          .load_threads = absl::GetFlag(FLAGS_load_threads),
          .output_dir = absl::GetFlag(FLAGS_output_dir),
          .seed = absl::GetFlag(FLAGS_seed)};
}

}  // namespace netlab::lab
