// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

// Is one subject faster than another, or was it the machine?
//
// Absolute figures drift from round to round, and by more than subjects differ;
// two subjects measured in the same round drift together. So the comparison is
// the median of the ratios within rounds, and its 95 % interval decides:
//
//   RatioEstimate r = EstimateRatio(rps_of_asio, rps_of_raw_epoll);
//   // r.ratio = 0.89, r.low = 0.87, r.high = 0.92, r.verdict = kLower
//
// The interval is the percentile bootstrap of the median, widened (never
// narrowed) to the distribution-free interval between order statistics: of so
// few rounds the bootstrap alone covers less than it says, 87.5 % instead of 95
// with seven. Five rounds can reach 93.75 % at best, six reach 96.9 %.

#ifndef NETLAB_LAB_STATS_RATIO_H_
#define NETLAB_LAB_STATS_RATIO_H_

#include <cstdint>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace netlab::lab {

enum class Verdict {
  kUndecided,  // too few pairs to judge
  kTie,        // the interval holds 1
  kHigher,     // the whole interval is above 1
  kLower,      // the whole interval is below 1
};

// "undecided", "tie", "higher", "lower".
absl::string_view VerdictName(Verdict verdict);

struct RatioEstimate {
  double ratio = 1;
  double low = 1;
  double high = 1;
  int pairs = 0;
  Verdict verdict = Verdict::kUndecided;
};

struct RatioOptions {
  double confidence = 0.95;
  int resamples = 4000;
  // With fewer pairs no interval comes near `confidence`.
  int min_pairs = 5;
  // The same values give the same interval on every machine.
  uint64_t seed = 20260101;
};

// Compares values[i] with reference[i], measured in the same round. The spans
// must be of one length. A pair in which either is not a positive finite number
// is left out.
RatioEstimate EstimateRatio(absl::Span<const double> values,
                            absl::Span<const double> reference,
                            const RatioOptions& options = {});

}  // namespace netlab::lab

#endif  // NETLAB_LAB_STATS_RATIO_H_
