// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

#include "netlab/lab/run/load_result.h"

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace netlab::lab {
namespace {

using Json = nlohmann::ordered_json;

constexpr char kSchema[] = "netlab.load/1";

// Reads members of a JSON object; remembers the first that is not there.
class Reader {
 public:
  const Json& Object(const Json& parent, const char* key) {
    static const Json& empty = *new Json(Json::object());
    const auto it = parent.find(key);
    if (it != parent.end() && it->is_object()) return *it;
    Miss(key);
    return empty;
  }

  double Number(const Json& parent, const char* key) {
    const auto it = parent.find(key);
    if (it != parent.end() && it->is_number()) return it->get<double>();
    Miss(key);
    return 0;
  }

  SideUsage Usage(const Json& side) {
    return {.user_s = Number(side, "user_s"),
            .system_s = Number(side, "system_s"),
            .switches = Number(side, "voluntary_switches") +
                        Number(side, "involuntary_switches"),
            .max_rss_bytes = Number(side, "max_rss_bytes")};
  }

  absl::Status status() const {
    if (missing_.empty()) return absl::OkStatus();
    return absl::InvalidArgumentError(
        absl::StrCat("the load generator's result has no '", missing_, "'"));
  }

 private:
  void Miss(const char* key) {
    if (missing_.empty()) missing_ = key;
  }
  std::string missing_;
};

}  // namespace

absl::StatusOr<LoadResult> ParseLoadResult(absl::string_view text) {
  Json json = Json::parse(text.begin(), text.end(), nullptr,
                          /*allow_exceptions=*/false);
  if (!json.is_object() || json.value("schema", Json()) != kSchema) {
    return absl::InvalidArgumentError(absl::StrCat(
        "the load generator printed no result of schema ", kSchema));
  }
  LoadResult result;
  Reader reader;
  result.elapsed_s = reader.Number(json, "elapsed_s");
  result.requests = reader.Number(json, "requests");
  result.requests_per_s = reader.Number(json, "requests_per_s");
  result.threads = reader.Number(json, "threads");
  for (const auto& [kind, count] : reader.Object(json, "errors").items()) {
    if (count.is_number()) result.errors[kind] = count.get<int64_t>();
  }
  const Json& latency = reader.Object(json, "latency_us");
  for (const char* key : {"mean", "p50", "p90", "p99", "p99_9", "max"}) {
    result.latency_us[key] = reader.Number(latency, key);
  }
  result.generator = reader.Usage(reader.Object(json, "generator"));
  if (json.contains("observed") && json["observed"].is_object()) {
    result.server = reader.Usage(json["observed"]);
  }
  if (!reader.status().ok()) return reader.status();
  result.json = std::move(json);
  return result;
}

}  // namespace netlab::lab
