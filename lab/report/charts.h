// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

// Charts as Vega-Lite specifications, one panel for each level so that they
// flow with the page. Colours are names that begin with "@", which page.js
// replaces with those of the light or the dark theme.

#ifndef NETLAB_LAB_REPORT_CHARTS_H_
#define NETLAB_LAB_REPORT_CHARTS_H_

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "netlab/lab/report/results.h"
#include "netlab/lab/report/summary.h"

namespace netlab::lab {

struct LegendEntry {
  std::string label;
  std::string colour;  // "@accent"
};

struct ChartPanel {
  std::string title;
  nlohmann::ordered_json spec;
};

struct ChartFigure {
  std::string title;
  std::string caption;
  std::vector<LegendEntry> legend;
  std::vector<ChartPanel> panels;
};

// The ratios of a compared metric to the reference, with their intervals.
ChartFigure RatioFigure(const Results& results, const Summary& summary,
                        const Compared& compared);

// What experiment.charts asks for.
ChartFigure Figure(const Results& results, const Summary& summary,
                   const Chart& chart);

}  // namespace netlab::lab

#endif  // NETLAB_LAB_REPORT_CHARTS_H_
