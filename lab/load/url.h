// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

// The target of a load: an http URL, taken apart and resolved.

#ifndef NETLAB_LAB_LOAD_URL_H_
#define NETLAB_LAB_LOAD_URL_H_

#include <sys/socket.h>

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"

namespace netlab::lab {

struct Url {
  // A name or an address, without the brackets of IPv6.
  std::string host;
  uint16_t port = 80;
  // What the request line asks for: path and query, never empty.
  std::string path = "/";

  // What the Host field says: brackets for IPv6, no port if it is 80.
  std::string Authority() const;
};

// Reads "http://HOST[:PORT][/PATH]". A fragment is dropped, as it never goes
// over the wire.
absl::StatusOr<Url> ParseUrl(absl::string_view text);

// An address as connect() takes it.
struct SocketAddress {
  sockaddr_storage storage = {};
  socklen_t size = 0;

  const sockaddr* get() const {
    return reinterpret_cast<const sockaddr*>(&storage);
  }
};

// The addresses of a host, in the resolver's order.
absl::StatusOr<std::vector<SocketAddress>> Resolve(const Url& url);

// The first of `addresses` that accepts a connection within `timeout`: a server
// may listen on 127.0.0.1 alone where "localhost" is ::1 first. If none does,
// or if there is no choice, the first.
SocketAddress FirstReachable(const std::vector<SocketAddress>& addresses,
                             absl::Duration timeout);

}  // namespace netlab::lab

#endif  // NETLAB_LAB_LOAD_URL_H_
