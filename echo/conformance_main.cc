// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

#include <sys/resource.h>
#include <sysexits.h>

#include <csignal>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/flags/parse.h"
#include "gtest/gtest.h"
#include "netlab/echo/conformance.h"
#include "netlab/echo/session.h"
#include "netlab/echo/test_client.h"
#include "netlab/echo/test_server.h"

ABSL_FLAG(std::string, server, "", "Path of the server binary to be tested.");
ABSL_FLAG(bool, shares_listener, false,
          "Whether the server's threads share one listener.");

namespace netlab::echo {

std::string Repeat(std::string_view text, size_t times) {
  std::string result;
  result.reserve(text.size() * times);
  for (size_t i = 0; i < times; ++i) result += text;
  return result;
}

std::string ConformanceTest::Binary() { return absl::GetFlag(FLAGS_server); }

bool ConformanceTest::SharesListener() {
  return absl::GetFlag(FLAGS_shares_listener);
}

void ConformanceTest::SetUp() {
  // Asked once: what a machine cannot run, it cannot run in any test.
  static const std::string* const unavailable = [] {
    TestServer server(Binary());
    if (server.port() != 0) return new std::string;
    return new std::string(server.Wait() == EX_UNAVAILABLE ? server.err() : "");
  }();
  if (!unavailable->empty()) GTEST_SKIP() << *unavailable;
}

std::unique_ptr<TestServer> ConformanceTest::Start(
    const std::vector<std::string>& flags, rlim_t max_files) {
  auto server = std::make_unique<TestServer>(Binary(), flags, max_files);
  if (server->port() == 0) {
    ADD_FAILURE() << "exit status " << server->Wait() << ": " << server->err();
  }
  return server;
}

void ConformanceTest::ExpectCleanStop(TestServer& server) {
  server.Signal(SIGTERM);
  EXPECT_EQ(server.Wait(), 0);
  EXPECT_EQ(server.err(), "");
}

void ConformanceTest::ExpectAlive(const TestServer& server) {
  TestClient client(server.port());
  ASSERT_TRUE(client.Send(kPlainRequest));
  EXPECT_EQ(client.Receive(kResponse.size()), kResponse);
}

}  // namespace netlab::echo

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  absl::ParseCommandLine(argc, argv);
  // A thousand connections take more than the usual 1,024.
  rlimit limit;
  getrlimit(RLIMIT_NOFILE, &limit);
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
  return RUN_ALL_TESTS();
}
