// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

#include "netlab/lab/report/chart_parts.h"

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "netlab/lab/measure/topology.h"
#include "netlab/lab/report/format.h"

namespace netlab::lab {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kRowHeight = 26;

}  // namespace

std::vector<std::string> SubjectNames(const Results& results) {
  std::vector<std::string> names;
  for (const SubjectInfo& subject : results.subjects) {
    names.push_back(subject.name);
  }
  return names;
}

Json PanelSpec(const std::vector<std::string>& subjects, Json rows) {
  return {{"width", "container"},
          {"height", kRowHeight * static_cast<int>(subjects.size())},
          {"autosize", {{"type", "fit-x"}, {"contains", "padding"}}},
          {"data", {{"values", std::move(rows)}}},
          {"encoding",
           {{"y",
             {{"field", "subject"},
              {"type", "nominal"},
              {"scale", {{"domain", subjects}}},
              {"title", nullptr},
              {"axis", {{"labelLimit", 200}}}}}}}};
}

Json OnlyKind(const char* kind) {
  return Json::array(
      {{{"filter", absl::StrCat("datum.kind === '", kind, "'")}}});
}

Json ColourBy(const std::vector<LegendEntry>& legend, const char* field) {
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

Json TooltipOf(const std::vector<std::pair<const char*, std::string>>& fields) {
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

}  // namespace netlab::lab
