// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

#include "netlab/net/cpu_list.h"

#include <sched.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"

namespace netlab {
namespace {

// The largest CONFIG_NR_CPUS there is; a cpu_set_t holds but 1,024.
constexpr int kMaxCpus = 8192;

using CpuMask = std::array<cpu_set_t, kMaxCpus / CPU_SETSIZE>;

absl::Status BadPart(absl::string_view text, absl::string_view part,
                     absl::string_view why) {
  return absl::InvalidArgumentError(
      absl::StrCat("CPU list '", text, "': '", part, "' ", why));
}

// Digits only: SimpleAtoi would also take a sign and spaces.
bool ParseCpu(absl::string_view text, int* cpu) {
  return !text.empty() &&
         text.find_first_not_of("0123456789") == absl::string_view::npos &&
         absl::SimpleAtoi(text, cpu);
}

}  // namespace

absl::StatusOr<std::vector<int>> ParseCpuList(absl::string_view text) {
  std::vector<int> cpus;
  if (text.empty()) return cpus;
  for (absl::string_view part : absl::StrSplit(text, ',')) {
    const std::pair<absl::string_view, absl::string_view> bounds =
        absl::StrSplit(part, absl::MaxSplits('-', 1));
    const bool is_range = part.find('-') != absl::string_view::npos;
    int first;
    int last;
    if (!ParseCpu(bounds.first, &first) ||
        !ParseCpu(is_range ? bounds.second : bounds.first, &last)) {
      return BadPart(text, part, "is neither a CPU nor a range like 2-3");
    }
    if (last < first) return BadPart(text, part, "is an empty range");
    if (last >= kMaxCpus) {
      return BadPart(
          text, part,
          absl::StrCat("is beyond the last possible CPU, ", kMaxCpus - 1));
    }
    for (int cpu = first; cpu <= last; ++cpu) {
      if (absl::c_linear_search(cpus, cpu)) {
        return BadPart(text, part, absl::StrCat("names CPU ", cpu, " again"));
      }
      cpus.push_back(cpu);
    }
  }
  return cpus;
}

std::string FormatCpuList(absl::Span<const int> cpus) {
  std::vector<std::string> parts;
  for (size_t i = 0; i < cpus.size();) {
    size_t end = i + 1;
    while (end < cpus.size() && cpus[end] == cpus[end - 1] + 1) ++end;
    if (end - i == 1) {
      parts.push_back(absl::StrCat(cpus[i]));
    } else {
      parts.push_back(absl::StrCat(cpus[i], "-", cpus[end - 1]));
    }
    i = end;
  }
  return absl::StrJoin(parts, ",");
}

absl::StatusOr<std::vector<int>> AvailableCpus() {
  CpuMask mask = {};
  if (sched_getaffinity(0, sizeof(mask), mask.data()) != 0) {
    return absl::ErrnoToStatus(errno, "sched_getaffinity");
  }
  std::vector<int> cpus;
  for (int cpu = 0; cpu < kMaxCpus; ++cpu) {
    if (CPU_ISSET_S(static_cast<size_t>(cpu), sizeof(mask), mask.data())) {
      cpus.push_back(cpu);
    }
  }
  return cpus;
}

absl::Status CheckCpusAvailable(absl::Span<const int> cpus) {
  absl::StatusOr<std::vector<int>> available = AvailableCpus();
  if (!available.ok()) return available.status();
  for (const int cpu : cpus) {
    if (absl::c_linear_search(*available, cpu)) continue;
    return absl::InvalidArgumentError(
        absl::StrCat("CPU ", cpu, " is not available; this process may use ",
                     FormatCpuList(*available)));
  }
  return absl::OkStatus();
}

absl::Status PinCurrentThread(absl::Span<const int> cpus) {
  CpuMask mask = {};
  for (const int cpu : cpus) {
    if (cpu < 0 || cpu >= kMaxCpus) {
      return absl::InvalidArgumentError(absl::StrCat("there is no CPU ", cpu));
    }
    CPU_SET_S(static_cast<size_t>(cpu), sizeof(mask), mask.data());
  }
  if (sched_setaffinity(0, sizeof(mask), mask.data()) == 0) {
    return absl::OkStatus();
  }
  const int error = errno;
  if (absl::Status status = CheckCpusAvailable(cpus); !status.ok()) {
    return status;
  }
  return absl::ErrnoToStatus(
      error, absl::StrCat("sched_setaffinity to CPU ", FormatCpuList(cpus)));
}

}  // namespace netlab
