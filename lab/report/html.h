// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

// report.html: one file that needs nothing else, from no server. What it says
// is in the HTML; scripts only draw the charts.

#ifndef NETLAB_LAB_REPORT_HTML_H_
#define NETLAB_LAB_REPORT_HTML_H_

#include <functional>
#include <string>

#include "absl/status/statusor.h"
#include "netlab/lab/report/results.h"
#include "netlab/lab/report/summary.h"

namespace netlab::lab {

// The files that are inlined.
struct PageAssets {
  std::string style;      // page.css
  std::string script;     // page.js
  std::string themes;     // themes.json
  std::string vega;       // vega.min.js
  std::string vega_lite;  // vega-lite.min.js
};

// Reads them. `rlocation` finds runfiles, as Runfiles::Rlocation() does; the
// library brings them as data.
absl::StatusOr<PageAssets> LoadPageAssets(
    const std::function<std::string(const std::string&)>& rlocation);

std::string HtmlReport(const Results& results, const Summary& summary,
                       const PageAssets& assets);

}  // namespace netlab::lab

#endif  // NETLAB_LAB_REPORT_HTML_H_
