// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What goes over the wire: the same from every server.

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "gtest/gtest.h"
#include "netlab/echo/conformance.h"
#include "netlab/echo/framer.h"
#include "netlab/echo/session.h"
#include "netlab/echo/test_client.h"
#include "netlab/echo/test_server.h"

namespace netlab::echo {
namespace {

constexpr std::string_view kLastRequest =
    "GET / HTTP/1.1\r\nConnection: close\r\n\r\n";

// A request whose head has exactly so many bytes.
std::string RequestOfSize(size_t size) {
  const std::string start = "GET / HTTP/1.1\r\nA: ";
  return start + std::string(size - start.size() - 4, 'x') + "\r\n\r\n";
}

TEST_F(ConformanceTest, AnswersRequests) {
  auto server = Start();
  TestClient client(server->port());
  for (int i = 0; i < 3; ++i) {
    ASSERT_TRUE(client.Send(kPlainRequest));
    EXPECT_EQ(client.Receive(kResponse.size()), kResponse);
  }
  ExpectCleanStop(*server);
}

TEST_F(ConformanceTest, AnswersRequestsSplitAtEveryByte) {
  auto server = Start();
  TestClient client(server->port());
  for (size_t split = 1; split < kPlainRequest.size(); ++split) {
    // The answer to a first request shows that the start of the second one,
    // which came with it, has been read.
    ASSERT_TRUE(client.Send(std::string(kPlainRequest) +
                            std::string(kPlainRequest.substr(0, split))));
    ASSERT_EQ(client.Receive(kResponse.size()), kResponse) << split;
    ASSERT_TRUE(client.Send(kPlainRequest.substr(split)));
    ASSERT_EQ(client.Receive(kResponse.size()), kResponse) << split;
  }
}

TEST_F(ConformanceTest, AnswersEveryPipelinedRequest) {
  auto server = Start();
  TestClient client(server->port());
  for (int i = 0; i < 3; ++i) {
    ASSERT_TRUE(client.Send(Repeat(kPlainRequest, 100)));
    EXPECT_EQ(client.Receive(100 * kResponse.size()), Repeat(kResponse, 100));
  }
}

TEST_F(ConformanceTest, ClosesAfterTheLastRequest) {
  auto server = Start();
  for (const std::string_view last :
       {kLastRequest, std::string_view("GET / HTTP/1.0\r\n\r\n")}) {
    TestClient client(server->port());
    ASSERT_TRUE(client.Send(std::string(kPlainRequest) + std::string(last) +
                            std::string(kPlainRequest)));
    EXPECT_EQ(client.ReceiveToEnd(), Repeat(kResponse, 2));
  }
}

TEST_F(ConformanceTest, AnswersAllAfterAHalfClose) {
  auto server = Start();
  TestClient client(server->port());
  ASSERT_TRUE(client.Send(Repeat(kPlainRequest, 1000) + "GET / HT"));
  client.ShutDownSending();
  EXPECT_EQ(client.ReceiveToEnd(), Repeat(kResponse, 1000));
}

TEST_F(ConformanceTest, ClosesOnAHalfCloseWithoutARequest) {
  auto server = Start();
  TestClient client(server->port());
  client.ShutDownSending();
  EXPECT_EQ(client.ReceiveToEnd(), "");
}

TEST_F(ConformanceTest, AnswersGarbageAndCloses) {
  auto server = Start();
  for (const std::string_view garbage :
       {"\x16\x03\x01\x02", "GET /\r\n\r\n", "GET / HTTP/1.1\n\n",
        "GET / HTTP/1.1\r\nA : b\r\n\r\n", "GET / HTTP/1.1\r\n A: b\r\n\r\n",
        "POST / HTTP/1.1\r\nContent-Length: 5\r\n\r\nhello",
        "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"}) {
    TestClient client(server->port());
    ASSERT_TRUE(client.Send(std::string(kPlainRequest) + std::string(garbage)));
    EXPECT_EQ(client.ReceiveToEnd(),
              std::string(kResponse) + std::string(kBadRequestResponse))
        << garbage;
  }
  ExpectAlive(*server);
}

// Input that the server will not answer must not keep the last answer from
// arriving.
TEST_F(ConformanceTest, ReadsOnAfterTheFinalAnswer) {
  auto server = Start();
  TestClient client(server->port());
  ASSERT_TRUE(client.Send(Repeat("garbage\n", 1'000'000)));
  EXPECT_EQ(client.ReceiveToEnd(), kBadRequestResponse);
}

TEST_F(ConformanceTest, TakesHeadsUpToTheLimit) {
  auto server = Start();
  TestClient client(server->port());
  const std::string longest = RequestOfSize(RequestFramer::kMaxHeadBytes);
  ASSERT_TRUE(client.Send(longest + longest));
  EXPECT_EQ(client.Receive(2 * kResponse.size()), Repeat(kResponse, 2));
  ASSERT_TRUE(client.Send(RequestOfSize(RequestFramer::kMaxHeadBytes + 1)));
  EXPECT_EQ(client.ReceiveToEnd(), kHeadTooLongResponse);
}

TEST_F(ConformanceTest, AnswersAnEndlessHeadAndCloses) {
  auto server = Start();
  TestClient client(server->port());
  ASSERT_TRUE(client.Send("GET / HTTP/1.1\r\n" + Repeat("A: b\r\n", 200'000)));
  EXPECT_EQ(client.ReceiveToEnd(), kHeadTooLongResponse);
}

TEST_F(ConformanceTest, SurvivesResets) {
  auto server = Start();
  TestClient witness(server->port());
  ASSERT_TRUE(witness.Send(kPlainRequest));
  ASSERT_EQ(witness.Receive(kResponse.size()), kResponse);
  const size_t files = server->Files().size();
  for (int round = 0; round < 3; ++round) {
    std::vector<TestClient> clients;
    for (int i = 0; i < 50; ++i) {
      clients.emplace_back(server->port());
      ASSERT_TRUE(clients.back().Send(std::string(kPlainRequest) + "GET / HT"));
      ASSERT_EQ(clients.back().Receive(kResponse.size()), kResponse);
    }
    EXPECT_EQ(server->Files().size(), files + clients.size());
    for (size_t i = 0; i < clients.size(); ++i) {
      // Every other one has answers on the way that nobody will take.
      if (i % 2 == 1) clients[i].Send(Repeat(kPlainRequest, 1000));
      clients[i].Reset();
    }
    EXPECT_TRUE(Eventually([&] { return server->Files().size() == files; }));
  }
  ASSERT_TRUE(witness.Send(kPlainRequest));
  EXPECT_EQ(witness.Receive(kResponse.size()), kResponse);
  ExpectCleanStop(*server);
}

TEST_F(ConformanceTest, ServesAThousandConnectionsAtOnce) {
  auto server = Start({"--threads=2"});
  std::vector<TestClient> clients;
  for (int i = 0; i < 1000; ++i) {
    clients.emplace_back(server->port());
    ASSERT_TRUE(clients.back().connected()) << i;
  }
  for (int round = 0; round < 2; ++round) {
    for (TestClient& client : clients) ASSERT_TRUE(client.Send(kPlainRequest));
    for (TestClient& client : clients) {
      ASSERT_EQ(client.Receive(kResponse.size()), kResponse);
    }
  }
  ExpectCleanStop(*server);
}

TEST_F(ConformanceTest, GivesASlowReaderEveryByte) {
  auto server = Start();
  constexpr size_t kRequests = 200'000;
  const std::string requests = Repeat(kPlainRequest, kRequests);
  TestClient client(server->port(), /*receive_buffer=*/4096);
  const size_t sent = client.SendUntilStalled(requests);
  // Others are served meanwhile.
  ExpectAlive(*server);
  EXPECT_EQ(client.Exchange(std::string_view(requests).substr(sent),
                            kRequests * kResponse.size()),
            Repeat(kResponse, kRequests));
  ASSERT_TRUE(client.Send(kLastRequest));
  EXPECT_EQ(client.ReceiveToEnd(), kResponse);
}

}  // namespace
}  // namespace netlab::echo
