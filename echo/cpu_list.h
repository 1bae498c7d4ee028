// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NETLAB_ECHO_CPU_LIST_H_
#define NETLAB_ECHO_CPU_LIST_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace netlab::echo {

// A flag that names CPUs as taskset does: "0,2-3". Empty means no pinning.
struct CpuList {
  std::vector<int> cpus;
};

bool AbslParseFlag(absl::string_view text, CpuList* list, std::string* error);
std::string AbslUnparseFlag(const CpuList& list);

}  // namespace netlab::echo

#endif  // NETLAB_ECHO_CPU_LIST_H_
