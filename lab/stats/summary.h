// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

// What a handful of repeated measurements has in common, without assuming a
// distribution: one slow round moves none of these.

#ifndef NETLAB_LAB_STATS_SUMMARY_H_
#define NETLAB_LAB_STATS_SUMMARY_H_

#include "absl/types/span.h"

namespace netlab::lab {

// The middle value, or the mean of the two middle ones. `values` must not be
// empty, here and below.
double Median(absl::Span<const double> values);

// The value that `percent` (0 to 100) of `values` do not exceed, interpolated
// linearly between the two nearest.
double Percentile(absl::Span<const double> values, double percent);

// The median distance from the median.
double MedianAbsoluteDeviation(absl::Span<const double> values);

// (largest - smallest) / median; 0 when the median is 0.
double RelativeSpread(absl::Span<const double> values);

}  // namespace netlab::lab

#endif  // NETLAB_LAB_STATS_SUMMARY_H_
