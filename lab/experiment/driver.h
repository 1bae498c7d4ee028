// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

// What all experiments have in common once they know what to measure: rounds,
// the noise sentinel between them, result files, the report.

#ifndef NETLAB_LAB_EXPERIMENT_DRIVER_H_
#define NETLAB_LAB_EXPERIMENT_DRIVER_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "netlab/lab/report/html.h"
#include "netlab/lab/report/results.h"
#include "netlab/lab/run/interrupt.h"
#include "netlab/lab/run/observation.h"

namespace netlab::lab {

// Finds the files that the build put beside the program, by their runfiles path
// ("netlab/echo/raw_epoll"); works under `bazel run`, in a test, and when the
// program is started by its path.
using FileFinder = std::function<std::string(const std::string&)>;
absl::StatusOr<FileFinder> OpenRunfiles(const char* argv0);

// Where the user typed the command: `bazel run` starts programs elsewhere.
std::string WorkingDir();

struct DriverPlan {
  // Without observations and noise: those are the driver's to fill in.
  Results results;
  size_t cells = 0;
  uint64_t seed = 0;
  std::function<absl::StatusOr<Observation>(size_t cell)> measure;
  std::vector<int> watched_cpus;  // of the noise sentinel
  std::string output_dir;
  const PageAssets* assets = nullptr;
  const Interrupt* interrupt = nullptr;
};

// Runs the rounds, writes results.jsonl as they are completed and the other
// files at the end, also of a run that was interrupted, and prints the table.
// Returns the status to exit with: 0; 1 when nothing could be measured or
// written; 128 + the signal that interrupted it.
int RunExperiment(DriverPlan plan);

// Writes results.csv and report.html into `folder`, which exists.
absl::Status WriteReports(const Results& results, const PageAssets& assets,
                          const std::string& folder);

}  // namespace netlab::lab

#endif  // NETLAB_LAB_EXPERIMENT_DRIVER_H_
