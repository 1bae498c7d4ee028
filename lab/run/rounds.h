// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

// Rounds: every cell once, in an order drawn anew for each, so that no subject
// always runs first, or always after the same other one.

#ifndef NETLAB_LAB_RUN_ROUNDS_H_
#define NETLAB_LAB_RUN_ROUNDS_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "netlab/lab/run/observation.h"

namespace netlab::lab {

// The cells 0 ... cells-1 in the order of `round`. The same arguments give the
// same order on every machine.
std::vector<size_t> RoundOrder(size_t cells, uint64_t seed, int round);

struct RoundsPlan {
  int rounds = 0;
  size_t cells = 0;
  uint64_t seed = 0;
  // Measures one cell.
  std::function<absl::StatusOr<Observation>(size_t cell)> measure;
  // Told of each observation, for a progress line.
  std::function<void(const Observation&)> observed;
  // Told of each round that is complete, in the order of its cells' turns.
  std::function<absl::Status(std::vector<Observation>)> round_done;
};

// Stops at the first error that one of the functions returns, and returns it; a
// round it interrupts is dropped, for what it lacks would bias the comparison.
absl::Status RunRounds(const RoundsPlan& plan);

}  // namespace netlab::lab

#endif  // NETLAB_LAB_RUN_ROUNDS_H_
