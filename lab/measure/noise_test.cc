// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

#include "netlab/lab/measure/noise.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <vector>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "netlab/net/cpu_list.h"

namespace netlab::lab {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

NoiseSample Calibrated(double on_cpu0, double on_cpu1, double steal = 0) {
  return {.calibration = {{.cpu = 0, .milliseconds = on_cpu0},
                          {.cpu = 1, .milliseconds = on_cpu1}},
          .steal_share = steal};
}

TEST(ParseSystemCpuTest, AddsUpWhatIsWork) {
  const auto cpu = ParseSystemCpu(
      "cpu  100 20 300 4000 500 6 70 8 90 10\ncpu0 1 2 3 4 5 6 7 8 9 10\n");
  ASSERT_TRUE(cpu.ok());
  const double tick = 1.0 / static_cast<double>(sysconf(_SC_CLK_TCK));
  EXPECT_NEAR(absl::ToDoubleSeconds(cpu->busy), 496 * tick, 1e-6);
  EXPECT_NEAR(absl::ToDoubleSeconds(cpu->idle), 4500 * tick, 1e-6);
  EXPECT_NEAR(absl::ToDoubleSeconds(cpu->steal), 8 * tick, 1e-6);
}

TEST(ParseSystemCpuTest, RejectsAnythingElse) {
  for (const char* text :
       {"", "cpu 1 2 3", "intr 1 2 3 4 5 6 7 8 9", "cpu 1 2 3 4 5 six 7 8"}) {
    EXPECT_EQ(ParseSystemCpu(text).status().code(),
              absl::StatusCode::kInvalidArgument)
        << text;
  }
}

TEST(JudgeNoiseTest, EqualTimesAreQuiet) {
  const NoiseVerdict verdict = JudgeNoise(
      {Calibrated(3.00, 3.20), Calibrated(3.05, 3.21)}, {0.01, 0.02, 0.9});
  EXPECT_FALSE(verdict.noisy);
  EXPECT_EQ(verdict.text, "quiet machine");
}

TEST(JudgeNoiseTest, CpusOfDifferentSpeedAreNotNoise) {
  EXPECT_FALSE(JudgeNoise({Calibrated(3, 6), Calibrated(3, 6)}, {}).noisy);
}

TEST(JudgeNoiseTest, EachWitnessCanTell) {
  EXPECT_THAT(
      JudgeNoise({Calibrated(3, 3), Calibrated(3, 4), Calibrated(3, 3)}, {})
          .text,
      HasSubstr("calibration loop varied by 33%"));
  EXPECT_THAT(JudgeNoise({Calibrated(3, 3), Calibrated(3, 3, 0.05)}, {}).text,
              HasSubstr("hypervisor took up to 5.0%"));
  const NoiseVerdict foreign = JudgeNoise({}, {0.5, 0.7, 0.6});
  EXPECT_TRUE(foreign.noisy);
  EXPECT_THAT(foreign.text, HasSubstr("0.60 CPUs"));
  EXPECT_THAT(foreign.text, Not(HasSubstr("calibration")));
}

TEST(NoiseSentinelTest, SamplesEachCpuAndLeavesTheThreadWhereItMayRun) {
  const auto before = AvailableCpus();
  ASSERT_TRUE(before.ok());
  NoiseSentinel sentinel(*before);
  const NoiseSample sample = sentinel.Sample();
  ASSERT_EQ(sample.calibration.size(), before->size());
  for (const CalibrationTime& time : sample.calibration) {
    EXPECT_GT(time.milliseconds, 0);
  }
  EXPECT_EQ(AvailableCpus().value(), *before);
}

}  // namespace
}  // namespace netlab::lab
