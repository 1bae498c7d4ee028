// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

// Physical cores, and who gets which.

#ifndef NETLAB_LAB_MEASURE_TOPOLOGY_H_
#define NETLAB_LAB_MEASURE_TOPOLOGY_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace netlab::lab {

// The CPUs (hardware threads) of one physical core that this process may use.
using Core = std::vector<int>;

// Groups `cpus` by physical core, both in rising order. Where the kernel does
// not say which CPUs are siblings, each is taken for a core. `sys` is where
// sysfs is mounted.
std::vector<Core> CoresOf(absl::Span<const int> cpus,
                          absl::string_view sys = "/sys");

// What the two sides of a measurement have in common.
enum class Sharing {
  kSeparateCores,
  kSiblings,    // hardware threads of the same physical cores
  kSharedCpus,  // they compete for the same CPUs
};

// "separate cores", "sibling hardware threads", "shared CPUs".
absl::string_view SharingName(Sharing sharing);

// Where the server and its load run.
struct Placement {
  std::vector<int> server_cpus;
  std::vector<int> load_cpus;
  int load_threads = 1;
  Sharing sharing = Sharing::kSeparateCores;
};

// What the user fixed; empty and 0 mean: choose.
struct PlacementRequest {
  std::vector<int> server_cpus = {};
  std::vector<int> load_cpus = {};
  int load_threads = 0;
};

// Gives the server one physical core a thread, and the load what is left, as
// long as at least one core is; up to two load threads for each of the
// server's. Where there are too few cores both sides get all CPUs, and the
// placement says so. `cores` must not be empty.
Placement Place(absl::Span<const Core> cores, int server_threads,
                const PlacementRequest& request = {});

}  // namespace netlab::lab

#endif  // NETLAB_LAB_MEASURE_TOPOLOGY_H_
