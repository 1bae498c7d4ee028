// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NETLAB_ECHO_FRAMER_H_
#define NETLAB_ECHO_FRAMER_H_

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace netlab::echo {

// Finds where each HTTP/1.1 request head ends, and judges whether it is one.
//
//   RequestFramer framer;
//   for (std::string_view input = received; !input.empty();) {
//     switch (framer.Next(&input)) {
//       case RequestFramer::Event::kRequest: ++requests; break;
//       ...
//     }
//   }
//
// The result is the same however the bytes are split: no byte is kept, eight
// bytes of state are. What is checked is what decides where a request ends, by
// RFC 9112 and without its leniencies:
//
// - `token SP target SP HTTP/1.DIGIT CRLF`, where the target is visible ASCII;
//   empty lines before it are skipped.
// - Field lines `token ":" value CRLF`, without control characters; neither a
//   bare CR or LF, nor a space before the colon, nor a folded line passes.
// - No body: Transfer-Encoding and a Content-Length that is not zero, or is
//   there twice, are bad requests.
// - `Connection: close` and HTTP/1.0 make a request the last one. The
// keep-alive
//   extension of HTTP/1.0 would need an answer that says so, and is not spoken.
//
// What a target or any other field says is not looked at.
class RequestFramer {
 public:
  // A head of this many bytes, leading empty lines and the final one included,
  // is accepted; one that has not ended by then is too long.
  static constexpr size_t kMaxHeadBytes = 8192;

  enum class Event : uint8_t {
    kIncomplete,   // The whole input belongs to a head that has not ended.
    kRequest,      // A head ended. The rest of the input is the next one's.
    kLastRequest,  // A head ended, and whatever follows is not to be read.
    kBadRequest,
    kHeadTooLong,
  };

  // Removes from the front of `*input` what belongs to the current head. After
  // any event but kIncomplete and kRequest the framer must not be used again.
  Event Next(std::string_view* input);

 private:
  enum class State : uint8_t {
    kStart,
    kEmptyLineEnd,
    kMethod,
    kTargetStart,
    kTarget,
    kVersion,
    kMinorVersion,
    kRequestLineCr,
    kLineEnd,
    kFieldStart,
    kName,
    kValue,
    kConnectionValue,
    kLengthValue,
    kHeadEnd,
  };

  Event Scan(const char** position, const char* end);
  void StartName(char c);
  void MatchName(char c);
  // What follows the colon; false if a field of that name is not taken.
  bool EnterValue();
  // Each takes one byte of a value; false if it must not stand there.
  bool TakeConnectionByte(char c);
  bool TakeLengthByte(char c);

  State state_ = State::kStart;
  // How much of a literal (version, name, option) has been matched so far.
  uint8_t matched_ = 0;
  // The names, a bit each, that the current one may still turn out to be.
  uint8_t candidates_ = 0;
  bool last_ = false;
  bool has_length_ = false;
  uint16_t head_bytes_ = 0;
};

static_assert(sizeof(RequestFramer) == 8);

}  // namespace netlab::echo

#endif  // NETLAB_ECHO_FRAMER_H_
