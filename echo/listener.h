// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NETLAB_ECHO_LISTENER_H_
#define NETLAB_ECHO_LISTENER_H_

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace netlab::echo {

struct Listeners {
  uint16_t port;
  std::vector<int> fds;
};

// Opens `count` non-blocking sockets that listen on one port of 127.0.0.1,
// among which the kernel spreads the connections (SO_REUSEPORT). Port 0 picks a
// free one. A port on which anyone listens already is an error, although
// SO_REUSEPORT alone would let us share it.
//
// Every server takes its sockets from here, so that all have the same options;
// accepted sockets inherit TCP_NODELAY.
absl::StatusOr<Listeners> Listen(uint16_t port, int backlog, int count);

}  // namespace netlab::echo

#endif  // NETLAB_ECHO_LISTENER_H_
