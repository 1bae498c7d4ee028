// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

#include "netlab/lab/load/response_parser.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <optional>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/strip.h"

namespace netlab::lab {
namespace {

constexpr absl::string_view kEndOfHead = "\r\n\r\n";
constexpr size_t kMaxChunkLineBytes = 1024;

// Moves bytes from `input` to `text` up to the first end of `mark`, which may
// have begun in `text`. Returns whether it is there.
bool TakeThrough(absl::string_view mark, absl::string_view& input,
                 std::string& text) {
  const size_t old_size = text.size();
  const size_t overlap = std::min(old_size, mark.size() - 1);
  // Only the seam needs the copy; search it with no more than it needs.
  text.append(input.substr(0, mark.size() - 1));
  size_t end = text.find(mark, old_size - overlap);
  if (end == std::string::npos) {
    const size_t in_input = input.find(mark);
    text.resize(old_size);
    if (in_input == absl::string_view::npos) {
      text.append(input);
      input.remove_prefix(input.size());
      return false;
    }
    end = old_size + in_input;
  }
  end += mark.size();
  text.resize(old_size);
  text.append(input.substr(0, end - old_size));
  input.remove_prefix(end - old_size);
  return true;
}

}  // namespace

ResponseParser::Result ResponseParser::Parse(absl::string_view& input) {
  while (state_ == State::kHead) {
    const absl::string_view known = known_head_->text;
    if (text_.empty() && !known.empty() && absl::StartsWith(input, known)) {
      input.remove_prefix(known.size());
      head_ = known_head_->head;
    } else if (const Result result = ParseHead(input);
               result != Result::kComplete) {
      return result;
    }
    if (!BeginBody()) return Result::kMalformed;
  }
  return ParseBody(input);
}

// kComplete: `head_` is the head, and `input` goes on behind it.
ResponseParser::Result ResponseParser::ParseHead(absl::string_view& input) {
  absl::string_view text;
  if (const size_t end =
          text_.empty() ? input.find(kEndOfHead) : absl::string_view::npos;
      end != absl::string_view::npos) {
    text = input.substr(0, end + kEndOfHead.size());
    input.remove_prefix(text.size());
    if (text.size() > kMaxHeadBytes) return Result::kMalformed;
  } else {
    const bool whole = TakeThrough(kEndOfHead, input, text_);
    if (text_.size() > kMaxHeadBytes) return Result::kMalformed;
    if (!whole) return Result::kIncomplete;
    text = text_;
  }
  const std::optional<ResponseHead> head = ParseResponseHead(text);
  if (!head) return Result::kMalformed;
  head_ = *head;
  known_head_->text.assign(text.data(), text.size());
  known_head_->head = *head;
  text_.clear();
  return Result::kComplete;
}

// Leaves kHead, except after an interim response. False if the server has
// switched to another protocol.
bool ResponseParser::BeginBody() {
  if (head_.status < 200) return head_.status != 101;
  body_matches_ = true;
  body_offset_ = 0;
  learning_ = expected_body_ != nullptr && expected_body_->known() == nullptr;
  switch (head_.framing) {
    case ResponseHead::Framing::kLength:
      remaining_ = head_.content_length;
      state_ = State::kLengthBody;
      break;
    case ResponseHead::Framing::kChunked:
      trailer_bytes_ = 0;
      state_ = State::kChunkSize;
      break;
    case ResponseHead::Framing::kUntilClose:
      remaining_ = std::numeric_limits<uint64_t>::max();
      state_ = State::kUntilCloseBody;
      break;
  }
  return true;
}

ResponseParser::Result ResponseParser::ParseBody(absl::string_view& input) {
  while (true) {
    bool line_complete = false;
    switch (state_) {
      case State::kHead:
        break;
      case State::kLengthBody:
        TakeBody(input);
        return remaining_ == 0 ? Complete() : Result::kIncomplete;
      case State::kUntilCloseBody:
        TakeBody(input);
        return Result::kIncomplete;
      case State::kChunkData:
        TakeBody(input);
        if (remaining_ > 0) return Result::kIncomplete;
        state_ = State::kChunkDataEnd;
        break;
      case State::kChunkSize:
      case State::kChunkDataEnd:
      case State::kTrailer:
        if (!ParseChunkLine(input, line_complete)) return Result::kMalformed;
        if (!line_complete) return Result::kIncomplete;
        if (state_ == State::kHead) return Complete();
        break;
    }
  }
}

// Consumes one line of the chunked coding and moves to the state behind it,
// which is kHead after the last. False if the line is none.
bool ResponseParser::ParseChunkLine(absl::string_view& input,
                                    bool& line_complete) {
  line_complete = TakeThrough("\r\n", input, text_);
  if (text_.size() > kMaxChunkLineBytes) return false;
  if (!line_complete) return true;
  bool valid = true;
  switch (state_) {
    case State::kChunkSize:
      valid = BeginChunk();
      break;
    case State::kChunkDataEnd:
      valid = text_ == "\r\n";
      state_ = State::kChunkSize;
      break;
    default:
      trailer_bytes_ += text_.size();
      valid = trailer_bytes_ <= kMaxHeadBytes;
      if (text_ == "\r\n") state_ = State::kHead;
      break;
  }
  text_.clear();
  return valid;
}

// Reads "1a;extension\r\n".
bool ResponseParser::BeginChunk() {
  absl::string_view size = text_;
  absl::ConsumeSuffix(&size, "\r\n");
  size = size.substr(0, size.find(';'));
  while (absl::ConsumeSuffix(&size, " ") || absl::ConsumeSuffix(&size, "\t")) {
  }
  // SimpleHexAtoi would also take a sign, spaces and "0x".
  if (size.find_first_not_of("0123456789abcdefABCDEF") !=
          absl::string_view::npos ||
      !absl::SimpleHexAtoi(size, &remaining_)) {
    return false;
  }
  state_ = remaining_ == 0 ? State::kTrailer : State::kChunkData;
  return true;
}

// Consumes what `input` has of the body, or of the chunk, and checks it.
void ResponseParser::TakeBody(absl::string_view& input) {
  const absl::string_view piece = input.substr(
      0, static_cast<size_t>(std::min<uint64_t>(remaining_, input.size())));
  input.remove_prefix(piece.size());
  remaining_ -= piece.size();
  if (expected_body_ == nullptr || !body_matches_ || piece.empty()) return;
  if (learning_) {
    body_matches_ =
        learnt_.size() + piece.size() <= ExpectedBody::kMaxLearntBytes;
    if (body_matches_) learnt_.append(piece);
    return;
  }
  const std::string& expected = *expected_body_->known();
  body_matches_ = piece.size() <= expected.size() - body_offset_ &&
                  std::memcmp(piece.data(), expected.data() + body_offset_,
                              piece.size()) == 0;
  body_offset_ += piece.size();
}

ResponseParser::Result ResponseParser::Complete() {
  state_ = State::kHead;
  if (expected_body_ != nullptr && body_matches_) {
    // A refusal's body says nothing about what the others should be.
    if (!learning_) {
      body_matches_ = body_offset_ == expected_body_->known()->size();
    } else if (head_.status < 300) {
      body_matches_ = expected_body_->LearnOrCompare(std::move(learnt_));
    }
  }
  learnt_.clear();
  return Result::kComplete;
}

ResponseParser::Result ResponseParser::ParseEndOfStream() {
  return state_ == State::kUntilCloseBody ? Complete() : Result::kIncomplete;
}

void ResponseParser::Reset() {
  state_ = State::kHead;
  text_.clear();
  learnt_.clear();
}

}  // namespace netlab::lab
