// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NETLAB_LAB_LOAD_CONNECTION_RAMP_H_
#define NETLAB_LAB_LOAD_CONNECTION_RAMP_H_

#include <algorithm>
#include <cstdint>

namespace netlab::lab {

// Decides which connections to open next before the load begins, and when to
// stop waiting for them. A connection is ready when it has answered a first
// request, so that those which the server has yet to accept are never more than
// `window`: a burst of a thousand would overflow a short backlog, and cost
// whoever falls out of it a second.
class ConnectionRamp {
 public:
  ConnectionRamp(int connections, int window, int64_t patience_ns,
                 int64_t now_ns)
      : connections_(connections),
        window_(std::max(1, window)),
        patience_ns_(patience_ns),
        progress_ns_(now_ns) {}

  // The next connection to open, or -1 if none may be opened now.
  int Next() {
    if (next_ == connections_ || pending() >= window_) return -1;
    return next_++;
  }

  void OnReady(int64_t now_ns) {
    ++ready_;
    progress_ns_ = now_ns;
  }
  void OnGivenUp() { ++given_up_; }

  // All have been tried, or it is hopeless: a whole window without one success,
  // or nothing new for too long.
  bool Done(int64_t now_ns) const {
    return ready_ + given_up_ == connections_ ||
           (ready_ == 0 && given_up_ >= window_) ||
           now_ns - progress_ns_ > patience_ns_;
  }

  int opened() const { return next_; }
  int ready() const { return ready_; }

 private:
  int pending() const { return next_ - ready_ - given_up_; }

  int connections_;
  int window_;
  int64_t patience_ns_;
  int64_t progress_ns_;
  int next_ = 0;
  int ready_ = 0;
  int given_up_ = 0;
};

}  // namespace netlab::lab

#endif  // NETLAB_LAB_LOAD_CONNECTION_RAMP_H_
