// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

#include "netlab/lab/report/jsonl.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "netlab/lab/report/csv.h"
#include "netlab/lab/report/results.h"
#include "netlab/lab/report/summary.h"
#include "netlab/lab/report/testing/sample_results.h"

namespace netlab::lab {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

std::string ToJsonl(const Results& results) {
  std::string jsonl = RunLine(results);
  for (const NoiseSample& sample : results.noise) jsonl += NoiseLine(sample);
  for (const Observation& seen : results.observations) {
    jsonl += ObservationLine(seen);
  }
  return jsonl + EndLine(results.interrupted);
}

TEST(JsonlTest, EachLineIsAnObjectOfTheSchema) {
  const std::string jsonl = ToJsonl(SampleResults());
  ASSERT_EQ(jsonl.back(), '\n');
  int lines = 0;
  for (const auto line : absl::StrSplit(jsonl, '\n', absl::SkipEmpty())) {
    const auto json = nlohmann::json::parse(line.begin(), line.end(), nullptr,
                                            /*allow_exceptions=*/false);
    ASSERT_TRUE(json.is_object()) << line;
    EXPECT_EQ(json["schema"], "netlab.results/1");
    ++lines;
  }
  EXPECT_EQ(lines, 1 + 7 + 60 + 1);
}

TEST(JsonlTest, ComesBackWhole) {
  const Results results = SampleResults();
  const absl::StatusOr<Results> back = ParseResults(ToJsonl(results));
  ASSERT_TRUE(back.ok()) << back.status();
  EXPECT_EQ(ToJsonl(*back), ToJsonl(results));
  EXPECT_EQ(ToCsv(*back, Summarize(*back)), ToCsv(results, Summarize(results)));
}

TEST(JsonlTest, AFileThatEndsEarlyWasInterrupted) {
  const Results results = SampleResults();
  const absl::StatusOr<Results> back = ParseResults(RunLine(results));
  ASSERT_TRUE(back.ok());
  EXPECT_TRUE(back->interrupted);
}

TEST(JsonlTest, OutputThatIsNoUtf8IsKeptReadable) {
  Observation seen;
  seen.outcome = Outcome::kFailed;
  seen.log_tail = {"\xff\xfe"};
  const std::string line = ObservationLine(seen);
  EXPECT_TRUE(nlohmann::json::accept(line));
}

TEST(ParseResultsTest, NamesTheLineAtFault) {
  const std::string run = RunLine(SampleResults());
  EXPECT_THAT(std::string(ParseResults(run + "{\"a\":\n").status().message()),
              "line 2: not JSON");
  EXPECT_THAT(
      std::string(ParseResults("{\"schema\":\"other/2\"}").status().message()),
      StartsWith("line 1: schema 'other/2'"));
  EXPECT_THAT(std::string(ParseResults("").status().message()),
              HasSubstr("'run'"));
  // Of the wrong types all through.
  EXPECT_FALSE(ParseResults("{\"schema\":\"netlab.results/1\",\"kind\":\"run\","
                            "\"experiment\":[1],\"subjects\":7}")
                   .ok());
}

TEST(ParseResultsTest, AnUndefinedMetricIsAnError) {
  Results results = SampleResults();
  results.experiment.table_metrics.push_back("speed");
  EXPECT_THAT(std::string(ParseResults(RunLine(results)).status().message()),
              HasSubstr("'speed'"));
}

}  // namespace
}  // namespace netlab::lab
