// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NETLAB_LAB_LOAD_ARRIVAL_SCHEDULE_H_
#define NETLAB_LAB_LOAD_ARRIVAL_SCHEDULE_H_

#include <cmath>
#include <cstdint>

namespace netlab::lab {

// When the requests of an open loop are due: at even distances from a start,
// whatever the server does. `thread` of `threads` takes every threads-th
// arrival, so that together they are as even as one.
//
// Each moment is computed from the start, so that rounding does not add up.
class ArrivalSchedule {
 public:
  ArrivalSchedule(int64_t start_ns, double per_second, int thread, int threads)
      : start_ns_(start_ns),
        interval_ns_(1e9 / per_second),
        thread_(thread),
        index_(thread),
        stride_(threads) {}

  int64_t next_ns() const {
    return start_ns_ + std::llround(static_cast<double>(index_) * interval_ns_);
  }

  void Advance() { index_ += stride_; }

  // How many arrivals of this thread are due by `now_ns`, those that Advance()
  // has passed included.
  int64_t CountUntil(int64_t now_ns) const {
    const double arrivals =
        std::floor(static_cast<double>(now_ns - start_ns_) / interval_ns_);
    if (arrivals < thread_) return 0;
    return (static_cast<int64_t>(arrivals) - thread_) / stride_ + 1;
  }

 private:
  int64_t start_ns_;
  double interval_ns_;
  int thread_;
  int64_t index_;
  int64_t stride_;
};

}  // namespace netlab::lab

#endif  // NETLAB_LAB_LOAD_ARRIVAL_SCHEDULE_H_
