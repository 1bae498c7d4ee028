// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

#include "netlab/lab/run/rounds.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

namespace netlab::lab {
namespace {

using ::testing::ElementsAre;
using ::testing::SizeIs;
using ::testing::UnorderedElementsAre;

TEST(RoundOrderTest, HoldsEachCellOnce) {
  EXPECT_THAT(RoundOrder(5, 7, 1), UnorderedElementsAre(0, 1, 2, 3, 4));
  EXPECT_THAT(RoundOrder(1, 7, 1), ElementsAre(0));
  EXPECT_THAT(RoundOrder(0, 7, 1), SizeIs(0));
}

TEST(RoundOrderTest, DependsOnSeedAndRoundAlone) {
  EXPECT_EQ(RoundOrder(8, 1, 1), RoundOrder(8, 1, 1));
  std::set<std::vector<size_t>> orders;
  for (int round = 1; round <= 4; ++round) {
    orders.insert(RoundOrder(8, 1, round));
    orders.insert(RoundOrder(8, 2, round));
  }
  EXPECT_GE(orders.size(), 7u);
}

TEST(RoundOrderTest, GivesEveryCellEveryPlace) {
  std::vector<std::set<size_t>> seen_first(4);
  std::set<size_t> first;
  for (int round = 1; round <= 100; ++round) {
    first.insert(RoundOrder(4, 3, round)[0]);
  }
  EXPECT_THAT(first, SizeIs(4));
}

class RunRoundsTest : public ::testing::Test {
 protected:
  RoundsPlan Plan(int rounds) {
    return {.rounds = rounds,
            .cells = 3,
            .seed = 1,
            .measure = [this](size_t cell) -> absl::StatusOr<Observation> {
              if (++measured_ == fail_at_) return absl::CancelledError("stop");
              Observation observation;
              observation.subject = absl::StrCat(cell);
              return observation;
            },
            .observed = [this](const Observation&) { ++observed_; },
            .round_done =
                [this](std::vector<Observation> round) {
                  rounds_.push_back(std::move(round));
                  return absl::OkStatus();
                }};
  }

  int measured_ = 0;
  int fail_at_ = 0;
  int observed_ = 0;
  std::vector<std::vector<Observation>> rounds_;
};

TEST_F(RunRoundsTest, NumbersRoundsAndTurns) {
  ASSERT_TRUE(RunRounds(Plan(2)).ok());
  ASSERT_THAT(rounds_, SizeIs(2));
  EXPECT_EQ(observed_, 6);
  for (int round = 1; round <= 2; ++round) {
    std::set<std::string> subjects;
    for (int turn = 1; turn <= 3; ++turn) {
      const Observation& seen = rounds_[round - 1][turn - 1];
      EXPECT_EQ(seen.round, round);
      EXPECT_EQ(seen.position, turn);
      subjects.insert(seen.subject);
    }
    EXPECT_THAT(subjects, UnorderedElementsAre("0", "1", "2"));
  }
}

TEST_F(RunRoundsTest, DropsTheRoundThatIsInterrupted) {
  fail_at_ = 5;
  EXPECT_EQ(RunRounds(Plan(2)).code(), absl::StatusCode::kCancelled);
  EXPECT_THAT(rounds_, SizeIs(1));
  EXPECT_EQ(measured_, 5);
}

}  // namespace
}  // namespace netlab::lab
