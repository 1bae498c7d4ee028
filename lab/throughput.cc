// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

// bazel run //lab:throughput

#include <iostream>

#include "absl/status/statusor.h"
#include "netlab/lab/experiment/driver.h"
#include "netlab/lab/server_subjects.h"
#include "netlab/lab/throughput_experiment.h"

int main(int argc, char** argv) {
  using namespace netlab::lab;  // NOLINT(google-build-using-namespace)
  const absl::StatusOr<FileFinder> find = OpenRunfiles(argv[0]);
  if (!find.ok()) {
    std::cerr << "ERROR: " << find.status().message() << "\n";
    return 1;
  }
  ThroughputPrograms programs;
  programs.load = {(*find)("netlab/lab/load/load")};
  for (const ListedSubject& listed : ListedServers()) {
    programs.servers.push_back({.name = listed.name,
                                .what = listed.what,
                                .program = (*find)(listed.runfiles_path),
                                .args = listed.args,
                                .reference = listed.reference});
  }
  return ThroughputMain(argc, argv, programs, *find);
}
