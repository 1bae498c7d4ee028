// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

#include "netlab/lab/report/charts.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "netlab/lab/report/chart_parts.h"
#include "netlab/lab/report/format.h"

namespace netlab::lab {
namespace {

using Json = nlohmann::ordered_json;

// Room to the right of the longest bar for its label.
constexpr double kLabelRoom = 1.22;

// The smallest and largest positive value of `metrics`, over all rounds: panels
// of one figure share their axis, or they could not be compared.
std::pair<double, double> Range(const Results& results,
                                const std::vector<std::string>& metrics) {
  double low = std::numeric_limits<double>::infinity();
  double high = 0;
  for (const Observation& observation : results.observations) {
    for (const std::string& metric : metrics) {
      const auto value = observation.metrics.find(metric);
      if (value == observation.metrics.end() || value->second <= 0) continue;
      low = std::min(low, value->second);
      high = std::max(high, value->second);
    }
  }
  return high > 0 ? std::pair(low, high) : std::pair(1.0, 10.0);
}

// What stands in the row of a subject without figures.
const char* Absence(const CellSummary& cell) {
  if (cell.outcome == Outcome::kOk) return "not measured";
  return cell.outcome == Outcome::kUnavailable ? "cannot run here" : "failed";
}

// ---- Bars ----

std::string CapitalizedTitle(const Metric& metric) {
  std::string title(absl::StripPrefix(metric.title, "of it "));
  if (!title.empty()) title[0] = absl::ascii_toupper(title[0]);
  return title;
}

std::vector<LegendEntry> BarLegend(const Results& results,
                                   const Summary& summary, const Chart& chart) {
  const Experiment& experiment = results.experiment;
  if (chart.metrics.size() > 1) {
    const char* const colours[] = {"@accent", "@second", "@third"};
    std::vector<LegendEntry> legend;
    for (size_t i = 1; i < chart.metrics.size(); ++i) {
      legend.push_back({CapitalizedTitle(experiment.metric(chart.metrics[i])),
                        colours[(i - 1) % 3]});
    }
    return legend;
  }
  std::vector<LegendEntry> legend = {{"Median of the rounds", "@accent"}};
  const bool any_limited = std::any_of(
      summary.cells.begin(), summary.cells.end(),
      [](const CellSummary& cell) { return cell.limited_by_generator(); });
  const Compared* const compared = experiment.compared_as(chart.metrics[0]);
  if (any_limited && compared != nullptr && compared->is_capacity) {
    legend.push_back({"Limited by the load generator", "@pale"});
  }
  return legend;
}

// Adds the points of the rounds; returns the largest value, or 0.
double AddRoundRows(const Results& results, const CellSummary& cell,
                    const Metric& metric, Json& rows) {
  double largest = 0;
  for (const Observation& observation : results.observations) {
    const auto value = observation.metrics.find(metric.key);
    if (observation.subject != cell.subject ||
        observation.level != cell.level || value == observation.metrics.end()) {
      continue;
    }
    largest = std::max(largest, value->second);
    rows.push_back({{"kind", "round"},
                    {"subject", cell.subject},
                    {"value", value->second},
                    {"shown", FormatValue(metric, value->second)},
                    {"round", observation.round}});
  }
  return largest;
}

// The whole bar, or the parts that the chart's further metrics divide it into.
void AddBarParts(const CellSummary& cell, const Chart& chart,
                 const std::vector<LegendEntry>& legend, double whole,
                 Json& rows) {
  const auto add = [&](size_t entry, double value) {
    rows.push_back({{"kind", "bar"},
                    {"subject", cell.subject},
                    {"part", legend[entry].label},
                    {"value", value},
                    {"order", entry}});
  };
  if (chart.metrics.size() == 1) {
    add(legend.size() > 1 && cell.limited_by_generator() ? 1 : 0, whole);
    return;
  }
  std::vector<double> parts;
  for (size_t i = 1; i < chart.metrics.size(); ++i) {
    const auto part = cell.medians.find(chart.metrics[i]);
    parts.push_back(part == cell.medians.end() ? 0 : part->second);
  }
  // Medians of parts do not quite add up to the median of the whole.
  const double sum = std::accumulate(parts.begin(), parts.end(), 0.0);
  for (size_t i = 0; i < parts.size() && sum > 0; ++i) {
    add(i, parts[i] / sum * whole);
  }
}

Json BarRows(const Results& results, const Summary& summary, const Chart& chart,
             const std::vector<LegendEntry>& legend, int64_t level) {
  const Metric& metric = results.experiment.metric(chart.metrics[0]);
  Json rows = Json::array();
  for (const CellSummary& cell : summary.cells) {
    if (cell.level != level) continue;
    const auto median = cell.medians.find(metric.key);
    if (median == cell.medians.end()) {
      rows.push_back({{"kind", "absent"},
                      {"subject", cell.subject},
                      {"label", Absence(cell)},
                      {"at", 0}});
      continue;
    }
    const double largest = AddRoundRows(results, cell, metric, rows);
    rows.push_back({{"kind", "label"},
                    {"subject", cell.subject},
                    {"label", FormatValue(metric, median->second)},
                    {"at", std::max(largest, median->second)}});
    if (cell.reference) {
      rows.push_back({{"kind", "reference"}, {"at", median->second}});
    }
    AddBarParts(cell, chart, legend, median->second, rows);
  }
  return rows;
}

Json BarSpec(const Results& results, const Summary& summary, const Chart& chart,
             const std::vector<LegendEntry>& legend, int64_t level) {
  const double top = Range(results, {chart.metrics[0]}).second * kLabelRoom;
  const auto x = [&](const char* field) -> Json {
    return {{"field", field},
            {"type", "quantitative"},
            {"title", chart.axis_title},
            {"scale", {{"domain", {0, top}}, {"nice", false}}}};
  };
  Json text = {{"type", "text"},
               {"align", "left"},
               {"dx", 7},
               {"fontSize", 11},
               {"color", "@text"}};
  Json absent = text;
  absent["color"] = "@muted";
  absent["fontStyle"] = "italic";
  Json spec = PanelSpec(SubjectNames(results),
                        BarRows(results, summary, chart, legend, level));
  spec["layer"] = {
      {{"transform", OnlyKind("bar")},
       {"mark", {{"type", "bar"}, {"height", {{"band", 0.62}}}}},
       {"encoding",
        {{"x", x("value")},
         {"color", ColourBy(legend, "part")},
         {"order", {{"field", "order"}, {"type", "quantitative"}}}}}},
      {{"transform", OnlyKind("reference")},
       {"mark",
        {{"type", "rule"}, {"strokeDash", {4, 3}}, {"color", "@muted"}}},
       {"encoding", {{"x", x("at")}, {"y", nullptr}}}},
      {{"transform", OnlyKind("round")},
       {"mark",
        {{"type", "point"},
         {"filled", true},
         {"size", 26},
         {"opacity", 0.75},
         {"color", "@point"},
         {"stroke", "@background"},
         {"strokeWidth", 0.6}}},
       {"encoding",
        {{"x", x("value")},
         {"tooltip", TooltipOf({{"subject", "subject"},
                                {"round", "round"},
                                {"shown", chart.axis_title}})}}}},
      {{"transform", OnlyKind("label")},
       {"mark", text},
       {"encoding", {{"x", x("at")}, {"text", {{"field", "label"}}}}}},
      {{"transform", OnlyKind("absent")},
       {"mark", absent},
       {"encoding", {{"x", x("at")}, {"text", {{"field", "label"}}}}}},
  };
  return spec;
}

// ---- Percentiles ----

std::vector<LegendEntry> PercentileLegend(const Experiment& experiment,
                                          const Chart& chart) {
  const char* const colours[] = {"@step1", "@step2", "@step3", "@step4"};
  std::vector<LegendEntry> legend;
  for (size_t i = 0; i < chart.metrics.size(); ++i) {
    legend.push_back(
        {std::string(absl::StripSuffix(
             experiment.metric(chart.metrics[i]).title, " latency")),
         colours[i % 4]});
  }
  return legend;
}

Json PercentileRows(const Results& results, const Summary& summary,
                    const Chart& chart, const std::vector<LegendEntry>& legend,
                    int64_t level) {
  Json rows = Json::array();
  // A logarithmic axis has no place for zero.
  const auto add = [&](const std::string& subject,
                       const std::map<std::string, double>& metrics,
                       const char* kind, int round) {
    for (size_t i = 0; i < chart.metrics.size(); ++i) {
      const auto value = metrics.find(chart.metrics[i]);
      if (value == metrics.end() || value->second <= 0) continue;
      rows.push_back({{"kind", kind},
                      {"subject", subject},
                      {"percentile", legend[i].label},
                      {"value", value->second}});
      if (round > 0) rows.back()["round"] = round;
    }
  };
  for (const CellSummary& cell : summary.cells) {
    if (cell.level == level) add(cell.subject, cell.medians, "median", 0);
  }
  for (const Observation& observation : results.observations) {
    if (observation.level != level) continue;
    add(observation.subject, observation.metrics, "round", observation.round);
  }
  return rows;
}

Json PercentileSpec(const Results& results, const Summary& summary,
                    const Chart& chart, const std::vector<LegendEntry>& legend,
                    int64_t level) {
  const auto [low, high] = Range(results, chart.metrics);
  const Json x = {{"field", "value"},
                  {"type", "quantitative"},
                  {"title", chart.axis_title},
                  {"axis", {{"format", "~s"}, {"tickCount", 5}}},
                  {"scale",
                   {{"type", "log"},
                    {"domain", {low * 0.9, high * 1.1}},
                    {"nice", false}}}};
  const Json tooltip = TooltipOf({{"subject", "subject"},
                                  {"percentile", "percentile"},
                                  {"value", chart.axis_title},
                                  {"round", "round"}});
  Json spec = PanelSpec(SubjectNames(results),
                        PercentileRows(results, summary, chart, legend, level));
  spec["layer"] = {
      {{"transform", OnlyKind("median")},
       {"mark", {{"type", "line"}, {"color", "@grid"}, {"strokeWidth", 2}}},
       {"encoding", {{"x", x}, {"detail", {{"field", "subject"}}}}}},
      {{"transform", OnlyKind("round")},
       {"mark",
        {{"type", "tick"},
         {"opacity", 0.45},
         {"thickness", 1.5},
         {"height", 12}}},
       {"encoding",
        {{"x", x},
         {"color", ColourBy(legend, "percentile")},
         {"tooltip", tooltip}}}},
      {{"transform", OnlyKind("median")},
       {"mark",
        {{"type", "point"}, {"filled", true}, {"size", 70}, {"opacity", 1}}},
       {"encoding",
        {{"x", x},
         {"color", ColourBy(legend, "percentile")},
         {"tooltip", tooltip}}}},
  };
  return spec;
}

}  // namespace

ChartFigure Figure(const Results& results, const Summary& summary,
                   const Chart& chart) {
  ChartFigure figure;
  figure.title = chart.title;
  figure.caption = chart.caption;
  const bool bars = chart.kind == ChartKind::kBars;
  figure.legend = bars ? BarLegend(results, summary, chart)
                       : PercentileLegend(results.experiment, chart);
  for (const int64_t level : results.levels) {
    figure.panels.push_back(
        {PanelTitle(results, summary, level),
         bars ? BarSpec(results, summary, chart, figure.legend, level)
              : PercentileSpec(results, summary, chart, figure.legend, level)});
  }
  return figure;
}

}  // namespace netlab::lab
