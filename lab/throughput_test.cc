// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

// The experiment as a whole, with fake servers and a fake load generator.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <system_error>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "netlab/lab/report/jsonl.h"
#include "netlab/lab/report/results.h"
#include "netlab/lab/run/child_process.h"

namespace netlab::lab {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

absl::Time Soon() { return absl::Now() + absl::Seconds(120); }

std::string ReadFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

class ThroughputTest : public ::testing::Test {
 protected:
  ThroughputTest() {
    const auto* info = ::testing::UnitTest::GetInstance()->current_test_info();
    folder_ =
        (std::filesystem::path(::testing::TempDir()) / info->name()).string();
    setenv("FAKE_MARKER", folder_.c_str(), 1);
  }

  std::unique_ptr<ChildProcess> Start(std::vector<std::string> flags) {
    flags.insert(flags.begin(),
                 absl::StrCat(std::getenv("TEST_SRCDIR"),
                              "/netlab/lab/run/testing/fake_throughput"));
    flags.push_back("--output_dir=" + folder_);
    auto child = ChildProcess::Start({.argv = flags});
    EXPECT_TRUE(child.ok()) << child.status();
    return child.ok() ? *std::move(child) : nullptr;
  }

  ExitStatus Finish(ChildProcess& child) {
    ChildProcess* const pointer = &child;
    EXPECT_TRUE(WaitForExit({&pointer, 1}, Soon()).ok());
    return child.Stop(absl::ZeroDuration());
  }

  static std::string Errors(const ChildProcess& child) {
    return absl::StrJoin(child.error_tail(), "\n");
  }

  Results ReadResults() {
    absl::StatusOr<Results> results =
        ParseResults(ReadFile(folder_ + "/results.jsonl"));
    EXPECT_TRUE(results.ok()) << results.status();
    return results.value_or(Results());
  }

  // The fake programs of this test that run.
  std::vector<std::string> Left() const {
    std::vector<std::string> left;
    std::error_code error;
    for (const auto& entry :
         std::filesystem::directory_iterator("/proc", error)) {
      int pid = 0;
      if (!absl::SimpleAtoi(entry.path().filename().string(), &pid)) continue;
      const std::string command =
          ReadFile(absl::StrCat("/proc/", pid, "/cmdline"));
      if (absl::StrContains(command, "--marker=" + folder_)) {
        left.push_back(command);
      }
    }
    return left;
  }

  std::string folder_;
};

TEST_F(ThroughputTest, EndsWithTheTableAndThreeFiles) {
  auto run = Start({"--rounds=5", "--threads=1",
                    "--subjects=good,also_good,no_uring,broken"});
  EXPECT_TRUE(Finish(*run).ok()) << Errors(*run);
  EXPECT_THAT(run->output(),
              AllOf(HasSubstr("round 5 of 5 is complete"),
                    HasSubstr("also_good"), HasSubstr("unavailable"),
                    HasSubstr("broken, 1 thread: ended before it listened"),
                    HasSubstr(folder_ + "/report.html")));
  EXPECT_THAT(ReadFile(folder_ + "/results.csv"),
              HasSubstr("\nno_uring,1,5,0,unavailable,"));
  EXPECT_THAT(ReadFile(folder_ + "/report.html"),
              HasSubstr("works &lt;too&gt; &amp; well"));
  const Results results = ReadResults();
  EXPECT_THAT(results.observations, SizeIs(5 * 4));
  EXPECT_THAT(results.noise, SizeIs(6));
  EXPECT_FALSE(results.interrupted);
  EXPECT_THAT(results.command, HasSubstr("--subjects=good,also_good,no_uring,"
                                         "broken --seed="));
  EXPECT_THAT(Left(), IsEmpty());
}

TEST_F(ThroughputTest, WithoutItsReferenceTheFirstSubjectStandsInForIt) {
  auto run =
      Start({"--rounds=1", "--threads=1", "--subjects=also_good,broken"});
  EXPECT_TRUE(Finish(*run).ok()) << Errors(*run);
  const Results results = ReadResults();
  ASSERT_THAT(results.subjects, SizeIs(2));
  EXPECT_TRUE(results.subjects[0].reference);
  EXPECT_EQ(results.subjects[0].name, "also_good");
}

TEST_F(ThroughputTest, NothingMeasuredIsAFailure) {
  auto run = Start({"--rounds=1", "--threads=1", "--subjects=broken"});
  EXPECT_EQ(Finish(*run).code, 1);
  EXPECT_THAT(run->output(), HasSubstr("FAILED"));
}

TEST_F(ThroughputTest, CtrlCKeepsFinishedRoundsAndLeavesNoProcess) {
  auto run = Start({"--rounds=10000", "--subjects=good,also_good"});
  for (;;) {
    const absl::StatusOr<std::string> line = run->ReadLine(Soon());
    ASSERT_TRUE(line.ok()) << line.status();
    if (absl::StartsWith(*line, "round 2 of 10000 is complete")) break;
  }
  kill(run->pid(), SIGINT);
  EXPECT_EQ(Finish(*run).code, 130) << Errors(*run);
  EXPECT_THAT(Left(), IsEmpty());

  const Results results = ReadResults();
  EXPECT_TRUE(results.interrupted);
  EXPECT_GE(results.observations.size(), 2u * 4u);
  EXPECT_EQ(results.observations.size() % 4, 0u) << "a round is not complete";
  EXPECT_THAT(run->output(), HasSubstr("Interrupted: "));
  EXPECT_THAT(ReadFile(folder_ + "/report.html"), HasSubstr("interrupted: "));
  EXPECT_THAT(ReadFile(folder_ + "/results.csv"), HasSubstr("also_good,1,"));
}

TEST_F(ThroughputTest, CtrlCInTheFirstRoundHasNothingToReport) {
  auto run = Start({"--rounds=1", "--threads=1", "--subjects=slow_start"});
  const absl::StatusOr<std::string> line = run->ReadLine(Soon());
  ASSERT_TRUE(line.ok()) << line.status();
  kill(run->pid(), SIGINT);
  EXPECT_EQ(Finish(*run).code, 130) << Errors(*run);
  EXPECT_THAT(run->output(), HasSubstr("nothing to report"));
  EXPECT_THAT(Left(), IsEmpty());
}

TEST_F(ThroughputTest, LeavesNoProcessEvenWhenKilled) {
  auto run = Start({"--rounds=10000", "--subjects=good,also_good"});
  ASSERT_TRUE(run->ReadLine(Soon()).ok());
  ASSERT_TRUE(run->ReadLine(Soon()).ok());
  kill(run->pid(), SIGKILL);
  EXPECT_EQ(Finish(*run).signal, SIGKILL);
  // The kernel ends the children; nobody tells us when.
  for (const absl::Time end = Soon(); absl::Now() < end && !Left().empty();) {
    absl::SleepFor(absl::Milliseconds(1));
  }
  EXPECT_THAT(Left(), IsEmpty());
  EXPECT_TRUE(ReadResults().interrupted);
}

TEST_F(ThroughputTest, WrongFlagsAreOneLineBeforeAnythingStarts) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"--subjects=goood", "did you mean 'good'?"},
      {"--threads=1;2", "e.g. 1,2,4"},
      {"--rounds=0", "give a number from 1"},
      {"--duration=5", "with its unit"},
      {"--server_cpus=4095", "CPU 4095 is not available"},
      {"--connections=900000", "'ulimit -n' of 900128"},
  };
  for (const auto& [flag, message] : cases) {
    auto run = Start({flag});
    EXPECT_EQ(Finish(*run).code, 1) << flag;
    EXPECT_THAT(run->error_tail(), ElementsAre(HasSubstr(message))) << flag;
    EXPECT_EQ(run->output(), "") << flag;
    EXPECT_FALSE(std::filesystem::exists(folder_)) << flag;
  }
}

TEST_F(ThroughputTest, UnknownFlagsAndStrayWordsAreErrors) {
  auto unknown = Start({"--round=3"});
  EXPECT_EQ(Finish(*unknown).code, 1);
  EXPECT_THAT(Errors(*unknown), HasSubstr("Unknown command line flag 'round'"));
  auto stray = Start({"raw_epoll"});
  EXPECT_EQ(Finish(*stray).code, 1);
  EXPECT_THAT(stray->error_tail(),
              ElementsAre(HasSubstr("'raw_epoll' is not a flag")));
}

TEST_F(ThroughputTest, HelpNamesTheFlagsOfTheLab) {
  auto run = Start({"--help"});
  Finish(*run);
  EXPECT_THAT(run->output(),
              AllOf(HasSubstr("--rounds"), HasSubstr("--output_dir"),
                    HasSubstr("bazel run //lab:throughput")));
}

}  // namespace
}  // namespace netlab::lab
