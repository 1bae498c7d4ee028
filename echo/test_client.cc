// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

#include "netlab/echo/test_client.h"

#include <linux/sockios.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "netlab/echo/test_server.h"

namespace netlab::echo {
namespace {

// How long nothing moves before a transfer counts as stalled.
constexpr int kStallMilliseconds = 200;

}  // namespace

TestClient::TestClient(int port, int receive_buffer) {
  fd_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const int on = 1;
  setsockopt(fd_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
  const timeval patience = absl::ToTimeval(kPatience);
  setsockopt(fd_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
  setsockopt(fd_, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof(patience));
  if (receive_buffer != 0) {
    setsockopt(fd_, SOL_SOCKET, SO_RCVBUF, &receive_buffer,
               sizeof(receive_buffer));
  }
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (connect(fd_, reinterpret_cast<sockaddr*>(&address), sizeof(address)) !=
      0) {
    close(std::exchange(fd_, -1));
  }
}

TestClient::TestClient(TestClient&& other) noexcept
    : fd_(std::exchange(other.fd_, -1)) {}

TestClient& TestClient::operator=(TestClient&& other) noexcept {
  std::swap(fd_, other.fd_);
  return *this;
}

TestClient::~TestClient() {
  if (fd_ >= 0) close(fd_);
}

bool TestClient::Send(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t size = send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (size <= 0) return false;
    bytes.remove_prefix(static_cast<size_t>(size));
  }
  return true;
}

size_t TestClient::SendUntilStalled(std::string_view bytes) {
  size_t sent = 0;
  pollfd writable{.fd = fd_, .events = POLLOUT, .revents = 0};
  while (sent < bytes.size() && poll(&writable, 1, kStallMilliseconds) == 1) {
    const ssize_t size = send(fd_, bytes.data() + sent, bytes.size() - sent,
                              MSG_NOSIGNAL | MSG_DONTWAIT);
    if (size < 0 && errno != EAGAIN) break;
    if (size > 0) sent += static_cast<size_t>(size);
  }
  return sent;
}

std::string TestClient::Exchange(std::string_view bytes, size_t size) {
  std::string received;
  char buffer[64 * 1024];
  while (!bytes.empty() || received.size() < size) {
    const short events = static_cast<short>(
        (received.size() < size ? POLLIN : 0) | (bytes.empty() ? 0 : POLLOUT));
    pollfd ready{.fd = fd_, .events = events, .revents = 0};
    if (poll(&ready, 1,
             static_cast<int>(absl::ToInt64Milliseconds(kPatience))) != 1) {
      break;
    }
    if ((ready.revents & POLLOUT) != 0) {
      const ssize_t sent =
          send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
      if (sent > 0) bytes.remove_prefix(static_cast<size_t>(sent));
    }
    if ((ready.revents & ~POLLOUT) != 0) {
      const ssize_t got = recv(
          fd_, buffer, std::min(sizeof(buffer), size - received.size()), 0);
      if (got <= 0) break;
      received.append(buffer, static_cast<size_t>(got));
    }
  }
  return received;
}

std::string TestClient::ReceiveToEnd() {
  std::string received;
  char buffer[64 * 1024];
  for (;;) {
    const ssize_t size = recv(fd_, buffer, sizeof(buffer), 0);
    if (size == 0) return received;
    if (size < 0) {
      return absl::StrCat(received, "<", strerrorname_np(errno), ">");
    }
    received.append(buffer, static_cast<size_t>(size));
  }
}

bool TestClient::WaitUntilDelivered() const {
  return Eventually([this] {
    int unacknowledged = 0;
    ioctl(fd_, SIOCOUTQ, &unacknowledged);
    return unacknowledged == 0;
  });
}

void TestClient::ShutDownSending() { shutdown(fd_, SHUT_WR); }

void TestClient::Reset() {
  const linger at_once{.l_onoff = 1, .l_linger = 0};
  setsockopt(fd_, SOL_SOCKET, SO_LINGER, &at_once, sizeof(at_once));
  close(std::exchange(fd_, -1));
}

}  // namespace netlab::echo
