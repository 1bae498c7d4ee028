// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NETLAB_LAB_REPORT_CHART_FIGURE_H_
#define NETLAB_LAB_REPORT_CHART_FIGURE_H_

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace netlab::lab {

struct LegendEntry {
  std::string label;
  std::string colour;  // "@accent"
};

// A chart of one level.
struct ChartPanel {
  std::string title;
  nlohmann::ordered_json spec;  // Vega-Lite
};

// Charts side by side, under one title and with one legend.
struct ChartFigure {
  std::string title;
  std::string caption;
  std::vector<LegendEntry> legend;
  std::vector<ChartPanel> panels;
};

}  // namespace netlab::lab

#endif  // NETLAB_LAB_REPORT_CHART_FIGURE_H_
