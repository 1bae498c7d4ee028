// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

#include "netlab/lab/run/ports.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstddef>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"

namespace netlab::lab {
namespace {

constexpr char kRangeFile[] = "/proc/sys/net/ipv4/ip_local_port_range";
constexpr int kFirstPort = 28000;
constexpr int kLastPort = 65535;

// SO_REUSEADDR lets connections in TIME_WAIT pass, as servers do; anyone who
// listens on the port still makes bind() fail.
bool IsFree(int port) {
  const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd < 0) return false;
  const int on = 1;
  setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const bool free = bind(fd, reinterpret_cast<const sockaddr*>(&address),
                         sizeof(address)) == 0;
  close(fd);
  return free;
}

}  // namespace

absl::StatusOr<PortPool> PortPool::Create() {
  std::ifstream file(kRangeFile);
  std::string line;
  if (!std::getline(file, line)) {
    return absl::NotFoundError(absl::StrCat("cannot read ", kRangeFile));
  }
  return FromEphemeralRange(line);
}

absl::StatusOr<PortPool> PortPool::FromEphemeralRange(
    absl::string_view ephemeral_range) {
  const std::vector<absl::string_view> ends =
      absl::StrSplit(absl::StripAsciiWhitespace(ephemeral_range),
                     absl::ByAnyChar(" \t"), absl::SkipEmpty());
  int low = 0;
  int high = 0;
  if (ends.size() != 2 || !absl::SimpleAtoi(ends[0], &low) ||
      !absl::SimpleAtoi(ends[1], &high) || low > high) {
    return absl::InvalidArgumentError(absl::StrCat(
        kRangeFile, " holds no range of ports: '", ephemeral_range, "'"));
  }
  std::vector<int> ports;
  for (int port = kFirstPort; port <= kLastPort; ++port) {
    if (port < low || port > high) ports.push_back(port);
  }
  if (ports.empty()) {
    return absl::FailedPreconditionError(absl::StrCat(
        "the ephemeral ports ", low, "-", high, " leave none from ", kFirstPort,
        " up for the servers. Narrow them: sysctl -w "
        "net.ipv4.ip_local_port_range='32768 60999'"));
  }
  return PortPool(std::move(ports));
}

absl::StatusOr<int> PortPool::Take() {
  for (size_t tried = 0; tried < ports_.size(); ++tried) {
    const int port = ports_[next_];
    next_ = (next_ + 1) % ports_.size();
    if (IsFree(port)) return port;
  }
  return absl::ResourceExhaustedError(
      absl::StrCat("all ", ports_.size(), " ports outside the ephemeral range",
                   " are in use"));
}

}  // namespace netlab::lab
