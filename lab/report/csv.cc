// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

#include "netlab/lab/report/csv.h"

#include <map>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"

namespace netlab::lab {
namespace {

std::string Quoted(absl::string_view text) {
  if (text.find_first_of(",\"\r\n") == absl::string_view::npos) {
    return std::string(text);
  }
  return absl::StrCat("\"", absl::StrReplaceAll(text, {{"\"", "\"\""}}), "\"");
}

std::string Line(const std::vector<std::string>& fields) {
  return absl::StrCat(
      absl::StrJoin(fields, ",",
                    [](std::string* out, const std::string& field) {
                      absl::StrAppend(out, Quoted(field));
                    }),
      "\n");
}

// Six significant digits are more than any measurement has.
std::string Figure(double value) { return absl::StrFormat("%.6g", value); }

// Counts are whole; nobody wants 1.23457e+06 of them.
std::string ValueOf(const std::map<std::string, double>& values,
                    const Metric& metric) {
  const auto it = values.find(metric.key);
  if (it == values.end()) return "";
  if (metric.digits == 0) return absl::StrFormat("%.0f", it->second);
  return Figure(it->second);
}

void AppendRatio(const CellSummary& cell, const std::string& metric,
                 std::vector<std::string>& fields) {
  const auto it = cell.ratios.find(metric);
  if (cell.reference && cell.measured > 0) {
    fields.insert(fields.end(), {"1", "1", "1", "reference"});
  } else if (it == cell.ratios.end() || it->second.estimate.pairs == 0) {
    fields.insert(fields.end(), {"", "", "", ""});
  } else {
    const RatioEstimate& estimate = it->second.estimate;
    fields.insert(fields.end(), {Figure(estimate.ratio), Figure(estimate.low),
                                 Figure(estimate.high),
                                 std::string(VerdictName(estimate.verdict))});
  }
}

std::vector<std::string> Row(const Experiment& experiment,
                             const CellSummary& cell) {
  std::vector<std::string> fields = {
      cell.subject, absl::StrCat(cell.level), absl::StrCat(cell.rounds),
      absl::StrCat(cell.measured), OutcomeName(cell.outcome)};
  for (const Metric& metric : experiment.metrics) {
    fields.push_back(ValueOf(cell.medians, metric));
  }
  for (const Compared& compared : experiment.compared) {
    const auto mad = cell.deviations.find(compared.metric);
    fields.push_back(mad == cell.deviations.end() ? "" : Figure(mad->second));
    AppendRatio(cell, compared.metric, fields);
  }
  fields.push_back(absl::StrCat(cell.error_count()));
  for (const std::string& kind : experiment.error_kinds) {
    const auto count = cell.errors.find(kind);
    fields.push_back(
        absl::StrCat(count == cell.errors.end() ? 0 : count->second));
  }
  fields.push_back(cell.limited_by);
  fields.push_back(cell.placement);
  fields.push_back(absl::StrJoin(cell.notes, "; "));
  return fields;
}

}  // namespace

std::vector<std::string> CsvColumns(const Experiment& experiment) {
  std::vector<std::string> columns = {"subject", experiment.axis, "rounds",
                                      "measured_rounds", "outcome"};
  for (const Metric& metric : experiment.metrics) {
    columns.push_back(metric.key);
  }
  for (const Compared& compared : experiment.compared) {
    for (const char* suffix :
         {"_mad", "_ratio", "_ratio_low", "_ratio_high", "_verdict"}) {
      columns.push_back(compared.metric + suffix);
    }
  }
  columns.push_back("errors");
  for (const std::string& kind : experiment.error_kinds) {
    columns.push_back("errors_" + kind);
  }
  columns.insert(columns.end(), {"limited_by", "placement", "note"});
  return columns;
}

std::string ToCsv(const Results& results, const Summary& summary) {
  std::string csv = Line(CsvColumns(results.experiment));
  for (const CellSummary& cell : summary.cells) {
    absl::StrAppend(&csv, Line(Row(results.experiment, cell)));
  }
  return csv;
}

}  // namespace netlab::lab
