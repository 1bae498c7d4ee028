// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

// //lab:throughput with fake programs, for tests of it as a whole.

#include <cstdlib>
#include <iostream>
#include <string>

#include "absl/status/statusor.h"
#include "netlab/lab/experiment/driver.h"
#include "netlab/lab/throughput_experiment.h"

int main(int argc, char** argv) {
  using namespace netlab::lab;  // NOLINT(google-build-using-namespace)
  const absl::StatusOr<FileFinder> find = OpenRunfiles(argv[0]);
  if (!find.ok()) {
    std::cerr << "ERROR: " << find.status().message() << "\n";
    return 1;
  }
  // By which a test finds the processes of its own run.
  const char* const marker = std::getenv("FAKE_MARKER");
  const std::string mark =
      std::string("--marker=") + (marker != nullptr ? marker : "");
  const std::string server = (*find)("netlab/lab/run/testing/fake_server");
  return ThroughputMain(
      argc, argv,
      {.servers = {{.name = "good",
                    .what = "works",
                    .program = server,
                    .args = {mark},
                    .reference = true},
                   {.name = "also_good",
                    .what = "works <too> & well",
                    .program = server,
                    .args = {mark}},
                   {.name = "no_uring",
                    .what = "cannot run here",
                    .program = server,
                    .args = {mark, "--behaviour=unavailable"}},
                   {.name = "broken",
                    .what = "dies at start",
                    .program = server,
                    .args = {mark, "--behaviour=dies_at_start"}},
                   {.name = "slow_start",
                    .what = "never listens",
                    .program = server,
                    .args = {mark, "--behaviour=silent"}}},
       .load = {(*find)("netlab/lab/run/testing/fake_load"), mark}},
      *find);
}
