// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NETLAB_LAB_LOAD_LOAD_OPTIONS_H_
#define NETLAB_LAB_LOAD_LOAD_OPTIONS_H_

#include <sys/types.h>

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "netlab/lab/load/url.h"

namespace netlab::lab {

// How the bytes are moved; see engine.h.
enum class EngineKind {
  kAuto,  // io_uring where the kernel has it and allows it, else epoll.
  kEpoll,
  kIoUring,
};

// What load to make.
struct LoadOptions {
  std::string target;  // As the user wrote it; `url` is what it means.
  Url url;
  std::vector<std::string> headers;  // Further fields, "Name: value".
  EngineKind engine = EngineKind::kAuto;

  int connections = 100;
  int threads = 1;
  // Thread i is confined to cpus[i % size]; empty: wherever the kernel likes.
  std::vector<int> cpus;

  // Closed loop if 0, otherwise an open loop of so many requests a second.
  double rate_per_s = 0;
  // How many requests a connection may have in flight.
  int pipeline = 1;

  absl::Duration warmup = absl::Milliseconds(500);
  absl::Duration duration = absl::Seconds(3);
  // Of a connection attempt, and of a request.
  absl::Duration timeout = absl::Seconds(2);

  bool verify_body = false;
  // What a body must be; empty: the same as the first one.
  std::string expect_body;

  // Whose CPU time and memory to record beside our own; 0: nobody's.
  pid_t observe_pid = 0;

  bool open_loop() const { return rate_per_s > 0; }
};

// One line that names the flag and what it takes, if something is out of range.
absl::Status CheckLoadOptions(const LoadOptions& options);

// The fields that a --header flag names, one a line.
absl::StatusOr<std::vector<std::string>> ParseHeaders(absl::string_view text);

// The bytes of one request.
std::string RequestText(const LoadOptions& options);

}  // namespace netlab::lab

#endif  // NETLAB_LAB_LOAD_LOAD_OPTIONS_H_
