// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

#include "netlab/lab/load/latency_histogram.h"

#include <hdr/hdr_histogram.h>

#include <algorithm>

#include "absl/log/check.h"

namespace netlab::lab {
namespace {

constexpr int64_t kMaxNanos = int64_t{3600} * 1'000'000'000;
constexpr int kSignificantDigits = 3;
constexpr int kPointsPerHalving = 5;
constexpr double kNanosPerMicro = 1000;

}  // namespace

void LatencyHistogram::Closer::operator()(hdr_histogram* histogram) const {
  hdr_close(histogram);
}

LatencyHistogram::LatencyHistogram() {
  hdr_histogram* histogram = nullptr;
  const int error = hdr_init(1, kMaxNanos, kSignificantDigits, &histogram);
  CHECK_EQ(error, 0) << "out of memory for a histogram";
  histogram_.reset(histogram);
}

void LatencyHistogram::Record(int64_t nanoseconds) {
  hdr_record_value(histogram_.get(),
                   std::clamp<int64_t>(nanoseconds, 1, kMaxNanos));
}

void LatencyHistogram::Merge(const LatencyHistogram& other) {
  hdr_add(histogram_.get(), other.histogram_.get());
}

void LatencyHistogram::Clear() { hdr_reset(histogram_.get()); }

int64_t LatencyHistogram::count() const { return histogram_->total_count; }

LatencyHistogram::Summary LatencyHistogram::Summarize() const {
  if (count() == 0) return {};
  const hdr_histogram* histogram = histogram_.get();
  const auto percentile = [histogram](double percent) {
    return static_cast<double>(hdr_value_at_percentile(histogram, percent)) /
           kNanosPerMicro;
  };
  return {
      .min_us = static_cast<double>(hdr_min(histogram)) / kNanosPerMicro,
      .mean_us = hdr_mean(histogram) / kNanosPerMicro,
      .stddev_us = hdr_stddev(histogram) / kNanosPerMicro,
      .max_us = static_cast<double>(hdr_max(histogram)) / kNanosPerMicro,
      .p50_us = percentile(50),
      .p75_us = percentile(75),
      .p90_us = percentile(90),
      .p99_us = percentile(99),
      .p99_9_us = percentile(99.9),
      .p99_99_us = percentile(99.99),
  };
}

std::vector<std::pair<double, int64_t>> LatencyHistogram::Distribution() const {
  std::vector<std::pair<double, int64_t>> points;
  if (count() == 0) return points;
  hdr_iter iterator;
  hdr_iter_percentile_init(&iterator, histogram_.get(), kPointsPerHalving);
  while (hdr_iter_next(&iterator)) {
    const double value_us =
        static_cast<double>(iterator.highest_equivalent_value) / kNanosPerMicro;
    // The iterator may stop more than once at a value that many share.
    if (!points.empty() && points.back().first == value_us) points.pop_back();
    points.emplace_back(value_us, iterator.cumulative_count);
  }
  return points;
}

}  // namespace netlab::lab
