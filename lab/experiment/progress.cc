// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

#include "netlab/lab/experiment/progress.h"

#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <iostream>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/time/clock.h"
#include "netlab/lab/report/format.h"

namespace netlab::lab {
namespace {

constexpr char kClearLine[] = "\r\033[K";

}  // namespace

std::string FormatTimeLeft(absl::Duration left) {
  const int64_t seconds =
      absl::ToInt64Seconds(absl::Ceil(left, absl::Seconds(1)));
  if (seconds < 60) return absl::StrCat(seconds, " s");
  return absl::StrFormat("%d min %02d s", seconds / 60, seconds % 60);
}

Progress::Progress(int rounds, size_t cells, absl::string_view axis)
    : rounds_(rounds),
      cells_(cells),
      axis_(axis),
      terminal_(isatty(STDOUT_FILENO) != 0),
      began_(absl::Now()) {}

std::string Progress::TimeLeft() const {
  const size_t all = cells_ * static_cast<size_t>(rounds_);
  if (done_ == 0) return "";
  const absl::Duration left = (absl::Now() - began_) *
                              static_cast<double>(all - done_) /
                              static_cast<double>(done_);
  return absl::StrCat(FormatTimeLeft(left), " left");
}

void Progress::Observed(const Observation& observation) {
  ++done_;
  const std::string cell = absl::StrCat(observation.subject, ", ",
                                        FormatLevel(axis_, observation.level));
  if (observation.outcome != Outcome::kOk && observation.round == 1) {
    Clear();
    std::cout << cell << ": " << observation.problem << "\n";
  }
  if (!terminal_) return;
  std::cout << kClearLine
            << absl::StrFormat("[%d/%d] round %d of %d: %s · %s", done_,
                               cells_ * static_cast<size_t>(rounds_),
                               observation.round, rounds_, cell, TimeLeft())
            << std::flush;
}

void Progress::RoundDone(int round) {
  if (terminal_) return;
  std::cout << "round " << round << " of " << rounds_ << " is complete";
  if (round < rounds_) std::cout << ", " << TimeLeft();
  std::cout << std::endl;
}

void Progress::Clear() {
  if (terminal_) std::cout << kClearLine << std::flush;
}

}  // namespace netlab::lab
