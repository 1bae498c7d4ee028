// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

#include "netlab/lab/run/rounds.h"

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

namespace netlab::lab {

std::vector<size_t> RoundOrder(size_t cells, uint64_t seed, int round) {
  std::vector<size_t> order(cells);
  std::iota(order.begin(), order.end(), size_t{0});
  std::mt19937_64 random(seed +
                         static_cast<uint64_t>(round) * 0x9e3779b97f4a7c15u);
  // std::shuffle() may differ from library to library.
  for (size_t i = cells; i > 1; --i) {
    std::swap(order[i - 1], order[static_cast<size_t>(random() % i)]);
  }
  return order;
}

absl::Status RunRounds(const RoundsPlan& plan) {
  for (int round = 1; round <= plan.rounds; ++round) {
    std::vector<Observation> observations;
    for (const size_t cell : RoundOrder(plan.cells, plan.seed, round)) {
      absl::StatusOr<Observation> observation = plan.measure(cell);
      if (!observation.ok()) return observation.status();
      observation->round = round;
      observation->position = static_cast<int>(observations.size()) + 1;
      plan.observed(*observation);
      observations.push_back(*std::move(observation));
    }
    absl::Status status = plan.round_done(std::move(observations));
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
}

}  // namespace netlab::lab
