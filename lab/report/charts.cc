// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

#include "netlab/lab/report/charts.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "netlab/lab/measure/topology.h"
#include "netlab/lab/report/format.h"

namespace netlab::lab {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kRowHeight = 26;

// Room to the right of the longest bar for its label.
constexpr double kLabelRoom = 1.22;

Json SubjectOrder(const Results& results) {
  Json order = Json::array();
  for (const SubjectInfo& subject : results.subjects) {
    order.push_back(subject.name);
  }
  return order;
}

// A panel without its layers. The y axis names every subject, also one that has
// no figures.
Json PanelSpec(const Results& results, Json rows) {
  const Json order = SubjectOrder(results);
  return {{"width", "container"},
          {"height", {{"step", kRowHeight}}},
          {"autosize", {{"type", "fit-x"}, {"contains", "padding"}}},
          {"data", {{"values", std::move(rows)}}},
          {"encoding",
           {{"y",
             {{"field", "subject"},
              {"type", "nominal"},
              {"scale", {{"domain", order}}},
              {"title", nullptr},
              {"axis", {{"labelLimit", 200}}}}}}}};
}

Json Only(const char* kind) {
  return Json::array(
      {{{"filter", absl::StrCat("datum.kind === '", kind, "'")}}});
}

Json Colour(const std::vector<LegendEntry>& legend, const char* field) {
  Json domain = Json::array();
  Json range = Json::array();
  for (const LegendEntry& entry : legend) {
    domain.push_back(entry.label);
    range.push_back(entry.colour);
  }
  return {{"field", field},
          {"type", "nominal"},
          {"scale", {{"domain", domain}, {"range", range}}},
          {"legend", nullptr}};
}

Json Tooltip(std::vector<std::pair<const char*, std::string>> fields) {
  Json tooltip = Json::array();
  for (const auto& [field, title] : fields) {
    tooltip.push_back({{"field", field}, {"title", title}});
  }
  return tooltip;
}

std::string PanelTitle(const Results& results, const Summary& summary,
                       int64_t level) {
  std::string title = FormatLevel(results.experiment.axis, level);
  for (const CellSummary& cell : summary.cells) {
    if (cell.level == level && !cell.placement.empty() &&
        cell.placement != SharingName(Sharing::kSeparateCores)) {
      return absl::StrCat(title, " · ", cell.placement);
    }
  }
  return title;
}

template <typename Function>
void ForEachCell(const Summary& summary, int64_t level, Function function) {
  for (const CellSummary& cell : summary.cells) {
    if (cell.level == level) function(cell);
  }
}

template <typename Function>
void ForEachRound(const Results& results, int64_t level, Function function) {
  for (const Observation& observation : results.observations) {
    if (observation.level == level && observation.outcome == Outcome::kOk) {
      function(observation);
    }
  }
}

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
std::string Absence(const CellSummary& cell) {
  return cell.outcome == Outcome::kUnavailable ? "cannot run here" : "failed";
}

// ---- Bars ----

bool IsCapacity(const Experiment& experiment, const std::string& metric) {
  for (const Compared& compared : experiment.compared) {
    if (compared.metric == metric) return compared.is_capacity;
  }
  return false;
}

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
  if (any_limited && IsCapacity(experiment, chart.metrics[0])) {
    legend.push_back({"Limited by the load generator", "@pale"});
  }
  return legend;
}

void AddBarRows(const Results& results, const Summary& summary,
                const Chart& chart, const std::vector<LegendEntry>& legend,
                int64_t level, Json& rows) {
  const std::string& total = chart.metrics[0];
  const Metric& metric = results.experiment.metric(total);
  ForEachCell(summary, level, [&](const CellSummary& cell) {
    const auto median = cell.medians.find(total);
    if (median == cell.medians.end()) {
      if (cell.outcome == Outcome::kOk) return;
      rows.push_back({{"kind", "absent"},
                      {"subject", cell.subject},
                      {"label", Absence(cell)},
                      {"at", 0}});
      return;
    }
    double at = median->second;
    ForEachRound(results, level, [&](const Observation& observation) {
      const auto value = observation.metrics.find(total);
      if (observation.subject != cell.subject ||
          value == observation.metrics.end()) {
        return;
      }
      at = std::max(at, value->second);
      rows.push_back({{"kind", "round"},
                      {"subject", cell.subject},
                      {"value", value->second},
                      {"shown", FormatValue(metric, value->second)},
                      {"round", observation.round}});
    });
    rows.push_back({{"kind", "label"},
                    {"subject", cell.subject},
                    {"label", FormatValue(metric, median->second)},
                    {"at", at}});
    if (cell.reference) {
      rows.push_back({{"kind", "reference"}, {"at", median->second}});
    }
    if (chart.metrics.size() == 1) {
      const bool limited = legend.size() > 1 && cell.limited_by_generator();
      rows.push_back({{"kind", "bar"},
                      {"subject", cell.subject},
                      {"part", legend[limited ? 1 : 0].label},
                      {"value", median->second},
                      {"order", 0}});
      return;
    }
    for (size_t i = 1; i < chart.metrics.size(); ++i) {
      const auto part = cell.medians.find(chart.metrics[i]);
      if (part == cell.medians.end()) continue;
      rows.push_back({{"kind", "bar"},
                      {"subject", cell.subject},
                      {"part", legend[i - 1].label},
                      {"value", part->second},
                      {"order", i}});
    }
  });
}

Json BarSpec(const Results& results, const Summary& summary, const Chart& chart,
             const std::vector<LegendEntry>& legend, int64_t level) {
  Json rows = Json::array();
  AddBarRows(results, summary, chart, legend, level, rows);
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
  Json spec = PanelSpec(results, std::move(rows));
  spec["layer"] = {
      {{"transform", Only("bar")},
       {"mark", {{"type", "bar"}, {"height", {{"band", 0.62}}}}},
       {"encoding",
        {{"x", x("value")},
         {"color", Colour(legend, "part")},
         {"order", {{"field", "order"}, {"type", "quantitative"}}}}}},
      {{"transform", Only("reference")},
       {"mark",
        {{"type", "rule"}, {"strokeDash", {4, 3}}, {"color", "@muted"}}},
       {"encoding", {{"x", x("at")}, {"y", nullptr}}}},
      {{"transform", Only("round")},
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
         {"tooltip", Tooltip({{"subject", "subject"},
                              {"round", "round"},
                              {"shown", chart.axis_title}})}}}},
      {{"transform", Only("label")},
       {"mark", text},
       {"encoding", {{"x", x("at")}, {"text", {{"field", "label"}}}}}},
      {{"transform", Only("absent")},
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

void AddPercentileRows(const Results& results, const Summary& summary,
                       const Chart& chart,
                       const std::vector<LegendEntry>& legend, int64_t level,
                       Json& rows) {
  ForEachCell(summary, level, [&](const CellSummary& cell) {
    for (size_t i = 0; i < chart.metrics.size(); ++i) {
      const auto median = cell.medians.find(chart.metrics[i]);
      if (median == cell.medians.end() || median->second <= 0) continue;
      rows.push_back({{"kind", "median"},
                      {"subject", cell.subject},
                      {"percentile", legend[i].label},
                      {"value", median->second}});
    }
  });
  ForEachRound(results, level, [&](const Observation& observation) {
    for (size_t i = 0; i < chart.metrics.size(); ++i) {
      const auto value = observation.metrics.find(chart.metrics[i]);
      // A logarithmic axis has no place for zero.
      if (value == observation.metrics.end() || value->second <= 0) continue;
      rows.push_back({{"kind", "round"},
                      {"subject", observation.subject},
                      {"percentile", legend[i].label},
                      {"value", value->second},
                      {"round", observation.round}});
    }
  });
}

Json PercentileSpec(const Results& results, const Summary& summary,
                    const Chart& chart, const std::vector<LegendEntry>& legend,
                    int64_t level) {
  Json rows = Json::array();
  AddPercentileRows(results, summary, chart, legend, level, rows);
  const auto [low, high] = Range(results, chart.metrics);
  const Json x = {{"field", "value"},
                  {"type", "quantitative"},
                  {"title", chart.axis_title},
                  {"axis", {{"format", "~s"}, {"tickCount", 5}}},
                  {"scale",
                   {{"type", "log"},
                    {"domain", {low * 0.9, high * 1.1}},
                    {"nice", false}}}};
  const Json tooltip = Tooltip({{"subject", "subject"},
                                {"percentile", "percentile"},
                                {"value", chart.axis_title},
                                {"round", "round"}});
  Json spec = PanelSpec(results, std::move(rows));
  spec["layer"] = {
      {{"transform", Only("median")},
       {"mark", {{"type", "line"}, {"color", "@grid"}, {"strokeWidth", 2}}},
       {"encoding", {{"x", x}, {"detail", {{"field", "subject"}}}}}},
      {{"transform", Only("round")},
       {"mark",
        {{"type", "tick"},
         {"opacity", 0.45},
         {"thickness", 1.5},
         {"height", 12}}},
       {"encoding",
        {{"x", x},
         {"color", Colour(legend, "percentile")},
         {"tooltip", tooltip}}}},
      {{"transform", Only("median")},
       {"mark",
        {{"type", "point"}, {"filled", true}, {"size", 70}, {"opacity", 1}}},
       {"encoding",
        {{"x", x},
         {"color", Colour(legend, "percentile")},
         {"tooltip", tooltip}}}},
  };
  return spec;
}

// ---- Ratios ----

const std::vector<LegendEntry>& RatioLegend() {
  static const auto& legend =
      *new std::vector<LegendEntry>{{"Better than the reference", "@good"},
                                    {"Worse", "@bad"},
                                    {"Tie", "@muted"},
                                    {"Not judged", "@grid"}};
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
  ForEachCell(summary, level, [&](const CellSummary& cell) {
    const auto it = cell.ratios.find(metric.key);
    if (it == cell.ratios.end() || it->second.estimate.pairs == 0) return;
    const RatioEstimate& estimate = it->second.estimate;
    rows.push_back({{"kind", "ratio"},
                    {"subject", cell.subject},
                    {"ratio", estimate.ratio},
                    {"low", estimate.low},
                    {"high", estimate.high},
                    {"shown", FormatRatio(it->second)},
                    {"verdict", RatioClass(metric, estimate.verdict)}});
  });
  const auto [low, high] = RatioRange(summary, metric.key);
  const auto x = [low = low, high = high](const char* field) -> Json {
    return {
        {"field", field},
        {"type", "quantitative"},
        {"title", "ratio to the reference"},
        {"scale", {{"domain", {low, high}}, {"nice", false}, {"zero", false}}}};
  };
  Json interval = x("low");
  const Json tooltip = Tooltip(
      {{"subject", "subject"}, {"shown", "ratio"}, {"verdict", "verdict"}});
  Json spec = PanelSpec(results, std::move(rows));
  spec["layer"] = {
      {{"transform", Only("one")},
       {"mark", {{"type", "rule"}, {"color", "@text"}, {"opacity", 0.5}}},
       {"encoding", {{"x", x("ratio")}, {"y", nullptr}}}},
      {{"transform", Only("ratio")},
       {"mark", {{"type", "rule"}, {"strokeWidth", 3}, {"opacity", 0.55}}},
       {"encoding",
        {{"x", interval},
         {"x2", {{"field", "high"}}},
         {"color", Colour(RatioLegend(), "verdict")},
         {"tooltip", tooltip}}}},
      {{"transform", Only("ratio")},
       {"mark",
        {{"type", "point"}, {"filled", true}, {"size", 80}, {"opacity", 1}}},
       {"encoding",
        {{"x", x("ratio")},
         {"color", Colour(RatioLegend(), "verdict")},
         {"tooltip", tooltip}}}},
  };
  return spec;
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
  figure.legend = RatioLegend();
  for (const int64_t level : results.levels) {
    figure.panels.push_back({PanelTitle(results, summary, level),
                             RatioSpec(results, summary, metric, level)});
  }
  return figure;
}

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
