// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

#include "netlab/lab/run/child_process.h"

#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstddef>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/cleanup/cleanup.h"
#include "absl/log/check.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"

namespace netlab::lab {
namespace {

constexpr size_t kErrorLines = 20;
// More than any program of ours prints; a program that prints without end must
// not take this one's memory.
constexpr size_t kMaxOutput = size_t{64} << 20;
constexpr size_t kMaxErrorLine = 4096;

struct Pipe {
  int read = -1;
  int write = -1;
};

absl::StatusOr<Pipe> MakePipe() {
  int fds[2];
  if (pipe2(fds, O_CLOEXEC) != 0) return absl::ErrnoToStatus(errno, "pipe2");
  return Pipe{fds[0], fds[1]};
}

void CloseFd(int& fd) {
  if (fd >= 0) close(fd);
  fd = -1;
}

// Everything the child needs between fork() and exec(), prepared before: there
// it may call async-signal-safe functions alone.
struct Launch {
  std::vector<char*> argv;
  std::array<cpu_set_t, 8> cpus;  // room for 8192
  bool pin;
  int output_fd;
  int error_fd;
  int failure_fd;
  pid_t parent;
};

[[noreturn]] void RunChild(const Launch& launch) {
  const auto fail = [&] {
    const int error = errno;
    [[maybe_unused]] const ssize_t n =
        write(launch.failure_fd, &error, sizeof(error));
    _exit(127);
  };
  setpgid(0, 0);
  if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) fail();
  // The parent may have died before the line above.
  if (getppid() != launch.parent) _exit(127);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  std::signal(SIGPIPE, SIG_DFL);
  if (launch.pin &&
      sched_setaffinity(0, sizeof(launch.cpus), launch.cpus.data())) {
    fail();
  }
  const int null_fd = open("/dev/null", O_RDONLY);
  if (null_fd < 0 || dup2(null_fd, STDIN_FILENO) < 0 ||
      dup2(launch.output_fd, STDOUT_FILENO) < 0 ||
      dup2(launch.error_fd, STDERR_FILENO) < 0) {
    fail();
  }
  // Files that libraries opened without O_CLOEXEC stay here.
  syscall(SYS_close_range, 3U, ~0U, 4U /* CLOSE_RANGE_CLOEXEC */);
  execv(launch.argv[0], launch.argv.data());
  fail();
  _exit(127);
}

// What kept the child from becoming the program, or 0.
int ReadFailure(int fd) {
  int error = 0;
  ssize_t n;
  do {
    n = read(fd, &error, sizeof(error));
  } while (n < 0 && errno == EINTR);
  return n == sizeof(error) ? error : 0;
}

int PollTimeoutMs(absl::Time deadline) {
  if (deadline == absl::InfiniteFuture()) return -1;
  const absl::Duration left = deadline - absl::Now();
  if (left <= absl::ZeroDuration()) return 0;
  // Rounded up: a loop around poll() must not spin through the last
  // millisecond.
  return static_cast<int>(
      std::min<int64_t>(absl::ToInt64Milliseconds(left) + 1, int64_t{INT_MAX}));
}

}  // namespace

std::string ExitStatus::ToString() const {
  if (signal == 0) return absl::StrCat("exit status ", code);
  return absl::StrCat("killed by signal ", signal, " (", strsignal(signal),
                      ")");
}

absl::StatusOr<std::unique_ptr<ChildProcess>> ChildProcess::Start(
    const ChildOptions& options) {
  CHECK(!options.argv.empty());
  Pipe pipes[3];  // output, error, failure to start
  absl::Cleanup close_pipes = [&] {
    for (Pipe& pipe : pipes) {
      CloseFd(pipe.read);
      CloseFd(pipe.write);
    }
  };
  for (Pipe& pipe : pipes) {
    absl::StatusOr<Pipe> made = MakePipe();
    if (!made.ok()) return made.status();
    pipe = *made;
  }

  Launch launch = {};
  for (const std::string& argument : options.argv) {
    launch.argv.push_back(const_cast<char*>(argument.c_str()));
  }
  launch.argv.push_back(nullptr);
  launch.pin = !options.cpus.empty();
  for (const int cpu : options.cpus) {
    CPU_SET_S(static_cast<size_t>(cpu), sizeof(launch.cpus),
              launch.cpus.data());
  }
  launch.output_fd = pipes[0].write;
  launch.error_fd = pipes[1].write;
  launch.failure_fd = pipes[2].write;
  launch.parent = getpid();

  const pid_t pid = fork();
  if (pid < 0) return absl::ErrnoToStatus(errno, "fork");
  if (pid == 0) RunChild(launch);
  // In both processes, so that neither has to wait for the other's call.
  setpgid(pid, pid);
  CloseFd(pipes[2].write);
  if (const int error = ReadFailure(pipes[2].read); error != 0) {
    waitpid(pid, nullptr, 0);
    return absl::ErrnoToStatus(error,
                               absl::StrCat("cannot start ", options.argv[0]));
  }
  const int pid_fd = static_cast<int>(syscall(SYS_pidfd_open, pid, 0));
  if (pid_fd < 0) {
    absl::Status status = absl::ErrnoToStatus(errno, "pidfd_open");
    kill(pid, SIGKILL);
    waitpid(pid, nullptr, 0);
    return status;
  }
  for (const int i : {0, 1}) fcntl(pipes[i].read, F_SETFL, O_NONBLOCK);
  return std::unique_ptr<ChildProcess>(
      new ChildProcess(pid, pid_fd, std::exchange(pipes[0].read, -1),
                       std::exchange(pipes[1].read, -1)));
}

ChildProcess::ChildProcess(pid_t pid, int pid_fd, int output_fd, int error_fd)
    : pid_(pid), pid_fd_(pid_fd), output_fd_(output_fd), error_fd_(error_fd) {}

ChildProcess::~ChildProcess() {
  Stop(absl::ZeroDuration());
  CloseFd(pid_fd_);
  CloseFd(output_fd_);
  CloseFd(error_fd_);
}

void ChildProcess::AddPollFds(std::vector<pollfd>& fds) const {
  for (const int fd : {pid_fd_, output_fd_, error_fd_}) {
    if (fd >= 0) fds.push_back({.fd = fd, .events = POLLIN, .revents = 0});
  }
}

void ChildProcess::TakeErrorLines(absl::string_view bytes) {
  for (const char c : bytes) {
    if (c != '\n') {
      if (error_partial_.size() < kMaxErrorLine) error_partial_.push_back(c);
      continue;
    }
    error_lines_.push_back(std::exchange(error_partial_, {}));
    if (error_lines_.size() > kErrorLines) error_lines_.pop_front();
  }
}

std::vector<std::string> ChildProcess::error_tail() const {
  std::vector<std::string> lines(error_lines_.begin(), error_lines_.end());
  if (!error_partial_.empty()) lines.push_back(error_partial_);
  return lines;
}

// Reads what is there, and only so much that an endless writer cannot hold us.
void ChildProcess::Drain() {
  char buffer[16384];
  for (int* fd : {&output_fd_, &error_fd_}) {
    for (int reads = 0; *fd >= 0 && reads < 64; ++reads) {
      const ssize_t n = read(*fd, buffer, sizeof(buffer));
      if (n < 0) {
        if (errno == EINTR) continue;
        break;
      }
      if (n == 0) {
        CloseFd(*fd);
        break;
      }
      const absl::string_view bytes(buffer, static_cast<size_t>(n));
      if (fd == &error_fd_) {
        TakeErrorLines(bytes);
      } else if (output_.size() < kMaxOutput) {
        output_.append(bytes);
      }
    }
  }
}

// Called when pid_fd_ is readable: the child is a zombie, whose number and
// group are still its own, so this kills only what it left behind.
void ChildProcess::Reap() {
  kill(-pid_, SIGKILL);
  int status = 0;
  struct rusage usage = {};
  pid_t reaped;
  do {
    reaped = wait4(pid_, &status, 0, &usage);
  } while (reaped < 0 && errno == EINTR);
  PCHECK(reaped == pid_) << "wait4";
  ExitStatus exit;
  if (WIFSIGNALED(status)) {
    exit.signal = WTERMSIG(status);
  } else {
    exit.code = WEXITSTATUS(status);
  }
  exit.cpu = absl::DurationFromTimeval(usage.ru_utime) +
             absl::DurationFromTimeval(usage.ru_stime);
  status_ = exit;
  CloseFd(pid_fd_);
  Drain();
}

absl::Status ChildProcess::PollOnce(absl::Span<ChildProcess* const> children,
                                    absl::Time deadline, int interrupt_fd) {
  std::vector<pollfd> fds = {
      {.fd = interrupt_fd, .events = POLLIN, .revents = 0}};
  for (const ChildProcess* child : children) child->AddPollFds(fds);
  const int ready = poll(fds.data(), fds.size(), PollTimeoutMs(deadline));
  if (ready < 0 && errno != EINTR) return absl::ErrnoToStatus(errno, "poll");
  if (ready > 0 && fds[0].revents != 0) {
    return absl::CancelledError("interrupted");
  }
  for (ChildProcess* child : children) {
    child->Drain();
    if (child->status_.has_value()) continue;
    const bool ended = std::any_of(fds.begin(), fds.end(), [&](pollfd fd) {
      return fd.fd == child->pid_fd_ && fd.revents != 0;
    });
    if (ended && ready > 0) child->Reap();
  }
  if (ready == 0 && absl::Now() >= deadline) {
    return absl::DeadlineExceededError("time is over");
  }
  return absl::OkStatus();
}

absl::StatusOr<std::string> ChildProcess::ReadLine(absl::Time deadline,
                                                   int interrupt_fd) {
  for (;;) {
    if (const size_t end = output_.find('\n'); end != std::string::npos) {
      std::string line = output_.substr(0, end);
      output_.erase(0, end + 1);
      return line;
    }
    if (status_.has_value() || output_fd_ < 0) {
      return absl::OutOfRangeError("end of output");
    }
    ChildProcess* const self = this;
    absl::Status status = PollOnce({&self, 1}, deadline, interrupt_fd);
    if (!status.ok()) return status;
  }
}

ExitStatus ChildProcess::Stop(absl::Duration grace) {
  ChildProcess* const self = this;
  if (!status_.has_value() && grace > absl::ZeroDuration()) {
    kill(pid_, SIGTERM);
    WaitForExit({&self, 1}, absl::Now() + grace).IgnoreError();
    had_to_be_killed_ = !status_.has_value();
  }
  if (!status_.has_value()) {
    kill(-pid_, SIGKILL);
    WaitForExit({&self, 1}, absl::InfiniteFuture()).IgnoreError();
  }
  return *status_;
}

absl::StatusOr<ChildProcess*> WaitForExit(
    absl::Span<ChildProcess* const> children, absl::Time deadline,
    int interrupt_fd) {
  for (;;) {
    for (ChildProcess* child : children) {
      if (child->status_.has_value()) return child;
    }
    absl::Status status =
        ChildProcess::PollOnce(children, deadline, interrupt_fd);
    if (!status.ok()) return status;
  }
}

}  // namespace netlab::lab
