// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

#include "netlab/lab/experiment/options.h"

#include <sys/resource.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <numeric>
#include <random>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "netlab/net/cpu_list.h"

namespace netlab::lab {
namespace {

constexpr int kMaxRounds = 10'000;
constexpr int kMaxThreads = 1024;
constexpr int kMaxConnections = 1'000'000;

absl::Status Wrong(absl::string_view flag, absl::string_view value,
                   absl::string_view remedy) {
  return absl::InvalidArgumentError(
      absl::StrCat("--", flag, "=", value, ": ", remedy));
}

absl::Status CheckNumber(absl::string_view flag, int64_t value, int64_t low,
                         int64_t high) {
  if (low <= value && value <= high) return absl::OkStatus();
  return Wrong(flag, absl::StrCat(value),
               absl::StrCat("give a number from ", low, " to ", high));
}

// `otherwise` when `text` is empty.
absl::StatusOr<absl::Duration> ParseTime(absl::string_view flag,
                                         absl::string_view text,
                                         absl::Duration low,
                                         absl::Duration otherwise) {
  constexpr absl::Duration kHigh = absl::Hours(1);
  if (text.empty()) return otherwise;
  absl::Duration time;
  if (absl::ParseDuration(text, &time) && low <= time && time <= kHigh) {
    return time;
  }
  return Wrong(flag, text,
               absl::StrCat("give a time from ", absl::FormatDuration(low),
                            " to ", absl::FormatDuration(kHigh),
                            ", with its unit, e.g. 500ms or 2s"));
}

absl::StatusOr<std::vector<int64_t>> ParseThreads(absl::string_view text) {
  std::vector<int64_t> threads;
  for (const absl::string_view part : absl::StrSplit(text, ',')) {
    int64_t number = 0;
    if (!absl::SimpleAtoi(part, &number) || number < 1 ||
        number > kMaxThreads) {
      return Wrong("threads", text,
                   absl::StrCat("give numbers from 1 to ", kMaxThreads,
                                " with commas between, e.g. 1,2,4"));
    }
    if (absl::c_linear_search(threads, number)) {
      return Wrong("threads", text,
                   absl::StrCat(number, " stands there twice"));
    }
    threads.push_back(number);
  }
  return threads;
}

absl::StatusOr<std::vector<std::string>> ParseSubjects(
    absl::string_view text, const std::vector<std::string>& known) {
  if (text.empty()) return known;
  std::vector<std::string> wanted;
  for (const absl::string_view name : absl::StrSplit(text, ',')) {
    if (!absl::c_linear_search(known, name)) {
      return Wrong("subjects", text,
                   absl::StrCat("there is no '", name, "'; did you mean '",
                                Nearest(name, known),
                                "'? Known: ", absl::StrJoin(known, ", ")));
    }
    wanted.emplace_back(name);
  }
  // In the list's order, and each once, however they were asked for.
  std::vector<std::string> subjects;
  absl::c_copy_if(known, std::back_inserter(subjects),
                  [&](const std::string& name) {
                    return absl::c_linear_search(wanted, name);
                  });
  return subjects;
}

absl::StatusOr<std::vector<int>> ParseCpus(absl::string_view flag,
                                           absl::string_view text,
                                           absl::Span<const int> available) {
  absl::StatusOr<std::vector<int>> cpus = ParseCpuList(text);
  if (!cpus.ok()) return Wrong(flag, text, cpus.status().message());
  for (const int cpu : *cpus) {
    if (absl::c_linear_search(available, cpu)) continue;
    return Wrong(flag, text,
                 absl::StrCat("CPU ", cpu, " is not available; this process ",
                              "may use ", FormatCpuList(available)));
  }
  return cpus;
}

absl::StatusOr<std::string> OutputDir(const std::string& given,
                                      const OptionLimits& limits) {
  const std::string name =
      given.empty() ? absl::StrCat("lab-results/", limits.experiment, "-",
                                   absl::FormatTime("%Y%m%d-%H%M%S", limits.now,
                                                    absl::LocalTimeZone()))
                    : given;
  const std::filesystem::path path =
      std::filesystem::path(limits.working_dir) / name;
  std::error_code error;
  if (std::filesystem::exists(path, error) &&
      !std::filesystem::is_directory(path, error)) {
    return Wrong("output_dir", name, "there is a file of that name");
  }
  if (std::filesystem::exists(path / "results.jsonl", error)) {
    return Wrong("output_dir", name,
                 "results of another run are there; choose another folder");
  }
  return path.lexically_normal().string();
}

absl::StatusOr<Profile> FindProfile(const std::string& name,
                                    const std::vector<Profile>& profiles) {
  std::vector<std::string> names;
  for (const Profile& profile : profiles) {
    if (profile.name == name) return profile;
    names.push_back(profile.name);
  }
  return Wrong("profile", name,
               absl::StrCat("it is one of ", absl::StrJoin(names, ", ")));
}

}  // namespace

absl::StatusOr<ExperimentOptions> CheckOptions(const RawOptions& raw,
                                               const OptionLimits& limits) {
  const absl::StatusOr<Profile> profile =
      FindProfile(raw.profile, limits.profiles);
  if (!profile.ok()) return profile.status();
  ExperimentOptions options;
  options.profile = profile->name;
  options.rounds = raw.rounds.value_or(profile->rounds);
  options.connections = raw.connections.value_or(profile->connections);
  options.placement.load_threads = raw.load_threads;
  options.seed = raw.seed.has_value() ? *raw.seed : std::random_device()();
  for (const absl::Status& status :
       {CheckNumber("rounds", options.rounds, 1, kMaxRounds),
        CheckNumber("connections", options.connections, 1, kMaxConnections),
        CheckNumber("load_threads", raw.load_threads, 0, kMaxThreads)}) {
    if (!status.ok()) return status;
  }
  const absl::StatusOr<absl::Duration> warmup =
      ParseTime("warmup", raw.warmup, absl::ZeroDuration(), profile->warmup);
  const absl::StatusOr<absl::Duration> duration = ParseTime(
      "duration", raw.duration, absl::Milliseconds(10), profile->duration);
  absl::StatusOr<std::vector<int64_t>> levels = profile->levels;
  if (!raw.threads.empty()) levels = ParseThreads(raw.threads);
  absl::StatusOr<std::vector<std::string>> subjects =
      ParseSubjects(raw.subjects, limits.subjects);
  absl::StatusOr<std::vector<int>> server_cpus =
      ParseCpus("server_cpus", raw.server_cpus, limits.available_cpus);
  absl::StatusOr<std::vector<int>> load_cpus =
      ParseCpus("load_cpus", raw.load_cpus, limits.available_cpus);
  absl::StatusOr<std::string> output_dir = OutputDir(raw.output_dir, limits);
  for (const absl::Status& status :
       {warmup.status(), duration.status(), levels.status(), subjects.status(),
        server_cpus.status(), load_cpus.status(), output_dir.status()}) {
    if (!status.ok()) return status;
  }
  options.warmup = *warmup;
  options.duration = *duration;
  options.levels = *std::move(levels);
  options.subjects = *std::move(subjects);
  options.placement.server_cpus = *std::move(server_cpus);
  options.placement.load_cpus = *std::move(load_cpus);
  options.output_dir = *std::move(output_dir);
  return options;
}

std::string FlagsOf(const ExperimentOptions& options) {
  std::string flags =
      absl::StrCat("--rounds=", options.rounds,
                   " --warmup=", absl::FormatDuration(options.warmup),
                   " --duration=", absl::FormatDuration(options.duration),
                   " --connections=", options.connections,
                   " --threads=", absl::StrJoin(options.levels, ","),
                   " --subjects=", absl::StrJoin(options.subjects, ","));
  const PlacementRequest& placement = options.placement;
  if (!placement.server_cpus.empty()) {
    absl::StrAppend(&flags,
                    " --server_cpus=", FormatCpuList(placement.server_cpus));
  }
  if (!placement.load_cpus.empty()) {
    absl::StrAppend(&flags,
                    " --load_cpus=", FormatCpuList(placement.load_cpus));
  }
  if (placement.load_threads != 0) {
    absl::StrAppend(&flags, " --load_threads=", placement.load_threads);
  }
  absl::StrAppend(&flags, " --seed=", options.seed);
  return flags;
}

absl::Status EnsureFileLimit(uint64_t files) {
  rlimit limit = {};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) {
    return absl::ErrnoToStatus(errno, "getrlimit");
  }
  if (limit.rlim_cur >= files) return absl::OkStatus();
  if (limit.rlim_max < files) {
    return absl::FailedPreconditionError(absl::StrCat(
        "so many connections need 'ulimit -n' of ", files,
        ", but the hard limit is ", limit.rlim_max,
        ": raise it (LimitNOFILE, limits.conf) or use fewer connections"));
  }
  limit.rlim_cur = files;
  if (setrlimit(RLIMIT_NOFILE, &limit) != 0) {
    return absl::ErrnoToStatus(errno, absl::StrCat("ulimit -n ", files));
  }
  return absl::OkStatus();
}

std::string Nearest(absl::string_view name,
                    absl::Span<const std::string> known) {
  std::string nearest;
  size_t least = SIZE_MAX;
  for (const std::string& candidate : known) {
    // Levenshtein's distance, one row of the table at a time.
    std::vector<size_t> row(candidate.size() + 1);
    std::iota(row.begin(), row.end(), size_t{0});
    for (size_t i = 0; i < name.size(); ++i) {
      size_t diagonal = std::exchange(row[0], i + 1);
      for (size_t j = 0; j < candidate.size(); ++j) {
        const size_t replaced = diagonal + (name[i] == candidate[j] ? 0 : 1);
        diagonal = row[j + 1];
        row[j + 1] = std::min({replaced, row[j] + 1, row[j + 1] + 1});
      }
    }
    if (row.back() < least) {
      least = row.back();
      nearest = candidate;
    }
  }
  return nearest;
}

}  // namespace netlab::lab
