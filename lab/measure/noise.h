// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

// Was the machine quiet enough to measure on? Three witnesses: a fixed piece of
// work, timed between rounds, that should always take equally long; the time
// that a hypervisor took away; and the CPU time that processes other than the
// measured ones used.
//
//   NoiseSentinel sentinel({0, 1});
//   samples.push_back(sentinel.Sample());  // before the first round, after
//   each NoiseVerdict verdict = JudgeNoise(samples, foreign_cpus_of_each_cell);

#ifndef NETLAB_LAB_MEASURE_NOISE_H_
#define NETLAB_LAB_MEASURE_NOISE_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "absl/types/span.h"

namespace netlab::lab {

// How the time of all CPUs was spent since boot.
struct SystemCpu {
  absl::Duration busy = absl::ZeroDuration();  // by anybody, kernel included
  absl::Duration idle = absl::ZeroDuration();
  absl::Duration steal = absl::ZeroDuration();

  absl::Duration total() const { return busy + idle + steal; }
};

SystemCpu operator-(const SystemCpu& end, const SystemCpu& begin);

// `text` is the content of /proc/stat.
absl::StatusOr<SystemCpu> ParseSystemCpu(absl::string_view text);
absl::StatusOr<SystemCpu> ReadSystemCpu();

struct CalibrationTime {
  int cpu = 0;
  double milliseconds = 0;
};

struct NoiseSample {
  std::vector<CalibrationTime> calibration;
  // Of all CPU time since the sample before; 0 to 1.
  double steal_share = 0;
};

class NoiseSentinel {
 public:
  // Watches `cpus`, those that the measured processes run on; of many, 16 that
  // are spread evenly among them.
  explicit NoiseSentinel(const std::vector<int>& cpus);

  // Runs the calibration loop on each CPU, about 10 ms each. The calling thread
  // is moved there and back.
  NoiseSample Sample();

 private:
  std::vector<int> cpus_;
  SystemCpu last_;
};

struct NoiseVerdict {
  bool noisy = false;
  // "quiet machine", or "noisy machine: " and the reasons.
  std::string text;
  // The largest relative spread of the calibration time of one CPU.
  double calibration_spread = 0;
  // The largest share of a round that was stolen.
  double steal_share = 0;
  // CPUs kept busy by others, in the median cell.
  double foreign_cpus = 0;
};

// What still counts as quiet.
inline constexpr double kQuietCalibrationSpread = 0.10;
inline constexpr double kQuietStealShare = 0.01;
inline constexpr double kQuietForeignCpus = 0.10;

NoiseVerdict JudgeNoise(absl::Span<const NoiseSample> samples,
                        absl::Span<const double> foreign_cpus);

}  // namespace netlab::lab

#endif  // NETLAB_LAB_MEASURE_NOISE_H_
