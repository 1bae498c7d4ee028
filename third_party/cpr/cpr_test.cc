// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

// Shows that the pinned cpr works on the pinned libcurl.

#include <cpr/cpr.h>
#include <httplib.h>

#include <string>
#include <thread>

#include "gtest/gtest.h"

namespace netlab {
namespace {

TEST(CprTest, FetchesFromHttplib) {
  httplib::Server server;
  server.Get(
      "/", [](const httplib::Request& request, httplib::Response& response) {
        response.set_content(request.get_param_value("name"), "text/plain");
      });
  const int port = server.bind_to_any_port("127.0.0.1");
  ASSERT_GT(port, 0);
  std::thread thread([&server] { server.listen_after_bind(); });
  server.wait_until_ready();

  const cpr::Response response =
      cpr::Get(cpr::Url("http://127.0.0.1:" + std::to_string(port) + "/"),
               cpr::Parameters{{"name", "netlab"}});
  EXPECT_EQ(response.status_code, 200);
  EXPECT_EQ(response.text, "netlab");

  server.stop();
  thread.join();
}

}  // namespace
}  // namespace netlab
