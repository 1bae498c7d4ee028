// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

#include "netlab/lab/report/csv.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "netlab/lab/report/results.h"
#include "netlab/lab/report/summary.h"
#include "netlab/lab/report/testing/sample_results.h"

namespace netlab::lab {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::SizeIs;

// A reader of RFC 4180, as small as it gets.
std::vector<std::vector<std::string>> ParseCsv(const std::string& text) {
  std::vector<std::vector<std::string>> rows(1, std::vector<std::string>(1));
  bool quoted = false;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted && c == '"' && i + 1 < text.size() && text[i + 1] == '"') {
      rows.back().back() += text[++i];
    } else if (c == '"') {
      quoted = !quoted;
    } else if (!quoted && c == ',') {
      rows.back().emplace_back();
    } else if (!quoted && c == '\n') {
      rows.emplace_back(1);
    } else {
      rows.back().back() += c;
    }
  }
  rows.pop_back();  // after the last line's end
  return rows;
}

class CsvTest : public ::testing::Test {
 protected:
  CsvTest() : rows_(ParseCsv(ToCsv(results_, Summarize(results_)))) {}

  std::string Field(size_t row, const std::string& column) {
    const auto it = std::find(rows_[0].begin(), rows_[0].end(), column);
    EXPECT_NE(it, rows_[0].end()) << column;
    return rows_[row][static_cast<size_t>(it - rows_[0].begin())];
  }

  const Results results_ = SampleResults();
  const std::vector<std::vector<std::string>> rows_;
};

TEST_F(CsvTest, HasTheDocumentedColumns) {
  EXPECT_THAT(
      rows_[0],
      ElementsAre("subject", "threads", "rounds", "measured_rounds", "outcome",
                  "requests_per_s", "cpu_us", "user_us", "system_us", "p50_us",
                  "p99_us", "rss", "requests_per_s_mad", "requests_per_s_ratio",
                  "requests_per_s_ratio_low", "requests_per_s_ratio_high",
                  "requests_per_s_verdict", "cpu_us_mad", "cpu_us_ratio",
                  "cpu_us_ratio_low", "cpu_us_ratio_high", "cpu_us_verdict",
                  "errors", "errors_connect", "errors_timeout", "limited_by",
                  "placement", "note"));
  EXPECT_THAT(rows_, SizeIs(11));
  EXPECT_THAT(rows_, Each(SizeIs(rows_[0].size())));
}

TEST_F(CsvTest, HoldsMediansRatiosAndVerdicts) {
  EXPECT_EQ(Field(1, "subject"), "base");
  EXPECT_EQ(Field(1, "cpu_us_ratio"), "1");
  EXPECT_EQ(Field(1, "cpu_us_verdict"), "reference");
  EXPECT_EQ(Field(2, "threads"), "1");
  EXPECT_EQ(Field(2, "cpu_us_verdict"), "lower");
  EXPECT_EQ(Field(2, "requests_per_s_verdict"), "higher");
  EXPECT_EQ(Field(3, "cpu_us_verdict"), "tie");
  EXPECT_EQ(Field(2, "limited_by"), "server");
  EXPECT_EQ(Field(7, "placement"), "shared CPUs");
  EXPECT_EQ(Field(7, "requests_per_s_verdict"), "undecided");
}

TEST_F(CsvTest, WhatWasNotMeasuredIsEmpty) {
  EXPECT_EQ(Field(4, "outcome"), "unavailable");
  EXPECT_EQ(Field(4, "requests_per_s"), "");
  EXPECT_EQ(Field(4, "cpu_us_ratio"), "");
  EXPECT_EQ(Field(4, "note"),
            "cannot run here: no <ring>, \"sorry\" (all 6 rounds)");
}

TEST_F(CsvTest, CountsErrorsByKind) {
  EXPECT_EQ(Field(5, "errors"), "12");
  EXPECT_EQ(Field(5, "errors_connect"), "0");
  EXPECT_EQ(Field(5, "errors_timeout"), "12");
  EXPECT_EQ(Field(5, "measured_rounds"), "4");
}

}  // namespace
}  // namespace netlab::lab
