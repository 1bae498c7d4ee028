// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NETLAB_LAB_LOAD_CLOCK_H_
#define NETLAB_LAB_LOAD_CLOCK_H_

#include <time.h>

#include <cstdint>

namespace netlab::lab {

// The monotonic clock as a plain number: it is read for every response, and
// stored for every request in flight.
inline int64_t NowNanos() {
  timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * int64_t{1'000'000'000} + time.tv_nsec;
}

}  // namespace netlab::lab

#endif  // NETLAB_LAB_LOAD_CLOCK_H_
