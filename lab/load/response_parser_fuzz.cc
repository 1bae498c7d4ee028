// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

// Whatever a server sends, and however it is split, the parser must find the
// same responses in it. The first byte of the input says where to split.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "netlab/lab/load/expected_body.h"
#include "netlab/lab/load/response_parser.h"

namespace netlab::lab {
namespace {

struct Event {
  int status;  // 0: malformed.
  bool keep_alive;
  bool body_matches;

  bool operator==(const Event&) const = default;
};

// Parses `stream` in pieces of `piece_size`, the known head starting as
// `known_head`.
std::vector<Event> Run(absl::string_view stream, size_t piece_size,
                       KnownHead known_head) {
  ExpectedBody expected("hello");
  ResponseParser parser(&known_head, &expected);
  std::vector<Event> events;
  while (!stream.empty()) {
    absl::string_view piece = stream.substr(0, piece_size);
    stream.remove_prefix(piece.size());
    while (!piece.empty()) {
      const size_t size = piece.size();
      switch (parser.Parse(piece)) {
        case ResponseParser::Result::kIncomplete:
          if (!piece.empty()) std::abort();
          break;
        case ResponseParser::Result::kComplete:
          if (piece.size() == size) std::abort();
          events.push_back(
              {parser.status(), parser.keep_alive(), parser.body_matches()});
          break;
        case ResponseParser::Result::kMalformed:
          events.push_back({});
          return events;
      }
    }
  }
  if (parser.ParseEndOfStream() == ResponseParser::Result::kComplete) {
    events.push_back(
        {parser.status(), parser.keep_alive(), parser.body_matches()});
  }
  return events;
}

}  // namespace
}  // namespace netlab::lab

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using netlab::lab::KnownHead;
  if (size == 0) return 0;
  const absl::string_view stream(reinterpret_cast<const char*>(data) + 1,
                                 size - 1);
  const auto whole = netlab::lab::Run(stream, stream.size(), KnownHead());
  const size_t piece_size = 1 + data[0];
  if (netlab::lab::Run(stream, piece_size, KnownHead()) != whole) std::abort();
  if (netlab::lab::Run(stream, 1, KnownHead()) != whole) std::abort();

  // With the first head known beforehand, as another connection may have left
  // it.
  const size_t head_end = stream.find("\r\n\r\n");
  if (head_end == absl::string_view::npos) return 0;
  KnownHead known;
  known.text = std::string(stream.substr(0, head_end + 4));
  const auto head = netlab::lab::ParseResponseHead(known.text);
  if (!head || known.text.size() > netlab::lab::ResponseParser::kMaxHeadBytes) {
    return 0;
  }
  known.head = *head;
  if (netlab::lab::Run(stream, piece_size, known) != whole) std::abort();
  return 0;
}
