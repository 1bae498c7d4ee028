// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

#include "netlab/lab/load/load_options.h"

#include <limits>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace netlab::lab {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// What CheckLoadOptions() says of the defaults after `change`.
template <typename Change>
std::string ErrorAfter(Change change) {
  LoadOptions options;
  change(options);
  const absl::Status status = CheckLoadOptions(options);
  EXPECT_TRUE(absl::IsInvalidArgument(status)) << status;
  return std::string(status.message());
}

TEST(LoadOptionsTest, DefaultsAreFine) {
  EXPECT_TRUE(CheckLoadOptions(LoadOptions()).ok());
}

TEST(LoadOptionsTest, NamesTheFlagThatIsWrong) {
  EXPECT_EQ(ErrorAfter([](LoadOptions& o) { o.connections = 0; }),
            "--connections=0: expected a number from 1 to 1000000");
  EXPECT_THAT(ErrorAfter([](LoadOptions& o) { o.threads = -1; }),
              HasSubstr("--threads=-1"));
  EXPECT_THAT(ErrorAfter([](LoadOptions& o) { o.threads = 101; }),
              HasSubstr("no more than --connections=100"));
  EXPECT_THAT(ErrorAfter([](LoadOptions& o) { o.pipeline = 1025; }),
              HasSubstr("--pipeline=1025"));
  EXPECT_EQ(
      ErrorAfter([](LoadOptions& o) { o.duration = absl::ZeroDuration(); }),
      "--duration=0: expected a time from 1ms to 24h");
  EXPECT_THAT(
      ErrorAfter([](LoadOptions& o) { o.timeout = absl::InfiniteDuration(); }),
      HasSubstr("--timeout=inf"));
  EXPECT_THAT(ErrorAfter([](LoadOptions& o) { o.warmup = absl::Seconds(-1); }),
              HasSubstr("--warmup=-1s"));
  EXPECT_THAT(ErrorAfter([](LoadOptions& o) { o.rate_per_s = -1; }),
              HasSubstr("--rate=-1"));
  EXPECT_THAT(ErrorAfter([](LoadOptions& o) {
                o.rate_per_s = std::numeric_limits<double>::quiet_NaN();
              }),
              HasSubstr("--rate=nan"));
  EXPECT_THAT(ErrorAfter([](LoadOptions& o) { o.observe_pid = -2; }),
              HasSubstr("--observe_pid=-2"));
  EXPECT_THAT(ErrorAfter([](LoadOptions& o) { o.expect_body = "x"; }),
              HasSubstr("--verify=body"));
  EXPECT_THAT(ErrorAfter([](LoadOptions& o) { o.cpus = {8191}; }),
              HasSubstr("--cpus=8191: CPU 8191 is not available"));
}

TEST(LoadOptionsTest, RequestText) {
  LoadOptions options;
  options.url.host = "localhost";
  options.url.port = 8080;
  options.url.path = "/x?y";
  EXPECT_EQ(RequestText(options),
            "GET /x?y HTTP/1.1\r\nHost: localhost:8080\r\n\r\n");
  options.headers = {"Accept: */*", "X: y"};
  EXPECT_EQ(RequestText(options),
            "GET /x?y HTTP/1.1\r\nHost: localhost:8080\r\n"
            "Accept: */*\r\nX: y\r\n\r\n");
  options.headers = {"host: other"};
  EXPECT_EQ(RequestText(options), "GET /x?y HTTP/1.1\r\nhost: other\r\n\r\n");
}

TEST(LoadOptionsTest, Headers) {
  EXPECT_THAT(*ParseHeaders(""), IsEmpty());
  EXPECT_THAT(*ParseHeaders("Accept: */*\nX-Y:z"),
              ElementsAre("Accept: */*", "X-Y:z"));
  for (absl::string_view bad : {"x", ": y", "a b: c", "a: b\r\nc: d"}) {
    EXPECT_TRUE(absl::IsInvalidArgument(ParseHeaders(bad).status())) << bad;
  }
}

}  // namespace
}  // namespace netlab::lab
