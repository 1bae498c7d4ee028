// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

#include "netlab/lab/stats/summary.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/log/check.h"

namespace netlab::lab {

double Percentile(absl::Span<const double> values, double percent) {
  CHECK(!values.empty());
  std::vector<double> sorted(values.begin(), values.end());
  absl::c_sort(sorted);
  const double rank = std::clamp(percent, 0.0, 100.0) / 100 *
                      static_cast<double>(sorted.size() - 1);
  const size_t below = static_cast<size_t>(rank);
  const size_t above = std::min(below + 1, sorted.size() - 1);
  return std::lerp(sorted[below], sorted[above],
                   rank - static_cast<double>(below));
}

double Median(absl::Span<const double> values) {
  return Percentile(values, 50);
}

double MedianAbsoluteDeviation(absl::Span<const double> values) {
  const double median = Median(values);
  std::vector<double> distances;
  distances.reserve(values.size());
  for (double value : values) distances.push_back(std::abs(value - median));
  return Median(distances);
}

double RelativeSpread(absl::Span<const double> values) {
  const double median = Median(values);
  if (median == 0) return 0;
  const auto [low, high] = absl::c_minmax_element(values);
  return (*high - *low) / median;
}

}  // namespace netlab::lab
