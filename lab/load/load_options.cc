// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

#include "netlab/lab/load/load_options.h"

#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "netlab/net/cpu_list.h"

namespace netlab::lab {
namespace {

constexpr int kMaxConnections = 1'000'000;
constexpr int kMaxPipeline = 1024;
constexpr double kMinRatePerSecond = 0.001;
constexpr double kMaxRatePerSecond = 1e9;
constexpr absl::Duration kMaxTime = absl::Hours(24);

absl::Status Bad(absl::string_view flag, absl::string_view value,
                 absl::string_view expected) {
  return absl::InvalidArgumentError(
      absl::StrCat("--", flag, "=", value, ": expected ", expected));
}

absl::Status CheckInt(absl::string_view flag, int value, int max) {
  if (value >= 1 && value <= max) return absl::OkStatus();
  return Bad(flag, absl::StrCat(value),
             absl::StrCat("a number from 1 to ", max));
}

absl::Status CheckTime(absl::string_view flag, absl::Duration value,
                       absl::Duration min) {
  if (value >= min && value <= kMaxTime) return absl::OkStatus();
  return Bad(flag, absl::FormatDuration(value),
             absl::StrCat("a time from ", absl::FormatDuration(min), " to ",
                          absl::FormatDuration(kMaxTime)));
}

bool IsFieldName(absl::string_view text) {
  constexpr absl::string_view kOthers = "!#$%&'*+-.^_`|~";
  for (const char c : text) {
    if (!absl::ascii_isalnum(static_cast<unsigned char>(c)) &&
        !absl::StrContains(kOthers, c)) {
      return false;
    }
  }
  return !text.empty();
}

}  // namespace

absl::Status CheckLoadOptions(const LoadOptions& options) {
  absl::Status status;
  status.Update(CheckInt("connections", options.connections, kMaxConnections));
  status.Update(CheckInt("threads", options.threads, kMaxConnections));
  status.Update(CheckInt("pipeline", options.pipeline, kMaxPipeline));
  status.Update(CheckTime("duration", options.duration, absl::Milliseconds(1)));
  status.Update(CheckTime("warmup", options.warmup, absl::ZeroDuration()));
  status.Update(CheckTime("timeout", options.timeout, absl::Milliseconds(1)));
  if (!status.ok()) return status;
  if (options.threads > options.connections) {
    return Bad("threads", absl::StrCat(options.threads),
               absl::StrCat("no more than --connections=", options.connections,
                            ", as a thread without one has nothing to do"));
  }
  const double rate = options.rate_per_s;
  // Written so that not-a-number is refused.
  if (rate != 0 && !(rate >= kMinRatePerSecond && rate <= kMaxRatePerSecond)) {
    return Bad(
        "rate", absl::StrCat(rate),
        absl::StrCat("requests per second from ", kMinRatePerSecond, " to ",
                     kMaxRatePerSecond, ", or 0 for a closed loop"));
  }
  if (options.observe_pid < 0) {
    return Bad("observe_pid", absl::StrCat(options.observe_pid),
               "the id of a process");
  }
  if (!options.expect_body.empty() && !options.verify_body) {
    return absl::InvalidArgumentError("--expect_body needs --verify=body");
  }
  status = CheckCpusAvailable(options.cpus);
  if (status.ok()) return status;
  return absl::InvalidArgumentError(absl::StrCat(
      "--cpus=", FormatCpuList(options.cpus), ": ", status.message()));
}

absl::StatusOr<std::vector<std::string>> ParseHeaders(absl::string_view text) {
  std::vector<std::string> fields;
  for (absl::string_view line : absl::StrSplit(text, '\n', absl::SkipEmpty())) {
    const size_t colon = line.find(':');
    if (colon == absl::string_view::npos ||
        !IsFieldName(line.substr(0, colon)) || absl::StrContains(line, '\r')) {
      return Bad("header", absl::StrCat("'", line, "'"),
                 "'Name: value', several of them on lines of their own");
    }
    fields.emplace_back(line);
  }
  return fields;
}

std::string RequestText(const LoadOptions& options) {
  std::string text = absl::StrCat("GET ", options.url.path, " HTTP/1.1\r\n");
  bool has_host = false;
  for (const std::string& field : options.headers) {
    has_host = has_host || absl::StartsWithIgnoreCase(field, "host:");
  }
  if (!has_host) {
    absl::StrAppend(&text, "Host: ", options.url.Authority(), "\r\n");
  }
  for (const std::string& field : options.headers) {
    absl::StrAppend(&text, field, "\r\n");
  }
  absl::StrAppend(&text, "\r\n");
  return text;
}

}  // namespace netlab::lab
