// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NETLAB_LAB_LOAD_CONNECTION_H_
#define NETLAB_LAB_LOAD_CONNECTION_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "netlab/lab/load/response_parser.h"

namespace netlab::lab {

// When a request should have been sent, and when it was.
struct InFlight {
  int64_t intended_ns = 0;
  int64_t sent_ns = 0;
};

// One connection as the load sees it: what is in flight, in order.
class Connection {
 public:
  enum class State { kClosed, kConnecting, kOpen };

  Connection(int pipeline, KnownHead* known_head, ExpectedBody* expected_body)
      : parser(known_head, expected_body),
        ring_(static_cast<size_t>(pipeline)) {}

  int in_flight() const { return in_flight_; }
  int room() const { return static_cast<int>(ring_.size()) - in_flight_; }

  // Requires room().
  void Push(InFlight request) {
    size_t end = first_ + static_cast<size_t>(in_flight_);
    if (end >= ring_.size()) end -= ring_.size();
    ring_[end] = request;
    ++in_flight_;
  }

  // The oldest. Requires in_flight().
  const InFlight& front() const { return ring_[first_]; }
  InFlight Pop() {
    const InFlight request = ring_[first_];
    if (++first_ == ring_.size()) first_ = 0;
    --in_flight_;
    return request;
  }

  State state = State::kClosed;
  // Its first response is still awaited by the set-up.
  bool in_set_up = false;
  // Attempts to connect since the last response: how long the next one has to
  // wait.
  int attempts = 0;
  int64_t connecting_since_ns = 0;
  ResponseParser parser;

 private:
  std::vector<InFlight> ring_;
  size_t first_ = 0;
  int in_flight_ = 0;
};

}  // namespace netlab::lab

#endif  // NETLAB_LAB_LOAD_CONNECTION_H_
