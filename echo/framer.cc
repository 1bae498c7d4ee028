// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

#include "netlab/echo/framer.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "absl/strings/ascii.h"

namespace netlab::echo {
namespace {

constexpr std::string_view kVersionPrefix = "HTTP/1.";
constexpr std::string_view kClose = "close";

// The fields that say where a message or a connection ends.
constexpr std::array<std::string_view, 3> kNames = {
    "connection", "content-length", "transfer-encoding"};
enum : uint8_t { kConnection = 1, kContentLength = 2, kTransferEncoding = 4 };

// Values of `matched_` in a list of connection options, beyond the number of
// bytes of "close" that have been seen.
enum : uint8_t { kCloseThenSpace = 254, kOtherOption = 255 };
// Values of `matched_` in a length.
enum : uint8_t { kBeforeDigits, kInDigits, kAfterDigits };

constexpr std::array<bool, 256> kIsTokenByte = [] {
  std::array<bool, 256> table{};
  for (char c : std::string_view("!#$%&'*+-.^_`|~0123456789"
                                 "abcdefghijklmnopqrstuvwxyz"
                                 "ABCDEFGHIJKLMNOPQRSTUVWXYZ")) {
    table[static_cast<uint8_t>(c)] = true;
  }
  return table;
}();

bool IsTokenByte(char c) { return kIsTokenByte[static_cast<uint8_t>(c)]; }
bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsBlank(char c) { return c == ' ' || c == '\t'; }

// The two kinds of text that make up most of a head. Each class answers for one
// byte or, as the compiler's vectors do, for sixteen at once.
struct TargetText {
  template <typename Byte>
  static auto Ends(Byte c) {
    return (c <= 0x20) | (c >= 0x7f);
  }
};
struct ValueText {
  template <typename Byte>
  static auto Ends(Byte c) {
    return ((c < 0x20) & (c != '\t')) | (c == 0x7f);
  }
};

// Returns the first byte in [p, end) that is not of this kind of text.
template <typename Text>
const char* Skip(const char* p, const char* end) {
  using Block __attribute__((vector_size(16))) = uint8_t;
  static_assert(std::endian::native == std::endian::little);
  for (; end - p >= static_cast<ptrdiff_t>(sizeof(Block)); p += sizeof(Block)) {
    Block block;
    std::memcpy(&block, p, sizeof(block));
    const auto ends = Text::Ends(block);
    uint64_t halves[2];
    static_assert(sizeof(ends) == sizeof(halves));
    std::memcpy(halves, &ends, sizeof(halves));
    if (halves[0] != 0) return p + std::countr_zero(halves[0]) / 8;
    if (halves[1] != 0) return p + 8 + std::countr_zero(halves[1]) / 8;
  }
  return std::find_if(p, end, [](uint8_t c) { return Text::Ends(c) != 0; });
}

const char* SkipToken(const char* p, const char* end) {
  return std::find_if_not(p, end, IsTokenByte);
}

}  // namespace

RequestFramer::Event RequestFramer::Next(std::string_view* input) {
  const char* position = input->data();
  const size_t room = kMaxHeadBytes - head_bytes_;
  const Event event = Scan(&position, position + std::min(input->size(), room));
  const size_t taken = static_cast<size_t>(position - input->data());
  input->remove_prefix(taken);
  switch (event) {
    case Event::kIncomplete:
      head_bytes_ = static_cast<uint16_t>(head_bytes_ + taken);
      return head_bytes_ == kMaxHeadBytes ? Event::kHeadTooLong : event;
    case Event::kRequest:
      *this = RequestFramer();
      return event;
    default:
      return event;
  }
}

// Every state needs at least one byte, and falls into the next one, so that a
// head that is there as a whole is read in one pass.
RequestFramer::Event RequestFramer::Scan(const char** position,
                                         const char* end) {
  const char*& p = *position;
  while (p != end) {
    switch (state_) {
      case State::kStart:
        if (*p == '\r') {
          state_ = State::kEmptyLineEnd;
          ++p;
          break;
        }
        if (!IsTokenByte(*p)) return Event::kBadRequest;
        state_ = State::kMethod;
        [[fallthrough]];

      case State::kMethod:
        p = SkipToken(p, end);
        if (p == end) break;
        if (*p++ != ' ') return Event::kBadRequest;
        state_ = State::kTargetStart;
        break;

      case State::kTargetStart:
        if (TargetText::Ends(static_cast<uint8_t>(*p)) != 0) {
          return Event::kBadRequest;
        }
        state_ = State::kTarget;
        [[fallthrough]];

      case State::kTarget:
        p = Skip<TargetText>(p, end);
        if (p == end) break;
        if (*p++ != ' ') return Event::kBadRequest;
        matched_ = 0;
        state_ = State::kVersion;
        [[fallthrough]];

      case State::kVersion:
        while (p != end && matched_ != kVersionPrefix.size()) {
          if (*p++ != kVersionPrefix[matched_++]) return Event::kBadRequest;
        }
        if (matched_ != kVersionPrefix.size()) break;
        state_ = State::kMinorVersion;
        break;

      case State::kMinorVersion:
        if (!IsDigit(*p)) return Event::kBadRequest;
        last_ = *p++ == '0';
        state_ = State::kRequestLineCr;
        break;

      case State::kRequestLineCr:
        if (*p++ != '\r') return Event::kBadRequest;
        state_ = State::kLineEnd;
        break;

      case State::kLineEnd:
        if (*p++ != '\n') return Event::kBadRequest;
        state_ = State::kFieldStart;
        break;

      case State::kFieldStart:
        if (*p == '\r') {
          ++p;
          state_ = State::kHeadEnd;
          break;
        }
        StartName(*p);
        state_ = State::kName;
        if (!IsTokenByte(*p++)) return Event::kBadRequest;
        break;

      case State::kName:
        while (candidates_ != 0 && p != end && IsTokenByte(*p)) MatchName(*p++);
        p = SkipToken(p, end);
        if (p == end) break;
        if (*p++ != ':' || !EnterValue()) return Event::kBadRequest;
        break;

      case State::kValue:
        p = Skip<ValueText>(p, end);
        if (p == end) break;
        if (*p++ != '\r') return Event::kBadRequest;
        state_ = State::kLineEnd;
        break;

      case State::kConnectionValue:
        if (!TakeConnectionByte(*p++)) return Event::kBadRequest;
        break;

      case State::kLengthValue:
        if (!TakeLengthByte(*p++)) return Event::kBadRequest;
        break;

      case State::kEmptyLineEnd:
        if (*p++ != '\n') return Event::kBadRequest;
        state_ = State::kStart;
        break;

      case State::kHeadEnd:
        if (*p++ != '\n') return Event::kBadRequest;
        return last_ ? Event::kLastRequest : Event::kRequest;
    }
  }
  return Event::kIncomplete;
}

void RequestFramer::StartName(char c) {
  switch (c) {
    case 'c':
    case 'C':
      candidates_ = kConnection | kContentLength;
      break;
    case 't':
    case 'T':
      candidates_ = kTransferEncoding;
      break;
    default:
      candidates_ = 0;
  }
  matched_ = 1;
}

void RequestFramer::MatchName(char c) {
  for (size_t i = 0; i < kNames.size(); ++i) {
    if (matched_ >= kNames[i].size() ||
        kNames[i][matched_] != absl::ascii_tolower(static_cast<uint8_t>(c))) {
      candidates_ &= static_cast<uint8_t>(~(1u << i));
    }
  }
  ++matched_;
}

bool RequestFramer::EnterValue() {
  state_ = State::kValue;
  for (size_t i = 0; i < kNames.size(); ++i) {
    if ((candidates_ >> i & 1) == 0 || matched_ != kNames[i].size()) continue;
    switch (1 << i) {
      case kConnection:
        state_ = State::kConnectionValue;
        break;
      case kContentLength:
        if (has_length_) return false;
        has_length_ = true;
        state_ = State::kLengthValue;
        break;
      default:
        return false;
    }
  }
  matched_ = 0;
  return true;
}

// The value is a comma-separated list of options; only the whole option "close"
// counts, in any case, with or without blanks around it.
bool RequestFramer::TakeConnectionByte(char c) {
  if (c == ',' || c == '\r') {
    if (matched_ == kClose.size() || matched_ == kCloseThenSpace) last_ = true;
    matched_ = 0;
    if (c == '\r') state_ = State::kLineEnd;
  } else if (IsBlank(c)) {
    if (matched_ == kClose.size()) {
      matched_ = kCloseThenSpace;
    } else if (matched_ != 0 && matched_ != kCloseThenSpace) {
      matched_ = kOtherOption;
    }
  } else if (ValueText::Ends(static_cast<uint8_t>(c)) != 0) {
    return false;
  } else if (matched_ < kClose.size() &&
             absl::ascii_tolower(static_cast<uint8_t>(c)) == kClose[matched_]) {
    ++matched_;
  } else {
    matched_ = kOtherOption;
  }
  return true;
}

bool RequestFramer::TakeLengthByte(char c) {
  if (c == '0') {
    if (matched_ == kAfterDigits) return false;
    matched_ = kInDigits;
  } else if (IsBlank(c)) {
    if (matched_ == kInDigits) matched_ = kAfterDigits;
  } else if (c == '\r' && matched_ != kBeforeDigits) {
    state_ = State::kLineEnd;
  } else {
    return false;
  }
  return true;
}

}  // namespace netlab::echo
