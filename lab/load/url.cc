// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

#include "netlab/lab/load/url.h"

#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <unistd.h>

#include <cstring>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"

namespace netlab::lab {
namespace {

absl::Status BadUrl(absl::string_view text, absl::string_view why) {
  return absl::InvalidArgumentError(absl::StrCat(
      "URL '", text, "': ", why, "; expected http://HOST[:PORT][/PATH]"));
}

// Splits "HOST[:PORT]" into `url`; returns what is wrong, or "".
absl::string_view ParseAuthority(absl::string_view authority, Url& url) {
  size_t host_end;
  if (absl::StartsWith(authority, "[")) {
    const size_t bracket = authority.find(']');
    if (bracket == absl::string_view::npos) return "']' is missing";
    url.host = std::string(authority.substr(1, bracket - 1));
    host_end = bracket + 1;
  } else {
    host_end = std::min(authority.find(':'), authority.size());
    url.host = std::string(authority.substr(0, host_end));
  }
  if (url.host.empty()) return "the host is missing";
  if (absl::StrContains(authority, '@')) return "user names are not supported";

  absl::string_view port = authority.substr(host_end);
  if (port.empty()) return "";
  if (port[0] != ':') return "only ':PORT' may follow the address";
  port.remove_prefix(1);
  uint32_t number;
  // SimpleAtoi would also take a sign and spaces.
  if (port.find_first_not_of("0123456789") != absl::string_view::npos ||
      !absl::SimpleAtoi(port, &number) || number == 0 || number > 65535) {
    return "the port is not a number from 1 to 65535";
  }
  url.port = static_cast<uint16_t>(number);
  return "";
}

bool Accepts(const SocketAddress& address, absl::Duration timeout) {
  const int fd = socket(address.storage.ss_family,
                        SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (fd < 0) return false;
  bool connected = connect(fd, address.get(), address.size) == 0;
  if (!connected && errno == EINPROGRESS) {
    pollfd poll_fd = {.fd = fd, .events = POLLOUT, .revents = 0};
    const int timeout_ms = static_cast<int>(absl::ToInt64Milliseconds(timeout));
    int error = 0;
    socklen_t size = sizeof(error);
    connected = poll(&poll_fd, 1, timeout_ms) == 1 &&
                getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &size) == 0 &&
                error == 0;
  }
  close(fd);
  return connected;
}

}  // namespace

std::string Url::Authority() const {
  const bool is_ipv6 = absl::StrContains(host, ':');
  return absl::StrCat(is_ipv6 ? "[" : "", host, is_ipv6 ? "]" : "",
                      port == 80 ? "" : absl::StrCat(":", port));
}

absl::StatusOr<Url> ParseUrl(absl::string_view text) {
  constexpr absl::string_view kScheme = "http://";
  if (!absl::StartsWithIgnoreCase(text, kScheme)) {
    return BadUrl(text, absl::StartsWithIgnoreCase(text, "https://")
                            ? "https is not supported"
                            : "it does not begin with http://");
  }
  for (const char c : text) {
    if (!absl::ascii_isgraph(static_cast<unsigned char>(c))) {
      return BadUrl(text, "spaces and control characters must be %-encoded");
    }
  }
  absl::string_view rest = text.substr(kScheme.size());
  rest = rest.substr(0, rest.find('#'));
  const size_t authority_end = std::min(rest.find_first_of("/?"), rest.size());
  Url url;
  if (absl::string_view why =
          ParseAuthority(rest.substr(0, authority_end), url);
      !why.empty()) {
    return BadUrl(text, why);
  }
  const absl::string_view path = rest.substr(authority_end);
  url.path = absl::StrCat(absl::StartsWith(path, "/") ? "" : "/", path);
  return url;
}

absl::StatusOr<std::vector<SocketAddress>> Resolve(const Url& url) {
  addrinfo hints = {};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_NUMERICSERV;
  addrinfo* found = nullptr;
  const std::string port = absl::StrCat(url.port);
  const int error = getaddrinfo(url.host.c_str(), port.c_str(), &hints, &found);
  if (error != 0) {
    return absl::NotFoundError(absl::StrCat(
        "host '", url.host,
        "': ", error == EAI_SYSTEM ? strerror(errno) : gai_strerror(error)));
  }
  std::vector<SocketAddress> addresses;
  for (const addrinfo* info = found; info != nullptr; info = info->ai_next) {
    SocketAddress& address = addresses.emplace_back();
    std::memcpy(&address.storage, info->ai_addr, info->ai_addrlen);
    address.size = info->ai_addrlen;
  }
  freeaddrinfo(found);
  return addresses;
}

SocketAddress FirstReachable(const std::vector<SocketAddress>& addresses,
                             absl::Duration timeout) {
  if (addresses.size() > 1) {
    for (const SocketAddress& address : addresses) {
      if (Accepts(address, timeout)) return address;
    }
  }
  return addresses.front();
}

}  // namespace netlab::lab
