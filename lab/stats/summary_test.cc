// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

#include "netlab/lab/stats/summary.h"

#include <gtest/gtest.h>

namespace netlab::lab {
namespace {

TEST(MedianTest, IsTheMiddleValueWhateverTheOrder) {
  EXPECT_EQ(Median({7}), 7);
  EXPECT_EQ(Median({9, 1, 5}), 5);
  EXPECT_EQ(Median({4, 1, 3, 2}), 2.5);
  EXPECT_EQ(Median({1, 2, 3, 4, 1e9}), 3);
}

TEST(PercentileTest, InterpolatesBetweenNeighbours) {
  EXPECT_EQ(Percentile({10, 20, 30, 40, 50}, 0), 10);
  EXPECT_EQ(Percentile({10, 20, 30, 40, 50}, 25), 20);
  EXPECT_EQ(Percentile({10, 20, 30, 40, 50}, 90), 46);
  EXPECT_EQ(Percentile({10, 20, 30, 40, 50}, 100), 50);
  EXPECT_EQ(Percentile({3}, 99), 3);
}

TEST(PercentileTest, StaysWithinTheValuesOutsideZeroToHundred) {
  EXPECT_EQ(Percentile({1, 2}, -5), 1);
  EXPECT_EQ(Percentile({1, 2}, 200), 2);
}

TEST(MedianAbsoluteDeviationTest, IgnoresOneOutlier) {
  EXPECT_EQ(MedianAbsoluteDeviation({1, 1, 2, 2, 4, 6, 9}), 1);
  EXPECT_EQ(MedianAbsoluteDeviation({5, 5, 5, 5, 500}), 0);
}

TEST(RelativeSpreadTest, IsRangeOverMedian) {
  EXPECT_EQ(RelativeSpread({90, 100, 110}), 0.2);
  EXPECT_EQ(RelativeSpread({0, 0}), 0);
}

}  // namespace
}  // namespace netlab::lab
