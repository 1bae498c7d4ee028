// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

// A program that this process starts, listens to and is sure to end.
//
//   auto server = ChildProcess::Start({.argv = {"/bin/server", "--port=0"}});
//   if (!server.ok()) return server.status();
//   absl::StatusOr<std::string> line = (*server)->ReadLine(deadline);
//   ...
//   ExitStatus status = (*server)->Stop(absl::Seconds(3));
//
// The child is the leader of a process group of its own, so Ctrl-C in the
// terminal reaches this process alone, and ending the child ends what it
// started. When this process dies, however it dies, the kernel kills the child.
// Standard input is /dev/null; standard output and error are pipes that are
// emptied whenever this process waits, so that no child blocks on them.
//
// For use from one thread, which must outlive the child: the kernel ties the
// child's life to the thread that started it.

#ifndef NETLAB_LAB_RUN_CHILD_PROCESS_H_
#define NETLAB_LAB_RUN_CHILD_PROCESS_H_

#include <poll.h>
#include <sys/types.h>

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "absl/types/span.h"

namespace netlab::lab {

struct ExitStatus {
  int code = 0;    // meaningful when signal is 0
  int signal = 0;  // that ended it
  absl::Duration cpu = absl::ZeroDuration();

  bool ok() const { return code == 0 && signal == 0; }
  // "exit status 1", "killed by signal 11 (Segmentation fault)".
  std::string ToString() const;
};

struct ChildOptions {
  std::vector<std::string> argv = {};  // argv[0] is the path of the program
  std::vector<int> cpus = {};  // where it may run; empty: wherever we may
};

class ChildProcess {
 public:
  // NotFoundError and the like, naming the program, when it cannot be started.
  static absl::StatusOr<std::unique_ptr<ChildProcess>> Start(
      const ChildOptions& options);

  // Kills the child if it still runs.
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  pid_t pid() const { return pid_; }

  // The next line of standard output, without its end. DeadlineExceededError;
  // OutOfRangeError at the end of the output; CancelledError when
  // `interrupt_fd` (-1: none) becomes readable first.
  absl::StatusOr<std::string> ReadLine(absl::Time deadline,
                                       int interrupt_fd = -1);

  // Asks the child to end (SIGTERM), waits, and kills it once `grace` is over.
  // The status of a child that has ended is returned at once.
  ExitStatus Stop(absl::Duration grace);

  // What it ended with; nullopt while it runs.
  const std::optional<ExitStatus>& status() const { return status_; }
  // It did not end on SIGTERM within Stop()'s grace.
  bool had_to_be_killed() const { return had_to_be_killed_; }

  // Standard output that ReadLine() has not taken.
  const std::string& output() const { return output_; }
  // The last lines of standard error.
  std::vector<std::string> error_tail() const;

 private:
  friend absl::StatusOr<ChildProcess*> WaitForExit(
      absl::Span<ChildProcess* const> children, absl::Time deadline,
      int interrupt_fd);

  // Waits until something happens to one of `children` and takes it in.
  static absl::Status PollOnce(absl::Span<ChildProcess* const> children,
                               absl::Time deadline, int interrupt_fd);

  ChildProcess(pid_t pid, int pid_fd, int output_fd, int error_fd);
  void AddPollFds(std::vector<pollfd>& fds) const;
  void Drain();
  void TakeErrorLines(absl::string_view bytes);
  void Reap();

  const pid_t pid_;
  int pid_fd_;
  int output_fd_;
  int error_fd_;
  std::string output_;
  std::deque<std::string> error_lines_;
  std::string error_partial_;
  std::optional<ExitStatus> status_;
  bool had_to_be_killed_ = false;
};

// Waits until one of `children` has ended and returns it. DeadlineExceededError
// or CancelledError as ReadLine() has them.
absl::StatusOr<ChildProcess*> WaitForExit(
    absl::Span<ChildProcess* const> children, absl::Time deadline,
    int interrupt_fd = -1);

}  // namespace netlab::lab

#endif  // NETLAB_LAB_RUN_CHILD_PROCESS_H_
