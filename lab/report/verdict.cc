// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

#include "netlab/lab/report/verdict.h"

#include <cmath>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

namespace netlab::lab {
namespace {

// What must stay on one line with its neighbour.
constexpr char kNoBreakSpace[] = "\u00a0";

// "+13 %", "−0.4 %": small differences with a decimal, or they read as none.
std::string Percent(double ratio) {
  const double percent = (ratio - 1) * 100;
  return absl::StrFormat("%s%.*f%s%%", percent < 0 ? "−" : "+",
                         std::abs(percent) < 10 ? 1 : 0, std::abs(percent),
                         kNoBreakSpace);
}

void Add(const CellSummary& cell, const Metric& metric,
         const Comparison& comparison, VerdictGroup& group) {
  const std::string with_percent = absl::StrCat(
      cell.subject, kNoBreakSpace, Percent(comparison.estimate.ratio));
  switch (comparison.estimate.verdict) {
    case Verdict::kTie:
      group.ties.push_back(cell.subject);
      break;
    case Verdict::kUndecided:
      group.not_judged.push_back(
          absl::StrCat(cell.subject, " (", comparison.not_judged, ")"));
      break;
    case Verdict::kHigher:
      (metric.lower_is_better ? group.worse : group.better)
          .push_back(with_percent);
      break;
    case Verdict::kLower:
      (metric.lower_is_better ? group.better : group.worse)
          .push_back(with_percent);
      break;
  }
}

std::string Counted(size_t count, const char* one, const char* many) {
  return absl::StrCat(count, " ", count == 1 ? one : many);
}

}  // namespace

std::vector<VerdictGroup> GroupVerdicts(const Results& results,
                                        const Summary& summary) {
  std::vector<VerdictGroup> groups;
  for (const Compared& compared : results.experiment.compared) {
    const Metric& metric = results.experiment.metric(compared.metric);
    for (const int64_t level : results.levels) {
      VerdictGroup group;
      group.metric = compared.metric;
      group.level = level;
      for (const CellSummary& cell : summary.cells) {
        const auto it = cell.ratios.find(compared.metric);
        if (cell.level != level || it == cell.ratios.end()) continue;
        Add(cell, metric, it->second, group);
      }
      groups.push_back(std::move(group));
    }
  }
  return groups;
}

std::string CountVerdicts(const std::vector<VerdictGroup>& groups) {
  size_t real = 0;
  size_t ties = 0;
  size_t not_judged = 0;
  for (const VerdictGroup& group : groups) {
    real += group.better.size() + group.worse.size();
    ties += group.ties.size();
    not_judged += group.not_judged.size();
  }
  return absl::StrCat(Counted(real, "real difference", "real differences"),
                      ", ", Counted(ties, "tie", "ties"), ", ", not_judged,
                      " not judged.");
}

}  // namespace netlab::lab
