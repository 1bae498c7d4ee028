// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

// From observations to cells: medians over rounds, ratios to the reference
// within rounds, and what keeps a figure from being taken at face value.

#ifndef NETLAB_LAB_REPORT_SUMMARY_H_
#define NETLAB_LAB_REPORT_SUMMARY_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "netlab/lab/measure/noise.h"
#include "netlab/lab/report/results.h"
#include "netlab/lab/run/observation.h"
#include "netlab/lab/stats/ratio.h"

namespace netlab::lab {

struct Comparison {
  RatioEstimate estimate;
  // Why there is no verdict; empty when there is one. The estimate's verdict is
  // kUndecided then.
  std::string not_judged;
};

// One subject at one level.
struct CellSummary {
  std::string subject;
  int64_t level = 0;
  bool reference = false;

  int rounds = 0;    // in which it had its turn
  int measured = 0;  // of them, those that gave figures
  // kOk if any round gave figures, else what its last round came to.
  Outcome outcome = Outcome::kFailed;

  std::map<std::string, double> medians;
  std::map<std::string, double> deviations;  // median absolute deviations
  std::map<std::string, Comparison> ratios;  // by metric; none of the reference
  std::map<std::string, int64_t> errors;     // summed over all rounds
  int rounds_with_errors = 0;
  std::string limited_by;  // in most rounds; in doubt, the generator
  std::string placement;
  // Failures, errors and notes, each once, with the number of rounds.
  std::vector<std::string> notes;
  std::vector<std::string> log_tail;  // of the last failure

  int64_t error_count() const;
  bool limited_by_generator() const;
};

struct Summary {
  std::vector<CellSummary> cells;  // by level, then in the order of subjects
  NoiseVerdict noise;
  int complete_rounds = 0;
};

Summary Summarize(const Results& results);

}  // namespace netlab::lab

#endif  // NETLAB_LAB_REPORT_SUMMARY_H_
