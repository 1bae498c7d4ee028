// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NETLAB_ECHO_SERVER_MAIN_H_
#define NETLAB_ECHO_SERVER_MAIN_H_

#include <cstdint>
#include <functional>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/time/time.h"
#include "netlab/echo/live_sockets.h"

namespace netlab::echo {

// How long to wait before accepting again when there was no descriptor left for
// a connection. The connections stay in the backlog meanwhile.
inline constexpr absl::Duration kAcceptRetry = absl::Milliseconds(50);

// What a server is given to run one event loop.
class Worker {
 public:
  // A listening, non-blocking socket. The server closes it when it drains.
  int listener() const { return listener_; }

  // Becomes readable when the server is to drain: accept what is in the
  // backlog, close the listener, sockets().Drain(), and return when no
  // connection is left. Need not be read.
  int stop_fd() const { return stop_fd_; }

  // The worker's connections. The server adds and removes them.
  LiveSockets& sockets() { return sockets_; }

  // How many threads are to share the event loop.
  int threads() const { return threads_; }

  // To be called when the event loop is set up, before it runs.
  void Ready();

  // Calls `run` on threads() threads, this one included, and returns when all
  // of them have.
  void RunOnEveryThread(absl::FunctionRef<void()> run);

 private:
  friend class Server;

  Worker(int listener, int stop_fd, int first_thread, int threads,
         const std::vector<int>& cpus, std::function<void()> ready);

  // Names the calling thread, and pins it as --cpus says.
  void EnterThread(int offset) const;

  const int listener_;
  const int stop_fd_;
  const int first_thread_;  // Counted over all workers.
  const int threads_;
  const std::vector<int>& cpus_;
  const std::function<void()> ready_;
  LiveSockets sockets_;
};

enum class Sharing : uint8_t {
  kLoopPerThread,  // A worker and a listener for each of --threads.
  kOneLoop,        // One worker, whose loop --threads threads share.
};

// Runs the event loop of one worker until it has drained. An error before
// Ready() is one of setting up: absl::UnavailableError if this machine has not
// what it takes.
using ServeFunction = absl::Status (*)(Worker& worker);

// The whole of an echo server's main(): flags, listeners, threads, signals,
// exit status. `usage` says in a sentence what this server is.
int ServerMain(int argc, char** argv, const char* usage, Sharing sharing,
               ServeFunction serve);

}  // namespace netlab::echo

#endif  // NETLAB_ECHO_SERVER_MAIN_H_
