// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

#include "netlab/lab/load/response_head.h"

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"

namespace netlab::lab {
namespace {

// Takes the text up to "\r\n" from the front of `head`.
std::optional<absl::string_view> TakeLine(absl::string_view& head) {
  const size_t end = head.find("\r\n");
  if (end == absl::string_view::npos) return std::nullopt;
  const absl::string_view line = head.substr(0, end);
  head.remove_prefix(end + 2);
  return line;
}

// "HTTP/1.1 200 OK"; the reason may be missing.
bool ParseStatusLine(absl::string_view line, ResponseHead& head) {
  constexpr absl::string_view kVersion = "HTTP/1.";
  if (line.size() < kVersion.size() + 5 || !absl::StartsWith(line, kVersion)) {
    return false;
  }
  const char minor = line[kVersion.size()];
  const absl::string_view rest = line.substr(kVersion.size() + 1);
  if ((minor != '0' && minor != '1') || rest[0] != ' ') return false;
  for (const char c : rest.substr(1, 3)) {
    if (!absl::ascii_isdigit(static_cast<unsigned char>(c))) return false;
    head.status = head.status * 10 + (c - '0');
  }
  if (rest.size() > 4 && rest[4] != ' ') return false;
  head.keep_alive = minor == '1';
  return head.status >= 100;
}

// A list like "1, 1" is one that a proxy has joined; its parts must agree.
bool ParseContentLength(absl::string_view value,
                        std::optional<uint64_t>& length) {
  for (absl::string_view part : absl::StrSplit(value, ',')) {
    part = absl::StripAsciiWhitespace(part);
    uint64_t number;
    if (part.empty() ||
        part.find_first_not_of("0123456789") != absl::string_view::npos ||
        !absl::SimpleAtoi(part, &number) || number != length.value_or(number)) {
      return false;
    }
    length = number;
  }
  return true;
}

void ParseConnection(absl::string_view value, ResponseHead& head) {
  for (absl::string_view part : absl::StrSplit(value, ',')) {
    part = absl::StripAsciiWhitespace(part);
    if (absl::EqualsIgnoreCase(part, "close")) head.keep_alive = false;
    if (absl::EqualsIgnoreCase(part, "keep-alive")) head.keep_alive = true;
  }
}

}  // namespace

std::optional<ResponseHead> ParseResponseHead(absl::string_view text) {
  ResponseHead head;
  std::optional<absl::string_view> line = TakeLine(text);
  if (!line || !ParseStatusLine(*line, head)) return std::nullopt;

  std::optional<uint64_t> content_length;
  bool chunked = false;
  while ((line = TakeLine(text)) && !line->empty()) {
    const size_t colon = line->find(':');
    if (colon == absl::string_view::npos || colon == 0) return std::nullopt;
    const absl::string_view name = line->substr(0, colon);
    const absl::string_view value =
        absl::StripAsciiWhitespace(line->substr(colon + 1));
    if (absl::EqualsIgnoreCase(name, "content-length")) {
      if (!ParseContentLength(value, content_length)) return std::nullopt;
    } else if (absl::EqualsIgnoreCase(name, "transfer-encoding")) {
      if (chunked || !absl::EqualsIgnoreCase(value, "chunked")) {
        return std::nullopt;
      }
      chunked = true;
    } else if (absl::EqualsIgnoreCase(name, "connection")) {
      ParseConnection(value, head);
    }
  }
  if (!line || !text.empty()) return std::nullopt;
  if (chunked && content_length) return std::nullopt;

  const bool without_body =
      head.status < 200 || head.status == 204 || head.status == 304;
  if (without_body) return head;
  if (chunked) {
    head.framing = ResponseHead::Framing::kChunked;
  } else if (content_length) {
    head.content_length = *content_length;
  } else {
    head.framing = ResponseHead::Framing::kUntilClose;
    head.keep_alive = false;
  }
  return head;
}

}  // namespace netlab::lab
