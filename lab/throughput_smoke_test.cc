// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

// The real programs, for a moment: every part meets every other. What is
// measured is not looked at, for a test says nothing about speed.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "netlab/lab/report/jsonl.h"
#include "netlab/lab/report/results.h"
#include "netlab/lab/run/child_process.h"

namespace netlab::lab {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;

std::string ReadFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(ThroughputSmokeTest, MeasuresTwoServersInTwoRounds) {
  const std::string folder = ::testing::TempDir() + "/smoke";
  auto run = ChildProcess::Start(
      {.argv = {
           absl::StrCat(std::getenv("TEST_SRCDIR"), "/netlab/lab/throughput"),
           "--subjects=raw_epoll,asio", "--threads=1", "--rounds=2",
           "--warmup=20ms", "--duration=100ms", "--connections=4",
           "--output_dir=" + folder}});
  ASSERT_TRUE(run.ok()) << run.status();
  ChildProcess* const child = run->get();
  ASSERT_TRUE(WaitForExit({&child, 1}, absl::Now() + absl::Seconds(120)).ok());
  ASSERT_TRUE(child->status()->ok())
      << child->output() << absl::StrJoin(child->error_tail(), "\n");

  const absl::StatusOr<Results> results =
      ParseResults(ReadFile(folder + "/results.jsonl"));
  ASSERT_TRUE(results.ok()) << results.status();
  ASSERT_THAT(results->observations, SizeIs(4));
  for (const Observation& seen : results->observations) {
    EXPECT_EQ(seen.outcome, Outcome::kOk) << seen.problem;
    EXPECT_EQ(seen.error_count(), 0);
    EXPECT_THAT(seen.notes, SizeIs(0));
    for (const Metric& metric : results->experiment.metrics) {
      EXPECT_TRUE(seen.metrics.contains(metric.key)) << metric.key;
    }
    EXPECT_GT(seen.metrics.at("requests_per_s"), 0);
    EXPECT_GT(seen.metrics.at("server_cpu_us_per_request"), 0);
    for (const auto& [kind, count] : seen.errors) {
      EXPECT_THAT(results->experiment.error_kinds, ::testing::Contains(kind));
    }
  }
  EXPECT_THAT(ReadFile(folder + "/results.csv"), HasSubstr("\nasio,1,2,2,ok,"));
  EXPECT_THAT(ReadFile(folder + "/report.html"), HasSubstr("raw_epoll"));
}

}  // namespace
}  // namespace netlab::lab
