// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NETLAB_LAB_LOAD_LOAD_PHASE_H_
#define NETLAB_LAB_LOAD_LOAD_PHASE_H_

#include <atomic>
#include <cstdint>

namespace netlab::lab {

enum class LoadPhase {
  kSetUp,    // Connect, and prove each connection with one request.
  kWarmUp,   // Make the load, count only errors.
  kMeasure,  // Count everything.
  kDone,     // Stop.
};

// How the thread that directs a run and its workers speak to each other. The
// phase only moves forwards; workers look at it between two batches of events,
// so that they follow within a few milliseconds, and what a batch completes is
// counted by the phase it began in.
struct LoadControl {
  std::atomic<LoadPhase> phase = LoadPhase::kSetUp;
  // When the schedule of an open loop begins. Set before kWarmUp.
  std::atomic<int64_t> load_start_ns = 0;
  // Workers that have finished their set-up, or failed.
  std::atomic<int> workers_ready = 0;
  std::atomic<bool> worker_failed = false;
};

}  // namespace netlab::lab

#endif  // NETLAB_LAB_LOAD_LOAD_PHASE_H_
