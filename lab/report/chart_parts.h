// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

// What charts have in common; for charts.cc and ratio_chart.cc alone.

#ifndef NETLAB_LAB_REPORT_CHART_PARTS_H_
#define NETLAB_LAB_REPORT_CHART_PARTS_H_

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "netlab/lab/report/chart_figure.h"
#include "netlab/lab/report/results.h"
#include "netlab/lab/report/summary.h"

namespace netlab::lab {

std::vector<std::string> SubjectNames(const Results& results);

// A panel without its layers, whose data are `rows`. The y axis names each of
// `subjects`, also one that has no figures.
nlohmann::ordered_json PanelSpec(const std::vector<std::string>& subjects,
                                 nlohmann::ordered_json rows);

// The transform that leaves the rows of one kind.
nlohmann::ordered_json OnlyKind(const char* kind);

// The colour channel: `field` holds labels of the legend.
nlohmann::ordered_json ColourBy(const std::vector<LegendEntry>& legend,
                                const char* field);

// The tooltip channel, from fields and their titles.
nlohmann::ordered_json TooltipOf(
    const std::vector<std::pair<const char*, std::string>>& fields);

// "2 threads · shared CPUs".
std::string PanelTitle(const Results& results, const Summary& summary,
                       int64_t level);

}  // namespace netlab::lab

#endif  // NETLAB_LAB_REPORT_CHART_PARTS_H_
