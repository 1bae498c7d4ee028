// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NETLAB_ECHO_SESSION_H_
#define NETLAB_ECHO_SESSION_H_

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "netlab/echo/framer.h"

namespace netlab::echo {

// The one answer to every request.
inline constexpr std::string_view kResponse =
    "HTTP/1.1 200 OK\r\n"
    "Content-Type: application/json\r\n"
    "Content-Length: 20\r\n"
    "\r\n"
    "{\"message\":\"hello!\"}";

inline constexpr std::string_view kBadRequestResponse =
    "HTTP/1.1 400 Bad Request\r\n"
    "Content-Length: 0\r\n"
    "Connection: close\r\n"
    "\r\n";

inline constexpr std::string_view kHeadTooLongResponse =
    "HTTP/1.1 431 Request Header Fields Too Large\r\n"
    "Content-Length: 0\r\n"
    "Connection: close\r\n"
    "\r\n";

// What the servers that read into a buffer of their own ask for at a time.
inline constexpr size_t kReceiveBytes = 16 * 1024;

namespace internal {

// Answers to pipelined requests go out in one piece, straight from here.
inline constexpr size_t kBlockResponses = 256;
inline constexpr auto kResponseBlock = [] {
  std::array<char, kBlockResponses * kResponse.size()> block{};
  for (size_t i = 0; i < block.size(); ++i) {
    block[i] = kResponse[i % kResponse.size()];
  }
  return block;
}();

}  // namespace internal

// The protocol of one connection, without the I/O: a server feeds it what comes
// in and does what it asks for.
//
//   session.Received(bytes);  // or EndOfInput()
//   for (;;) {
//     switch (session.Next()) {
//       case Session::Action::kSend:
//         session.Sent(send(fd, session.Pending()));
//         break;
//       ...
//     }
//   }
//
// Answers owed are a number, so a connection costs the same few bytes whatever
// its peer does. Not thread-safe.
class Session {
 public:
  enum class Action : uint8_t {
    kReceive,  // Wait for input.
    kSend,     // Send Pending(), and say by Sent() how much went.
    // The final answer is out: close the sending half, say so by
    // SendingShutDown(), and go on receiving. Closing with input unread would
    // make the kernel send a reset, which may overtake the answer.
    kShutDownSending,
    kClose,
  };

  Action Next() const {
    if (!Pending().empty()) return Action::kSend;
    if (phase_ == Phase::kEnded) return Action::kClose;
    if (phase_ == Phase::kFinal) return Action::kShutDownSending;
    return Action::kReceive;
  }

  void Received(std::string_view bytes) {
    if (phase_ != Phase::kServing) return;
    while (!bytes.empty()) {
      switch (framer_.Next(&bytes)) {
        case RequestFramer::Event::kIncomplete:
          return;
        case RequestFramer::Event::kRequest:
          ++owed_;
          continue;
        case RequestFramer::Event::kLastRequest:
          ++owed_;
          break;
        case RequestFramer::Event::kBadRequest:
          farewell_ = kBadRequestResponse;
          break;
        case RequestFramer::Event::kHeadTooLong:
          farewell_ = kHeadTooLongResponse;
          break;
      }
      phase_ = Phase::kFinal;
      return;
    }
  }

  // The peer will send no more, or no more of it will be read.
  void EndOfInput() { phase_ = Phase::kEnded; }

  // Whether there is no more input to wait for.
  bool ended() const { return phase_ == Phase::kEnded; }

  // Static memory; empty if no answer is owed. Does not change until Sent() or
  // Received() is called, and what it points to never does.
  std::string_view Pending() const {
    if (owed_ == 0) return farewell_;
    const size_t responses =
        std::min<uint64_t>(owed_, internal::kBlockResponses);
    return {internal::kResponseBlock.data() + sent_,
            responses * kResponse.size() - sent_};
  }

  // The first `bytes` of Pending() are sent.
  void Sent(size_t bytes) {
    if (owed_ == 0) {
      farewell_.remove_prefix(bytes);
      return;
    }
    owed_ -= (sent_ + bytes) / kResponse.size();
    sent_ = static_cast<uint32_t>((sent_ + bytes) % kResponse.size());
  }

  void SendingShutDown() { phase_ = Phase::kLingering; }

 private:
  enum class Phase : uint8_t {
    kServing,
    kFinal,      // No request after this one is answered.
    kLingering,  // Everything is answered; the peer has yet to close.
    kEnded,
  };

  uint64_t owed_ = 0;  // 200 responses not sent as a whole.
  std::string_view farewell_;
  RequestFramer framer_;
  uint32_t sent_ = 0;  // Bytes sent of the first response owed.
  Phase phase_ = Phase::kServing;
};

}  // namespace netlab::echo

#endif  // NETLAB_ECHO_SESSION_H_
