// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

// Lists of CPUs as taskset and the kernel write them ("0,2-3"), and pinning.
//
//   absl::StatusOr<std::vector<int>> cpus = ParseCpuList("0,2-3");
//   if (cpus.ok()) status = PinCurrentThread(*cpus);

#ifndef NETLAB_NET_CPU_LIST_H_
#define NETLAB_NET_CPU_LIST_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace netlab {

// The CPUs that `text` names, in its order: "3,0-1" is 3, 0, 1. Empty text is
// an empty list. InvalidArgumentError for anything that is not a number or a
// rising range, or that names a CPU twice. Whether such CPUs exist is asked by
// CheckCpusAvailable().
absl::StatusOr<std::vector<int>> ParseCpuList(absl::string_view text);

// The shortest text that ParseCpuList() reads as `cpus`.
std::string FormatCpuList(absl::Span<const int> cpus);

// The CPUs that the calling thread may run on, rising: those that are online
// and in its affinity mask.
absl::StatusOr<std::vector<int>> AvailableCpus();

// OK if `cpus` is a part of AvailableCpus(), else an error that names both.
absl::Status CheckCpusAvailable(absl::Span<const int> cpus);

// Confines the calling thread to `cpus`, which must not be empty.
absl::Status PinCurrentThread(absl::Span<const int> cpus);

}  // namespace netlab

#endif  // NETLAB_NET_CPU_LIST_H_
