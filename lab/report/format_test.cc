// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

#include "netlab/lab/report/format.h"

#include <gtest/gtest.h>

#include <limits>

namespace netlab::lab {
namespace {

TEST(FormatNumberTest, SeparatesThousands) {
  EXPECT_EQ(FormatNumber(0, 0), "0");
  EXPECT_EQ(FormatNumber(999, 0), "999");
  EXPECT_EQ(FormatNumber(1000, 0), "1,000");
  EXPECT_EQ(FormatNumber(1234567.891, 2), "1,234,567.89");
  EXPECT_EQ(FormatNumber(-1234, 0), "-1,234");
  EXPECT_EQ(FormatNumber(-123, 0), "-123");
  EXPECT_EQ(FormatNumber(0.12345, 4), "0.1235");
  EXPECT_EQ(FormatNumber(std::numeric_limits<double>::quiet_NaN(), 1), "–");
}

TEST(FormatValueTest, WritesBytesInMebibytes) {
  EXPECT_EQ(FormatValue({.key = "a", .unit = "bytes"}, 5 << 20), "5.0");
  EXPECT_EQ(HeadingOf({.key = "a", .title = "Memory", .unit = "bytes"}),
            "Memory (MiB)");
  EXPECT_EQ(HeadingOf({.key = "a", .title = "Share"}), "Share");
}

TEST(FormatRatioTest, ShowsHowSureItIs) {
  Comparison comparison;
  EXPECT_EQ(FormatRatio(comparison), "–");
  comparison.estimate = {.ratio = 1.126,
                         .low = 1.1,
                         .high = 1.16,
                         .pairs = 6,
                         .verdict = Verdict::kHigher};
  EXPECT_EQ(FormatRatio(comparison), "1.13 (1.10–1.16)");
  comparison.estimate.low = 0.99;
  comparison.estimate.verdict = Verdict::kTie;
  EXPECT_EQ(FormatRatio(comparison), "= 1.13 (0.99–1.16)");
  comparison.not_judged = "errors";
  EXPECT_EQ(FormatRatio(comparison), "1.13 ?");
}

TEST(FormatLevelTest, KnowsTheSingular) {
  EXPECT_EQ(FormatLevel("threads", 1), "1 thread");
  EXPECT_EQ(FormatLevel("threads", 2), "2 threads");
}

TEST(EscapeHtmlTest, EscapesWhatHasAMeaning) {
  EXPECT_EQ(EscapeHtml("<a href=\"x\">&'"),
            "&lt;a href=&quot;x&quot;&gt;&amp;&#39;");
}

}  // namespace
}  // namespace netlab::lab
