// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

#include "netlab/lab/load/response_parser.h"

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace netlab::lab {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using Result = ResponseParser::Result;

constexpr absl::string_view kEcho =
    "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
    "Content-Length: 20\r\n\r\n{\"message\":\"hello!\"}";
constexpr absl::string_view kChunked =
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
    "5;name=value\r\nhello\r\n6 \r\n world\r\n0\r\nTrailer: x\r\n\r\n";

// What a parser made of a stream, a line per response.
std::vector<std::string> Feed(ResponseParser& parser,
                              const std::vector<absl::string_view>& pieces,
                              bool end_of_stream = false) {
  std::vector<std::string> events;
  const auto add = [&](Result result) {
    if (result == Result::kMalformed) events.push_back("malformed");
    if (result == Result::kComplete) {
      events.push_back(absl::StrCat(parser.status(),
                                    parser.keep_alive() ? "" : " close",
                                    parser.body_matches() ? "" : " body"));
    }
    return result != Result::kMalformed;
  };
  for (absl::string_view piece : pieces) {
    while (!piece.empty()) {
      if (!add(parser.Parse(piece))) return events;
    }
  }
  if (end_of_stream) {
    add(parser.ParseEndOfStream());
    if (parser.in_response()) events.push_back("cut");
  }
  return events;
}

// Parses `stream` whole, cut in two at every place, and byte by byte, with a
// known head and without, and expects the same each time.
std::vector<std::string> FeedAllWays(absl::string_view stream,
                                     const std::string* body = nullptr,
                                     bool end_of_stream = false) {
  KnownHead known_head;
  const auto feed = [&](const std::vector<absl::string_view>& pieces) {
    ExpectedBody expected(body == nullptr ? "" : *body);
    ResponseParser parser(&known_head, body == nullptr ? nullptr : &expected);
    return Feed(parser, pieces, end_of_stream);
  };
  const std::vector<std::string> whole = feed({stream});
  std::vector<absl::string_view> bytes;
  for (size_t i = 0; i < stream.size(); ++i) {
    EXPECT_EQ(feed({stream.substr(0, i), stream.substr(i)}), whole)
        << "cut at " << i;
    known_head = {};
    EXPECT_EQ(feed({stream.substr(0, i), stream.substr(i)}), whole)
        << "cut at " << i << ", no known head";
    bytes.push_back(stream.substr(i, 1));
  }
  EXPECT_EQ(feed(bytes), whole) << "byte by byte";
  return whole;
}

TEST(ResponseParserTest, FindsResponsesHoweverTheyAreSplit) {
  EXPECT_THAT(FeedAllWays(kEcho), ElementsAre("200"));
  EXPECT_THAT(FeedAllWays(absl::StrCat(kEcho, kEcho, kEcho)),
              ElementsAre("200", "200", "200"));
}

TEST(ResponseParserTest, HeadsThatChangeAreParsedAnew) {
  const std::string stream = absl::StrCat(
      kEcho, "HTTP/1.1 404 Not Found\r\nContent-Length: 3\r\n\r\nno\n", kEcho,
      "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
  EXPECT_THAT(FeedAllWays(stream),
              ElementsAre("200", "404", "200", "200 close"));
}

TEST(ResponseParserTest, AHeadThatOnlyBeginsLikeTheKnownOneIsParsed) {
  KnownHead known_head;
  ResponseParser parser(&known_head, nullptr);
  EXPECT_THAT(
      Feed(parser, {"HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx",
                    "HTTP/1.1 200 OK\r\nContent-Length: 11\r\n\r\nhello world",
                    "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nA: b\r\n\r\nx"}),
      ElementsAre("200", "200", "200"));
}

TEST(ResponseParserTest, ChunkedBodies) {
  const std::string body = "hello world";
  EXPECT_THAT(FeedAllWays(absl::StrCat(kChunked, kChunked), &body),
              ElementsAre("200", "200"));
  const std::string other = "hello worlD";
  EXPECT_THAT(FeedAllWays(kChunked, &other), ElementsAre("200 body"));
}

TEST(ResponseParserTest, BrokenChunksAreMalformed) {
  constexpr absl::string_view kHead =
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
  for (absl::string_view body :
       {"\r\n", "x\r\n", "-1\r\n", "0x1\r\nA\r\n", "1\r\nAB\r\n", ";e\r\n",
        "ffffffffffffffffff\r\n"}) {
    EXPECT_THAT(FeedAllWays(absl::StrCat(kHead, body)),
                ElementsAre("malformed"))
        << body;
  }
  const std::string long_line(2000, ' ');
  EXPECT_THAT(FeedAllWays(absl::StrCat(kHead, "1", long_line, "\r\n")),
              ElementsAre("malformed"));
}

TEST(ResponseParserTest, InterimResponsesAreSkipped) {
  EXPECT_THAT(FeedAllWays(absl::StrCat(
                  "HTTP/1.1 100 Continue\r\n\r\n",
                  "HTTP/1.1 103 Early Hints\r\nA: b\r\n\r\n", kEcho)),
              ElementsAre("200"));
  EXPECT_THAT(FeedAllWays("HTTP/1.1 101 Switching Protocols\r\n\r\n"),
              ElementsAre("malformed"));
}

TEST(ResponseParserTest, BodiesMayEndWithTheConnection) {
  const std::string body = "to the end";
  const std::string stream = absl::StrCat("HTTP/1.0 200 OK\r\n\r\n", body);
  EXPECT_THAT(FeedAllWays(stream, &body, /*end_of_stream=*/true),
              ElementsAre("200 close"));
  EXPECT_THAT(FeedAllWays(stream), IsEmpty());
}

TEST(ResponseParserTest, ResponsesThatAreCutOffNeverComplete) {
  for (absl::string_view stream : {kEcho, kChunked}) {
    for (size_t size = 1; size < stream.size(); ++size) {
      KnownHead known_head;
      ResponseParser parser(&known_head, nullptr);
      EXPECT_THAT(Feed(parser, {stream.substr(0, size)}, true),
                  ElementsAre("cut"))
          << size;
    }
  }
}

TEST(ResponseParserTest, ComparesBodies) {
  const std::string right = "{\"message\":\"hello!\"}";
  EXPECT_THAT(FeedAllWays(kEcho, &right), ElementsAre("200"));
  for (const std::string& wrong : {std::string(), right.substr(1), right + " ",
                                   std::string("{\"message\":\"hello?\"}")}) {
    EXPECT_THAT(FeedAllWays(kEcho, &wrong), ElementsAre("200 body")) << wrong;
  }
}

TEST(ResponseParserTest, LearnsTheFirstCompleteBody) {
  KnownHead known_head;
  ExpectedBody expected;
  ResponseParser slow(&known_head, &expected);
  ResponseParser fast(&known_head, &expected);
  constexpr absl::string_view kRight =
      "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc";
  constexpr absl::string_view kWrong =
      "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabd";
  // `slow` has begun before anything was known.
  EXPECT_THAT(Feed(slow, {kWrong.substr(0, kWrong.size() - 1)}), IsEmpty());
  EXPECT_THAT(Feed(fast, {kRight, kRight, kWrong, kRight}),
              ElementsAre("200", "200", "200 body", "200"));
  EXPECT_EQ(*expected.known(), "abc");
  EXPECT_THAT(Feed(slow, {kWrong.substr(kWrong.size() - 1), kRight}),
              ElementsAre("200 body", "200"));
}

TEST(ResponseParserTest, ARefusalTeachesNoBody) {
  KnownHead known_head;
  ExpectedBody expected;
  ResponseParser parser(&known_head, &expected);
  EXPECT_THAT(
      Feed(parser,
           {"HTTP/1.1 503 Busy\r\nContent-Length: 4\r\n\r\nbusy", kEcho}),
      ElementsAre("503", "200"));
  EXPECT_EQ(*expected.known(), "{\"message\":\"hello!\"}");
}

TEST(ResponseParserTest, HeadsAreLimited) {
  const std::string start = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nA: ";
  const auto head = [&start](size_t size) {
    return absl::StrCat(start, std::string(size - start.size() - 4, 'x'),
                        "\r\n\r\n");
  };
  const std::string longest = head(ResponseParser::kMaxHeadBytes);
  const std::string too_long = head(ResponseParser::kMaxHeadBytes + 1);
  for (const size_t cut : {size_t{0}, size_t{1}, start.size(), size_t{60000}}) {
    const auto feed = [cut](absl::string_view stream) {
      KnownHead known_head;
      ResponseParser parser(&known_head, nullptr);
      return Feed(parser, {stream.substr(0, cut), stream.substr(cut)});
    };
    EXPECT_THAT(feed(longest), ElementsAre("200")) << cut;
    EXPECT_THAT(feed(too_long), ElementsAre("malformed")) << cut;
  }
}

TEST(ResponseParserTest, ResetBeginsAnew) {
  KnownHead known_head;
  ResponseParser parser(&known_head, nullptr);
  for (absl::string_view beginning :
       {kEcho.substr(0, 10), kEcho.substr(0, kEcho.size() - 1),
        kChunked.substr(0, kChunked.size() - 1)}) {
    EXPECT_THAT(Feed(parser, {beginning}), IsEmpty());
    EXPECT_TRUE(parser.in_response());
    parser.Reset();
    EXPECT_FALSE(parser.in_response());
    EXPECT_THAT(Feed(parser, {kEcho}), ElementsAre("200"));
  }
}

}  // namespace
}  // namespace netlab::lab
