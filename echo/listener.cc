// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

#include "netlab/echo/listener.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <utility>

#include "absl/cleanup/cleanup.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"

namespace netlab::echo {
namespace {

absl::Status Enable(int fd, int level, int option) {
  const int on = 1;
  if (setsockopt(fd, level, option, &on, sizeof(on)) != 0) {
    return absl::ErrnoToStatus(errno, "setsockopt");
  }
  return absl::OkStatus();
}

absl::Status BindAndListen(int fd, uint16_t port, int backlog) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (bind(fd, reinterpret_cast<sockaddr*>(&address), sizeof(address)) == 0 &&
      listen(fd, backlog) == 0) {
    return absl::OkStatus();
  }
  if (errno == EADDRINUSE) {
    return absl::AlreadyExistsError(
        absl::StrCat("port ", port,
                     " is in use on 127.0.0.1; stop the other server, or use "
                     "--port=0 for a free port"));
  }
  return absl::ErrnoToStatus(errno,
                             absl::StrCat("cannot listen on 127.0.0.1:", port));
}

absl::StatusOr<uint16_t> LocalPort(int fd) {
  sockaddr_in address{};
  socklen_t size = sizeof(address);
  if (getsockname(fd, reinterpret_cast<sockaddr*>(&address), &size) != 0) {
    return absl::ErrnoToStatus(errno, "getsockname");
  }
  return ntohs(address.sin_port);
}

// The first listener binds without SO_REUSEPORT, and takes the option on only
// when the port is its own. So the kernel itself refuses a port that another
// server listens on, even one that starts at the same moment.
absl::StatusOr<int> OpenListener(uint16_t port, int backlog, bool is_first) {
  const int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (fd < 0) return absl::ErrnoToStatus(errno, "socket");
  absl::Cleanup close_fd = [fd] { close(fd); };

  absl::Status status = Enable(fd, SOL_SOCKET, SO_REUSEADDR);
  if (status.ok()) status = Enable(fd, IPPROTO_TCP, TCP_NODELAY);
  if (status.ok() && !is_first) status = Enable(fd, SOL_SOCKET, SO_REUSEPORT);
  if (status.ok()) status = BindAndListen(fd, port, backlog);
  if (status.ok() && is_first) status = Enable(fd, SOL_SOCKET, SO_REUSEPORT);
  if (!status.ok()) return status;

  std::move(close_fd).Cancel();
  return fd;
}

}  // namespace

absl::StatusOr<Listeners> Listen(uint16_t port, int backlog, int count) {
  Listeners listeners{.port = port, .fds = {}};
  absl::Cleanup close_all = [&listeners] {
    for (int fd : listeners.fds) close(fd);
  };
  for (int i = 0; i < count; ++i) {
    absl::StatusOr<int> fd = OpenListener(listeners.port, backlog, i == 0);
    if (!fd.ok()) return fd.status();
    listeners.fds.push_back(*fd);
    absl::StatusOr<uint16_t> bound = LocalPort(*fd);
    if (!bound.ok()) return bound.status();
    listeners.port = *bound;
  }
  std::move(close_all).Cancel();
  return listeners;
}

}  // namespace netlab::echo
