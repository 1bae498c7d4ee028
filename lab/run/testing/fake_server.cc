// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

// A server that serves nobody and misbehaves on request, for tests of the
// runner.
//
//   fake_server [--behaviour=NAME] --port=N ...
//
// Unknown flags are ignored: what the runner passes is the tests' concern.

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "absl/strings/numbers.h"
#include "absl/strings/strip.h"

namespace {

int Listen(int port) {
  const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const int on = 1;
  setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (bind(fd, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) !=
          0 ||
      listen(fd, 16) != 0) {
    std::perror("fake_server");
    std::exit(1);
  }
  return fd;
}

void SayListening(int port) {
  std::printf("listening on %d\n", port);
  std::fflush(stdout);
}

[[noreturn]] void WaitForSigterm(int exit_status) {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGTERM);
  int signal = 0;
  sigwait(&signals, &signal);
  std::exit(exit_status);
}

}  // namespace

int main(int argc, char** argv) {
  std::string behaviour = "ok";
  int port = 0;
  for (int i = 1; i < argc; ++i) {
    absl::string_view argument = argv[i];
    if (absl::ConsumePrefix(&argument, "--behaviour=")) {
      behaviour = std::string(argument);
    } else if (absl::ConsumePrefix(&argument, "--port=") &&
               !absl::SimpleAtoi(argument, &port)) {
      return 1;
    }
  }
  sigset_t term;
  sigemptyset(&term);
  sigaddset(&term, SIGTERM);
  sigprocmask(SIG_BLOCK, &term, nullptr);

  if (behaviour == "unavailable") {
    std::fputs("io_uring is not permitted here\n", stderr);
    return 69;
  }
  if (behaviour == "dies_at_start") {
    std::fputs("first line\nlast words\n", stderr);
    return 3;
  }
  if (behaviour == "silent") WaitForSigterm(0);
  if (behaviour == "garbage") {
    std::printf("hello\nlistening on nothing\n\n");
    std::fflush(stdout);
    WaitForSigterm(0);
  }
  if (behaviour == "closes_output") {
    close(STDOUT_FILENO);
    WaitForSigterm(0);
  }
  const int listener = Listen(port);
  if (behaviour == "talkative") std::printf("version 1\n\n");
  SayListening(port);
  if (behaviour == "dies_under_load") {
    accept(listener, nullptr, nullptr);
    std::fputs("assertion failed\n", stderr);
    std::raise(SIGKILL);
  }
  if (behaviour == "ignores_sigterm") {
    for (;;) pause();
  }
  WaitForSigterm(behaviour == "bad_exit" ? 7 : 0);
}
