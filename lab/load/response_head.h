// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

// What a load generator must know of a response's head: its status, where its
// body ends, and whether the connection stays open.

#ifndef NETLAB_LAB_LOAD_RESPONSE_HEAD_H_
#define NETLAB_LAB_LOAD_RESPONSE_HEAD_H_

#include <cstdint>
#include <optional>

#include "absl/strings/string_view.h"

namespace netlab::lab {

struct ResponseHead {
  enum class Framing {
    kLength,      // The body has `content_length` bytes.
    kChunked,     // The body is in chunks.
    kUntilClose,  // The body ends with the connection.
  };

  int status = 0;
  Framing framing = Framing::kLength;
  uint64_t content_length = 0;
  bool keep_alive = true;
};

// Reads the head of a response to a GET request, from the status line to the
// empty line, both included. Nothing if it is not one, or if it leaves open
// where the body ends (RFC 9112, section 6.3): Content-Length fields that
// differ, Content-Length beside Transfer-Encoding, a coding besides chunked.
std::optional<ResponseHead> ParseResponseHead(absl::string_view head);

}  // namespace netlab::lab

#endif  // NETLAB_LAB_LOAD_RESPONSE_HEAD_H_
