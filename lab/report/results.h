// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

// Everything an experiment found out, and what a report needs to present it.
// Reports are functions of this alone, so the results file can be turned into a
// report again, on another machine, years later.

#ifndef NETLAB_LAB_REPORT_RESULTS_H_
#define NETLAB_LAB_REPORT_RESULTS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "netlab/lab/measure/environment.h"
#include "netlab/lab/measure/noise.h"
#include "netlab/lab/run/observation.h"

namespace netlab::lab {

enum class ChartKind {
  kBars,         // medians of one metric as bars, rounds as points
  kPercentiles,  // several metrics of one unit on a common, logarithmic axis
};

struct Chart {
  ChartKind kind = ChartKind::kBars;
  std::string title;
  std::string axis_title;  // with the unit
  std::vector<std::string> metrics;
  std::string caption;
};

// A metric that is compared with the reference subject's.
struct Compared {
  std::string metric;
  // A capacity is not known where something else was the limit: it is not
  // judged in cells that the load generator limited.
  bool is_capacity = false;
};

// What the experiment is, apart from any run of it.
struct Experiment {
  std::string name;
  std::string question;
  std::string axis;  // what a level is: "threads"
  std::vector<Metric> metrics;
  std::vector<Compared> compared;
  std::vector<std::string> table_metrics;  // shown in the table, in this order
  std::vector<std::string> error_kinds;    // that its load counts
  std::vector<Chart> charts;
  std::vector<std::string> caveats;

  // Must be one of `metrics`.
  const Metric& metric(const std::string& key) const;
  // How the metric is compared, or nullptr when it is not.
  const Compared* compared_as(const std::string& key) const;
};

struct SubjectInfo {
  std::string name;
  std::string what;
  bool reference = false;
};

struct Results {
  Experiment experiment;
  std::vector<SubjectInfo> subjects;
  std::vector<int64_t> levels;
  std::vector<Fact> options;  // flags and their values, as used
  std::string command;        // repeats the run
  std::vector<Fact> environment;
  int planned_rounds = 0;

  std::vector<Observation> observations;
  std::vector<NoiseSample> noise;  // before the first round and after each
  bool interrupted = false;

  // The subject that the others are compared with; "" when there is none.
  std::string reference() const;
};

}  // namespace netlab::lab

#endif  // NETLAB_LAB_REPORT_RESULTS_H_
