// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

#include "netlab/net/cpu_list.h"

#include <sched.h>

#include <string>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace netlab {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::vector<int> Parsed(absl::string_view text) {
  absl::StatusOr<std::vector<int>> cpus = ParseCpuList(text);
  EXPECT_TRUE(cpus.ok()) << cpus.status();
  return cpus.value_or(std::vector<int>{-1});
}

std::string ErrorOf(absl::string_view text) {
  absl::Status status = ParseCpuList(text).status();
  EXPECT_TRUE(absl::IsInvalidArgument(status)) << text << ": " << status;
  return std::string(status.message());
}

TEST(CpuListTest, ParsesNumbersAndRangesInTheirOrder) {
  EXPECT_THAT(Parsed(""), IsEmpty());
  EXPECT_THAT(Parsed("0"), ElementsAre(0));
  EXPECT_THAT(Parsed("0,2-4"), ElementsAre(0, 2, 3, 4));
  EXPECT_THAT(Parsed("7,0-1"), ElementsAre(7, 0, 1));
  EXPECT_THAT(Parsed("5-5"), ElementsAre(5));
  EXPECT_THAT(Parsed("8191"), ElementsAre(8191));
}

TEST(CpuListTest, SaysWhatIsWrong) {
  EXPECT_EQ(ErrorOf("0,x"),
            "CPU list '0,x': 'x' is neither a CPU nor a range like 2-3");
  EXPECT_EQ(ErrorOf("3-1"), "CPU list '3-1': '3-1' is an empty range");
  EXPECT_EQ(ErrorOf("0-2,1"), "CPU list '0-2,1': '1' names CPU 1 again");
  EXPECT_THAT(ErrorOf("8192"), HasSubstr("beyond the last possible CPU"));
  for (absl::string_view text :
       {",", "0,", ",0", "0,,1", "-1", "1-", "1-2-3", " 0", "+1", "1.5",
        "99999999999999999999", "0x1"}) {
    EXPECT_THAT(ErrorOf(text), HasSubstr("is neither a CPU nor a range"));
  }
}

TEST(CpuListTest, FormatsTheShortestText) {
  EXPECT_EQ(FormatCpuList({}), "");
  EXPECT_EQ(FormatCpuList({4}), "4");
  EXPECT_EQ(FormatCpuList({0, 1, 2, 5, 7, 8}), "0-2,5,7-8");
  EXPECT_EQ(FormatCpuList({3, 0, 1}), "3,0-1");
}

TEST(CpuListTest, FormattedListsAreReadBack) {
  for (absl::string_view text : {"", "0", "0-2,5,7-8", "3,0-1", "9,8,7"}) {
    EXPECT_EQ(FormatCpuList(Parsed(text)), text);
  }
}

TEST(CpuListTest, UnavailableCpusAreNamed) {
  absl::StatusOr<std::vector<int>> available = AvailableCpus();
  ASSERT_TRUE(available.ok()) << available.status();
  ASSERT_FALSE(available->empty());
  EXPECT_TRUE(CheckCpusAvailable(*available).ok());
  const int missing = available->back() + 1;
  const std::string expected = "CPU " + std::to_string(missing) +
                               " is not available; this process may use " +
                               FormatCpuList(*available);
  EXPECT_EQ(CheckCpusAvailable({missing}).message(), expected);
}

TEST(CpuListTest, PinsTheCallingThread) {
  absl::StatusOr<std::vector<int>> available = AvailableCpus();
  ASSERT_TRUE(available.ok()) << available.status();
  // In a thread of its own, so that the test's stays where it was.
  std::thread([&available] {
    for (const int cpu : *available) {
      ASSERT_TRUE(PinCurrentThread({cpu}).ok());
      EXPECT_EQ(sched_getcpu(), cpu);
      EXPECT_THAT(*AvailableCpus(), ElementsAre(cpu));
    }
    ASSERT_TRUE(PinCurrentThread(*available).ok());
    EXPECT_EQ(*AvailableCpus(), *available);
  }).join();
}

TEST(CpuListTest, PinningToNowhereFails) {
  EXPECT_FALSE(PinCurrentThread({}).ok());
  EXPECT_TRUE(absl::IsInvalidArgument(PinCurrentThread({-1})));
  EXPECT_TRUE(absl::IsInvalidArgument(PinCurrentThread({8191})));
}

}  // namespace
}  // namespace netlab
