// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

#include "netlab/echo/framer_reference.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"

namespace netlab::echo {
namespace {

using Event = RequestFramer::Event;

bool IsToken(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return absl::ascii_isalnum(static_cast<unsigned char>(c)) ||
           (c != '\0' && std::string_view("!#$%&'*+-.^_`|~").find(c) !=
                             std::string_view::npos);
  });
}

bool IsTarget(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return absl::ascii_isgraph(static_cast<unsigned char>(c));
  });
}

bool IsFieldValue(std::string_view text) {
  return std::none_of(text.begin(), text.end(), [](char c) {
    return absl::ascii_iscntrl(static_cast<unsigned char>(c)) && c != '\t';
  });
}

// RFC 9110's OWS: not what the locale or isspace() think.
std::string_view Trim(std::string_view text) {
  const auto is_blank = [](char c) { return c == ' ' || c == '\t'; };
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

bool HasClose(std::string_view value) {
  for (std::string_view option : absl::StrSplit(value, ',')) {
    if (absl::EqualsIgnoreCase(Trim(option), "close")) return true;
  }
  return false;
}

bool IsZero(std::string_view value) {
  value = Trim(value);
  return !value.empty() && value.find_first_not_of('0') == value.npos;
}

// Judges a whole head, without the empty lines before and the one after it.
// Returns nothing if it is a bad request, else whether it is the last.
std::optional<bool> JudgeWholeHead(std::string_view head) {
  const std::vector<std::string_view> lines = absl::StrSplit(head, "\r\n");
  const std::vector<std::string_view> words = absl::StrSplit(lines[0], ' ');
  if (words.size() != 3 || !IsToken(words[0]) || !IsTarget(words[1]) ||
      words[2].size() != 8 || !absl::StartsWith(words[2], "HTTP/1.") ||
      !absl::ascii_isdigit(static_cast<unsigned char>(words[2][7]))) {
    return std::nullopt;
  }
  bool last = words[2] == "HTTP/1.0";
  int lengths = 0;
  for (size_t i = 1; i < lines.size(); ++i) {
    const size_t colon = lines[i].find(':');
    if (colon == std::string_view::npos) return std::nullopt;
    const std::string_view name = lines[i].substr(0, colon);
    const std::string_view value = lines[i].substr(colon + 1);
    if (!IsToken(name) || !IsFieldValue(value)) return std::nullopt;
    if (absl::EqualsIgnoreCase(name, "transfer-encoding")) return std::nullopt;
    if (absl::EqualsIgnoreCase(name, "content-length")) {
      if (++lengths > 1 || !IsZero(value)) return std::nullopt;
    }
    if (absl::EqualsIgnoreCase(name, "connection")) last |= HasClose(value);
  }
  return last;
}

// Judges a head of any size, if it is there as a whole.
std::optional<ReferenceResult> JudgeComplete(std::string_view stream) {
  size_t start = 0;
  while (absl::StartsWith(stream.substr(start), "\r\n")) start += 2;
  const size_t end = stream.find("\r\n\r\n", start);
  if (end == std::string_view::npos) return std::nullopt;
  const std::optional<bool> last =
      JudgeWholeHead(stream.substr(start, end - start));
  if (!last.has_value()) return ReferenceResult{Event::kBadRequest, 0};
  return ReferenceResult{*last ? Event::kLastRequest : Event::kRequest,
                         end + 4};
}

// Whether any continuation makes a head of it. One of these does, if any.
bool HasValidContinuation(const std::string& start) {
  static constexpr std::string_view kContinuations[] = {
      "\n",
      "\r\n",
      "\n\r\n",
      "\r\n\r\n",
      "0\r\n\r\n",
      ":0\r\n\r\n",
      "x:0\r\n\r\n",
      "1\r\n\r\n",
      ".1\r\n\r\n",
      "1.1\r\n\r\n",
      "/1.1\r\n\r\n",
      "P/1.1\r\n\r\n",
      "TP/1.1\r\n\r\n",
      "TTP/1.1\r\n\r\n",
      "HTTP/1.1\r\n\r\n",
      " HTTP/1.1\r\n\r\n",
      "/ HTTP/1.1\r\n\r\n",
      " / HTTP/1.1\r\n\r\n",
      "G / HTTP/1.1\r\n\r\n",
      "\nG / HTTP/1.1\r\n\r\n",
  };
  return std::any_of(
      std::begin(kContinuations), std::end(kContinuations),
      [&start](std::string_view continuation) {
        const auto result = JudgeComplete(absl::StrCat(start, continuation));
        return result.has_value() && result->event != Event::kBadRequest;
      });
}

}  // namespace

ReferenceResult JudgeHead(std::string_view stream) {
  const std::string start(stream.substr(0, RequestFramer::kMaxHeadBytes));
  if (const auto result = JudgeComplete(start)) return *result;
  if (!HasValidContinuation(start)) return {Event::kBadRequest, 0};
  return {start.size() == RequestFramer::kMaxHeadBytes ? Event::kHeadTooLong
                                                       : Event::kIncomplete,
          0};
}

}  // namespace netlab::echo
