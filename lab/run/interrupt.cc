// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

#include "netlab/lab/run/interrupt.h"

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <iterator>

#include "absl/log/check.h"

namespace netlab::lab {
namespace {

constexpr int kSignals[] = {SIGINT, SIGTERM, SIGHUP};
constexpr int kPatience = 3;

// The handler reaches nothing but these.
std::atomic<int> write_fd{-1};
std::atomic<int> first_signal{0};
std::atomic<int> count{0};

struct sigaction previous[std::size(kSignals)];

void Note(int signal) {
  const int saved_errno = errno;
  int none = 0;
  first_signal.compare_exchange_strong(none, signal);
  const char byte = 0;
  [[maybe_unused]] const ssize_t written = write(write_fd, &byte, 1);
  if (++count >= kPatience) {
    std::signal(signal, SIG_DFL);
    std::raise(signal);
  }
  errno = saved_errno;
}

}  // namespace

Interrupt::Interrupt() {
  CHECK_EQ(write_fd, -1) << "there is another Interrupt";
  int fds[2];
  PCHECK(pipe2(fds, O_CLOEXEC | O_NONBLOCK) == 0);
  read_fd_ = fds[0];
  write_fd = fds[1];
  first_signal = 0;
  count = 0;
  struct sigaction action = {};
  action.sa_handler = Note;
  for (size_t i = 0; i < std::size(kSignals); ++i) {
    PCHECK(sigaction(kSignals[i], &action, &previous[i]) == 0);
  }
}

Interrupt::~Interrupt() {
  for (size_t i = 0; i < std::size(kSignals); ++i) {
    PCHECK(sigaction(kSignals[i], &previous[i], nullptr) == 0);
  }
  close(read_fd_);
  close(write_fd.exchange(-1));
}

int Interrupt::signal() const { return first_signal; }

}  // namespace netlab::lab
