// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NETLAB_LAB_LOAD_EPOLL_ENGINE_H_
#define NETLAB_LAB_LOAD_EPOLL_ENGINE_H_

#include <memory>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "netlab/lab/load/engine.h"
#include "netlab/lab/load/url.h"

namespace netlab::lab {

// An engine on epoll that costs one recv and one send per request and next to
// nothing else:
// - A socket is registered once, edge-triggered, for reading and writing; no
//   epoll_ctl follows.
// - A recv that fills less than the buffer has drained the socket, so there is
//   no second one to learn that.
// - epoll_wait is shared by all connections that have become ready meanwhile.
// The clock is read once per recv.
//
// `request` is the text of one request, of which a connection has no more than
// `max_requests` under way.
absl::StatusOr<std::unique_ptr<Engine>> MakeEpollEngine(
    const SocketAddress& server, absl::string_view request, int max_requests,
    int connections, Engine::Handler* handler);

}  // namespace netlab::lab

#endif  // NETLAB_LAB_LOAD_EPOLL_ENGINE_H_
