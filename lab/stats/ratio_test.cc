// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

#include "netlab/lab/stats/ratio.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace netlab::lab {
namespace {

TEST(EstimateRatioTest, DriftThatBothShareCancels) {
  const std::vector<double> reference = {100, 50, 200, 80, 120};
  const std::vector<double> values = {110, 55, 220, 88, 132};
  const RatioEstimate estimate = EstimateRatio(values, reference);
  EXPECT_DOUBLE_EQ(estimate.ratio, 1.1);
  EXPECT_DOUBLE_EQ(estimate.low, 1.1);
  EXPECT_DOUBLE_EQ(estimate.high, 1.1);
  EXPECT_EQ(estimate.pairs, 5);
  EXPECT_EQ(estimate.verdict, Verdict::kHigher);
}

TEST(EstimateRatioTest, FewRoundsGiveTheExtremes) {
  const std::vector<double> reference(7, 1.0);
  const std::vector<double> values = {0.90, 0.97, 0.94, 0.95, 0.96, 0.93, 0.98};
  const RatioEstimate estimate = EstimateRatio(values, reference);
  EXPECT_DOUBLE_EQ(estimate.ratio, 0.95);
  EXPECT_DOUBLE_EQ(estimate.low, 0.90);
  EXPECT_DOUBLE_EQ(estimate.high, 0.98);
  EXPECT_EQ(estimate.verdict, Verdict::kLower);
}

TEST(EstimateRatioTest, OneOfNineRoundsDoesNotWidenTheInterval) {
  const std::vector<double> reference(9, 1.0);
  const std::vector<double> values = {5,   1.1, 1.2, 1.3, 1.4,
                                      1.5, 1.6, 1.7, 1.8};
  const RatioEstimate estimate = EstimateRatio(values, reference);
  EXPECT_DOUBLE_EQ(estimate.ratio, 1.5);
  EXPECT_DOUBLE_EQ(estimate.low, 1.2);
  EXPECT_DOUBLE_EQ(estimate.high, 1.8);
}

TEST(EstimateRatioTest, AnIntervalThatHoldsOneIsATie) {
  const std::vector<double> reference(5, 10.0);
  EXPECT_EQ(EstimateRatio({10, 11, 12, 13, 9}, reference).verdict,
            Verdict::kTie);
  EXPECT_EQ(EstimateRatio({10, 11, 12, 13, 14}, reference).verdict,
            Verdict::kTie);
}

TEST(EstimateRatioTest, FewerThanFivePairsAreNotJudged) {
  const RatioEstimate estimate = EstimateRatio({2, 2, 2, 2}, {1, 1, 1, 1});
  EXPECT_DOUBLE_EQ(estimate.ratio, 2);
  EXPECT_EQ(estimate.verdict, Verdict::kUndecided);
}

TEST(EstimateRatioTest, PairsWithoutANumberAreLeftOut) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const RatioEstimate estimate =
      EstimateRatio({2, nan, 3, 2, 0}, {1, 1, 0, 1, 1});
  EXPECT_EQ(estimate.pairs, 2);
  EXPECT_DOUBLE_EQ(estimate.ratio, 2);
  EXPECT_EQ(EstimateRatio({}, {}).pairs, 0);
}

TEST(EstimateRatioTest, IsDeterministic) {
  const std::vector<double> reference(12, 1.0);
  const std::vector<double> values = {1.01, 0.99, 1.03, 1.02, 1.00, 0.98,
                                      1.05, 1.04, 1.01, 1.02, 0.97, 1.00};
  const RatioEstimate first = EstimateRatio(values, reference);
  const RatioEstimate second = EstimateRatio(values, reference);
  EXPECT_EQ(first.low, second.low);
  EXPECT_EQ(first.high, second.high);
}

// What the interval is for: comparing a subject with itself must end in a tie
// as often as promised, also with skewed noise that rounds share in part.
TEST(EstimateRatioTest, ASubjectTiesWithItselfAsOftenAsPromised) {
  std::mt19937_64 random(1);
  std::normal_distribution<double> noise(0, 0.05);
  constexpr int kExperiments = 1000;
  RatioOptions options;
  options.resamples = 500;
  for (const int rounds : {6, 7, 9, 12, 15, 20}) {
    int ties = 0;
    for (int i = 0; i < kExperiments; ++i) {
      std::vector<double> a, b;
      for (int round = 0; round < rounds; ++round) {
        const double drift = std::exp(6 * noise(random));
        a.push_back(drift * std::exp(noise(random)));
        b.push_back(drift * std::exp(noise(random)));
      }
      ties += EstimateRatio(a, b, options).verdict == Verdict::kTie;
    }
    EXPECT_GE(ties, 0.935 * kExperiments) << rounds << " rounds";
  }
}

}  // namespace
}  // namespace netlab::lab
