// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NETLAB_LAB_LOAD_URING_ENGINE_H_
#define NETLAB_LAB_LOAD_URING_ENGINE_H_

#include <memory>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "netlab/lab/load/engine.h"
#include "netlab/lab/load/url.h"

namespace netlab::lab {

// An engine on io_uring, with one system call for a turn:
// - A connection's receive is submitted once and goes on (multishot), into
//   buffers of a ring that the kernel picks when there is something to put in.
// - The sends of a turn are submitted together by the call that waits.
// - Sockets are registered files, and completions run in this thread alone
//   (SINGLE_ISSUER, DEFER_TASKRUN).
// The clock is read once a turn, when the wait ends: what was completed by then
// is taken to have been received then, which is late, never early, by no more
// than that call took. A request counts as sent at the beginning of its turn.
//
// Arguments as MakeEpollEngine() takes them. UnavailableError where the kernel
// has no such io_uring (Linux 6.1) or forbids it.
absl::StatusOr<std::unique_ptr<Engine>> MakeUringEngine(
    const SocketAddress& server, absl::string_view request, int max_requests,
    int connections, Engine::Handler* handler);

}  // namespace netlab::lab

#endif  // NETLAB_LAB_LOAD_URING_ENGINE_H_
