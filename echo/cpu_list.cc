// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

#include "netlab/echo/cpu_list.h"

#include <sched.h>

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"

namespace netlab::echo {
namespace {

bool ParseCpu(absl::string_view text, int* cpu) {
  return absl::SimpleAtoi(text, cpu) && *cpu >= 0 && *cpu < CPU_SETSIZE;
}

}  // namespace

bool AbslParseFlag(absl::string_view text, CpuList* list, std::string* error) {
  list->cpus.clear();
  if (text.empty()) return true;
  for (absl::string_view range : absl::StrSplit(text, ',')) {
    const std::pair<absl::string_view, absl::string_view> ends =
        absl::StrSplit(range, absl::MaxSplits('-', 1));
    int first, last;
    if (!ParseCpu(ends.first, &first) ||
        !ParseCpu(range == ends.first ? range : ends.second, &last) ||
        last < first) {
      *error = absl::StrCat("'", range,
                            "' is neither a CPU nor a range of them; write a "
                            "list such as 0,2-3");
      return false;
    }
    for (int cpu = first; cpu <= last; ++cpu) list->cpus.push_back(cpu);
  }
  return true;
}

std::string AbslUnparseFlag(const CpuList& list) {
  return absl::StrJoin(list.cpus, ",");
}

}  // namespace netlab::echo
