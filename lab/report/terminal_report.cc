// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

#include "netlab/lab/report/terminal_report.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "netlab/lab/measure/topology.h"
#include "netlab/lab/report/format.h"

namespace netlab::lab {
namespace {

TextStyle StyleOf(const Metric& metric, const Comparison& comparison) {
  switch (comparison.estimate.verdict) {
    case Verdict::kUndecided:
    case Verdict::kTie:
      return TextStyle::kDim;
    case Verdict::kHigher:
      return metric.lower_is_better ? TextStyle::kBad : TextStyle::kGood;
    case Verdict::kLower:
      return metric.lower_is_better ? TextStyle::kGood : TextStyle::kBad;
  }
  return TextStyle::kPlain;
}

std::vector<TextColumn> Columns(const Results& results) {
  const Experiment& experiment = results.experiment;
  std::vector<TextColumn> columns = {
      {.heading = "subject"}, {.heading = experiment.axis, .right = true}};
  // Metrics further to the right are the first to go.
  int dispensable = 0;
  for (const std::string& key : experiment.table_metrics) {
    const bool compared = experiment.compared_as(key) != nullptr;
    if (!compared) ++dispensable;
    columns.push_back({.heading = experiment.metric(key).heading,
                       .right = true,
                       .dispensable = compared ? 0 : dispensable});
    if (compared) {
      columns.push_back({.heading = absl::StrCat("/ ", results.reference())});
    }
  }
  columns.push_back({.heading = "limited by"});
  columns.push_back({.heading = "errors", .right = true});
  return columns;
}

std::vector<TextCell> Row(const Results& results, const CellSummary& cell) {
  const Experiment& experiment = results.experiment;
  std::vector<TextCell> row = {
      {cell.subject, cell.reference ? TextStyle::kBold : TextStyle::kPlain},
      {absl::StrCat(cell.level)}};
  for (const std::string& key : experiment.table_metrics) {
    const Metric& metric = experiment.metric(key);
    const auto median = cell.medians.find(key);
    row.push_back({median == cell.medians.end()
                       ? "–"
                       : FormatValue(metric, median->second)});
    if (experiment.compared_as(key) == nullptr) continue;
    const auto ratio = cell.ratios.find(key);
    if (ratio == cell.ratios.end()) {
      row.push_back({cell.measured > 0 ? "1" : "–", TextStyle::kDim});
    } else {
      row.push_back(
          {FormatRatio(ratio->second), StyleOf(metric, ratio->second)});
    }
  }
  row.push_back({cell.outcome == Outcome::kOk            ? cell.limited_by
                 : cell.outcome == Outcome::kUnavailable ? "unavailable"
                                                         : "FAILED",
                 cell.outcome == Outcome::kOk && !cell.limited_by_generator()
                     ? TextStyle::kPlain
                     : TextStyle::kWarning});
  const int64_t errors = cell.error_count();
  row.push_back(
      {errors == 0 ? "–" : FormatNumber(static_cast<double>(errors), 0),
       errors == 0 ? TextStyle::kDim : TextStyle::kBad});
  return row;
}

// Whether a cell of the table shows `sign` in its ratios.
bool AnyRatio(const Summary& summary, bool (*predicate)(const Comparison&)) {
  for (const CellSummary& cell : summary.cells) {
    for (const auto& [metric, comparison] : cell.ratios) {
      if (predicate(comparison)) return true;
    }
  }
  return false;
}

std::string Legend(const Summary& summary, const Terminal& terminal) {
  std::string legend;
  const auto add = [&](absl::string_view line) {
    absl::StrAppend(&legend, Wrapped(line, 2, terminal));
  };
  add("Ratios are medians of the ratios within rounds, with their 95 % "
      "interval.");
  if (AnyRatio(summary, [](const Comparison& c) {
        return c.estimate.verdict == Verdict::kTie;
      })) {
    add("= tie: the interval holds 1.");
  }
  if (AnyRatio(summary, [](const Comparison& c) {
        return c.estimate.pairs > 0 && !c.not_judged.empty();
      })) {
    add("? not judged: errors, too few rounds, or a throughput that the load "
        "generator limited.");
  }
  for (const CellSummary& cell : summary.cells) {
    if (!cell.limited_by_generator()) continue;
    add("Limited by the generator: the throughput is not the server's "
        "capacity; compare CPU per request.");
    break;
  }
  return legend;
}

std::string Notes(const Results& results, const Summary& summary,
                  const Terminal& terminal) {
  std::string notes;
  for (const CellSummary& cell : summary.cells) {
    for (const std::string& note : cell.notes) {
      absl::StrAppend(
          &notes,
          Wrapped(absl::StrCat("! ", cell.subject, ", ",
                               FormatLevel(results.experiment.axis, cell.level),
                               ": ", note),
                  4, terminal));
    }
    for (const std::string& line : cell.log_tail) {
      absl::StrAppend(&notes, "    | ", line, "\n");
    }
  }
  return notes;
}

std::string Placements(const Results& results, const Summary& summary,
                       const Terminal& terminal) {
  std::string text;
  int64_t last_level = -1;
  for (const CellSummary& cell : summary.cells) {
    if (cell.level == last_level || cell.placement.empty()) continue;
    last_level = cell.level;
    if (cell.placement == SharingName(Sharing::kSeparateCores)) continue;
    absl::StrAppend(
        &text,
        Wrapped(
            absl::StrCat(FormatLevel(results.experiment.axis, cell.level),
                         ": too few cores, subject and load run on ",
                         cell.placement, "; figures are of the whole machine."),
            2, terminal));
  }
  return text;
}

}  // namespace

std::string TerminalReport(const Results& results, const Summary& summary,
                           const Terminal& terminal) {
  std::string text;
  absl::StrAppend(&text, "\n",
                  Styled(absl::StrCat(results.experiment.name, ": ",
                                      results.experiment.question),
                         TextStyle::kBold, terminal),
                  "\n");
  if (results.interrupted) {
    absl::StrAppend(&text, "Interrupted: ", summary.complete_rounds, " of ",
                    results.planned_rounds, " rounds are complete.\n");
  }
  absl::StrAppend(
      &text,
      Styled(Wrapped(summary.noise.text, 2, terminal),
             summary.noise.noisy ? TextStyle::kWarning : TextStyle::kDim,
             terminal),
      "\n");
  TextTable table(Columns(results));
  for (size_t i = 0; i < summary.cells.size(); ++i) {
    if (i > 0 && summary.cells[i].level != summary.cells[i - 1].level) {
      table.AddGap();
    }
    table.AddRow(Row(results, summary.cells[i]));
  }
  absl::StrAppend(
      &text, table.Render(terminal), "\n", Notes(results, summary, terminal),
      Placements(results, summary, terminal), Legend(summary, terminal));
  return text;
}

}  // namespace netlab::lab
