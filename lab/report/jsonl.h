// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

// results.jsonl, schema "netlab.results/1": one JSON object a line.
//
//   kind "run"          first: experiment, subjects, flags, command,
//   environment kind "observation"  one cell in one round, with everything
//   measured kind "noise"        what the sentinel saw before the first round,
//   after each kind "end"          last: whether the run was interrupted
//
// A line is written when its round is complete, so that a run that is cut off
// leaves a file that can be read.

#ifndef NETLAB_LAB_REPORT_JSONL_H_
#define NETLAB_LAB_REPORT_JSONL_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "netlab/lab/report/results.h"

namespace netlab::lab {

inline constexpr char kResultsSchema[] = "netlab.results/1";

// Each gives a line, with its end. RunLine() writes what is known before the
// first round.
std::string RunLine(const Results& results);
std::string ObservationLine(const Observation& observation);
std::string NoiseLine(const NoiseSample& sample);
std::string EndLine(bool interrupted);

// The whole file back. InvalidArgumentError naming the line at fault.
absl::StatusOr<Results> ParseResults(absl::string_view jsonl);

}  // namespace netlab::lab

#endif  // NETLAB_LAB_REPORT_JSONL_H_
