// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

// Shows that the pinned libcurl has what the client needs of it, and works.

#include <curl/curl.h>
#include <httplib.h>

#include <memory>
#include <string>
#include <thread>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace netlab {
namespace {

using ::testing::HasSubstr;

std::size_t Append(char* data, std::size_t size, std::size_t count, void* to) {
  static_cast<std::string*>(to)->append(data, size * count);
  return size * count;
}

TEST(CurlTest, SpeaksTlsHttp2AndGzip) {
  const curl_version_info_data* info = curl_version_info(CURLVERSION_NOW);
  EXPECT_STREQ(info->version, "8.14.1");
  EXPECT_TRUE(info->features & CURL_VERSION_SSL);
  EXPECT_TRUE(info->features & CURL_VERSION_HTTP2);
  EXPECT_TRUE(info->features & CURL_VERSION_LIBZ);
  EXPECT_TRUE(info->features & CURL_VERSION_ASYNCHDNS);
  EXPECT_THAT(info->ssl_version, HasSubstr("OpenSSL/3"));
}

TEST(CurlTest, FetchesFromHttplib) {
  httplib::Server server;
  server.Get("/", [](const httplib::Request&, httplib::Response& response) {
    response.set_content("hello", "text/plain");
  });
  const int port = server.bind_to_any_port("127.0.0.1");
  ASSERT_GT(port, 0);
  std::thread thread([&server] { server.listen_after_bind(); });
  server.wait_until_ready();

  std::unique_ptr<CURL, decltype(&curl_easy_cleanup)> easy(curl_easy_init(),
                                                           &curl_easy_cleanup);
  const std::string url = "http://127.0.0.1:" + std::to_string(port) + "/";
  std::string body;
  curl_easy_setopt(easy.get(), CURLOPT_URL, url.c_str());
  curl_easy_setopt(easy.get(), CURLOPT_WRITEFUNCTION, &Append);
  curl_easy_setopt(easy.get(), CURLOPT_WRITEDATA, &body);
  EXPECT_EQ(curl_easy_perform(easy.get()), CURLE_OK);
  EXPECT_EQ(body, "hello");

  server.stop();
  thread.join();
}

}  // namespace
}  // namespace netlab
