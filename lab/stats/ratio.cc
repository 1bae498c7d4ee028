// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

#include "netlab/lab/stats/ratio.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <random>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/log/check.h"
#include "netlab/lab/stats/summary.h"

namespace netlab::lab {
namespace {

struct Interval {
  double low;
  double high;
};

Interval BootstrapInterval(absl::Span<const double> ratios,
                           const RatioOptions& options) {
  // The engine's output is fixed by the standard; distributions are not.
  std::mt19937_64 random(options.seed);
  const auto pick = [&] {
    return ratios[static_cast<size_t>(random() % ratios.size())];
  };
  std::vector<double> medians(static_cast<size_t>(options.resamples));
  std::vector<double> resample(ratios.size());
  for (double& median : medians) {
    absl::c_generate(resample, pick);
    median = Median(resample);
  }
  const double tail = (1 - options.confidence) / 2 * 100;
  return {Percentile(medians, tail), Percentile(medians, 100 - tail)};
}

// The narrowest pair of order statistics between which the true median lies
// with the given confidence, whatever the distribution: the number of values
// below it is binomial. The extremes, when even they are not sure enough.
Interval OrderStatisticInterval(std::vector<double> ratios, double confidence) {
  absl::c_sort(ratios);
  const size_t n = ratios.size();
  size_t trimmed = 0;
  double term = std::pow(0.5, static_cast<double>(n));
  double tail = term;  // P(at most `trimmed` values lie below the median)
  while (2 * (trimmed + 1) < n) {
    term *= static_cast<double>(n - trimmed) / static_cast<double>(trimmed + 1);
    tail += term;
    if (1 - 2 * tail < confidence) break;
    ++trimmed;
  }
  return {ratios[trimmed], ratios[n - 1 - trimmed]};
}

Verdict Judge(const RatioEstimate& estimate, int min_pairs) {
  if (estimate.pairs < min_pairs) return Verdict::kUndecided;
  if (estimate.low > 1) return Verdict::kHigher;
  if (estimate.high < 1) return Verdict::kLower;
  return Verdict::kTie;
}

}  // namespace

absl::string_view VerdictName(Verdict verdict) {
  switch (verdict) {
    case Verdict::kUndecided:
      return "undecided";
    case Verdict::kTie:
      return "tie";
    case Verdict::kHigher:
      return "higher";
    case Verdict::kLower:
      return "lower";
  }
  return "undecided";
}

RatioEstimate EstimateRatio(absl::Span<const double> values,
                            absl::Span<const double> reference,
                            const RatioOptions& options) {
  CHECK_EQ(values.size(), reference.size());
  std::vector<double> ratios;
  for (size_t i = 0; i < values.size(); ++i) {
    if (!std::isfinite(values[i]) || !std::isfinite(reference[i])) continue;
    if (values[i] <= 0 || reference[i] <= 0) continue;
    ratios.push_back(values[i] / reference[i]);
  }
  RatioEstimate estimate;
  if (ratios.empty()) return estimate;
  const Interval bootstrap = BootstrapInterval(ratios, options);
  const Interval order = OrderStatisticInterval(ratios, options.confidence);
  estimate.ratio = Median(ratios);
  estimate.low = std::min(bootstrap.low, order.low);
  estimate.high = std::max(bootstrap.high, order.high);
  estimate.pairs = static_cast<int>(ratios.size());
  estimate.verdict = Judge(estimate, options.min_pairs);
  return estimate;
}

}  // namespace netlab::lab
