// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

#include "netlab/lab/load/load_report.h"

#include "absl/strings/str_format.h"
#include "absl/time/time.h"

namespace netlab::lab {
namespace {

using Json = nlohmann::ordered_json;

Json ToJson(const ErrorCounts& errors) {
  return {{"connect", errors.connect}, {"read", errors.read},
          {"write", errors.write},     {"timeout", errors.timeout},
          {"status", errors.status},   {"short", errors.cut_short},
          {"body", errors.body}};
}

Json ToJson(const LatencyHistogram::Summary& summary) {
  return {{"min", summary.min_us},       {"mean", summary.mean_us},
          {"stddev", summary.stddev_us}, {"max", summary.max_us},
          {"p50", summary.p50_us},       {"p75", summary.p75_us},
          {"p90", summary.p90_us},       {"p99", summary.p99_us},
          {"p99_9", summary.p99_9_us},   {"p99_99", summary.p99_99_us}};
}

Json ToJson(const ProcessUsage& usage) {
  return {{"user_s", absl::ToDoubleSeconds(usage.user)},
          {"system_s", absl::ToDoubleSeconds(usage.system)},
          {"voluntary_switches", usage.voluntary_switches},
          {"involuntary_switches", usage.involuntary_switches},
          {"max_rss_bytes", usage.max_rss_bytes}};
}

double Rate(const LoadResult& result) {
  const double elapsed_s = absl::ToDoubleSeconds(result.elapsed);
  return elapsed_s > 0 ? static_cast<double>(result.counts.requests) / elapsed_s
                       : 0;
}

Json GeneratorJson(const LoadOptions& options, const LoadResult& result) {
  if (!result.generator.ok()) {
    return {{"error", result.generator.status().message()}};
  }
  Json json = ToJson(*result.generator);
  const absl::Duration available = result.elapsed * options.threads;
  json["utilisation"] =
      available > absl::ZeroDuration()
          ? absl::FDivDuration(result.generator->cpu(), available)
          : 0.0;
  return json;
}

Json ObservedJson(const LoadOptions& options,
                  const absl::StatusOr<ProcessUsage>& usage) {
  Json json = {{"pid", options.observe_pid}};
  if (!usage.ok()) {
    json["error"] = usage.status().message();
    return json;
  }
  json["threads"] = usage->threads;
  json.update(ToJson(*usage));
  return json;
}

std::string CpuPerRequest(absl::string_view who, const ProcessUsage& usage,
                          int64_t requests) {
  return absl::StrFormat(
      "  %-10s %.2f us CPU per request, %.1f MiB\n", who,
      absl::ToDoubleMicroseconds(usage.cpu()) / static_cast<double>(requests),
      static_cast<double>(usage.max_rss_bytes) / (1 << 20));
}

}  // namespace

Json LoadReport(const LoadOptions& options, const LoadResult& result) {
  const LoadCounts& counts = result.counts;
  Json json = {
      {"schema", "netlab.load/1"},
      {"target", options.target},
      {"mode", options.open_loop() ? "open" : "closed"},
      {"engine", result.engine == EngineKind::kIoUring ? "io_uring" : "epoll"},
      {"connections", options.connections},
      {"threads", options.threads},
      {"pipeline", options.pipeline},
      {"rate_per_s", options.rate_per_s},
      {"warmup_s", absl::ToDoubleSeconds(options.warmup)},
      {"elapsed_s", absl::ToDoubleSeconds(result.elapsed)},
      {"requests", counts.requests},
      {"requests_per_s", Rate(result)},
      {"bytes_received", counts.bytes_received},
      {"errors", ToJson(counts.errors)},
      {"latency_us", ToJson(counts.latency.Summarize())},
  };
  if (options.open_loop()) {
    json["service_time_us"] = ToJson(counts.service_time.Summarize());
    json["arrivals"] = counts.arrivals;
    json["backlog"] = counts.backlog;
  }
  json["latency_histogram"] = counts.latency.Distribution();
  json["generator"] = GeneratorJson(options, result);
  if (result.observed) {
    json["observed"] = ObservedJson(options, *result.observed);
  }
  return json;
}

std::string LoadSummary(const LoadOptions& options, const LoadResult& result) {
  const LoadCounts& counts = result.counts;
  const LatencyHistogram::Summary latency = counts.latency.Summarize();
  std::string text = absl::StrFormat(
      "%s: %d requests in %.2f s, %.0f/s\n"
      "  latency    p50 %.0f us, p90 %.0f us, p99 %.0f us, p99.9 %.0f us, max "
      "%.0f us\n",
      options.target, counts.requests, absl::ToDoubleSeconds(result.elapsed),
      Rate(result), latency.p50_us, latency.p90_us, latency.p99_us,
      latency.p99_9_us, latency.max_us);
  if (counts.requests > 0) {
    if (result.generator.ok()) {
      text += CpuPerRequest("generator", *result.generator, counts.requests);
    }
    if (result.observed && result.observed->ok()) {
      text += CpuPerRequest("observed", **result.observed, counts.requests);
    }
  }
  if (options.open_loop()) {
    absl::StrAppendFormat(&text, "  arrivals   %d, waiting at the end %d\n",
                          counts.arrivals, counts.backlog);
  }
  const ErrorCounts& errors = counts.errors;
  if (errors.total() > 0) {
    absl::StrAppendFormat(
        &text,
        "  errors     connect %d, read %d, write %d, timeout %d, status %d, "
        "short %d, body %d; the first: %s\n",
        errors.connect, errors.read, errors.write, errors.timeout,
        errors.status, errors.cut_short, errors.body, counts.first_error);
  }
  return text;
}

}  // namespace netlab::lab
