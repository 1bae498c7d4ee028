// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

// Charts as Vega-Lite specifications, one panel for each level so that they
// flow with the page. Colours are names that begin with "@", which page.js
// replaces with those of the light or the dark theme.

#ifndef NETLAB_LAB_REPORT_CHARTS_H_
#define NETLAB_LAB_REPORT_CHARTS_H_

#include "netlab/lab/report/chart_figure.h"
#include "netlab/lab/report/results.h"
#include "netlab/lab/report/summary.h"

namespace netlab::lab {

// The ratios of a compared metric to the reference, with their intervals.
ChartFigure RatioFigure(const Results& results, const Summary& summary,
                        const Compared& compared);

// What experiment.charts asks for.
ChartFigure Figure(const Results& results, const Summary& summary,
                   const Chart& chart);

}  // namespace netlab::lab

#endif  // NETLAB_LAB_REPORT_CHARTS_H_
