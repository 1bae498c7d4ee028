// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

#include "netlab/lab/measure/topology.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"

namespace netlab::lab {
namespace {

using ::testing::ElementsAre;

void WriteSiblings(const std::string& sys, int cpu, const std::string& name,
                   const std::string& siblings) {
  const std::string folder =
      absl::StrCat(sys, "/devices/system/cpu/cpu", cpu, "/topology");
  std::filesystem::create_directories(folder);
  std::ofstream(absl::StrCat(folder, "/", name)) << siblings << "\n";
}

TEST(CoresOfTest, GroupsSiblings) {
  const std::string sys = ::testing::TempDir() + "/smt";
  for (int cpu = 0; cpu < 4; ++cpu) {
    WriteSiblings(sys, cpu, "core_cpus_list",
                  absl::StrCat(cpu % 2, ",", cpu % 2 + 2));
  }
  EXPECT_THAT(CoresOf({0, 1, 2, 3}, sys),
              ElementsAre(ElementsAre(0, 2), ElementsAre(1, 3)));
  // CPU 2 is not ours: its core is smaller then.
  EXPECT_THAT(CoresOf({0, 1, 3}, sys),
              ElementsAre(ElementsAre(0), ElementsAre(1, 3)));
}

TEST(CoresOfTest, ReadsTheNameOfOlderKernels) {
  const std::string sys = ::testing::TempDir() + "/older";
  WriteSiblings(sys, 0, "thread_siblings_list", "0-1");
  EXPECT_THAT(CoresOf({0, 1}, sys), ElementsAre(ElementsAre(0, 1)));
}

TEST(CoresOfTest, TakesEachCpuForACoreWhereTheKernelIsSilent) {
  EXPECT_THAT(CoresOf({1, 0}, "/nonexistent"),
              ElementsAre(ElementsAre(0), ElementsAre(1)));
}

TEST(PlaceTest, SplitsTwoCores) {
  const Placement placement = Place({{0}, {1}}, 1);
  EXPECT_THAT(placement.server_cpus, ElementsAre(0));
  EXPECT_THAT(placement.load_cpus, ElementsAre(1));
  EXPECT_EQ(placement.load_threads, 1);
  EXPECT_EQ(placement.sharing, Sharing::kSeparateCores);
}

TEST(PlaceTest, SharesAllWhenNoCoreIsLeftForTheLoad) {
  const Placement placement = Place({{0}, {1}}, 2);
  EXPECT_THAT(placement.server_cpus, ElementsAre(0, 1));
  EXPECT_THAT(placement.load_cpus, ElementsAre(0, 1));
  EXPECT_EQ(placement.load_threads, 2);
  EXPECT_EQ(placement.sharing, Sharing::kSharedCpus);
}

TEST(PlaceTest, LeavesSiblingsOfTheServerIdle) {
  const Placement placement = Place({{0, 4}, {1, 5}, {2, 6}, {3, 7}}, 2);
  EXPECT_THAT(placement.server_cpus, ElementsAre(0, 1));
  EXPECT_THAT(placement.load_cpus, ElementsAre(2, 3, 6, 7));
  EXPECT_EQ(placement.load_threads, 4);
  EXPECT_EQ(placement.sharing, Sharing::kSeparateCores);
}

TEST(PlaceTest, OneServerThreadNeedsTwoOfTheLoadAtMost) {
  EXPECT_EQ(Place({{0}, {1}, {2}, {3}, {4}}, 1).load_threads, 2);
}

TEST(PlaceTest, KeepsToWhatTheUserFixed) {
  const std::vector<Core> cores = {{0, 4}, {1, 5}, {2, 6}, {3, 7}};
  const Placement servers = Place(cores, 1, {.server_cpus = {3}});
  EXPECT_THAT(servers.server_cpus, ElementsAre(3));
  EXPECT_THAT(servers.load_cpus, ElementsAre(0, 1, 2, 4, 5, 6));

  const Placement load =
      Place(cores, 2, {.load_cpus = {0, 4}, .load_threads = 1});
  EXPECT_THAT(load.server_cpus, ElementsAre(1, 2));
  EXPECT_THAT(load.load_cpus, ElementsAre(0, 4));
  EXPECT_EQ(load.load_threads, 1);
  EXPECT_EQ(load.sharing, Sharing::kSeparateCores);
}

TEST(PlaceTest, NamesWhatTheSidesShare) {
  const std::vector<Core> cores = {{0, 2}, {1, 3}};
  EXPECT_EQ(Place(cores, 1, {.server_cpus = {0}, .load_cpus = {2}}).sharing,
            Sharing::kSiblings);
  EXPECT_EQ(Place(cores, 1, {.server_cpus = {0, 1}, .load_cpus = {1}}).sharing,
            Sharing::kSharedCpus);
}

TEST(PlaceTest, OneCpuServesBothSides) {
  const Placement placement = Place({{0}}, 4);
  EXPECT_THAT(placement.server_cpus, ElementsAre(0));
  EXPECT_THAT(placement.load_cpus, ElementsAre(0));
  EXPECT_EQ(placement.load_threads, 1);
  EXPECT_EQ(placement.sharing, Sharing::kSharedCpus);
}

}  // namespace
}  // namespace netlab::lab
