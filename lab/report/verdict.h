// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

// Which differences are real and which are noise, in words.

#ifndef NETLAB_LAB_REPORT_VERDICT_H_
#define NETLAB_LAB_REPORT_VERDICT_H_

#include <cstdint>
#include <string>
#include <vector>

#include "netlab/lab/report/results.h"
#include "netlab/lab/report/summary.h"

namespace netlab::lab {

// One compared metric at one level: the subjects by how they stand to the
// reference.
struct VerdictGroup {
  std::string metric;
  int64_t level = 0;
  std::vector<std::string> better;  // "raw_uring −12 %"
  std::vector<std::string> worse;
  std::vector<std::string> ties;        // "libuv"
  std::vector<std::string> not_judged;  // "asio (errors)"
};

std::vector<VerdictGroup> GroupVerdicts(const Results& results,
                                        const Summary& summary);

// "5 real differences, 3 ties, 4 not judged."
std::string CountVerdicts(const std::vector<VerdictGroup>& groups);

}  // namespace netlab::lab

#endif  // NETLAB_LAB_REPORT_VERDICT_H_
