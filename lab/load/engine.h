// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NETLAB_LAB_LOAD_ENGINE_H_
#define NETLAB_LAB_LOAD_ENGINE_H_

#include <cstdint>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace netlab::lab {

// Moves the bytes of many connections to one server: connects, sends requests,
// receives. Knows nothing of HTTP, of loads, or of time-outs.
//
// A connection lives in a slot, 0 to the number of connections. Everything
// happens in the thread that calls, and handlers are only called by Wait().
class Engine {
 public:
  class Handler {
   public:
    // What a connection died of.
    enum class Cause { kConnect, kReceive, kSend };

    virtual ~Handler() = default;

    virtual void OnConnected(int slot) = 0;
    // `bytes` is valid during the call. `now_ns` is the time at which the
    // generator had them, on the clock of NowNanos(). May call any method of
    // the engine except Wait().
    virtual void OnReceived(int slot, absl::string_view bytes,
                            int64_t now_ns) = 0;
    // The slot is free again. `error` is an errno, 0 for an orderly end of
    // the stream.
    virtual void OnClosed(int slot, Cause cause, int error) = 0;
  };

  virtual ~Engine() = default;

  // Begins to connect the free `slot`. The outcome is told to the handler.
  virtual void Connect(int slot) = 0;

  // Sends `count` requests over a connected slot, in one piece. What the socket
  // does not take at once follows when it can; a failure is told to the
  // handler. No more than `max_requests` may be under way.
  virtual void Send(int slot, int count) = 0;

  // Frees a slot. The handler hears no more of it, OnClosed() included.
  virtual void Close(int slot) = 0;

  // Handles what has happened. If nothing has, waits for it until
  // `deadline_ns`; `now_ns` is the time of the call.
  virtual absl::Status Wait(int64_t deadline_ns, int64_t now_ns) = 0;
};

}  // namespace netlab::lab

#endif  // NETLAB_LAB_LOAD_ENGINE_H_
