// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

// Ports for servers under test.
//
// They lie outside the kernel's ephemeral range, from which the load
// generator's connections take theirs: otherwise one of many leftover
// connections holds, sooner or later, the port of the next server.

#ifndef NETLAB_LAB_RUN_PORTS_H_
#define NETLAB_LAB_RUN_PORTS_H_

#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace netlab::lab {

class PortPool {
 public:
  // Reads the ephemeral range from the kernel.
  static absl::StatusOr<PortPool> Create();
  // `ephemeral_range` as ip_local_port_range holds it: "32768\t60999".
  // FailedPreconditionError when it leaves nothing from 28000 up.
  static absl::StatusOr<PortPool> FromEphemeralRange(
      absl::string_view ephemeral_range);

  // A port of 127.0.0.1 that nobody listens on now. Each call gives the next
  // one, so that a port is not used again soon. ResourceExhaustedError when all
  // are taken.
  absl::StatusOr<int> Take();

 private:
  explicit PortPool(std::vector<int> ports) : ports_(std::move(ports)) {}

  std::vector<int> ports_;
  size_t next_ = 0;
};

}  // namespace netlab::lab

#endif  // NETLAB_LAB_RUN_PORTS_H_
