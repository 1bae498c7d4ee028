// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "netlab/lab/report/chart_parts.h"
#include "netlab/lab/report/charts.h"
#include "netlab/lab/report/format.h"

namespace netlab::lab {
namespace {

using Json = nlohmann::ordered_json;

const std::vector<LegendEntry>& RatioLegend() {
  static const auto& legend =
      *new std::vector<LegendEntry>{{"Better than the reference", "@good"},
                                    {"Worse", "@bad"},
                                    {"Tie", "@muted"},
                                    {"Not judged", "@pale"}};
  return legend;
}

const std::string& RatioClass(const Metric& metric, Verdict verdict) {
  const std::vector<LegendEntry>& legend = RatioLegend();
  switch (verdict) {
    case Verdict::kHigher:
      return legend[metric.lower_is_better ? 1 : 0].label;
    case Verdict::kLower:
      return legend[metric.lower_is_better ? 0 : 1].label;
    case Verdict::kTie:
      return legend[2].label;
    case Verdict::kUndecided:
      break;
  }
  return legend[3].label;
}

std::pair<double, double> RatioRange(const Summary& summary,
                                     const std::string& metric) {
  double low = 0.95;
  double high = 1.05;
  for (const CellSummary& cell : summary.cells) {
    const auto it = cell.ratios.find(metric);
    if (it == cell.ratios.end() || it->second.estimate.pairs == 0) continue;
    low = std::min(low, it->second.estimate.low);
    high = std::max(high, it->second.estimate.high);
  }
  const double margin = (high - low) * 0.05;
  return {std::max(0.0, low - margin), high + margin};
}

Json RatioSpec(const Results& results, const Summary& summary,
               const Metric& metric, int64_t level) {
  Json rows = Json::array({{{"kind", "one"}, {"ratio", 1}}});
  for (const CellSummary& cell : summary.cells) {
    const auto it = cell.ratios.find(metric.key);
    if (cell.level != level || it == cell.ratios.end() ||
        it->second.estimate.pairs == 0) {
      continue;
    }
    const RatioEstimate& estimate = it->second.estimate;
    rows.push_back({{"kind", "ratio"},
                    {"subject", cell.subject},
                    {"ratio", estimate.ratio},
                    {"low", estimate.low},
                    {"high", estimate.high},
                    {"shown", FormatRatio(it->second)},
                    {"verdict", RatioClass(metric, estimate.verdict)}});
  }
  const auto range = RatioRange(summary, metric.key);
  const auto x = [range](const char* field) -> Json {
    return {{"field", field},
            {"type", "quantitative"},
            {"title", "ratio to the reference"},
            {"scale",
             {{"domain", {range.first, range.second}},
              {"nice", false},
              {"zero", false}}}};
  };
  const Json tooltip = TooltipOf(
      {{"subject", "subject"}, {"shown", "ratio"}, {"verdict", "verdict"}});
  std::vector<std::string> compared;
  for (const SubjectInfo& subject : results.subjects) {
    if (!subject.reference) compared.push_back(subject.name);
  }
  Json spec = PanelSpec(compared, std::move(rows));
  spec["layer"] = {
      {{"transform", OnlyKind("one")},
       {"mark", {{"type", "rule"}, {"color", "@text"}, {"opacity", 0.5}}},
       {"encoding", {{"x", x("ratio")}, {"y", nullptr}}}},
      {{"transform", OnlyKind("ratio")},
       {"mark", {{"type", "rule"}, {"strokeWidth", 3}, {"opacity", 0.55}}},
       {"encoding",
        {{"x", x("low")},
         {"x2", {{"field", "high"}}},
         {"color", ColourBy(RatioLegend(), "verdict")},
         {"tooltip", tooltip}}}},
      {{"transform", OnlyKind("ratio")},
       {"mark",
        {{"type", "point"}, {"filled", true}, {"size", 80}, {"opacity", 1}}},
       {"encoding",
        {{"x", x("ratio")},
         {"color", ColourBy(RatioLegend(), "verdict")},
         {"tooltip", tooltip}}}},
  };
  return spec;
}

// The entries of the legend that occur.
std::vector<LegendEntry> UsedLegend(const Summary& summary,
                                    const Metric& metric) {
  std::vector<LegendEntry> used;
  for (const LegendEntry& entry : RatioLegend()) {
    for (const CellSummary& cell : summary.cells) {
      const auto it = cell.ratios.find(metric.key);
      if (it == cell.ratios.end() || it->second.estimate.pairs == 0 ||
          RatioClass(metric, it->second.estimate.verdict) != entry.label) {
        continue;
      }
      used.push_back(entry);
      break;
    }
  }
  return used;
}

}  // namespace

ChartFigure RatioFigure(const Results& results, const Summary& summary,
                        const Compared& compared) {
  const Metric& metric = results.experiment.metric(compared.metric);
  ChartFigure figure;
  figure.title = absl::StrCat(metric.title, " relative to the reference");
  figure.caption = absl::StrCat(
      "Point: median of the ratios within rounds. Bar: its 95 % interval. ",
      metric.lower_is_better ? "Further left" : "Further right", " is better.");
  figure.legend = UsedLegend(summary, metric);
  for (const int64_t level : results.levels) {
    figure.panels.push_back({PanelTitle(results, summary, level),
                             RatioSpec(results, summary, metric, level)});
  }
  return figure;
}

}  // namespace netlab::lab
