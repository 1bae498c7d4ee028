// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

#include "netlab/lab/measure/topology.h"

#include <algorithm>
#include <cstddef>
#include <fstream>
#include <string>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/log/check.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "netlab/net/cpu_list.h"

namespace netlab::lab {
namespace {

// All CPUs of the core that `cpu` belongs to, also those we may not use.
std::vector<int> SiblingsOf(int cpu, absl::string_view sys) {
  // The second name is what kernels before 5.3 have.
  for (const char* name : {"core_cpus_list", "thread_siblings_list"}) {
    std::ifstream file(
        absl::StrCat(sys, "/devices/system/cpu/cpu", cpu, "/topology/", name));
    std::string line;
    if (!std::getline(file, line)) continue;
    absl::StatusOr<std::vector<int>> siblings =
        ParseCpuList(absl::StripAsciiWhitespace(line));
    if (siblings.ok() && absl::c_linear_search(*siblings, cpu)) {
      return *siblings;
    }
  }
  return {cpu};
}

bool Intersects(absl::Span<const int> a, absl::Span<const int> b) {
  return absl::c_any_of(a,
                        [&](int cpu) { return absl::c_linear_search(b, cpu); });
}

std::vector<int> AllCpus(absl::Span<const Core> cores) {
  std::vector<int> cpus;
  for (const Core& core : cores) {
    cpus.insert(cpus.end(), core.begin(), core.end());
  }
  absl::c_sort(cpus);
  return cpus;
}

// The CPUs of the cores that `taken` leaves alone.
std::vector<int> OtherCores(absl::Span<const Core> cores,
                            absl::Span<const int> taken) {
  std::vector<int> cpus;
  for (const Core& core : cores) {
    if (Intersects(core, taken)) continue;
    cpus.insert(cpus.end(), core.begin(), core.end());
  }
  absl::c_sort(cpus);
  return cpus;
}

// One CPU of each core, the first ones that `taken` leaves alone.
std::vector<int> FirstCpus(absl::Span<const Core> cores,
                           absl::Span<const int> taken, size_t count) {
  std::vector<int> cpus;
  for (const Core& core : cores) {
    if (cpus.size() == count) break;
    if (!Intersects(core, taken)) cpus.push_back(core.front());
  }
  return cpus;
}

Sharing SharingOf(absl::Span<const Core> cores, const Placement& placement) {
  if (Intersects(placement.server_cpus, placement.load_cpus)) {
    return Sharing::kSharedCpus;
  }
  for (const Core& core : cores) {
    if (Intersects(core, placement.server_cpus) &&
        Intersects(core, placement.load_cpus)) {
      return Sharing::kSiblings;
    }
  }
  return Sharing::kSeparateCores;
}

}  // namespace

std::vector<Core> CoresOf(absl::Span<const int> cpus, absl::string_view sys) {
  std::vector<int> left(cpus.begin(), cpus.end());
  absl::c_sort(left);
  std::vector<Core> cores;
  while (!left.empty()) {
    const std::vector<int> siblings = SiblingsOf(left.front(), sys);
    Core core;
    absl::c_copy_if(left, std::back_inserter(core), [&](int cpu) {
      return absl::c_linear_search(siblings, cpu);
    });
    std::erase_if(left,
                  [&](int cpu) { return absl::c_linear_search(core, cpu); });
    cores.push_back(core);
  }
  return cores;
}

absl::string_view SharingName(Sharing sharing) {
  switch (sharing) {
    case Sharing::kSeparateCores:
      return "separate cores";
    case Sharing::kSiblings:
      return "sibling hardware threads";
    case Sharing::kSharedCpus:
      return "shared CPUs";
  }
  return "shared CPUs";
}

Placement Place(absl::Span<const Core> cores, int server_threads,
                const PlacementRequest& request) {
  CHECK(!cores.empty());
  const size_t wanted = static_cast<size_t>(server_threads);
  Placement placement;
  placement.server_cpus = request.server_cpus;
  placement.load_cpus = request.load_cpus;
  if (placement.server_cpus.empty()) {
    placement.server_cpus = FirstCpus(cores, request.load_cpus, wanted);
    const bool enough = placement.server_cpus.size() == wanted &&
                        (!request.load_cpus.empty() || cores.size() > wanted);
    if (!enough) placement.server_cpus = AllCpus(cores);
  }
  if (placement.load_cpus.empty()) {
    placement.load_cpus = OtherCores(cores, placement.server_cpus);
    if (placement.load_cpus.empty()) placement.load_cpus = AllCpus(cores);
  }
  placement.load_threads = request.load_threads;
  if (placement.load_threads == 0) {
    const int most = Intersects(placement.server_cpus, placement.load_cpus)
                         ? server_threads
                         : 2 * server_threads;
    placement.load_threads =
        std::min(most, static_cast<int>(placement.load_cpus.size()));
  }
  placement.sharing = SharingOf(cores, placement);
  return placement;
}

}  // namespace netlab::lab
