// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

#include "netlab/lab/throughput_experiment.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "netlab/lab/experiment/flags.h"
#include "netlab/lab/experiment/options.h"
#include "netlab/lab/experiment/progress.h"
#include "netlab/lab/measure/environment.h"
#include "netlab/lab/measure/library_versions.h"
#include "netlab/lab/measure/topology.h"
#include "netlab/lab/run/interrupt.h"
#include "netlab/lab/run/ports.h"
#include "netlab/lab/run/server_cell.h"
#include "netlab/net/cpu_list.h"

namespace netlab::lab {
namespace {

constexpr char kUsage[] =
    "Measures how many requests each server answers, at what latency and CPU "
    "cost, and says which differences are real.\n"
    "  bazel run //lab:throughput -- --subjects=raw_epoll,asio --threads=1";

// What a cell costs besides its warm-up and its measurement: start and stop of
// two programs.
constexpr absl::Duration kCellOverhead = absl::Milliseconds(60);

// Files that a program has open besides its connections.
constexpr uint64_t kOtherFiles = 128;

// Powers of two up to half of the physical cores: beyond that the load has
// none of its own. At least 1 and 2.
std::vector<int64_t> FullLevels(size_t cores) {
  std::vector<int64_t> levels = {1, 2};
  for (int64_t next = 4; next <= static_cast<int64_t>(cores / 2); next *= 2) {
    levels.push_back(next);
  }
  return levels;
}

std::vector<Profile> Profiles(size_t cores) {
  return {{.name = "quick",
           .rounds = 6,
           .warmup = absl::Milliseconds(300),
           .duration = absl::Milliseconds(1400),
           .connections = 100,
           .levels = {1, 2}},
          {.name = "full",
           .rounds = 15,
           .warmup = absl::Seconds(1),
           .duration = absl::Seconds(4),
           .connections = 100,
           .levels = FullLevels(cores)}};
}

std::vector<std::string> NamesOf(const std::vector<Subject>& subjects) {
  std::vector<std::string> names;
  for (const Subject& subject : subjects) names.push_back(subject.name);
  return names;
}

struct Cell {
  const Subject* subject;
  int threads;
};

// Everything that is decided before the first program starts.
struct Setup {
  ExperimentOptions options;
  std::vector<Subject> subjects;
  std::map<int64_t, Placement> placements;  // by threads
  std::vector<Cell> cells;
};

absl::StatusOr<Setup> Prepare(const RawOptions& raw,
                              const ThroughputPrograms& programs) {
  absl::StatusOr<std::vector<int>> cpus = AvailableCpus();
  if (!cpus.ok()) return cpus.status();
  const std::vector<Core> cores = CoresOf(*cpus);
  absl::StatusOr<ExperimentOptions> options =
      CheckOptions(raw, {.experiment = "throughput",
                         .profiles = Profiles(cores.size()),
                         .subjects = NamesOf(programs.servers),
                         .available_cpus = *cpus,
                         .working_dir = WorkingDir(),
                         .now = absl::Now()});
  if (!options.ok()) return options.status();
  absl::Status status = EnsureFileLimit(
      static_cast<uint64_t>(options->connections) + kOtherFiles);
  if (!status.ok()) return status;

  Setup setup;
  setup.options = *std::move(options);
  for (const Subject& subject : programs.servers) {
    if (absl::c_linear_search(setup.options.subjects, subject.name)) {
      setup.subjects.push_back(subject);
    }
  }
  // Without the reference, the first of those chosen stands in for it.
  if (absl::c_none_of(setup.subjects,
                      [](const Subject& s) { return s.reference; })) {
    setup.subjects.front().reference = true;
  }
  for (const int64_t threads : setup.options.levels) {
    setup.placements[threads] =
        Place(cores, static_cast<int>(threads), setup.options.placement);
  }
  return setup;
}

// Points into `setup`.
void ListCells(Setup& setup) {
  for (const int64_t threads : setup.options.levels) {
    for (const Subject& subject : setup.subjects) {
      setup.cells.push_back({&subject, static_cast<int>(threads)});
    }
  }
}

std::vector<int> WatchedCpus(const Setup& setup) {
  std::set<int> cpus;
  for (const auto& [threads, placement] : setup.placements) {
    cpus.insert(placement.server_cpus.begin(), placement.server_cpus.end());
    cpus.insert(placement.load_cpus.begin(), placement.load_cpus.end());
  }
  return {cpus.begin(), cpus.end()};
}

std::vector<Fact> OptionFacts(const Setup& setup) {
  const ExperimentOptions& options = setup.options;
  std::vector<Fact> facts = {
      {"profile", options.profile},
      {"rounds", absl::StrCat(options.rounds)},
      {"warmup", absl::FormatDuration(options.warmup)},
      {"duration", absl::FormatDuration(options.duration)},
      {"connections", absl::StrCat(options.connections)},
      {"threads", absl::StrJoin(options.levels, ",")},
      {"subjects", absl::StrJoin(options.subjects, ",")},
      {"seed", absl::StrCat(options.seed)},
  };
  for (const auto& [threads, placement] : setup.placements) {
    facts.push_back(
        {absl::StrCat("placement_of_", threads, "_server_threads"),
         absl::StrCat("servers on CPUs ", FormatCpuList(placement.server_cpus),
                      ", ", placement.load_threads, " load threads on CPUs ",
                      FormatCpuList(placement.load_cpus), ": ",
                      SharingName(placement.sharing))});
  }
  return facts;
}

Results EmptyResults(const Setup& setup) {
  Results results;
  results.experiment = ThroughputExperiment();
  for (const Subject& subject : setup.subjects) {
    results.subjects.push_back({.name = subject.name,
                                .what = subject.what,
                                .reference = subject.reference});
  }
  results.levels = setup.options.levels;
  results.planned_rounds = setup.options.rounds;
  results.options = OptionFacts(setup);
  results.command =
      absl::StrCat("bazel run //lab:throughput -- ", FlagsOf(setup.options));
  results.environment = RecordEnvironment();
  results.environment.push_back({"libraries", LibraryVersions()});
  const char* const workspace = std::getenv("BUILD_WORKSPACE_DIRECTORY");
  results.environment.push_back(
      {"netlab_commit", SourceCommit(workspace != nullptr ? workspace : ".")});
  return results;
}

void Announce(const Setup& setup) {
  const ExperimentOptions& options = setup.options;
  const absl::Duration all =
      (options.warmup + options.duration + kCellOverhead) *
      static_cast<double>(setup.cells.size()) * options.rounds;
  std::cout << options.rounds << " rounds of " << setup.cells.size()
            << " cells, " << FormatTimeLeft(all) << "; results in "
            << options.output_dir << std::endl;
  if (!BuiltForMeasuring()) {
    std::cerr << "WARNING: not built with -c opt: these figures mean "
                 "nothing.\n";
  }
}

int Fail(const absl::Status& status) {
  std::cerr << "ERROR: " << status.message() << "\n";
  return 1;
}

}  // namespace

Experiment ThroughputExperiment() {
  Experiment experiment;
  experiment.name = "throughput";
  experiment.question =
      "how many requests does each server answer, at what latency and CPU "
      "cost?";
  experiment.axis = "threads";
  experiment.metrics = ServerMetrics();
  experiment.compared = {
      {.metric = "requests_per_s", .is_capacity = true},
      {.metric = "server_cpu_us_per_request", .is_capacity = false},
  };
  experiment.table_metrics = {"requests_per_s",
                              "server_cpu_us_per_request",
                              "generator_cpu_us_per_request",
                              "p50_us",
                              "p99_us",
                              "p99_9_us"};
  experiment.error_kinds = {"connect", "read",  "write", "timeout",
                            "status",  "short", "body"};
  experiment.charts = {
      {.kind = ChartKind::kBars,
       .title = "Throughput.",
       .axis_title = "requests per second",
       .metrics = {"requests_per_s"},
       .caption = "Bars are medians, points are rounds; the dashed line is "
                  "the reference."},
      {.kind = ChartKind::kBars,
       .title = "Server CPU per request.",
       .axis_title = "CPU time per request (µs)",
       .metrics = {"server_cpu_us_per_request", "server_user_us_per_request",
                   "server_system_us_per_request"},
       .caption = "What a request costs the server, whoever limited the "
                  "throughput. The total is exact; its split comes from the "
                  "kernel's tick."},
      {.kind = ChartKind::kPercentiles,
       .title = "Latency.",
       .axis_title = "latency (µs, logarithmic)",
       .metrics = {"p50_us", "p90_us", "p99_us", "p99_9_us"},
       .caption = "Points are medians of the rounds' percentiles, ticks are "
                  "rounds."},
  };
  experiment.caveats = {
      "Compare CPU per request first. Throughput is the server's capacity only "
      "where the server had no time left (“limited by server”); where the load "
      "generator had none, every server can do at least as much.",
      "The load is a closed loop: each connection sends its next request when "
      "it has the answer to the last. By Little's law the mean latency is then "
      "connections divided by throughput, so a latency column of saturated "
      "servers restates the throughput column. What remains to be read from it "
      "is the tail: how far p99 and p99.9 lie above the median.",
      "Where both sides share CPUs, a faster server leaves more time to the "
      "generator and the other way round: the figures are of the whole "
      "machine.",
      "Requests are answered without being fully parsed, over loopback. This "
      "measures what the event loop and the system calls cost, not TLS, not "
      "routing, not a network.",
  };
  return experiment;
}

int ThroughputMain(int argc, char** argv, const ThroughputPrograms& programs,
                   const FileFinder& find) {
  absl::StatusOr<Setup> setup =
      Prepare(ParseFlags(argc, argv, kUsage), programs);
  if (!setup.ok()) return Fail(setup.status());
  ListCells(*setup);
  absl::StatusOr<PortPool> ports = PortPool::Create();
  if (!ports.ok()) return Fail(ports.status());
  const absl::StatusOr<PageAssets> assets = LoadPageAssets(find);
  if (!assets.ok()) return Fail(assets.status());

  const LoadPlan load = {.program = programs.load,
                         .connections = setup->options.connections,
                         .warmup = setup->options.warmup,
                         .duration = setup->options.duration};
  const Interrupt interrupt;
  Announce(*setup);
  return RunExperiment({.results = EmptyResults(*setup),
                        .cells = setup->cells.size(),
                        .seed = setup->options.seed,
                        .measure =
                            [&](size_t index) {
                              const Cell& cell = setup->cells[index];
                              return MeasureServer(
                                  *cell.subject, cell.threads,
                                  setup->placements.at(cell.threads), load,
                                  *ports, interrupt.fd());
                            },
                        .watched_cpus = WatchedCpus(*setup),
                        .output_dir = setup->options.output_dir,
                        .assets = &*assets,
                        .interrupt = &interrupt});
}

}  // namespace netlab::lab
