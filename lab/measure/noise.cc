// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

#include "netlab/lab/measure/noise.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <vector>

#include "absl/cleanup/cleanup.h"
#include "absl/status/status.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/time/clock.h"
#include "netlab/lab/stats/summary.h"
#include "netlab/net/cpu_list.h"

namespace netlab::lab {
namespace {

// About 3 ms on a CPU of today: longer than a timer interrupt, shorter than a
// time slice.
constexpr int kCalibrationSteps = 3'000'000;
constexpr int kCalibrationRepeats = 3;
constexpr size_t kMostCpus = 16;

// A chain of dependent operations: what it takes depends on the clock of the
// CPU and on who else uses it, on nothing else.
uint64_t CalibrationLoop(uint64_t x) {
  for (int i = 0; i < kCalibrationSteps; ++i) {
    x ^= x << 13;
    x ^= x >> 7;
    x ^= x << 17;
  }
  return x;
}

// `count` of `cpus`, evenly spread; all when there are no more.
std::vector<int> Spread(const std::vector<int>& cpus, size_t count) {
  if (cpus.size() <= count) return cpus;
  std::vector<int> some;
  for (size_t i = 0; i < count; ++i) {
    some.push_back(cpus[i * cpus.size() / count]);
  }
  return some;
}

double TimeCalibrationLoop() {
  std::vector<double> times;
  for (int i = 0; i < kCalibrationRepeats; ++i) {
    const absl::Time begin = absl::Now();
    [[maybe_unused]] volatile const uint64_t sink =
        CalibrationLoop(88172645463);
    times.push_back(absl::ToDoubleMilliseconds(absl::Now() - begin));
  }
  return Median(times);
}

}  // namespace

SystemCpu operator-(const SystemCpu& end, const SystemCpu& begin) {
  return {.busy = end.busy - begin.busy,
          .idle = end.idle - begin.idle,
          .steal = end.steal - begin.steal};
}

absl::StatusOr<SystemCpu> ParseSystemCpu(absl::string_view text) {
  // cpu user nice system idle iowait irq softirq steal [guest guest_nice]; the
  // last two are contained in the first two.
  const absl::string_view line = text.substr(0, text.find('\n'));
  const std::vector<absl::string_view> words =
      absl::StrSplit(line, ' ', absl::SkipEmpty());
  std::array<int64_t, 8> ticks;
  if (words.size() < ticks.size() + 1 || words[0] != "cpu") {
    return absl::InvalidArgumentError("/proc/stat does not begin with 'cpu'");
  }
  for (size_t i = 0; i < ticks.size(); ++i) {
    if (!absl::SimpleAtoi(words[i + 1], &ticks[i])) {
      return absl::InvalidArgumentError(
          absl::StrCat("no number in /proc/stat: '", words[i + 1], "'"));
    }
  }
  const auto& [user, nice, system, idle, iowait, irq, softirq, steal] = ticks;
  const absl::Duration tick =
      absl::Seconds(1) / static_cast<double>(sysconf(_SC_CLK_TCK));
  return SystemCpu{.busy = tick * (user + nice + system + irq + softirq),
                   .idle = tick * (idle + iowait),
                   .steal = tick * steal};
}

absl::StatusOr<SystemCpu> ReadSystemCpu() {
  std::ifstream file("/proc/stat");
  std::string line;
  std::getline(file, line);
  return ParseSystemCpu(line);
}

NoiseSentinel::NoiseSentinel(const std::vector<int>& cpus)
    : cpus_(Spread(cpus, kMostCpus)),
      last_(ReadSystemCpu().value_or(SystemCpu())) {}

NoiseSample NoiseSentinel::Sample() {
  NoiseSample sample;
  const SystemCpu now = ReadSystemCpu().value_or(last_);
  const SystemCpu spent = now - last_;
  last_ = now;
  if (spent.total() > absl::ZeroDuration()) {
    sample.steal_share = absl::FDivDuration(spent.steal, spent.total());
  }
  const absl::StatusOr<std::vector<int>> home = AvailableCpus();
  if (!home.ok()) return sample;
  absl::Cleanup go_home = [&] { PinCurrentThread(*home).IgnoreError(); };
  for (const int cpu : cpus_) {
    if (!PinCurrentThread({cpu}).ok()) continue;
    sample.calibration.push_back(
        {.cpu = cpu, .milliseconds = TimeCalibrationLoop()});
  }
  return sample;
}

NoiseVerdict JudgeNoise(absl::Span<const NoiseSample> samples,
                        absl::Span<const double> foreign_cpus) {
  NoiseVerdict verdict;
  std::map<int, std::vector<double>> times;
  for (const NoiseSample& sample : samples) {
    verdict.steal_share = std::max(verdict.steal_share, sample.steal_share);
    for (const CalibrationTime& time : sample.calibration) {
      times[time.cpu].push_back(time.milliseconds);
    }
  }
  for (const auto& [cpu, of_cpu] : times) {
    verdict.calibration_spread =
        std::max(verdict.calibration_spread, RelativeSpread(of_cpu));
  }
  if (!foreign_cpus.empty()) verdict.foreign_cpus = Median(foreign_cpus);

  std::vector<std::string> reasons;
  if (verdict.calibration_spread > kQuietCalibrationSpread) {
    reasons.push_back(
        absl::StrFormat("a fixed calibration loop varied by %.0f%%",
                        verdict.calibration_spread * 100));
  }
  if (verdict.steal_share > kQuietStealShare) {
    reasons.push_back(absl::StrFormat(
        "the hypervisor took up to %.1f%% of the CPU time of a round",
        verdict.steal_share * 100));
  }
  if (verdict.foreign_cpus > kQuietForeignCpus) {
    reasons.push_back(absl::StrFormat("other processes kept %.2f CPUs busy",
                                      verdict.foreign_cpus));
  }
  verdict.noisy = !reasons.empty();
  verdict.text = verdict.noisy ? absl::StrCat("noisy machine: ",
                                              absl::StrJoin(reasons, "; "))
                               : "quiet machine";
  return verdict;
}

}  // namespace netlab::lab
