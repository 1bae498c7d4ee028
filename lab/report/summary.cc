// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

#include "netlab/lab/report/summary.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "netlab/lab/stats/summary.h"

namespace netlab::lab {
namespace {

using Observations = std::vector<const Observation*>;

Observations ObservationsOf(const Results& results, const std::string& subject,
                            int64_t level) {
  Observations found;
  for (const Observation& observation : results.observations) {
    if (observation.subject == subject && observation.level == level) {
      found.push_back(&observation);
    }
  }
  return found;
}

bool HasFigures(const Observation& observation) {
  return observation.outcome == Outcome::kOk;
}

// "6 rounds", or "2 of 6 rounds".
std::string InRounds(int some, int all) {
  if (some == all) return absl::StrCat("all ", all, " rounds");
  return absl::StrCat(some, " of ", all, " rounds");
}

void SetMedians(const Observations& observations, CellSummary& cell) {
  std::map<std::string, std::vector<double>> values;
  for (const Observation* observation : observations) {
    if (!HasFigures(*observation)) continue;
    for (const auto& [key, value] : observation->metrics) {
      values[key].push_back(value);
    }
  }
  for (const auto& [key, of_key] : values) {
    cell.medians[key] = Median(of_key);
    cell.deviations[key] = MedianAbsoluteDeviation(of_key);
  }
}

// The limit in most rounds. Where half of the rounds or more were limited by
// the generator, alone or too, the cell is: a capacity must not be claimed.
std::string MostlyLimitedBy(const Observations& observations) {
  std::map<std::string, int> counts;
  int all = 0;
  for (const Observation* observation : observations) {
    if (observation->limited_by.empty()) continue;
    ++counts[observation->limited_by];
    ++all;
  }
  if (all == 0) return "";
  const int generator = counts["generator"];
  const int both = counts["both"];
  if (2 * (generator + both) >= all) {
    return generator >= both ? "generator" : "both";
  }
  return std::max_element(
             counts.begin(), counts.end(),
             [](const auto& a, const auto& b) { return a.second < b.second; })
      ->first;
}

void SetNotes(const Observations& observations, CellSummary& cell) {
  std::map<std::string, int> problems;
  std::map<std::string, int> notes;
  for (const Observation* observation : observations) {
    if (!HasFigures(*observation)) {
      ++problems[observation->problem];
      cell.log_tail = observation->log_tail;
    }
    for (const std::string& note : observation->notes) ++notes[note];
  }
  for (const auto& [problem, count] : problems) {
    cell.notes.push_back(
        absl::StrCat(problem, " (", InRounds(count, cell.rounds), ")"));
  }
  if (cell.error_count() > 0) {
    const std::string kinds = absl::StrJoin(
        cell.errors, ", ", [](std::string* out, const auto& error) {
          absl::StrAppend(out, error.second, " ", error.first);
        });
    cell.notes.push_back(
        absl::StrCat("errors (", kinds, ") in ",
                     InRounds(cell.rounds_with_errors, cell.rounds)));
  }
  for (const auto& [note, count] : notes) {
    cell.notes.push_back(
        absl::StrCat(note, " (", InRounds(count, cell.rounds), ")"));
  }
}

CellSummary SummarizeCell(const Results& results, const SubjectInfo& subject,
                          int64_t level) {
  const Observations observations =
      ObservationsOf(results, subject.name, level);
  CellSummary cell;
  cell.subject = subject.name;
  cell.level = level;
  cell.reference = subject.reference;
  for (const Observation* observation : observations) {
    ++cell.rounds;
    if (HasFigures(*observation)) ++cell.measured;
    if (cell.measured == 0) cell.outcome = observation->outcome;
    if (observation->error_count() > 0) ++cell.rounds_with_errors;
    for (const auto& [kind, count] : observation->errors) {
      if (count > 0) cell.errors[kind] += count;
    }
    if (!observation->placement.empty()) {
      cell.placement = observation->placement;
    }
  }
  if (cell.measured > 0) cell.outcome = Outcome::kOk;
  SetMedians(observations, cell);
  cell.limited_by = MostlyLimitedBy(observations);
  SetNotes(observations, cell);
  return cell;
}

// The metric of each round; not a number where the round gave none.
std::vector<double> ByRound(const Observations& observations,
                            const std::string& metric, int rounds) {
  std::vector<double> values(static_cast<size_t>(rounds),
                             std::numeric_limits<double>::quiet_NaN());
  for (const Observation* observation : observations) {
    const auto value = observation->metrics.find(metric);
    if (!HasFigures(*observation) || observation->round < 1 ||
        observation->round > rounds || value == observation->metrics.end()) {
      continue;
    }
    values[static_cast<size_t>(observation->round - 1)] = value->second;
  }
  return values;
}

std::string WhyNotJudged(const Compared& compared, const CellSummary& cell,
                         const CellSummary& reference,
                         const RatioEstimate& estimate) {
  if (estimate.pairs == 0) return "not measured together";
  if (cell.error_count() > 0) return "errors";
  if (reference.error_count() > 0) return "errors of the reference";
  if (compared.is_capacity &&
      (cell.limited_by_generator() || reference.limited_by_generator())) {
    return "limited by the generator";
  }
  if (estimate.verdict == Verdict::kUndecided) {
    return absl::StrCat("only ", estimate.pairs, " rounds");
  }
  return "";
}

void Compare(const Results& results, const CellSummary& reference, int rounds,
             CellSummary& cell) {
  const Observations ours = ObservationsOf(results, cell.subject, cell.level);
  const Observations theirs =
      ObservationsOf(results, reference.subject, cell.level);
  for (const Compared& compared : results.experiment.compared) {
    Comparison comparison;
    comparison.estimate =
        EstimateRatio(ByRound(ours, compared.metric, rounds),
                      ByRound(theirs, compared.metric, rounds));
    comparison.not_judged =
        WhyNotJudged(compared, cell, reference, comparison.estimate);
    if (!comparison.not_judged.empty()) {
      comparison.estimate.verdict = Verdict::kUndecided;
    }
    cell.ratios[compared.metric] = comparison;
  }
}

}  // namespace

int64_t CellSummary::error_count() const {
  int64_t sum = 0;
  for (const auto& [kind, count] : errors) sum += count;
  return sum;
}

bool CellSummary::limited_by_generator() const {
  return limited_by == "generator" || limited_by == "both";
}

Summary Summarize(const Results& results) {
  Summary summary;
  std::vector<double> foreign_cpus;
  for (const Observation& observation : results.observations) {
    summary.complete_rounds =
        std::max(summary.complete_rounds, observation.round);
    const auto foreign = observation.metrics.find("foreign_cpus");
    if (foreign != observation.metrics.end()) {
      foreign_cpus.push_back(foreign->second);
    }
  }
  summary.noise = JudgeNoise(results.noise, foreign_cpus);
  for (const int64_t level : results.levels) {
    const size_t first = summary.cells.size();
    const CellSummary* reference = nullptr;
    for (const SubjectInfo& subject : results.subjects) {
      summary.cells.push_back(SummarizeCell(results, subject, level));
    }
    for (size_t i = first; i < summary.cells.size(); ++i) {
      if (summary.cells[i].reference) reference = &summary.cells[i];
    }
    if (reference == nullptr) continue;
    for (size_t i = first; i < summary.cells.size(); ++i) {
      if (summary.cells[i].reference) continue;
      Compare(results, *reference, summary.complete_rounds, summary.cells[i]);
    }
  }
  return summary;
}

}  // namespace netlab::lab
