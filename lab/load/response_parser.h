// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

// Finds the responses in what a server sends, and checks each one.

#ifndef NETLAB_LAB_LOAD_RESPONSE_PARSER_H_
#define NETLAB_LAB_LOAD_RESPONSE_PARSER_H_

#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"
#include "netlab/lab/load/expected_body.h"
#include "netlab/lab/load/response_head.h"

namespace netlab::lab {

// The last head that was parsed. A head of the very same bytes means the very
// same, so comparing replaces parsing for all responses of a server but those
// whose Date has moved on. One per thread, shared by its connections.
struct KnownHead {
  std::string text;
  ResponseHead head;
};

// Incremental: however the bytes are split, the responses are the same. One per
// connection.
//
//   ResponseParser parser(&known_head, /*expected_body=*/nullptr);
//   absl::string_view input = bytes;
//   while (!input.empty()) {
//     switch (parser.Parse(input)) {
//       case ResponseParser::Result::kComplete: Count(parser.status()); break;
//       case ResponseParser::Result::kIncomplete: break;
//       case ResponseParser::Result::kMalformed: return CloseConnection();
//     }
//   }
class ResponseParser {
 public:
  static constexpr size_t kMaxHeadBytes = size_t{64} << 10;

  enum class Result {
    kIncomplete,  // All input is consumed, and the response goes on.
    kComplete,    // A response has ended; the next one may follow in the input.
    kMalformed,   // Where the next response begins cannot be known: Reset().
  };

  // The bodies are compared with `expected_body` unless it is null.
  ResponseParser(KnownHead* known_head, ExpectedBody* expected_body)
      : known_head_(known_head), expected_body_(expected_body) {}

  // Consumes the front of `input` up to the end of one response at most.
  Result Parse(absl::string_view& input);

  // The connection has ended in order. kComplete if that is the proper end of
  // the response, kIncomplete if it cuts one off or none has begun.
  Result ParseEndOfStream();

  // Of the response that was last completed.
  int status() const { return head_.status; }
  bool keep_alive() const { return head_.keep_alive; }
  bool body_matches() const { return body_matches_; }

  // Whether a part of the next response has been consumed.
  bool in_response() const { return state_ != State::kHead || !text_.empty(); }

  // Forgets the response in progress: a new connection begins.
  void Reset();

 private:
  enum class State {
    kHead,
    kLengthBody,
    kUntilCloseBody,
    kChunkSize,
    kChunkData,
    kChunkDataEnd,
    kTrailer,
  };

  Result ParseHead(absl::string_view& input);
  bool BeginBody();
  Result ParseBody(absl::string_view& input);
  bool ParseChunkLine(absl::string_view& input, bool& line_complete);
  bool BeginChunk();
  void TakeBody(absl::string_view& input);
  Result Complete();

  KnownHead* known_head_;
  ExpectedBody* expected_body_;
  State state_ = State::kHead;
  bool body_matches_ = true;
  // The body is being collected in `learnt_`, as nothing is known to compare
  // it with.
  bool learning_ = false;
  ResponseHead head_;
  // Of the body, or of its current chunk.
  uint64_t remaining_ = 0;
  uint64_t body_offset_ = 0;
  size_t trailer_bytes_ = 0;
  // The beginning of a head or of a chunk's line that has been cut.
  std::string text_;
  std::string learnt_;
};

}  // namespace netlab::lab

#endif  // NETLAB_LAB_LOAD_RESPONSE_PARSER_H_
