// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

#include "netlab/lab/load/response_head.h"

#include <optional>
#include <string>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"

namespace netlab::lab {
namespace {

using Framing = ResponseHead::Framing;

std::optional<ResponseHead> Parse(
    absl::string_view fields, absl::string_view status = "HTTP/1.1 200 OK") {
  return ParseResponseHead(absl::StrCat(status, "\r\n", fields, "\r\n"));
}

TEST(ResponseHeadTest, StatusLine) {
  const auto status = [](absl::string_view line) {
    const auto head = Parse("Content-Length: 0\r\n", line);
    return head ? head->status : 0;
  };
  EXPECT_EQ(status("HTTP/1.1 200 OK"), 200);
  EXPECT_EQ(status("HTTP/1.0 404 Not Found"), 404);
  EXPECT_EQ(status("HTTP/1.1 503"), 503);
  EXPECT_EQ(status("HTTP/1.1 503 "), 503);
  for (absl::string_view line :
       {"", "HTTP/1.1", "HTTP/1.1 ", "HTTP/1.1 20", "HTTP/1.1 2000",
        "HTTP/1.1 099 No", "HTTP/1.1  200", "HTTP/1.1 2x0 OK",
        "HTTP/2.0 200 OK", "HTTP/1.2 200 OK", "http/1.1 200 OK",
        "HTTP/1.1\t200 OK", "GET / HTTP/1.1"}) {
    EXPECT_EQ(status(line), 0) << line;
  }
}

TEST(ResponseHeadTest, ContentLength) {
  const auto length = [](absl::string_view fields) -> int64_t {
    const auto head = Parse(fields);
    if (!head || head->framing != Framing::kLength) return -1;
    return static_cast<int64_t>(head->content_length);
  };
  EXPECT_EQ(length("Content-Length: 20\r\n"), 20);
  EXPECT_EQ(length("content-length:20\r\n"), 20);
  EXPECT_EQ(length("A: b\r\nCONTENT-LENGTH: \t20 \r\nC: d\r\n"), 20);
  EXPECT_EQ(length("Content-Length: 20, 20\r\n"), 20);
  EXPECT_EQ(length("Content-Length: 2\r\nContent-Length: 2\r\n"), 2);
  EXPECT_EQ(length("Content-Length: 2\r\nContent-Length: 3\r\n"), -1);
  for (absl::string_view value : {"", "x", "-1", "+1", "1 1", "1,", "1,2",
                                  "0x10", "99999999999999999999"}) {
    EXPECT_EQ(length(absl::StrCat("Content-Length: ", value, "\r\n")), -1)
        << value;
  }
}

TEST(ResponseHeadTest, ChunkedStandsAlone) {
  EXPECT_EQ(Parse("Transfer-Encoding: Chunked\r\n")->framing,
            Framing::kChunked);
  EXPECT_FALSE(Parse("Transfer-Encoding: gzip, chunked\r\n"));
  EXPECT_FALSE(Parse("Transfer-Encoding: identity\r\n"));
  EXPECT_FALSE(
      Parse("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n"));
  EXPECT_FALSE(Parse("Transfer-Encoding: chunked\r\nContent-Length: 1\r\n"));
}

TEST(ResponseHeadTest, WithoutLengthTheBodyEndsWithTheConnection) {
  const auto head = Parse("Connection: keep-alive\r\n");
  ASSERT_TRUE(head);
  EXPECT_EQ(head->framing, Framing::kUntilClose);
  EXPECT_FALSE(head->keep_alive);
}

TEST(ResponseHeadTest, SomeStatusesHaveNoBody) {
  for (absl::string_view line : {"HTTP/1.1 100 Continue", "HTTP/1.1 204 None",
                                 "HTTP/1.1 304 Not Modified"}) {
    const auto head = Parse("Content-Length: 20\r\n", line);
    ASSERT_TRUE(head) << line;
    EXPECT_EQ(head->framing, Framing::kLength);
    EXPECT_EQ(head->content_length, 0);
  }
}

TEST(ResponseHeadTest, KeepAlive) {
  const auto keep_alive = [](absl::string_view line,
                             absl::string_view connection) {
    return Parse(absl::StrCat("Content-Length: 0\r\n", connection), line)
        ->keep_alive;
  };
  EXPECT_TRUE(keep_alive("HTTP/1.1 200 OK", ""));
  EXPECT_FALSE(keep_alive("HTTP/1.1 200 OK", "Connection: close\r\n"));
  EXPECT_FALSE(keep_alive("HTTP/1.1 200 OK", "connection: te, CLOSE\r\n"));
  EXPECT_FALSE(keep_alive("HTTP/1.0 200 OK", ""));
  EXPECT_TRUE(keep_alive("HTTP/1.0 200 OK", "Connection: Keep-Alive\r\n"));
}

TEST(ResponseHeadTest, RefusesWhatIsNoHead) {
  EXPECT_FALSE(ParseResponseHead(""));
  EXPECT_FALSE(ParseResponseHead("HTTP/1.1 200 OK\r\n"));
  EXPECT_FALSE(ParseResponseHead("HTTP/1.1 200 OK\n\n"));
  EXPECT_FALSE(Parse("no colon\r\n"));
  EXPECT_FALSE(Parse(": no name\r\n"));
  EXPECT_FALSE(ParseResponseHead("HTTP/1.1 204 None\r\n\r\nbehind"));
}

}  // namespace
}  // namespace netlab::lab
