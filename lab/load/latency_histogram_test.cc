// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

#include "netlab/lab/load/latency_histogram.h"

#include <cstdint>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace netlab::lab {
namespace {

using ::testing::IsEmpty;

TEST(LatencyHistogramTest, SummarizesToThreeDigits) {
  LatencyHistogram histogram;
  for (int64_t us = 1; us <= 10000; ++us) histogram.Record(us * 1000);
  EXPECT_EQ(histogram.count(), 10000);
  const LatencyHistogram::Summary summary = histogram.Summarize();
  EXPECT_NEAR(summary.min_us, 1, 0.001);
  EXPECT_NEAR(summary.mean_us, 5000.5, 5);
  EXPECT_NEAR(summary.stddev_us, 2886.75, 3);
  EXPECT_NEAR(summary.max_us, 10000, 10);
  EXPECT_NEAR(summary.p50_us, 5000, 5);
  EXPECT_NEAR(summary.p75_us, 7500, 7.5);
  EXPECT_NEAR(summary.p90_us, 9000, 9);
  EXPECT_NEAR(summary.p99_us, 9900, 9.9);
  EXPECT_NEAR(summary.p99_9_us, 9990, 9.99);
  EXPECT_NEAR(summary.p99_99_us, 9999, 10);
}

TEST(LatencyHistogramTest, EmptyIsAllZero) {
  LatencyHistogram histogram;
  const LatencyHistogram::Summary summary = histogram.Summarize();
  EXPECT_EQ(summary.min_us, 0);
  EXPECT_EQ(summary.mean_us, 0);
  EXPECT_EQ(summary.max_us, 0);
  EXPECT_EQ(summary.p99_us, 0);
  EXPECT_THAT(histogram.Distribution(), IsEmpty());
}

TEST(LatencyHistogramTest, MergedIsAsIfRecordedInOne) {
  LatencyHistogram one;
  LatencyHistogram low;
  LatencyHistogram high;
  for (int64_t ns = 100; ns < 100'000'000; ns += ns / 10) {
    one.Record(ns);
    (ns < 10'000 ? low : high).Record(ns);
  }
  low.Merge(high);
  EXPECT_EQ(low.count(), one.count());
  EXPECT_EQ(low.Distribution(), one.Distribution());
}

TEST(LatencyHistogramTest, OutliersAreKeptAtTheEdges) {
  LatencyHistogram histogram;
  histogram.Record(0);
  histogram.Record(-5);
  histogram.Record(int64_t{7200} * 1'000'000'000);
  EXPECT_EQ(histogram.count(), 3);
  EXPECT_NEAR(histogram.Summarize().max_us, 3600e6, 3600e3);
  EXPECT_NEAR(histogram.Summarize().min_us, 0.001, 1e-9);
}

TEST(LatencyHistogramTest, DistributionRisesToAllOfThem) {
  LatencyHistogram histogram;
  for (int i = 0; i < 1000; ++i) histogram.Record(50'000);
  for (int i = 0; i < 10; ++i) histogram.Record(1'000'000 + i * 100'000);
  const auto points = histogram.Distribution();
  ASSERT_GE(points.size(), 5);
  EXPECT_NEAR(points.front().first, 50, 0.05);
  EXPECT_EQ(points.front().second, 1000);
  EXPECT_EQ(points.back().second, 1010);
  for (size_t i = 1; i < points.size(); ++i) {
    EXPECT_LT(points[i - 1].first, points[i].first);
    EXPECT_LT(points[i - 1].second, points[i].second);
  }
}

TEST(LatencyHistogramTest, ClearForgets) {
  LatencyHistogram histogram;
  histogram.Record(1000);
  histogram.Clear();
  EXPECT_EQ(histogram.count(), 0);
}

}  // namespace
}  // namespace netlab::lab
