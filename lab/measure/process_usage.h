// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

// What a process costs: CPU time, context switches, peak memory, threads; of
// this process or of any other that /proc shows.
//
//   absl::StatusOr<ProcessSample> begin = SampleProcess(pid);
//   ... the measured work ...
//   absl::StatusOr<ProcessSample> end = SampleProcess(pid);
//   absl::StatusOr<ProcessUsage> usage = UsageBetween(*begin, *end);
//
// CPU time comes from the process's CPU clock: it counts nanoseconds, is up to
// date while threads run (/proc/PID/schedstat is not: it moves with the
// scheduler's tick) and includes threads that have exited.

#ifndef NETLAB_LAB_MEASURE_PROCESS_USAGE_H_
#define NETLAB_LAB_MEASURE_PROCESS_USAGE_H_

#include <sys/types.h>

#include <cstdint>
#include <map>

#include "absl/status/statusor.h"
#include "absl/time/time.h"

namespace netlab::lab {

// The counters of a process at one moment. They mean little on their own; see
// UsageBetween().
struct ProcessSample {
  struct ContextSwitches {
    int64_t voluntary = 0;
    int64_t involuntary = 0;
  };

  pid_t pid = 0;
  // When the process started, in clock ticks since boot: tells it from a later
  // one that was given the same number.
  uint64_t start_ticks = 0;
  // User and system time together.
  absl::Duration cpu;
  // The kernel's split of `cpu`, in clock ticks.
  int64_t user_ticks = 0;
  int64_t system_ticks = 0;
  std::map<pid_t, ContextSwitches> switches_by_thread;
  int64_t max_rss_bytes = 0;
};

// What a process consumed between two samples.
struct ProcessUsage {
  // Their sum is exact to the nanosecond; the split between them is as good as
  // the kernel's accounting, which without CONFIG_VIRT_CPU_ACCOUNTING_GEN looks
  // once a tick.
  absl::Duration user = absl::ZeroDuration();
  absl::Duration system = absl::ZeroDuration();
  // Of the threads alive at the end. What a thread switched between the first
  // sample and its exit is in no file of /proc, and is missing.
  int64_t voluntary_switches = 0;
  int64_t involuntary_switches = 0;
  // The peak since the process started, not since the first sample.
  int64_t max_rss_bytes = 0;
  // At the end.
  int threads = 0;

  absl::Duration cpu() const { return user + system; }
};

// Reads the counters of `pid`. NotFoundError when there is no such process or
// it has exited and only waits to be reaped.
absl::StatusOr<ProcessSample> SampleProcess(pid_t pid);

// FailedPreconditionError when the samples are not of the same process.
absl::StatusOr<ProcessUsage> UsageBetween(const ProcessSample& begin,
                                          const ProcessSample& end);

}  // namespace netlab::lab

#endif  // NETLAB_LAB_MEASURE_PROCESS_USAGE_H_
