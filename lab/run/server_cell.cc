// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

#include "netlab/lab/run/server_cell.h"

#include <sysexits.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "absl/time/clock.h"
#include "netlab/lab/measure/noise.h"
#include "netlab/lab/run/child_process.h"
#include "netlab/net/cpu_list.h"

namespace netlab::lab {
namespace {

constexpr int kExitNothingSucceeded = 2;

// How long a program whose output has ended may take to end itself.
constexpr absl::Duration kLastBreath = absl::Seconds(1);

void Fail(Observation& observation, std::string problem,
          const ChildProcess* program) {
  observation.outcome = Outcome::kFailed;
  observation.problem = std::move(problem);
  if (program != nullptr) observation.log_tail = program->error_tail();
}

// A cell on its way from the start of its server to its observation.
class Measurement {
 public:
  Measurement(const Subject& subject, int threads, const Placement& placement,
              const LoadPlan& plan, int interrupt_fd, const Patience& patience)
      : subject_(subject),
        threads_(threads),
        placement_(placement),
        plan_(plan),
        interrupt_fd_(interrupt_fd),
        patience_(patience) {
    observation_.subject = subject.name;
    observation_.level = threads;
    observation_.placement = std::string(SharingName(placement.sharing));
  }

  absl::StatusOr<Observation> Run(PortPool& ports);

 private:
  // Each returns CancelledError alone; other trouble goes to observation_.
  absl::Status StartServer(int port);
  absl::Status RunLoad(int port);
  void ServerEndedAtStart();
  void LoadEnded();
  void StopServer();
  void Record(const LoadResult& result);
  void RecordForeignCpus(const SystemCpu& begin, absl::Time began);

  bool failed() const { return observation_.outcome != Outcome::kOk; }

  const Subject& subject_;
  const int threads_;
  const Placement& placement_;
  const LoadPlan& plan_;
  const int interrupt_fd_;
  const Patience& patience_;
  std::unique_ptr<ChildProcess> server_;
  std::unique_ptr<ChildProcess> load_;
  Observation observation_;
};

absl::StatusOr<Observation> Measurement::Run(PortPool& ports) {
  const absl::StatusOr<int> port = ports.Take();
  if (!port.ok()) {
    Fail(observation_, std::string(port.status().message()), nullptr);
    return std::move(observation_);
  }
  const absl::Time began = absl::Now();
  const SystemCpu cpu_before = ReadSystemCpu().value_or(SystemCpu());
  if (absl::Status status = StartServer(*port); !status.ok()) return status;
  if (!failed()) {
    if (absl::Status status = RunLoad(*port); !status.ok()) return status;
  }
  StopServer();
  RecordForeignCpus(cpu_before, began);
  return std::move(observation_);
}

absl::Status Measurement::StartServer(int port) {
  ChildOptions options;
  options.argv = {subject_.program};
  options.argv.insert(options.argv.end(), subject_.args.begin(),
                      subject_.args.end());
  options.argv.push_back(absl::StrCat("--port=", port));
  options.argv.push_back(absl::StrCat("--threads=", threads_));
  options.argv.push_back(
      absl::StrCat("--cpus=", FormatCpuList(placement_.server_cpus)));
  options.cpus = placement_.server_cpus;
  absl::StatusOr<std::unique_ptr<ChildProcess>> server =
      ChildProcess::Start(options);
  if (!server.ok()) {
    Fail(observation_, std::string(server.status().message()), nullptr);
    return absl::OkStatus();
  }
  server_ = *std::move(server);

  const absl::Time deadline = absl::Now() + patience_.start;
  const std::string expected = absl::StrCat("listening on ", port);
  for (;;) {
    const absl::StatusOr<std::string> line =
        server_->ReadLine(deadline, interrupt_fd_);
    if (line.ok() && *line == expected) return absl::OkStatus();
    if (line.ok()) continue;  // a server may say more than it must
    if (absl::IsCancelled(line.status())) return line.status();
    if (absl::IsOutOfRange(line.status())) {
      ServerEndedAtStart();
    } else {
      Fail(observation_,
           absl::StrCat("did not print '", expected, "' within ",
                        absl::FormatDuration(patience_.start)),
           server_.get());
    }
    return absl::OkStatus();
  }
}

void Measurement::ServerEndedAtStart() {
  ChildProcess* const server = server_.get();
  if (!WaitForExit({&server, 1}, absl::Now() + kLastBreath).ok()) {
    Fail(observation_, "closed its output before it listened", server);
    return;
  }
  if (server->status()->code == EX_UNAVAILABLE) {
    const std::vector<std::string> said = server->error_tail();
    observation_.outcome = Outcome::kUnavailable;
    observation_.problem =
        absl::StrCat("cannot run here: ",
                     said.empty() ? "it does not say why" : said.back());
    return;
  }
  Fail(observation_,
       absl::StrCat("ended before it listened: ", server->status()->ToString()),
       server);
}

absl::Status Measurement::RunLoad(int port) {
  ChildOptions options;
  options.argv = plan_.program;
  options.argv.insert(
      options.argv.end(),
      {absl::StrCat("--url=http://127.0.0.1:", port, "/"),
       absl::StrCat("--connections=", plan_.connections),
       absl::StrCat("--threads=", placement_.load_threads),
       absl::StrCat("--cpus=", FormatCpuList(placement_.load_cpus)),
       absl::StrCat("--warmup=", absl::FormatDuration(plan_.warmup)),
       absl::StrCat("--duration=", absl::FormatDuration(plan_.duration)),
       absl::StrCat("--observe_pid=", server_->pid()), "--json_output=-"});
  options.cpus = placement_.load_cpus;
  absl::StatusOr<std::unique_ptr<ChildProcess>> load =
      ChildProcess::Start(options);
  if (!load.ok()) {
    Fail(observation_, std::string(load.status().message()), nullptr);
    return absl::OkStatus();
  }
  load_ = *std::move(load);

  ChildProcess* const both[] = {server_.get(), load_.get()};
  const absl::Duration limit = plan_.warmup + plan_.duration + patience_.load;
  const absl::StatusOr<ChildProcess*> ended =
      WaitForExit(both, absl::Now() + limit, interrupt_fd_);
  if (absl::IsCancelled(ended.status())) return ended.status();
  if (!ended.ok()) {
    Fail(observation_,
         absl::StrCat("the load generator did not end within ",
                      absl::FormatDuration(limit)),
         load_.get());
  } else if (*ended == server_.get()) {
    Fail(observation_,
         absl::StrCat("ended under load: ", server_->status()->ToString()),
         server_.get());
  } else {
    LoadEnded();
  }
  load_->Stop(absl::ZeroDuration());
  return absl::OkStatus();
}

void Measurement::LoadEnded() {
  const ExitStatus& status = *load_->status();
  const bool has_result = status.ok() || (status.signal == 0 &&
                                          status.code == kExitNothingSucceeded);
  if (!has_result) {
    Fail(observation_,
         absl::StrCat("the load generator failed: ", status.ToString()),
         load_.get());
    return;
  }
  const absl::StatusOr<LoadResult> result = ParseLoadResult(load_->output());
  if (!result.ok()) {
    Fail(observation_, std::string(result.status().message()), load_.get());
    return;
  }
  observation_.errors = result->errors;
  observation_.details = result->json;
  if (!status.ok() || result->requests <= 0 || result->elapsed_s <= 0) {
    Fail(observation_, "not a single request succeeded", server_.get());
    return;
  }
  Record(*result);
}

void Measurement::StopServer() {
  if (server_ == nullptr) return;
  const bool was_running = !server_->status().has_value();
  const ExitStatus status = server_->Stop(patience_.stop);
  if (!was_running) return;
  if (server_->had_to_be_killed()) {
    observation_.notes.push_back(absl::StrCat(
        "did not end within ", absl::FormatDuration(patience_.stop),
        " of SIGTERM and was killed"));
  } else if (!status.ok() && !failed()) {
    observation_.notes.push_back(
        absl::StrCat("ended badly on SIGTERM: ", status.ToString()));
  }
}

void Measurement::Record(const LoadResult& result) {
  std::map<std::string, double>& metrics = observation_.metrics;
  const auto per_request = [&](double seconds) {
    return seconds / result.requests * 1e6;
  };
  metrics["requests_per_s"] = result.requests_per_s;
  for (const char* key : {"p50", "p90", "p99", "p99_9"}) {
    metrics[absl::StrCat(key, "_us")] = result.latency_us.at(key);
  }
  metrics["generator_cpu_us_per_request"] =
      per_request(result.generator.cpu_s());
  const double generator_utilisation =
      result.generator.cpu_s() /
      (result.elapsed_s * std::max(result.threads, 1.0));
  metrics["generator_utilisation"] = generator_utilisation;
  if (!result.server.has_value()) {
    observation_.notes.push_back("the server's CPU time was not observed");
    return;
  }
  const SideUsage& server = *result.server;
  metrics["server_cpu_us_per_request"] = per_request(server.cpu_s());
  metrics["server_user_us_per_request"] = per_request(server.user_s);
  metrics["server_system_us_per_request"] = per_request(server.system_s);
  metrics["server_switches_per_request"] = server.switches / result.requests;
  metrics["server_max_rss_bytes"] = server.max_rss_bytes;
  const double usable =
      std::min(threads_, static_cast<int>(placement_.server_cpus.size()));
  const double server_utilisation =
      server.cpu_s() / (result.elapsed_s * std::max(usable, 1.0));
  metrics["server_utilisation"] = server_utilisation;

  double shared_utilisation = 0;
  if (placement_.sharing == Sharing::kSharedCpus) {
    std::set<int> cpus(placement_.server_cpus.begin(),
                       placement_.server_cpus.end());
    cpus.insert(placement_.load_cpus.begin(), placement_.load_cpus.end());
    shared_utilisation = (server.cpu_s() + result.generator.cpu_s()) /
                         (result.elapsed_s * static_cast<double>(cpus.size()));
  }
  observation_.limited_by = std::string(
      LimitedBy(server_utilisation, generator_utilisation, shared_utilisation));
}

// What the machine did between start and end of the cell, less what the two
// programs did: the work of others.
void Measurement::RecordForeignCpus(const SystemCpu& begin, absl::Time began) {
  if (load_ == nullptr || !load_->status() || !server_->status()) return;
  const absl::StatusOr<SystemCpu> end = ReadSystemCpu();
  const absl::Duration elapsed = absl::Now() - began;
  if (!end.ok() || elapsed <= absl::ZeroDuration()) return;
  const absl::Duration ours = server_->status()->cpu + load_->status()->cpu;
  const absl::Duration foreign =
      std::max((*end - begin).busy - ours, absl::ZeroDuration());
  observation_.metrics["foreign_cpus"] = absl::FDivDuration(foreign, elapsed);
}

}  // namespace

absl::StatusOr<Observation> MeasureServer(const Subject& subject, int threads,
                                          const Placement& placement,
                                          const LoadPlan& plan, PortPool& ports,
                                          int interrupt_fd,
                                          const Patience& patience) {
  return Measurement(subject, threads, placement, plan, interrupt_fd, patience)
      .Run(ports);
}

std::vector<Metric> ServerMetrics() {
  constexpr bool kLower = true;
  constexpr bool kHigher = false;
  return {
      {"requests_per_s", "Throughput", "req/s", "requests/s", kHigher, 0},
      {"p50_us", "p50 latency", "p50 µs", "µs", kLower, 0},
      {"p90_us", "p90 latency", "p90 µs", "µs", kLower, 0},
      {"p99_us", "p99 latency", "p99 µs", "µs", kLower, 0},
      {"p99_9_us", "p99.9 latency", "p99.9 µs", "µs", kLower, 0},
      {"server_cpu_us_per_request", "Server CPU per request", "CPU µs/req",
       "µs", kLower, 2},
      {"server_user_us_per_request", "of it in user mode", "user µs/req", "µs",
       kLower, 2},
      {"server_system_us_per_request", "of it in the kernel", "kernel µs/req",
       "µs", kLower, 2},
      {"generator_cpu_us_per_request", "Generator CPU per request",
       "load µs/req", "µs", kLower, 2},
      {"server_switches_per_request", "Server context switches per request",
       "switches/req", "", kLower, 4},
      {"server_max_rss_bytes", "Server peak memory", "peak MiB", "bytes",
       kLower, 0},
      {"server_utilisation", "Share of the server threads' time in use",
       "server use", "", kLower, 2},
      {"generator_utilisation", "Share of the generator threads' time in use",
       "load use", "", kLower, 2},
      {"foreign_cpus", "CPUs kept busy by other processes", "other CPUs",
       "CPUs", kLower, 2},
  };
}

absl::string_view LimitedBy(double server_utilisation,
                            double generator_utilisation,
                            double shared_cpu_utilisation) {
  const bool server = server_utilisation >= kSaturated;
  const bool generator = generator_utilisation >= kSaturated;
  if (server && generator) return "both";
  if (server) return "server";
  if (generator) return "generator";
  return shared_cpu_utilisation >= kSaturated ? "machine" : "neither";
}

}  // namespace netlab::lab
