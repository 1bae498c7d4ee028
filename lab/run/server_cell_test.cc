// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

#include "netlab/lab/run/server_cell.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "netlab/lab/run/interrupt.h"

namespace netlab::lab {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::string Fake(const std::string& name) {
  return absl::StrCat(std::getenv("TEST_SRCDIR"), "/netlab/lab/run/testing/",
                      name);
}

class MeasureServerTest : public ::testing::Test {
 protected:
  // A behaviour of neither program that the test is about is cut short; the
  // others are given far more time than they need.
  absl::StatusOr<Observation> Measure(const std::string& server_behaviour,
                                      const std::string& load_behaviour,
                                      const Patience& patience = {
                                          .start = absl::Seconds(60),
                                          .stop = absl::Seconds(60),
                                          .load = absl::Seconds(60)}) {
    const Subject subject = {.name = "fake",
                             .what = "a fake",
                             .program = Fake("fake_server"),
                             .args = {"--behaviour=" + server_behaviour}};
    const LoadPlan plan = {
        .program = {Fake("fake_load"), "--behaviour=" + load_behaviour}};
    const Placement placement = {.server_cpus = {0},
                                 .load_cpus = {0},
                                 .load_threads = 1,
                                 .sharing = Sharing::kSharedCpus};
    absl::StatusOr<PortPool> ports = PortPool::Create();
    if (!ports.ok()) return ports.status();
    return MeasureServer(subject, 1, placement, plan, *ports, interrupt_.fd(),
                         patience);
  }

  Observation MeasureOk(const std::string& server, const std::string& load) {
    const absl::StatusOr<Observation> observation = Measure(server, load);
    EXPECT_TRUE(observation.ok()) << observation.status();
    return observation.value_or(Observation());
  }

  Interrupt interrupt_;
};

TEST_F(MeasureServerTest, RecordsWhatTheLoadGeneratorMeasured) {
  const Observation seen = MeasureOk("ok", "ok");
  EXPECT_EQ(seen.outcome, Outcome::kOk) << seen.problem;
  EXPECT_EQ(seen.subject, "fake");
  EXPECT_EQ(seen.level, 1);
  EXPECT_EQ(seen.placement, "shared CPUs");
  EXPECT_EQ(seen.metrics.at("requests_per_s"), 100000);
  EXPECT_DOUBLE_EQ(seen.metrics.at("server_cpu_us_per_request"), 9.5);
  EXPECT_DOUBLE_EQ(seen.metrics.at("server_user_us_per_request"), 2.5);
  EXPECT_DOUBLE_EQ(seen.metrics.at("generator_cpu_us_per_request"), 5);
  EXPECT_DOUBLE_EQ(seen.metrics.at("server_switches_per_request"), 0.01);
  EXPECT_DOUBLE_EQ(seen.metrics.at("server_utilisation"), 0.95);
  EXPECT_EQ(seen.metrics.at("p99_9_us"), 8 * seen.metrics.at("p50_us"));
  EXPECT_EQ(seen.limited_by, "server");
  EXPECT_EQ(seen.error_count(), 0);
  EXPECT_EQ(seen.details["mode"], "closed");
  EXPECT_TRUE(seen.metrics.contains("foreign_cpus"));
  EXPECT_THAT(seen.notes, IsEmpty());
  for (const Metric& metric : ServerMetrics()) {
    EXPECT_TRUE(seen.metrics.contains(metric.key)) << metric.key;
  }
}

TEST_F(MeasureServerTest, AServerMaySayMoreThanItMust) {
  EXPECT_EQ(MeasureOk("talkative", "ok").outcome, Outcome::kOk);
}

TEST_F(MeasureServerTest, ErrorsAreCountedByKind) {
  const Observation seen = MeasureOk("ok", "has_errors");
  EXPECT_EQ(seen.outcome, Outcome::kOk);
  EXPECT_EQ(seen.errors.at("timeout"), 5);
  EXPECT_EQ(seen.error_count(), 5);
}

TEST_F(MeasureServerTest, AServerThatCannotRunHereSaysWhy) {
  const Observation seen = MeasureOk("unavailable", "ok");
  EXPECT_EQ(seen.outcome, Outcome::kUnavailable);
  EXPECT_EQ(seen.problem, "cannot run here: io_uring is not permitted here");
}

TEST_F(MeasureServerTest, AServerThatDiesAtStartIsARowWithItsLastWords) {
  const Observation seen = MeasureOk("dies_at_start", "ok");
  EXPECT_EQ(seen.outcome, Outcome::kFailed);
  EXPECT_EQ(seen.problem, "ended before it listened: exit status 3");
  EXPECT_THAT(seen.log_tail, ElementsAre("first line", "last words"));
}

TEST_F(MeasureServerTest, AServerThatDiesUnderLoadEndsTheLoad) {
  const Observation seen = MeasureOk("dies_under_load", "hangs");
  EXPECT_EQ(seen.outcome, Outcome::kFailed);
  EXPECT_EQ(seen.problem, "ended under load: killed by signal 9 (Killed)");
  EXPECT_THAT(seen.log_tail, ElementsAre("assertion failed"));
}

TEST_F(MeasureServerTest, AServerThatNeverListensIsGivenUp) {
  const Patience patience = {.start = absl::Milliseconds(50),
                             .stop = absl::Seconds(60),
                             .load = absl::Seconds(60)};
  for (const char* behaviour : {"silent", "garbage"}) {
    const absl::StatusOr<Observation> seen = Measure(behaviour, "ok", patience);
    ASSERT_TRUE(seen.ok());
    EXPECT_EQ(seen->outcome, Outcome::kFailed);
    EXPECT_THAT(seen->problem, HasSubstr("within 50ms"));
  }
}

TEST_F(MeasureServerTest, AServerThatClosesItsOutputIsGivenUp) {
  EXPECT_EQ(MeasureOk("closes_output", "ok").problem,
            "closed its output before it listened");
}

TEST_F(MeasureServerTest, AMissingServerIsARow) {
  const Subject subject = {
      .name = "gone", .what = "", .program = "/nonexistent/server"};
  absl::StatusOr<PortPool> ports = PortPool::Create();
  ASSERT_TRUE(ports.ok());
  const absl::StatusOr<Observation> seen =
      MeasureServer(subject, 1, Placement(), LoadPlan(), *ports, -1);
  ASSERT_TRUE(seen.ok());
  EXPECT_EQ(seen->outcome, Outcome::kFailed);
  EXPECT_THAT(seen->problem, HasSubstr("/nonexistent/server"));
}

TEST_F(MeasureServerTest, AServerThatIgnoresSigtermIsKilledAndNoted) {
  const absl::StatusOr<Observation> seen =
      Measure("ignores_sigterm", "ok",
              {.start = absl::Seconds(60),
               .stop = absl::Milliseconds(50),
               .load = absl::Seconds(60)});
  ASSERT_TRUE(seen.ok());
  EXPECT_EQ(seen->outcome, Outcome::kOk);
  EXPECT_THAT(seen->notes, ElementsAre(HasSubstr("SIGTERM and was killed")));
}

TEST_F(MeasureServerTest, ABadEndIsNoted) {
  EXPECT_THAT(MeasureOk("bad_exit", "ok").notes,
              ElementsAre("ended badly on SIGTERM: exit status 7"));
}

TEST_F(MeasureServerTest, ALoadGeneratorThatFailsIsARow) {
  const Observation failed = MeasureOk("ok", "fails");
  EXPECT_EQ(failed.problem, "the load generator failed: exit status 1");
  EXPECT_THAT(failed.log_tail, ElementsAre("fake_load: no such CPU"));
  EXPECT_THAT(MeasureOk("ok", "garbage").problem, HasSubstr("netlab.load/1"));
  EXPECT_THAT(MeasureOk("ok", "incomplete").problem, HasSubstr("'elapsed_s'"));
}

TEST_F(MeasureServerTest, NoSuccessAtAllIsAFailureWithItsErrors) {
  const Observation seen = MeasureOk("ok", "nothing_succeeds");
  EXPECT_EQ(seen.outcome, Outcome::kFailed);
  EXPECT_EQ(seen.problem, "not a single request succeeded");
  EXPECT_EQ(seen.errors.at("timeout"), 5);
}

TEST_F(MeasureServerTest, ALoadGeneratorThatHangsIsGivenUp) {
  const absl::StatusOr<Observation> seen =
      Measure("ok", "hangs",
              {.start = absl::Seconds(60),
               .stop = absl::Seconds(60),
               .load = absl::Milliseconds(50)});
  ASSERT_TRUE(seen.ok());
  EXPECT_THAT(seen->problem, HasSubstr("did not end within"));
}

TEST_F(MeasureServerTest, AnInterruptEndsIt) {
  std::raise(SIGINT);
  EXPECT_EQ(Measure("silent", "ok").status().code(),
            absl::StatusCode::kCancelled);
  EXPECT_EQ(Measure("ok", "hangs").status().code(),
            absl::StatusCode::kCancelled);
}

TEST(LimitedByTest, NamesTheSideWithoutTimeLeft) {
  EXPECT_EQ(LimitedBy(0.95, 0.5, 0), "server");
  EXPECT_EQ(LimitedBy(0.5, 0.95, 0), "generator");
  EXPECT_EQ(LimitedBy(0.95, 0.95, 0), "both");
  EXPECT_EQ(LimitedBy(0.5, 0.5, 0), "neither");
  EXPECT_EQ(LimitedBy(0.5, 0.5, 0.99), "machine");
}

}  // namespace
}  // namespace netlab::lab
