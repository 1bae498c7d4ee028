// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NETLAB_LAB_EXPERIMENT_PROGRESS_H_
#define NETLAB_LAB_EXPERIMENT_PROGRESS_H_

#include <cstddef>
#include <string>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "netlab/lab/run/observation.h"

namespace netlab::lab {

// "1 min 05 s", "12 s".
std::string FormatTimeLeft(absl::Duration left);

// Says on standard output how far a run is: on a terminal in one line that is
// written over, else in a line for each round. Cells without figures get a line
// of their own at once.
class Progress {
 public:
  Progress(int rounds, size_t cells, absl::string_view axis);

  void Observed(const Observation& observation);
  void RoundDone(int round);
  // Takes the line away.
  void Clear();

 private:
  std::string TimeLeft() const;

  const int rounds_;
  const size_t cells_;
  const std::string axis_;
  const bool terminal_;
  const absl::Time began_;
  size_t done_ = 0;
};

}  // namespace netlab::lab

#endif  // NETLAB_LAB_EXPERIMENT_PROGRESS_H_
