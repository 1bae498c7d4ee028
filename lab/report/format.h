// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

// How figures are written in tables, on the terminal and in HTML alike.

#ifndef NETLAB_LAB_REPORT_FORMAT_H_
#define NETLAB_LAB_REPORT_FORMAT_H_

#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"
#include "netlab/lab/report/summary.h"
#include "netlab/lab/run/observation.h"

namespace netlab::lab {

// "1,234,567.9": with separators between thousands.
std::string FormatNumber(double value, int digits);

// As the metric wants it; bytes in MiB. The unit is in the column's heading:
// HeadingOf() gives "p99 latency (µs)".
std::string FormatValue(const Metric& metric, double value);
std::string HeadingOf(const Metric& metric);

// "1.13 (1.10–1.16)", "= 1.01 (0.98–1.04)" for a tie, "1.13 ?" when it is not
// judged.
std::string FormatRatio(const Comparison& comparison);

// "1 thread", "2 threads" for the axis "threads".
std::string FormatLevel(absl::string_view axis, int64_t level);

// `text` with what HTML gives a meaning escaped; for content and attributes.
std::string EscapeHtml(absl::string_view text);

}  // namespace netlab::lab

#endif  // NETLAB_LAB_REPORT_FORMAT_H_
