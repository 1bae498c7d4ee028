// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

#include "netlab/echo/framer.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "gtest/gtest.h"

namespace netlab::echo {
namespace {

using Event = RequestFramer::Event;

// The event that one head comes to, and how much of the input it took.
struct Framed {
  Event event;
  size_t taken;
};

Framed Frame(std::string_view stream) {
  RequestFramer framer;
  std::string_view rest = stream;
  const Event event = framer.Next(&rest);
  return {event, stream.size() - rest.size()};
}

Event EventOf(std::string_view stream) { return Frame(stream).event; }

Event EventOfField(std::string_view line) {
  return EventOf("GET / HTTP/1.1\r\n" + std::string(line) + "\r\n\r\n");
}

TEST(RequestFramerTest, TakesOneHeadAtATime) {
  const std::string head = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n";
  RequestFramer framer;
  const std::string stream = head + head + "GET";
  std::string_view rest = stream;
  EXPECT_EQ(framer.Next(&rest), Event::kRequest);
  EXPECT_EQ(rest, head + "GET");
  EXPECT_EQ(framer.Next(&rest), Event::kRequest);
  EXPECT_EQ(rest, "GET");
  EXPECT_EQ(framer.Next(&rest), Event::kIncomplete);
  EXPECT_EQ(rest, "");
}

TEST(RequestFramerTest, EveryByteCounts) {
  const std::string head = "GET / HTTP/1.1\r\nContent-Length: 0\r\n\r\n";
  RequestFramer framer;
  for (size_t i = 0; i < head.size(); ++i) {
    std::string_view byte(&head[i], 1);
    EXPECT_EQ(framer.Next(&byte),
              i + 1 < head.size() ? Event::kIncomplete : Event::kRequest);
    EXPECT_EQ(byte, "");
  }
}

TEST(RequestFramerTest, RequestLine) {
  EXPECT_EQ(EventOf("OPTIONS * HTTP/1.1\r\n\r\n"), Event::kRequest);
  EXPECT_EQ(EventOf("M-SEARCH /a?b=%20 HTTP/1.9\r\n\r\n"), Event::kRequest);
  for (const std::string_view bad : {" ",
                                     "\n",
                                     "\r\r",
                                     "GET\r",
                                     "GET  /",
                                     "GET /\r",
                                     "GE\tT",
                                     "G@T",
                                     "(",
                                     "GET /\t",
                                     "GET /\x7f",
                                     "GET /\xc3\xa9",
                                     "GET / http/1.1\r\n\r\n",
                                     "GET / HTTP/2.0\r\n\r\n",
                                     "GET / HTTP/1.\r",
                                     "GET / HTTP/1.11",
                                     "GET / HTTP/1.1 ",
                                     "GET / HTTP/1.1\n",
                                     "GET / HTTP/1.1\r\r",
                                     "GET / / HTTP/1.1\r\n\r\n"}) {
    EXPECT_EQ(EventOf(bad), Event::kBadRequest) << bad;
  }
}

TEST(RequestFramerTest, SkipsEmptyLinesBeforeTheRequestLine) {
  EXPECT_EQ(EventOf("\r\n\r\nGET / HTTP/1.1\r\n\r\n"), Event::kRequest);
  EXPECT_EQ(EventOf("\nGET / HTTP/1.1\r\n\r\n"), Event::kBadRequest);
  EXPECT_EQ(EventOf("\r\n GET / HTTP/1.1\r\n\r\n"), Event::kBadRequest);
}

TEST(RequestFramerTest, FieldLines) {
  for (const std::string_view good :
       {"A:", "A: b", "A:\t b \t", "!#$%&'*+-.^_`|~: x", "A: \x80\xff",
        "A: a value that is longer than a block of sixteen bytes"}) {
    EXPECT_EQ(EventOfField(good), Event::kRequest) << good;
  }
  for (const std::string_view bad :
       {"A", "A : b", ": b", " A: b", "A: b\r\n c", "A: b\r\n\tc", "A b: c",
        "A: b\nC: d", "A: b\rC: d", "A: b\x7f", "A: b\x01",
        "A: a value that is longer than a block of sixteen\nbytes",
        "\xe9: b"}) {
    EXPECT_EQ(EventOfField(bad), Event::kBadRequest) << bad;
  }
  EXPECT_EQ(EventOfField(std::string_view("A: b\0", 5)), Event::kBadRequest);
}

TEST(RequestFramerTest, ConnectionClose) {
  for (const std::string_view last :
       {"Connection: close", "connection:close", "CONNECTION: CLOSE",
        "Connection: keep-alive, close", "Connection: close,keep-alive",
        "Connection: ,,\tcLoSe , ", "Connection: x\r\nConnection: close"}) {
    EXPECT_EQ(EventOfField(last), Event::kLastRequest) << last;
  }
  for (const std::string_view more :
       {"Connection: keep-alive", "Connection:", "Connection: closed",
        "Connection: clos", "Connection: close close", "Connection: not-close",
        "Connection: c lose", "Connection: \"close\"", "Connections: close",
        "Connectio: close", "Proxy-Connection: close",
        "Connection: clos\r\nA: e"}) {
    EXPECT_EQ(EventOfField(more), Event::kRequest) << more;
  }
  EXPECT_EQ(EventOfField("Connection: close\x01"), Event::kBadRequest);
}

TEST(RequestFramerTest, Http10ClosesWhateverItAsksFor) {
  EXPECT_EQ(EventOf("GET / HTTP/1.0\r\n\r\n"), Event::kLastRequest);
  EXPECT_EQ(EventOf("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n"),
            Event::kLastRequest);
}

TEST(RequestFramerTest, StartsEachHeadAfresh) {
  const std::string stream =
      "GET / HTTP/1.1\r\nContent-Length: 0\r\n\r\n"
      "GET / HTTP/1.1\r\nContent-Length: 0\r\n\r\n"
      "GET / HTTP/1.0\r\n\r\n";
  RequestFramer framer;
  std::string_view rest = stream;
  EXPECT_EQ(framer.Next(&rest), Event::kRequest);
  EXPECT_EQ(framer.Next(&rest), Event::kRequest);
  EXPECT_EQ(framer.Next(&rest), Event::kLastRequest);
}

TEST(RequestFramerTest, TakesNoBodies) {
  for (const std::string_view good :
       {"Content-Length: 0", "content-length:000", "Content-Length: \t0 ",
        "Content-Lengths: 5", "Content-Type: a"}) {
    EXPECT_EQ(EventOfField(good), Event::kRequest) << good;
  }
  for (const std::string_view bad :
       {"Content-Length: 1", "Content-Length: 00010", "Content-Length:",
        "Content-Length: ", "Content-Length: -0", "Content-Length: +0",
        "Content-Length: 0x0", "Content-Length: 0, 0", "Content-Length: 0 0",
        "Content-Length: 0\r\nContent-Length: 0", "Transfer-Encoding: chunked",
        "transfer-encoding: identity", "Transfer-Encoding:"}) {
    EXPECT_EQ(EventOfField(bad), Event::kBadRequest) << bad;
  }
}

std::string HeadOfSize(size_t size) {
  const std::string start = "GET / HTTP/1.1\r\nA: ";
  return start + std::string(size - start.size() - 4, 'x') + "\r\n\r\n";
}

TEST(RequestFramerTest, HeadLimit) {
  const std::string longest = HeadOfSize(RequestFramer::kMaxHeadBytes);
  EXPECT_EQ(EventOf(longest), Event::kRequest);
  EXPECT_EQ(Frame(longest + longest).taken, longest.size());
  EXPECT_EQ(EventOf(HeadOfSize(RequestFramer::kMaxHeadBytes + 1)),
            Event::kHeadTooLong);
  // Without its last byte it could not end in time.
  EXPECT_EQ(EventOf(std::string_view(longest).substr(0, 8191)),
            Event::kIncomplete);
  EXPECT_EQ(EventOf(HeadOfSize(8193).substr(0, 8192)), Event::kHeadTooLong);
}

TEST(RequestFramerTest, HeadLimitCountsEmptyLines) {
  EXPECT_EQ(EventOf("\r\n" + HeadOfSize(8190)), Event::kRequest);
  EXPECT_EQ(EventOf("\r\n" + HeadOfSize(8191)), Event::kHeadTooLong);
}

TEST(RequestFramerTest, HeadLimitStartsAgainWithEachHead) {
  RequestFramer framer;
  const std::string stream = HeadOfSize(8000) + HeadOfSize(8000);
  std::string_view rest = stream;
  EXPECT_EQ(framer.Next(&rest), Event::kRequest);
  EXPECT_EQ(framer.Next(&rest), Event::kRequest);
}

}  // namespace
}  // namespace netlab::echo
