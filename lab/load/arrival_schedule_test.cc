// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

#include "netlab/lab/load/arrival_schedule.h"

#include <cstdint>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace netlab::lab {
namespace {

using ::testing::ElementsAre;

std::vector<int64_t> Take(ArrivalSchedule schedule, int count) {
  std::vector<int64_t> due;
  for (int i = 0; i < count; ++i, schedule.Advance()) {
    due.push_back(schedule.next_ns());
  }
  return due;
}

TEST(ArrivalScheduleTest, ArrivalsAreEven) {
  EXPECT_THAT(Take(ArrivalSchedule(1000, 1e6, 0, 1), 4),
              ElementsAre(1000, 2000, 3000, 4000));
}

TEST(ArrivalScheduleTest, ThreadsShareOneSchedule) {
  EXPECT_THAT(Take(ArrivalSchedule(0, 1e6, 0, 3), 3),
              ElementsAre(0, 3000, 6000));
  EXPECT_THAT(Take(ArrivalSchedule(0, 1e6, 2, 3), 3),
              ElementsAre(2000, 5000, 8000));
}

TEST(ArrivalScheduleTest, RoundingDoesNotAddUp) {
  // A third of a second is no whole number of nanoseconds.
  ArrivalSchedule schedule(0, 3, 0, 1);
  for (int i = 0; i < 3'000'000; ++i) schedule.Advance();
  EXPECT_EQ(schedule.next_ns(), int64_t{1'000'000} * 1'000'000'000);
}

TEST(ArrivalScheduleTest, CountsWhatIsDue) {
  const ArrivalSchedule schedule(1000, 1e6, 1, 3);  // 2000, 5000, 8000...
  EXPECT_EQ(schedule.CountUntil(0), 0);
  EXPECT_EQ(schedule.CountUntil(1999), 0);
  EXPECT_EQ(schedule.CountUntil(2000), 1);
  EXPECT_EQ(schedule.CountUntil(4999), 1);
  EXPECT_EQ(schedule.CountUntil(5000), 2);
  EXPECT_EQ(schedule.CountUntil(8000), 3);
}

}  // namespace
}  // namespace netlab::lab
