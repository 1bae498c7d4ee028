// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

#include "netlab/echo/session.h"

#include <cstddef>
#include <string>
#include <string_view>

#include "gtest/gtest.h"

namespace netlab::echo {
namespace {

using Action = Session::Action;

constexpr std::string_view kRequest = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";

std::string Repeat(std::string_view text, size_t times) {
  std::string result;
  for (size_t i = 0; i < times; ++i) result += text;
  return result;
}

// Sends what is pending, `piece` bytes at a time.
std::string SendAll(Session& session, size_t piece = std::string::npos) {
  std::string sent;
  while (session.Next() == Action::kSend) {
    const std::string_view next = session.Pending().substr(0, piece);
    sent += next;
    session.Sent(next.size());
  }
  return sent;
}

TEST(SessionTest, AnswersEachRequest) {
  Session session;
  EXPECT_EQ(session.Next(), Action::kReceive);
  session.Received(kRequest.substr(0, 5));
  EXPECT_EQ(session.Next(), Action::kReceive);
  session.Received(kRequest.substr(5));
  EXPECT_EQ(session.Pending(), kResponse);
  EXPECT_EQ(SendAll(session), kResponse);
  EXPECT_EQ(session.Next(), Action::kReceive);
}

TEST(SessionTest, ResponseIsWhatItSays) {
  const std::string_view body =
      kResponse.substr(kResponse.find("\r\n\r\n") + 4);
  EXPECT_EQ(body.size(), 20u);
  EXPECT_NE(kResponse.find("Content-Length: 20\r\n"), std::string_view::npos);
}

TEST(SessionTest, AnswersPipelinedRequestsInOnePiece) {
  Session session;
  session.Received(Repeat(kRequest, 100));
  EXPECT_EQ(session.Pending(), Repeat(kResponse, 100));
}

TEST(SessionTest, SurvivesAnySplitOfTheOutput) {
  for (const size_t piece : {1, 7, 90, 91, 92, 4096}) {
    Session session;
    session.Received(Repeat(kRequest, 600));
    EXPECT_EQ(SendAll(session, piece), Repeat(kResponse, 600)) << piece;
    EXPECT_EQ(session.Next(), Action::kReceive);
  }
}

TEST(SessionTest, TakesRequestsWhileAnswersAreOwed) {
  Session session;
  session.Received(kRequest);
  session.Sent(10);
  session.Received(Repeat(kRequest, 2));
  EXPECT_EQ(SendAll(session),
            std::string(kResponse.substr(10)) + Repeat(kResponse, 2));
}

TEST(SessionTest, ClosesAfterTheLastRequest) {
  Session session;
  session.Received(std::string(kRequest) +
                   "GET / HTTP/1.1\r\nConnection: close\r\n\r\n" +
                   std::string(kRequest));
  EXPECT_EQ(SendAll(session), Repeat(kResponse, 2));
  EXPECT_EQ(session.Next(), Action::kShutDownSending);
  session.SendingShutDown();
  // Whatever comes is read, so that closing sends no reset; nothing is
  // answered.
  EXPECT_EQ(session.Next(), Action::kReceive);
  session.Received(kRequest);
  EXPECT_EQ(session.Next(), Action::kReceive);
  session.EndOfInput();
  EXPECT_EQ(session.Next(), Action::kClose);
}

TEST(SessionTest, AnswersGarbageAfterWhatCameBefore) {
  Session session;
  session.Received(std::string(kRequest) + "\x16\x03\x01");
  EXPECT_EQ(SendAll(session, 50),
            std::string(kResponse) + std::string(kBadRequestResponse));
  EXPECT_EQ(session.Next(), Action::kShutDownSending);
}

TEST(SessionTest, AnswersAHeadThatIsTooLong) {
  Session session;
  session.Received("GET / HTTP/1.1\r\nA: " + std::string(9000, 'x'));
  EXPECT_EQ(SendAll(session), kHeadTooLongResponse);
  EXPECT_EQ(session.Next(), Action::kShutDownSending);
}

TEST(SessionTest, AnswersAllBeforeItClosesAtTheEndOfInput) {
  Session session;
  session.Received(Repeat(kRequest, 3) + "GET");
  session.EndOfInput();
  EXPECT_EQ(SendAll(session), Repeat(kResponse, 3));
  EXPECT_EQ(session.Next(), Action::kClose);
}

TEST(SessionTest, OwesMoreThanMemoryWouldHold) {
  Session session;
  const std::string requests = Repeat(kRequest, 10000);
  for (int i = 0; i < 100; ++i) session.Received(requests);
  size_t sent = 0;
  while (session.Next() == Action::kSend) {
    sent += session.Pending().size();
    session.Sent(session.Pending().size());
  }
  EXPECT_EQ(sent, 1'000'000 * kResponse.size());
}

}  // namespace
}  // namespace netlab::echo
