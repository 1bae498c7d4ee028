// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NETLAB_ECHO_CONFORMANCE_H_
#define NETLAB_ECHO_CONFORMANCE_H_

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "gtest/gtest.h"
#include "netlab/echo/test_server.h"

namespace netlab::echo {

inline constexpr std::string_view kPlainRequest =
    "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n";

std::string Repeat(std::string_view text, size_t times);

// One behaviour of the server binary that --server names.
class ConformanceTest : public testing::Test {
 protected:
  // Skips all tests of a server that cannot run on this machine.
  void SetUp() override;

  static std::string Binary();
  // Whether the server has one listener however many threads it has.
  static bool SharesListener();

  // Starts the server; the test fails if it does not listen.
  std::unique_ptr<TestServer> Start(const std::vector<std::string>& flags = {},
                                    rlim_t max_files = 0);

  // SIGTERM ends it with exit status 0 and nothing to say.
  static void ExpectCleanStop(TestServer& server);

  // It answers on a new connection.
  static void ExpectAlive(const TestServer& server);
};

}  // namespace netlab::echo

#endif  // NETLAB_ECHO_CONFORMANCE_H_
