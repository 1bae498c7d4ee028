// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

#include "netlab/lab/measure/process_usage.h"

#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <string>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "absl/synchronization/notification.h"
#include "absl/time/clock.h"
#include "gtest/gtest.h"

namespace netlab::lab {
namespace {

absl::Duration ThreadCpu() {
  timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return absl::DurationFromTimespec(time);
}

// Burns CPU in user space, and returns how much.
absl::Duration Burn(absl::Duration cpu) {
  const absl::Duration start = ThreadCpu();
  absl::Duration spent;
  volatile int sink;
  while ((spent = ThreadCpu() - start) < cpu) {
    for (int i = 0; i < 10000; ++i) sink = i;
  }
  (void)sink;
  return spent;
}

ProcessSample SampleSelf() {
  absl::StatusOr<ProcessSample> sample = SampleProcess(getpid());
  EXPECT_TRUE(sample.ok()) << sample.status();
  return sample.value_or(ProcessSample());
}

ProcessUsage Between(const ProcessSample& begin, const ProcessSample& end) {
  absl::StatusOr<ProcessUsage> usage = UsageBetween(begin, end);
  EXPECT_TRUE(usage.ok()) << usage.status();
  return usage.value_or(ProcessUsage());
}

TEST(ProcessUsageTest, CountsCpuToTheNanosecond) {
  const ProcessSample begin = SampleSelf();
  const absl::Duration spent = Burn(absl::Milliseconds(60));
  const ProcessUsage usage = Between(begin, SampleSelf());
  EXPECT_GE(usage.cpu(), spent);
  EXPECT_EQ(usage.cpu(), usage.user + usage.system);
  EXPECT_GT(usage.user, absl::ZeroDuration());
  EXPECT_GE(usage.system, absl::ZeroDuration());
}

TEST(ProcessUsageTest, IncludesTheCpuOfThreadsThatHaveExited) {
  const ProcessSample begin = SampleSelf();
  absl::Duration spent;
  std::thread([&spent] { spent = Burn(absl::Milliseconds(30)); }).join();
  EXPECT_GE(Between(begin, SampleSelf()).cpu(), spent);
}

TEST(ProcessUsageTest, SumsSwitchesOverThreads) {
  absl::Notification sampled;
  const ProcessSample begin = SampleSelf();
  constexpr int kSleeps = 25;
  constexpr int kThreads = 3;
  std::vector<absl::Notification> slept(kThreads);
  std::vector<std::thread> threads;
  for (absl::Notification& done : slept) {
    threads.emplace_back([&done, &sampled] {
      for (int i = 0; i < kSleeps; ++i) absl::SleepFor(absl::Microseconds(50));
      done.Notify();
      sampled.WaitForNotification();
    });
  }
  for (absl::Notification& done : slept) done.WaitForNotification();
  const ProcessUsage usage = Between(begin, SampleSelf());
  sampled.Notify();
  for (std::thread& thread : threads) thread.join();
  EXPECT_GE(usage.voluntary_switches, kSleeps * kThreads);
  EXPECT_GE(usage.threads, kThreads + 1);
}

TEST(ProcessUsageTest, ThreadsThatExitMakeNothingNegative) {
  absl::Notification slept;
  absl::Notification leave;
  std::thread thread([&] {
    for (int i = 0; i < 100; ++i) absl::SleepFor(absl::Microseconds(10));
    slept.Notify();
    leave.WaitForNotification();
  });
  slept.WaitForNotification();
  const ProcessSample begin = SampleSelf();
  leave.Notify();
  thread.join();
  const ProcessUsage usage = Between(begin, SampleSelf());
  EXPECT_GE(usage.voluntary_switches, 0);
  EXPECT_GE(usage.involuntary_switches, 0);
}

TEST(ProcessUsageTest, AThreadNumberGivenAgainCountsFromZero) {
  ProcessSample begin;
  begin.pid = 1;
  begin.switches_by_thread = {{7, {.voluntary = 100, .involuntary = 100}}};
  ProcessSample end = begin;
  end.switches_by_thread = {{7, {.voluntary = 3, .involuntary = 2}}};
  const ProcessUsage usage = Between(begin, end);
  EXPECT_EQ(usage.voluntary_switches, 3);
  EXPECT_EQ(usage.involuntary_switches, 2);
}

TEST(ProcessUsageTest, ReportsPeakMemory) {
  const int64_t before = SampleSelf().max_rss_bytes;
  EXPECT_GT(before, 0);
  constexpr size_t kBytes = size_t{64} << 20;
  {
    const std::string touched(kBytes, 'x');
    EXPECT_EQ(touched[kBytes / 2], 'x');
  }
  EXPECT_GE(SampleSelf().max_rss_bytes, static_cast<int64_t>(kBytes));
}

TEST(ProcessUsageTest, AProcessThatIsGoneIsNamed) {
  const pid_t child = fork();
  if (child == 0) _exit(0);
  ASSERT_GT(child, 0);
  // WNOWAIT leaves a zombie, which is as good as gone.
  siginfo_t info;
  ASSERT_EQ(waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOWAIT),
            0);
  const std::string expected = "process " + std::to_string(child) + " is gone";
  absl::Status zombie = SampleProcess(child).status();
  EXPECT_TRUE(absl::IsNotFound(zombie));
  EXPECT_EQ(zombie.message(), expected);
  ASSERT_EQ(waitpid(child, nullptr, 0), child);
  absl::Status reaped = SampleProcess(child).status();
  EXPECT_TRUE(absl::IsNotFound(reaped));
  EXPECT_EQ(reaped.message(), expected);
}

TEST(ProcessUsageTest, ObservesAnotherProcess) {
  int ready[2];
  ASSERT_EQ(pipe(ready), 0);
  const pid_t child = fork();
  if (child == 0) {
    Burn(absl::Milliseconds(30));
    char byte = 'r';
    if (write(ready[1], &byte, 1) != 1) _exit(1);
    while (true) pause();
  }
  ASSERT_GT(child, 0);
  char byte;
  ASSERT_EQ(read(ready[0], &byte, 1), 1);
  absl::StatusOr<ProcessSample> sample = SampleProcess(child);
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  close(ready[0]);
  close(ready[1]);
  ASSERT_TRUE(sample.ok()) << sample.status();
  EXPECT_GE(sample->cpu, absl::Milliseconds(30));
  EXPECT_GE(sample->switches_by_thread.size(), 1);
}

TEST(ProcessUsageTest, SamplesOfTwoProcessesDoNotMix) {
  const ProcessSample begin = SampleSelf();
  ProcessSample later = begin;
  later.start_ticks += 1;
  absl::Status status = UsageBetween(begin, later).status();
  EXPECT_TRUE(absl::IsFailedPrecondition(status)) << status;
}

TEST(ProcessUsageTest, RefusesAPidThatCannotBe) {
  EXPECT_TRUE(absl::IsInvalidArgument(SampleProcess(0).status()));
  EXPECT_TRUE(absl::IsInvalidArgument(SampleProcess(-1).status()));
}

}  // namespace
}  // namespace netlab::lab
