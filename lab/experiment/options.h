// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

// The flags that every experiment takes, checked before anything is started.
//
//   RawOptions raw = ParseFlags(argc, argv, "Measures ...");
//   absl::StatusOr<ExperimentOptions> options = CheckOptions(raw, limits);
//   if (!options.ok()) return FailWith(options.status());

#ifndef NETLAB_LAB_EXPERIMENT_OPTIONS_H_
#define NETLAB_LAB_EXPERIMENT_OPTIONS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "netlab/lab/measure/topology.h"

namespace netlab::lab {

// What a profile stands for; a flag that is given overrides its part.
struct Profile {
  std::string name;
  int rounds = 0;
  absl::Duration warmup;
  absl::Duration duration;
  int connections = 0;
  std::vector<int64_t> levels;  // of the experiment's axis
};

// The flags as they were given.
struct RawOptions {
  std::string profile = "quick";
  std::optional<int> rounds = std::nullopt;
  std::string warmup = "";  // empty, here and below: not given
  std::string duration = "";
  std::optional<int> connections = std::nullopt;
  std::string threads = "";
  std::string subjects = "";
  std::string server_cpus = "";
  std::string load_cpus = "";
  int load_threads = 0;
  std::string output_dir = "";
  std::optional<uint64_t> seed = std::nullopt;
};

// What the flags are checked against.
struct OptionLimits {
  std::string experiment;             // its name
  std::vector<Profile> profiles;      // --profile chooses one of them
  std::vector<std::string> subjects;  // all that there are
  std::vector<int> available_cpus;
  std::string working_dir;  // where the user is
  absl::Time now;           // names the default output folder
};

struct ExperimentOptions {
  std::string profile;
  int rounds = 0;
  absl::Duration warmup;
  absl::Duration duration;
  int connections = 0;
  std::vector<int64_t> levels;
  std::vector<std::string> subjects;  // in the order of OptionLimits::subjects
  PlacementRequest placement;
  std::string output_dir;  // absolute
  uint64_t seed = 0;
};

// InvalidArgumentError naming the flag, its value and what it should be.
absl::StatusOr<ExperimentOptions> CheckOptions(const RawOptions& raw,
                                               const OptionLimits& limits);

// The flags that give these options again, without the output folder.
std::string FlagsOf(const ExperimentOptions& options);

// Lets this process and its children open `files` files, by raising the soft
// limit if need be. FailedPreconditionError naming the number when the hard
// limit is too low.
absl::Status EnsureFileLimit(uint64_t files);

// The one of `known` that differs from `name` by the fewest edits.
std::string Nearest(absl::string_view name,
                    absl::Span<const std::string> known);

}  // namespace netlab::lab

#endif  // NETLAB_LAB_EXPERIMENT_OPTIONS_H_
