// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

#include "netlab/lab/report/testing/sample_results.h"

#include <cstdint>
#include <string>

namespace netlab::lab {
namespace {

constexpr int kRounds = 6;

Experiment SampleExperiment() {
  Experiment experiment;
  experiment.name = "sample";
  experiment.question = "is <this> escaped & \"quoted\"?";
  experiment.axis = "threads";
  experiment.metrics = {
      {"requests_per_s", "Throughput", "req/s", "requests/s", false, 0},
      {"cpu_us", "CPU per request", "CPU µs/req", "µs", true, 2},
      {"user_us", "of it in user mode", "user µs/req", "µs", true, 2},
      {"system_us", "of it in the kernel", "kernel µs/req", "µs", true, 2},
      {"p50_us", "p50 latency", "p50 µs", "µs", true, 0},
      {"p99_us", "p99 latency", "p99 µs", "µs", true, 0},
      {"rss", "Peak memory", "peak MiB", "bytes", true, 0},
  };
  experiment.compared = {{.metric = "requests_per_s", .is_capacity = true},
                         {.metric = "cpu_us", .is_capacity = false}};
  experiment.table_metrics = {"requests_per_s", "cpu_us", "p50_us", "p99_us",
                              "rss"};
  experiment.error_kinds = {"connect", "timeout"};
  experiment.charts = {
      {.kind = ChartKind::kBars,
       .title = "Throughput.",
       .axis_title = "requests per second",
       .metrics = {"requests_per_s"},
       .caption = ""},
      {.kind = ChartKind::kBars,
       .title = "CPU per request.",
       .axis_title = "µs",
       .metrics = {"cpu_us", "user_us", "system_us"},
       .caption = ""},
      {.kind = ChartKind::kPercentiles,
       .title = "Latency.",
       .axis_title = "latency (µs)",
       .metrics = {"p50_us", "p99_us"},
       .caption = ""},
  };
  experiment.caveats = {"Read this </script> with care."};
  return experiment;
}

// Rounds differ by a factor that all subjects share, and by up to 1 % that they
// do not.
double Drift(int round) { return 1 + 0.1 * round; }
double Jitter(int round, const std::string& subject) {
  return 1 + 0.002 * ((round * 7 + static_cast<int>(subject.size())) % 5 - 2);
}

Observation Measured(int round, const std::string& subject, int64_t level,
                     double speed) {
  Observation seen;
  seen.round = round;
  seen.subject = subject;
  seen.level = level;
  seen.placement = level == 1 ? "separate cores" : "shared CPUs";
  seen.limited_by = level == 1 ? "server" : "generator";
  const double jitter = Jitter(round, subject);
  const double rate = 100000 * speed * jitter / Drift(round);
  const double cpu = 10 / speed / jitter * Drift(round);
  seen.metrics = {{"requests_per_s", rate}, {"cpu_us", cpu},
                  {"user_us", cpu * 0.2},   {"system_us", cpu * 0.8},
                  {"p50_us", 1e8 / rate},   {"p99_us", 4e8 / rate},
                  {"rss", 8.0 * (1 << 20)}, {"foreign_cpus", 0.01}};
  seen.errors = {{"connect", 0}, {"timeout", 0}};
  seen.details = {{"mode", "closed"}};
  return seen;
}

Observation Unmeasured(int round, const std::string& subject, int64_t level,
                       Outcome outcome, const std::string& problem) {
  Observation seen;
  seen.round = round;
  seen.subject = subject;
  seen.level = level;
  seen.outcome = outcome;
  seen.problem = problem;
  return seen;
}

void AddRound(int round, int64_t level, Results& results) {
  results.observations.push_back(Measured(round, "base", level, 1));
  results.observations.push_back(Measured(round, "fast", level, 1.25));
  results.observations.push_back(
      Measured(round, "even", level, round % 2 == 0 ? 1.02 : 0.98));
  results.observations.push_back(
      Unmeasured(round, "gone", level, Outcome::kUnavailable,
                 "cannot run here: no <ring>, \"sorry\""));
  if (round <= 2) {
    Observation dead = Unmeasured(round, "faulty", level, Outcome::kFailed,
                                  "ended under load: killed by signal 11");
    dead.log_tail = {"<assertion> failed", "bye"};
    results.observations.push_back(dead);
    return;
  }
  Observation faulty = Measured(round, "faulty", level, 2);
  faulty.errors["timeout"] = 3;
  faulty.notes = {"had to be killed"};
  results.observations.push_back(faulty);
}

}  // namespace

Results SampleResults() {
  Results results;
  results.experiment = SampleExperiment();
  results.subjects = {{"base", "the <reference>", true},
                      {"fast", "faster", false},
                      {"even", "the same", false},
                      {"gone", "not here", false},
                      {"faulty", "dies", false}};
  results.levels = {1, 2};
  results.options = {{"rounds", "6"}};
  results.command = "bazel run //lab:sample -- --seed=1 --subjects='a<b'";
  results.environment = {{"date", "2026-01-01 00:00:00 UTC"},
                         {"cpu_model", "Example <CPU>"},
                         {"kernel", "Linux 6.1"}};
  results.planned_rounds = kRounds;
  results.noise.push_back({.calibration = {{0, 3.0}}, .steal_share = 0});
  for (int round = 1; round <= kRounds; ++round) {
    for (const int64_t level : results.levels) AddRound(round, level, results);
    results.noise.push_back({.calibration = {{0, 3.01}}, .steal_share = 0});
  }
  return results;
}

}  // namespace netlab::lab
