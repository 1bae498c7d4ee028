// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

#include "netlab/lab/experiment/options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"

namespace netlab::lab {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

OptionLimits Limits() {
  return {
      .experiment = "throughput",
      .profiles = {{.name = "quick",
                    .rounds = 6,
                    .warmup = absl::Milliseconds(300),
                    .duration = absl::Seconds(1),
                    .connections = 100,
                    .levels = {1, 2}},
                   {.name = "full",
                    .rounds = 15,
                    .warmup = absl::Seconds(1),
                    .duration = absl::Seconds(5),
                    .connections = 100,
                    .levels = {1, 2, 4}}},
      .subjects = {"raw_epoll", "raw_uring", "asio", "libuv"},
      .available_cpus = {0, 1},
      .working_dir = ::testing::TempDir(),
      .now = absl::FromUnixSeconds(1'800'000'000),
  };
}

std::string Problem(const RawOptions& raw) {
  const absl::StatusOr<ExperimentOptions> options = CheckOptions(raw, Limits());
  EXPECT_FALSE(options.ok());
  return std::string(options.status().message());
}

TEST(CheckOptionsTest, AProfileGivesWhatIsNotGiven) {
  const auto quick = CheckOptions({}, Limits());
  ASSERT_TRUE(quick.ok()) << quick.status();
  EXPECT_EQ(quick->rounds, 6);
  EXPECT_EQ(quick->duration, absl::Seconds(1));
  EXPECT_EQ(quick->connections, 100);
  EXPECT_THAT(quick->levels, ElementsAre(1, 2));
  EXPECT_THAT(quick->subjects,
              ElementsAre("raw_epoll", "raw_uring", "asio", "libuv"));
  EXPECT_THAT(quick->placement.server_cpus, IsEmpty());
  EXPECT_THAT(quick->output_dir, AllOf(StartsWith(::testing::TempDir()),
                                       HasSubstr("lab-results/throughput-")));

  const auto full =
      CheckOptions({.profile = "full", .rounds = 7, .threads = "3"}, Limits());
  ASSERT_TRUE(full.ok());
  EXPECT_EQ(full->rounds, 7);
  EXPECT_EQ(full->duration, absl::Seconds(5));
  EXPECT_THAT(full->levels, ElementsAre(3));
}

TEST(CheckOptionsTest, TakesWhatIsGiven) {
  const auto options = CheckOptions({.rounds = 5,
                                     .warmup = "0",
                                     .duration = "100ms",
                                     .connections = 1000,
                                     .threads = "2,1",
                                     .subjects = "libuv,raw_epoll",
                                     .server_cpus = "1",
                                     .load_cpus = "0",
                                     .load_threads = 3,
                                     .output_dir = "out",
                                     .seed = 42},
                                    Limits());
  ASSERT_TRUE(options.ok()) << options.status();
  EXPECT_THAT(options->levels, ElementsAre(2, 1));
  EXPECT_THAT(options->subjects, ElementsAre("raw_epoll", "libuv"));
  EXPECT_EQ(std::filesystem::path(options->output_dir),
            std::filesystem::path(::testing::TempDir()) / "out");
  EXPECT_EQ(FlagsOf(*options),
            "--rounds=5 --warmup=0 --duration=100ms --connections=1000 "
            "--threads=2,1 --subjects=raw_epoll,libuv --server_cpus=1 "
            "--load_cpus=0 --load_threads=3 --seed=42");
}

TEST(CheckOptionsTest, EachFaultNamesTheFlagAndTheRemedy) {
  EXPECT_EQ(Problem({.rounds = 0}),
            "--rounds=0: give a number from 1 to 10000");
  EXPECT_EQ(Problem({.connections = -5}),
            "--connections=-5: give a number from 1 to 1000000");
  for (const char* time : {"0", "5", "2h", "1 s", "fast"}) {
    EXPECT_EQ(Problem({.duration = time}),
              absl::StrCat("--duration=", time,
                           ": give a time from 10ms to 1h, with its unit, "
                           "e.g. 500ms or 2s"));
  }
  EXPECT_THAT(Problem({.warmup = "-1s"}), StartsWith("--warmup=-1s: "));
  EXPECT_EQ(Problem({.profile = "slow"}),
            "--profile=slow: it is one of quick, full");
  EXPECT_THAT(Problem({.load_threads = -1}), StartsWith("--load_threads=-1"));
  for (const char* threads : {"0", "1,", "a", "1,,2", "1 2", "-1", "2000"}) {
    EXPECT_THAT(Problem({.threads = threads}),
                AllOf(StartsWith("--threads="), HasSubstr("e.g. 1,2,4")));
  }
  EXPECT_EQ(Problem({.threads = "2,2"}), "--threads=2,2: 2 stands there twice");
  EXPECT_EQ(Problem({.server_cpus = "0,7"}),
            "--server_cpus=0,7: CPU 7 is not available; this process may use "
            "0-1");
  EXPECT_THAT(Problem({.load_cpus = "x"}), StartsWith("--load_cpus=x: "));
}

TEST(CheckOptionsTest, AnUnknownSubjectBringsTheNearestAndAllOfThem) {
  EXPECT_EQ(Problem({.subjects = "asio,rawepoll"}),
            "--subjects=asio,rawepoll: there is no 'rawepoll'; did you mean "
            "'raw_epoll'? Known: raw_epoll, raw_uring, asio, libuv");
}

TEST(CheckOptionsTest, ResultsAreNotOverwritten) {
  const std::string folder = ::testing::TempDir() + "/taken";
  std::filesystem::create_directories(folder);
  EXPECT_TRUE(CheckOptions({.output_dir = folder}, Limits()).ok());
  std::ofstream(folder + "/results.jsonl") << "{}\n";
  EXPECT_THAT(Problem({.output_dir = folder}), HasSubstr("another run"));
  EXPECT_THAT(Problem({.output_dir = folder + "/results.jsonl"}),
              HasSubstr("a file of that name"));
}

TEST(NearestTest, CountsEdits) {
  const std::vector<std::string> known = {"raw_epoll", "raw_uring", "asio"};
  EXPECT_EQ(Nearest("epoll", known), "raw_epoll");
  EXPECT_EQ(Nearest("uring", known), "raw_uring");
  EXPECT_EQ(Nearest("assio", known), "asio");
  EXPECT_EQ(Nearest("asio", known), "asio");
}

TEST(EnsureFileLimitTest, RaisesTheSoftLimitUpToTheHardOne) {
  rlimit before = {};
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &before), 0);
  ASSERT_GT(before.rlim_max, 300u);
  const rlimit low = {.rlim_cur = 200, .rlim_max = before.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &low), 0);
  EXPECT_TRUE(EnsureFileLimit(300).ok());
  rlimit after = {};
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &after), 0);
  EXPECT_EQ(after.rlim_cur, 300u);
  const absl::Status status = EnsureFileLimit(before.rlim_max + 1);
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(std::string(status.message()),
              HasSubstr(std::to_string(before.rlim_max + 1)));
}

}  // namespace
}  // namespace netlab::lab
