// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

#include "netlab/lab/report/format.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/strip.h"

namespace netlab::lab {

std::string FormatNumber(double value, int digits) {
  if (!std::isfinite(value)) return "–";
  const std::string text = absl::StrFormat("%.*f", digits, value);
  const size_t point = std::min(text.find('.'), text.size());
  std::string separated;
  for (size_t i = 0; i < text.size(); ++i) {
    const bool after_digit = i > 0 && absl::ascii_isdigit(text[i - 1]);
    if (after_digit && i < point && (point - i) % 3 == 0) separated += ',';
    separated += text[i];
  }
  return separated;
}

std::string FormatValue(const Metric& metric, double value) {
  if (metric.unit == "bytes") return FormatNumber(value / (1 << 20), 1);
  return FormatNumber(value, metric.digits);
}

std::string HeadingOf(const Metric& metric) {
  if (metric.unit.empty()) return metric.title;
  return absl::StrCat(metric.title, " (",
                      metric.unit == "bytes" ? "MiB" : metric.unit, ")");
}

std::string FormatRatio(const Comparison& comparison) {
  const RatioEstimate& r = comparison.estimate;
  if (r.pairs == 0) return "–";
  if (!comparison.not_judged.empty()) return absl::StrFormat("%.2f ?", r.ratio);
  return absl::StrFormat("%s%.2f (%.2f–%.2f)",
                         r.verdict == Verdict::kTie ? "= " : "", r.ratio, r.low,
                         r.high);
}

std::string FormatLevel(absl::string_view axis, int64_t level) {
  return absl::StrCat(level, " ",
                      level == 1 ? absl::StripSuffix(axis, "s") : axis);
}

std::string EscapeHtml(absl::string_view text) {
  return absl::StrReplaceAll(text, {{"&", "&amp;"},
                                    {"<", "&lt;"},
                                    {">", "&gt;"},
                                    {"\"", "&quot;"},
                                    {"'", "&#39;"}});
}

}  // namespace netlab::lab
