// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

#include "netlab/lab/report/summary.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "netlab/lab/report/results.h"
#include "netlab/lab/report/testing/sample_results.h"

namespace netlab::lab {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

const CellSummary& Find(const Summary& summary, const std::string& subject,
                        int64_t level) {
  return *std::find_if(summary.cells.begin(), summary.cells.end(),
                       [&](const CellSummary& cell) {
                         return cell.subject == subject && cell.level == level;
                       });
}

TEST(SummarizeTest, HasEveryCellByLevelInTheOrderOfSubjects) {
  const Summary summary = Summarize(SampleResults());
  ASSERT_THAT(summary.cells, SizeIs(10));
  EXPECT_EQ(summary.cells[0].subject, "base");
  EXPECT_EQ(summary.cells[4].subject, "faulty");
  EXPECT_EQ(summary.cells[5].level, 2);
  EXPECT_EQ(summary.complete_rounds, 6);
  EXPECT_EQ(summary.noise.text, "quiet machine");
}

TEST(SummarizeTest, RatiosCancelWhatRoundsShare) {
  const Summary summary = Summarize(SampleResults());
  const CellSummary& fast = Find(summary, "fast", 1);
  const Comparison& cpu = fast.ratios.at("cpu_us");
  EXPECT_NEAR(cpu.estimate.ratio, 0.8, 0.01);
  EXPECT_EQ(cpu.estimate.verdict, Verdict::kLower);
  EXPECT_EQ(fast.ratios.at("requests_per_s").estimate.verdict,
            Verdict::kHigher);
  EXPECT_EQ(Find(summary, "even", 1).ratios.at("cpu_us").estimate.verdict,
            Verdict::kTie);
  EXPECT_THAT(Find(summary, "base", 1).ratios, IsEmpty());
}

TEST(SummarizeTest, ACapacityIsNotJudgedWhereTheGeneratorWasTheLimit) {
  const Summary summary = Summarize(SampleResults());
  const CellSummary& fast = Find(summary, "fast", 2);
  EXPECT_TRUE(fast.limited_by_generator());
  EXPECT_EQ(fast.ratios.at("requests_per_s").not_judged,
            "limited by the generator");
  EXPECT_EQ(fast.ratios.at("requests_per_s").estimate.verdict,
            Verdict::kUndecided);
  EXPECT_EQ(fast.ratios.at("cpu_us").estimate.verdict, Verdict::kLower);
}

TEST(SummarizeTest, ErrorsMarkARowAndAreNeverAveragedAway) {
  const Summary summary = Summarize(SampleResults());
  const CellSummary& faulty = Find(summary, "faulty", 1);
  EXPECT_EQ(faulty.outcome, Outcome::kOk);
  EXPECT_EQ(faulty.rounds, 6);
  EXPECT_EQ(faulty.measured, 4);
  EXPECT_EQ(faulty.error_count(), 12);
  EXPECT_EQ(faulty.ratios.at("cpu_us").not_judged, "errors");
  EXPECT_EQ(faulty.ratios.at("cpu_us").estimate.pairs, 4);
  EXPECT_THAT(
      faulty.notes,
      ElementsAre("ended under load: killed by signal 11 (2 of 6 rounds)",
                  "errors (12 timeout) in 4 of 6 rounds",
                  "had to be killed (4 of 6 rounds)"));
  EXPECT_THAT(faulty.log_tail, ElementsAre("<assertion> failed", "bye"));
}

TEST(SummarizeTest, ASubjectThatCannotRunIsACell) {
  const Summary summary = Summarize(SampleResults());
  const CellSummary& gone = Find(summary, "gone", 1);
  EXPECT_EQ(gone.outcome, Outcome::kUnavailable);
  EXPECT_EQ(gone.measured, 0);
  EXPECT_THAT(gone.medians, IsEmpty());
  EXPECT_THAT(gone.notes, ElementsAre("cannot run here: no <ring>, \"sorry\" "
                                      "(all 6 rounds)"));
  EXPECT_EQ(gone.ratios.at("cpu_us").not_judged, "not measured together");
}

TEST(SummarizeTest, ErrorsOfTheReferenceSpoilEveryComparison) {
  Results results = SampleResults();
  for (Observation& seen : results.observations) {
    if (seen.subject == "base" && seen.round == 3) seen.errors["connect"] = 1;
  }
  const Summary summary = Summarize(results);
  EXPECT_EQ(Find(summary, "fast", 1).ratios.at("cpu_us").not_judged,
            "errors of the reference");
}

TEST(SummarizeTest, FewRoundsAreNotJudged) {
  Results results = SampleResults();
  std::erase_if(results.observations,
                [](const Observation& seen) { return seen.round > 3; });
  const Summary summary = Summarize(results);
  EXPECT_EQ(Find(summary, "fast", 1).ratios.at("cpu_us").not_judged,
            "only 3 rounds");
}

TEST(SummarizeTest, InDoubtTheGeneratorWasTheLimit) {
  Results results = SampleResults();
  for (Observation& seen : results.observations) {
    if (seen.level != 1 || seen.subject != "fast") continue;
    seen.limited_by = seen.round <= 3 ? "server" : "both";
  }
  EXPECT_EQ(Find(Summarize(results), "fast", 1).limited_by, "both");
}

}  // namespace
}  // namespace netlab::lab
