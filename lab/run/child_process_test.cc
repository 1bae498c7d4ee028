// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

#include "netlab/lab/run/child_process.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "netlab/lab/run/interrupt.h"

namespace netlab::lab {
namespace {

using ::testing::ElementsAre;

// Long enough for a loaded machine; no test waits so long.
absl::Time Soon() { return absl::Now() + absl::Seconds(60); }

std::unique_ptr<ChildProcess> Shell(const std::string& script,
                                    std::vector<int> cpus = {}) {
  auto child = ChildProcess::Start(
      {.argv = {"/bin/sh", "-c", script}, .cpus = std::move(cpus)});
  EXPECT_TRUE(child.ok()) << child.status();
  return child.ok() ? *std::move(child) : nullptr;
}

ExitStatus WaitUntilEnded(ChildProcess& child) {
  ChildProcess* const pointer = &child;
  EXPECT_TRUE(WaitForExit({&pointer, 1}, Soon()).ok());
  return *child.status();
}

bool IsAlive(pid_t pid) { return kill(pid, 0) == 0; }

TEST(ChildProcessTest, ReadsLinesThenTheEnd) {
  auto child = Shell("echo one; echo; printf three");
  EXPECT_EQ(child->ReadLine(Soon()).value(), "one");
  EXPECT_EQ(child->ReadLine(Soon()).value(), "");
  EXPECT_EQ(child->ReadLine(Soon()).status().code(),
            absl::StatusCode::kOutOfRange);
  WaitUntilEnded(*child);
  EXPECT_EQ(child->output(), "three");
}

TEST(ChildProcessTest, ALineThatDoesNotComeIsATimeOut) {
  auto child = Shell("exec sleep 600");
  EXPECT_EQ(
      child->ReadLine(absl::Now() + absl::Milliseconds(20)).status().code(),
      absl::StatusCode::kDeadlineExceeded);
  EXPECT_FALSE(child->status().has_value());
}

TEST(ChildProcessTest, DecodesHowItEnded) {
  EXPECT_EQ(WaitUntilEnded(*Shell("exit 69")).code, 69);
  const ExitStatus killed = WaitUntilEnded(*Shell("kill -SEGV $$"));
  EXPECT_EQ(killed.signal, SIGSEGV);
  EXPECT_FALSE(killed.ok());
  EXPECT_EQ(killed.ToString(), "killed by signal 11 (Segmentation fault)");
  EXPECT_EQ((ExitStatus{.code = 3}).ToString(), "exit status 3");
}

TEST(ChildProcessTest, KeepsTheLastLinesOfStandardError) {
  auto child = Shell(
      "i=0; while [ $i -lt 50 ]; do echo line $i >&2; i=$((i+1)); done;"
      "printf unfinished >&2");
  WaitUntilEnded(*child);
  const std::vector<std::string> tail = child->error_tail();
  ASSERT_EQ(tail.size(), 21u);
  EXPECT_EQ(tail.front(), "line 30");
  EXPECT_EQ(tail[19], "line 49");
  EXPECT_EQ(tail.back(), "unfinished");
}

TEST(ChildProcessTest, DoesNotBlockAChildThatPrintsMuch) {
  auto child =
      Shell("head -c 3000000 /dev/zero; head -c 3000000 /dev/zero >&2");
  EXPECT_TRUE(WaitUntilEnded(*child).ok());
  EXPECT_EQ(child->output().size(), 3000000u);
}

TEST(ChildProcessTest, AMissingProgramIsNamed) {
  const absl::Status status =
      ChildProcess::Start({.argv = {"/nonexistent/server"}}).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kNotFound);
  EXPECT_TRUE(absl::StrContains(status.message(), "/nonexistent/server"));
}

TEST(ChildProcessTest, StopAsksFirst) {
  auto child =
      Shell("trap 'exit 5' TERM; echo ready; while :; do sleep 0.01; done");
  ASSERT_TRUE(child->ReadLine(Soon()).ok());
  EXPECT_EQ(child->Stop(absl::Seconds(60)).code, 5);
  EXPECT_FALSE(child->had_to_be_killed());
}

TEST(ChildProcessTest, StopKillsWhatDoesNotListen) {
  auto child = Shell("trap '' TERM; echo ready; while :; do sleep 600; done");
  ASSERT_TRUE(child->ReadLine(Soon()).ok());
  EXPECT_EQ(child->Stop(absl::Milliseconds(50)).signal, SIGKILL);
  EXPECT_TRUE(child->had_to_be_killed());
}

TEST(ChildProcessTest, EndsWhatTheChildStartedToo) {
  auto child = Shell("sleep 600 & echo $!; wait");
  int grandchild = 0;
  ASSERT_TRUE(absl::SimpleAtoi(child->ReadLine(Soon()).value(), &grandchild));
  const pid_t pid = child->pid();
  child.reset();
  EXPECT_FALSE(IsAlive(pid));
  // Its new parent reaps it when it likes; until then it is a zombie.
  std::string state;
  for (const absl::Time end = Soon(); absl::Now() < end;) {
    if (!IsAlive(grandchild)) break;
    auto ps = Shell(absl::StrCat("cut -d' ' -f3 /proc/", grandchild, "/stat"));
    state = ps->ReadLine(Soon()).value_or("gone");
    if (state == "Z" || state == "gone") break;
  }
  EXPECT_TRUE(!IsAlive(grandchild) || state == "Z" || state == "gone") << state;
}

TEST(ChildProcessTest, RunsWhereItIsTold) {
  auto child = Shell("grep Cpus_allowed_list /proc/self/status", {0});
  const absl::StatusOr<std::string> line = child->ReadLine(Soon());
  ASSERT_TRUE(line.ok());
  EXPECT_TRUE(absl::EndsWith(*line, "\t0")) << *line;
}

TEST(ChildProcessTest, SeesNoFilesOfOurs) {
  const int fd = dup(STDERR_FILENO);  // without O_CLOEXEC
  auto child = Shell(absl::StrCat("[ -e /proc/self/fd/", fd, " ]"));
  EXPECT_EQ(WaitUntilEnded(*child).code, 1);
  close(fd);
}

TEST(WaitForExitTest, ReturnsTheOneThatEnded) {
  auto stays = Shell("exec sleep 600");
  auto ends = Shell("exit 4");
  const std::vector<ChildProcess*> both = {stays.get(), ends.get()};
  const absl::StatusOr<ChildProcess*> ended = WaitForExit(both, Soon());
  ASSERT_TRUE(ended.ok());
  EXPECT_EQ(*ended, ends.get());
  EXPECT_FALSE(stays->status().has_value());
}

TEST(InterruptTest, EndsAWait) {
  Interrupt interrupt;
  EXPECT_FALSE(interrupt.raised());
  auto child = Shell("exec sleep 600");
  std::raise(SIGTERM);
  ChildProcess* const pointer = child.get();
  EXPECT_EQ(WaitForExit({&pointer, 1}, Soon(), interrupt.fd()).status().code(),
            absl::StatusCode::kCancelled);
  EXPECT_EQ(child->ReadLine(Soon(), interrupt.fd()).status().code(),
            absl::StatusCode::kCancelled);
  std::raise(SIGINT);
  EXPECT_EQ(interrupt.signal(), SIGTERM);
}

// The kernel does it: this process starts one that starts a child and dies.
TEST(ChildProcessTest, DiesWithItsParent) {
  int fds[2];
  ASSERT_EQ(pipe(fds), 0);
  const pid_t parent = fork();
  if (parent == 0) {
    close(fds[0]);
    auto child = ChildProcess::Start({.argv = {"/bin/sleep", "600"}});
    const pid_t pid = child.ok() ? (*child)->pid() : -1;
    [[maybe_unused]] const ssize_t n = write(fds[1], &pid, sizeof(pid));
    raise(SIGKILL);
  }
  close(fds[1]);
  pid_t pid = -1;
  ASSERT_EQ(read(fds[0], &pid, sizeof(pid)), ssize_t{sizeof(pid)});
  close(fds[0]);
  ASSERT_GT(pid, 0);
  ASSERT_EQ(waitpid(parent, nullptr, 0), parent);
  std::string state = "R";
  for (const absl::Time end = Soon();
       absl::Now() < end && IsAlive(pid) && state != "Z" && state != "gone";) {
    auto ps = Shell(absl::StrCat("cut -d' ' -f3 /proc/", pid, "/stat"));
    state = ps->ReadLine(Soon()).value_or("gone");
  }
  EXPECT_TRUE(!IsAlive(pid) || state == "Z" || state == "gone") << state;
}

}  // namespace
}  // namespace netlab::lab
