// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

#include "netlab/lab/experiment/driver.h"

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "netlab/lab/experiment/progress.h"
#include "netlab/lab/measure/noise.h"
#include "netlab/lab/report/csv.h"
#include "netlab/lab/report/jsonl.h"
#include "netlab/lab/report/summary.h"
#include "netlab/lab/report/terminal_report.h"
#include "netlab/lab/report/text_table.h"
#include "netlab/lab/run/rounds.h"

namespace netlab::lab {
namespace {

absl::Status WriteFile(const std::string& path, absl::string_view content) {
  std::ofstream file(path, std::ios::binary);
  file << content << std::flush;
  if (file) return absl::OkStatus();
  return absl::UnavailableError(absl::StrCat("cannot write ", path));
}

// A run of a DriverPlan.
class Driver {
 public:
  explicit Driver(DriverPlan plan)
      : plan_(std::move(plan)),
        results_(plan_.results),
        sentinel_(plan_.watched_cpus),
        progress_(results_.planned_rounds, plan_.cells,
                  results_.experiment.axis) {}

  int Run();

 private:
  absl::Status OpenResults();
  absl::Status Measure();
  absl::Status RoundDone(std::vector<Observation> round);
  void Sample();
  absl::Status FlushResults();
  int Report();

  DriverPlan plan_;
  Results& results_;
  NoiseSentinel sentinel_;
  Progress progress_;
  std::string jsonl_path_;
  std::ofstream jsonl_;
};

absl::Status Driver::OpenResults() {
  std::error_code error;
  std::filesystem::create_directories(plan_.output_dir, error);
  jsonl_path_ = plan_.output_dir + "/results.jsonl";
  jsonl_.open(jsonl_path_, std::ios::binary);
  jsonl_ << RunLine(results_);
  return FlushResults();
}

absl::Status Driver::FlushResults() {
  jsonl_ << std::flush;
  if (jsonl_) return absl::OkStatus();
  return absl::UnavailableError(absl::StrCat("cannot write ", jsonl_path_));
}

void Driver::Sample() {
  results_.noise.push_back(sentinel_.Sample());
  jsonl_ << NoiseLine(results_.noise.back());
}

absl::Status Driver::RoundDone(std::vector<Observation> round) {
  const int number = round.front().round;
  for (Observation& observation : round) {
    jsonl_ << ObservationLine(observation);
    results_.observations.push_back(std::move(observation));
  }
  Sample();
  absl::Status status = FlushResults();
  progress_.RoundDone(number);
  return status;
}

absl::Status Driver::Measure() {
  Sample();
  return RunRounds(
      {.rounds = results_.planned_rounds,
       .cells = plan_.cells,
       .seed = plan_.seed,
       .measure = plan_.measure,
       .observed =
           [this](const Observation& seen) { progress_.Observed(seen); },
       .round_done =
           [this](std::vector<Observation> round) {
             return RoundDone(std::move(round));
           }});
}

int Driver::Report() {
  if (results_.observations.empty()) {
    std::cout << "Stopped before the first round was complete: there is "
                 "nothing to report.\n";
    return 1;
  }
  const absl::Status status =
      WriteReports(results_, *plan_.assets, plan_.output_dir);
  const Summary summary = Summarize(results_);
  std::cout << TerminalReport(results_, summary, StandardOutputTerminal())
            << "\n";
  if (!status.ok()) {
    std::cerr << "ERROR: " << status.message() << "\n";
    return 1;
  }
  for (const char* file : {"report.html", "results.csv", "results.jsonl"}) {
    std::cout << plan_.output_dir << "/" << file << "\n";
  }
  std::cout << std::flush;
  const bool measured = absl::c_any_of(
      summary.cells, [](const CellSummary& cell) { return cell.measured > 0; });
  return measured ? 0 : 1;
}

int Driver::Run() {
  absl::Status status = OpenResults();
  if (status.ok()) status = Measure();
  progress_.Clear();
  results_.interrupted = absl::IsCancelled(status);
  if (!status.ok() && !results_.interrupted) {
    std::cerr << "ERROR: " << status.message() << "\n";
    return 1;
  }
  jsonl_ << EndLine(results_.interrupted);
  jsonl_.close();
  const int exit_status = Report();
  return results_.interrupted ? 128 + plan_.interrupt->signal() : exit_status;
}

}  // namespace

absl::Status WriteReports(const Results& results, const PageAssets& assets,
                          const std::string& folder) {
  const Summary summary = Summarize(results);
  absl::Status status =
      WriteFile(folder + "/results.csv", ToCsv(results, summary));
  if (!status.ok()) return status;
  return WriteFile(folder + "/report.html",
                   HtmlReport(results, summary, assets));
}

int RunExperiment(DriverPlan plan) { return Driver(std::move(plan)).Run(); }

}  // namespace netlab::lab
