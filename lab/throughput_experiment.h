// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

// The experiment "throughput": servers x thread counts under the load
// generator.

#ifndef NETLAB_LAB_THROUGHPUT_EXPERIMENT_H_
#define NETLAB_LAB_THROUGHPUT_EXPERIMENT_H_

#include <string>
#include <vector>

#include "netlab/lab/experiment/driver.h"
#include "netlab/lab/report/results.h"
#include "netlab/lab/run/observation.h"

namespace netlab::lab {

Experiment ThroughputExperiment();

// What it runs: the servers, and the load generator with flags of it.
struct ThroughputPrograms {
  std::vector<Subject> servers;
  std::vector<std::string> load;
};

// main() of the program; `find` finds its files.
int ThroughputMain(int argc, char** argv, const ThroughputPrograms& programs,
                   const FileFinder& find);

}  // namespace netlab::lab

#endif  // NETLAB_LAB_THROUGHPUT_EXPERIMENT_H_
