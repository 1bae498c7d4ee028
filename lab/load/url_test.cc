// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

#include "netlab/lab/load/url.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <unistd.h>

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace netlab::lab {
namespace {

using ::testing::HasSubstr;

Url Parsed(absl::string_view text) {
  absl::StatusOr<Url> url = ParseUrl(text);
  EXPECT_TRUE(url.ok()) << url.status();
  return url.value_or(Url());
}

TEST(UrlTest, TakesAUrlApart) {
  const Url url = Parsed("http://example.com:8080/a/b?c=d");
  EXPECT_EQ(url.host, "example.com");
  EXPECT_EQ(url.port, 8080);
  EXPECT_EQ(url.path, "/a/b?c=d");
  EXPECT_EQ(url.Authority(), "example.com:8080");
}

TEST(UrlTest, PortAndPathHaveDefaults) {
  const Url url = Parsed("HTTP://localhost");
  EXPECT_EQ(url.host, "localhost");
  EXPECT_EQ(url.port, 80);
  EXPECT_EQ(url.path, "/");
  EXPECT_EQ(url.Authority(), "localhost");
}

TEST(UrlTest, Ipv6StandsInBrackets) {
  const Url url = Parsed("http://[::1]:81/");
  EXPECT_EQ(url.host, "::1");
  EXPECT_EQ(url.port, 81);
  EXPECT_EQ(url.Authority(), "[::1]:81");
  EXPECT_EQ(Parsed("http://[::1]").Authority(), "[::1]");
}

TEST(UrlTest, FragmentsStayAtHomeAndQueriesNeedNoPath) {
  EXPECT_EQ(Parsed("http://h/p#f").path, "/p");
  EXPECT_EQ(Parsed("http://h#f").path, "/");
  EXPECT_EQ(Parsed("http://h?q=/").path, "/?q=/");
}

TEST(UrlTest, SaysWhatIsWrong) {
  const auto error = [](absl::string_view text) {
    absl::Status status = ParseUrl(text).status();
    EXPECT_TRUE(absl::IsInvalidArgument(status)) << text;
    return std::string(status.message());
  };
  EXPECT_EQ(error("https://h/"),
            "URL 'https://h/': https is not supported; expected "
            "http://HOST[:PORT][/PATH]");
  EXPECT_THAT(error(""), HasSubstr("does not begin with http://"));
  EXPECT_THAT(error("localhost:80"), HasSubstr("does not begin with http://"));
  EXPECT_THAT(error("http://"), HasSubstr("the host is missing"));
  EXPECT_THAT(error("http://:80/"), HasSubstr("the host is missing"));
  EXPECT_THAT(error("http://[::1"), HasSubstr("']' is missing"));
  EXPECT_THAT(error("http://[::1]80"), HasSubstr("only ':PORT'"));
  EXPECT_THAT(error("http://u@h/"), HasSubstr("user names"));
  EXPECT_THAT(error("http://h/a b"), HasSubstr("%-encoded"));
  EXPECT_THAT(error("http://h/\r\nX: y"), HasSubstr("%-encoded"));
  for (absl::string_view port : {"", "0", "65536", "x", "+80", "8 0"}) {
    absl::Status status =
        ParseUrl(std::string("http://h:") + std::string(port)).status();
    EXPECT_TRUE(absl::IsInvalidArgument(status)) << port;
  }
}

TEST(UrlTest, ResolvesAddresses) {
  absl::StatusOr<std::vector<SocketAddress>> addresses =
      Resolve(Parsed("http://127.0.0.1:8080/"));
  ASSERT_TRUE(addresses.ok()) << addresses.status();
  ASSERT_EQ(addresses->size(), 1);
  const auto* ipv4 =
      reinterpret_cast<const sockaddr_in*>(addresses->front().get());
  EXPECT_EQ(ipv4->sin_family, AF_INET);
  EXPECT_EQ(ntohs(ipv4->sin_port), 8080);
  EXPECT_EQ(ntohl(ipv4->sin_addr.s_addr), INADDR_LOOPBACK);
}

TEST(UrlTest, UnknownHostsAreNamed) {
  Url url;
  url.host = "no such host";
  absl::Status status = Resolve(url).status();
  EXPECT_TRUE(absl::IsNotFound(status));
  EXPECT_THAT(std::string(status.message()), HasSubstr("'no such host'"));
}

TEST(UrlTest, PrefersAnAddressThatAccepts) {
  const int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  ASSERT_GE(listener, 0);
  sockaddr_in bound = {};
  bound.sin_family = AF_INET;
  bound.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof(bound);
  ASSERT_EQ(bind(listener, reinterpret_cast<sockaddr*>(&bound), size), 0);
  ASSERT_EQ(getsockname(listener, reinterpret_cast<sockaddr*>(&bound), &size),
            0);

  const std::string port = std::to_string(ntohs(bound.sin_port));
  const auto resolve = [&port](const std::string& host) {
    return Resolve(Parsed("http://" + host + ":" + port)).value().front();
  };
  // Only 127.0.0.1 is bound, so 127.0.0.2 refuses.
  const std::vector<SocketAddress> addresses = {resolve("127.0.0.2"),
                                                resolve("127.0.0.1")};
  const auto chosen = [&addresses] {
    const SocketAddress address = FirstReachable(addresses, absl::Seconds(10));
    return ntohl(
        reinterpret_cast<const sockaddr_in*>(address.get())->sin_addr.s_addr);
  };
  EXPECT_EQ(chosen(), INADDR_LOOPBACK + 1) << "bound, but not listening";
  ASSERT_EQ(listen(listener, 1), 0);
  EXPECT_EQ(chosen(), INADDR_LOOPBACK);
  close(listener);
}

}  // namespace
}  // namespace netlab::lab
