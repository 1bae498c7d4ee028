// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

#include "netlab/lab/load/load_report.h"

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace netlab::lab {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using Json = nlohmann::ordered_json;

std::vector<std::string> Keys(const Json& json) {
  std::vector<std::string> keys;
  for (const auto& item : json.items()) keys.push_back(item.key());
  return keys;
}

LoadOptions Options() {
  LoadOptions options;
  options.target = "http://127.0.0.1:8080/";
  options.connections = 10;
  options.threads = 2;
  return options;
}

LoadResult Result() {
  LoadResult result;
  result.counts.requests = 1000;
  result.counts.bytes_received = 90'000;
  result.counts.errors = {.connect = 1,
                          .read = 2,
                          .write = 3,
                          .timeout = 4,
                          .status = 5,
                          .cut_short = 6,
                          .body = 7};
  for (int i = 0; i < 1000; ++i) result.counts.latency.Record(50'000);
  result.elapsed = absl::Milliseconds(500);
  result.generator = ProcessUsage{.user = absl::Milliseconds(100),
                                  .system = absl::Milliseconds(400),
                                  .voluntary_switches = 11,
                                  .involuntary_switches = 12,
                                  .max_rss_bytes = 4096,
                                  .threads = 3};
  return result;
}

TEST(LoadReportTest, ClosedLoop) {
  const Json json = LoadReport(Options(), Result());
  EXPECT_THAT(
      Keys(json),
      ElementsAre("schema", "target", "mode", "engine", "connections",
                  "threads", "pipeline", "rate_per_s", "warmup_s", "elapsed_s",
                  "requests", "requests_per_s", "bytes_received", "errors",
                  "latency_us", "latency_histogram", "generator"));
  EXPECT_EQ(json["schema"], "netlab.load/1");
  EXPECT_EQ(json["target"], "http://127.0.0.1:8080/");
  EXPECT_EQ(json["mode"], "closed");
  EXPECT_EQ(json["engine"], "epoll");
  EXPECT_EQ(json["connections"], 10);
  EXPECT_EQ(json["threads"], 2);
  EXPECT_EQ(json["pipeline"], 1);
  EXPECT_EQ(json["warmup_s"], 0.5);
  EXPECT_EQ(json["elapsed_s"], 0.5);
  EXPECT_EQ(json["requests"], 1000);
  EXPECT_EQ(json["requests_per_s"], 2000);
  EXPECT_EQ(json["bytes_received"], 90'000);
}

TEST(LoadReportTest, Errors) {
  EXPECT_EQ(LoadReport(Options(), Result())["errors"],
            Json::parse(R"({"connect": 1, "read": 2, "write": 3, "timeout": 4,
                            "status": 5, "short": 6, "body": 7})"));
}

TEST(LoadReportTest, Latency) {
  const Json json = LoadReport(Options(), Result());
  EXPECT_THAT(Keys(json["latency_us"]),
              ElementsAre("min", "mean", "stddev", "max", "p50", "p75", "p90",
                          "p99", "p99_9", "p99_99"));
  EXPECT_NEAR(json["latency_us"]["p50"], 50, 0.05);
  ASSERT_EQ(json["latency_histogram"].size(), 1);
  EXPECT_NEAR(json["latency_histogram"][0][0], 50, 0.05);
  EXPECT_EQ(json["latency_histogram"][0][1], 1000);
}

TEST(LoadReportTest, Generator) {
  const Json json = LoadReport(Options(), Result())["generator"];
  EXPECT_EQ(json["user_s"], 0.1);
  EXPECT_EQ(json["system_s"], 0.4);
  EXPECT_EQ(json["voluntary_switches"], 11);
  EXPECT_EQ(json["involuntary_switches"], 12);
  EXPECT_EQ(json["max_rss_bytes"], 4096);
  EXPECT_EQ(json["utilisation"], 0.5);  // 0.5 s of 2 threads for 0.5 s.
}

TEST(LoadReportTest, Observed) {
  LoadOptions options = Options();
  options.observe_pid = 42;
  LoadResult result = Result();
  result.observed = ProcessUsage{.user = absl::Milliseconds(250), .threads = 4};
  const Json json = LoadReport(options, result)["observed"];
  EXPECT_THAT(Keys(json), ElementsAre("pid", "threads", "user_s", "system_s",
                                      "voluntary_switches",
                                      "involuntary_switches", "max_rss_bytes"));
  EXPECT_EQ(json["pid"], 42);
  EXPECT_EQ(json["threads"], 4);
  EXPECT_EQ(json["user_s"], 0.25);

  result.observed = absl::NotFoundError("process 42 is gone");
  EXPECT_EQ(LoadReport(options, result)["observed"],
            Json::parse(R"({"pid": 42, "error": "process 42 is gone"})"));
}

TEST(LoadReportTest, OpenLoop) {
  LoadOptions options = Options();
  options.rate_per_s = 2500;
  LoadResult result = Result();
  result.counts.service_time.Record(40'000);
  result.counts.arrivals = 1250;
  result.counts.backlog = 250;
  const Json json = LoadReport(options, result);
  EXPECT_EQ(json["mode"], "open");
  EXPECT_EQ(json["rate_per_s"], 2500);
  EXPECT_NEAR(json["service_time_us"]["max"], 40, 0.04);
  EXPECT_EQ(json["arrivals"], 1250);
  EXPECT_EQ(json["backlog"], 250);
}

TEST(LoadReportTest, NothingMeasuredIsStillJson) {
  const Json json = LoadReport(Options(), LoadResult());
  EXPECT_EQ(json["requests"], 0);
  EXPECT_EQ(json["requests_per_s"], 0);
  EXPECT_EQ(json["latency_us"]["p99"], 0);
  EXPECT_EQ(json["latency_histogram"], Json::array());
  EXPECT_EQ(json["generator"]["utilisation"], 0);
}

TEST(LoadReportTest, SummaryTellsOfErrorsOnlyIfThereAreAny) {
  LoadResult result = Result();
  result.counts.first_error = "status 503";
  EXPECT_THAT(LoadSummary(Options(), result),
              HasSubstr("status 5, short 6, body 7; the first: status 503"));
  result.counts.errors = {};
  EXPECT_THAT(LoadSummary(Options(), result), Not(HasSubstr("errors")));
  EXPECT_THAT(LoadSummary(Options(), result), HasSubstr("2000/s"));
}

}  // namespace
}  // namespace netlab::lab
