// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

// load: makes HTTP load and measures it. README.md says how.

#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/flags/parse.h"
#include "absl/flags/usage.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "netlab/lab/load/load_options.h"
#include "netlab/lab/load/load_report.h"
#include "netlab/lab/load/load_result.h"
#include "netlab/lab/load/run_load.h"
#include "netlab/lab/load/url.h"
#include "netlab/lab/run/interrupt.h"
#include "netlab/net/cpu_list.h"

ABSL_FLAG(std::string, url, "", "What to ask for: http://HOST[:PORT][/PATH]");
ABSL_FLAG(int, connections, 100, "Keep-alive connections over all threads");
ABSL_FLAG(int, threads, 1, "Threads; each has its share of the connections");
ABSL_FLAG(std::string, cpus, "",
          "CPUs for the threads in their order, like 0,2-3; empty: any");
ABSL_FLAG(absl::Duration, duration, absl::Seconds(3),
          "How long to measure, after the warm-up");
ABSL_FLAG(absl::Duration, warmup, absl::Milliseconds(500),
          "How long to make the load before measuring it");
ABSL_FLAG(int, pipeline, 1, "Requests in flight on a connection, at most");
ABSL_FLAG(
    double, rate, 0,
    "Open loop: requests per second over all connections; 0: closed loop");
ABSL_FLAG(absl::Duration, timeout, absl::Seconds(2),
          "How long a response or a connection may take");
ABSL_FLAG(std::string, verify, "head",
          "What of a response to check: head (status and length) or body");
ABSL_FLAG(std::string, expect_body, "",
          "With --verify=body: the body; empty: the same as the first");
ABSL_FLAG(std::string, header, "",
          "A further 'Name: value', several of them on lines of their own");
ABSL_FLAG(std::string, engine, "auto",
          "epoll, io_uring, or auto: io_uring if the kernel allows it");
ABSL_FLAG(int, observe_pid, 0,
          "A process, usually the server, whose CPU time and memory to record");
ABSL_FLAG(std::string, json_output, "",
          "Where to write the result as JSON; -: standard output");

namespace netlab::lab {
namespace {

enum ExitCode { kCompleted = 0, kUnusable = 1, kNoSuccess = 2 };

absl::StatusOr<EngineKind> ParseEngine(absl::string_view name) {
  if (name == "auto") return EngineKind::kAuto;
  if (name == "epoll") return EngineKind::kEpoll;
  if (name == "io_uring") return EngineKind::kIoUring;
  return absl::InvalidArgumentError(
      absl::StrCat("--engine=", name, ": expected auto, epoll or io_uring"));
}

absl::StatusOr<LoadOptions> OptionsFromFlags() {
  LoadOptions options;
  options.target = absl::GetFlag(FLAGS_url);
  if (options.target.empty()) {
    return absl::InvalidArgumentError(
        "--url=http://HOST[:PORT][/PATH] is missing");
  }
  absl::StatusOr<Url> url = ParseUrl(options.target);
  if (!url.ok()) return url.status();
  options.url = *url;
  absl::StatusOr<std::vector<std::string>> headers =
      ParseHeaders(absl::GetFlag(FLAGS_header));
  if (!headers.ok()) return headers.status();
  options.headers = *headers;
  absl::StatusOr<std::vector<int>> cpus =
      ParseCpuList(absl::GetFlag(FLAGS_cpus));
  if (!cpus.ok()) {
    return absl::InvalidArgumentError(
        absl::StrCat("--cpus: ", cpus.status().message()));
  }
  options.cpus = *cpus;
  const std::string verify = absl::GetFlag(FLAGS_verify);
  if (verify != "head" && verify != "body") {
    return absl::InvalidArgumentError(
        absl::StrCat("--verify=", verify, ": expected head or body"));
  }
  options.verify_body = verify == "body";
  absl::StatusOr<EngineKind> engine = ParseEngine(absl::GetFlag(FLAGS_engine));
  if (!engine.ok()) return engine.status();
  options.engine = *engine;
  options.expect_body = absl::GetFlag(FLAGS_expect_body);
  options.connections = absl::GetFlag(FLAGS_connections);
  options.threads = absl::GetFlag(FLAGS_threads);
  options.pipeline = absl::GetFlag(FLAGS_pipeline);
  options.rate_per_s = absl::GetFlag(FLAGS_rate);
  options.duration = absl::GetFlag(FLAGS_duration);
  options.warmup = absl::GetFlag(FLAGS_warmup);
  options.timeout = absl::GetFlag(FLAGS_timeout);
  options.observe_pid = absl::GetFlag(FLAGS_observe_pid);
  if (absl::Status status = CheckLoadOptions(options); !status.ok()) {
    return status;
  }
  return options;
}

// Where the JSON goes. Opened before the run, so that no run is lost to a name
// that cannot be written.
class JsonOutput {
 public:
  explicit JsonOutput(std::string path) : path_(std::move(path)) {
    if (path_.empty()) return;
    file_ = to_stdout() ? stdout : std::fopen(path_.c_str(), "we");
    if (file_ == nullptr) error_ = errno;
  }

  bool to_stdout() const { return path_ == "-"; }

  absl::Status status() const {
    if (error_ == 0) return absl::OkStatus();
    return absl::ErrnoToStatus(error_, absl::StrCat("--json_output=", path_));
  }

  absl::Status Write(const std::string& json) {
    if (file_ == nullptr) return status();
    if (std::fputs(json.c_str(), file_) < 0 || std::fflush(file_) != 0) {
      error_ = errno;
    }
    if (!to_stdout()) std::fclose(file_);
    file_ = nullptr;
    return status();
  }

 private:
  const std::string path_;
  std::FILE* file_ = nullptr;
  int error_ = 0;
};

int Unusable(const absl::Status& status) {
  absl::FPrintF(stderr, "load: %s\n", status.message());
  return kUnusable;
}

// Overwrites one line of the terminal.
void ShowProgress(absl::string_view phase, int64_t requests) {
  absl::FPrintF(stderr, "\r\033[K%s: %d requests", phase, requests);
}

int Main() {
  absl::StatusOr<LoadOptions> options = OptionsFromFlags();
  if (!options.ok()) return Unusable(options.status());
  JsonOutput output(absl::GetFlag(FLAGS_json_output));
  if (!output.status().ok()) return Unusable(output.status());

  const Interrupt interrupt;
  const bool terminal = isatty(STDERR_FILENO) == 1;
  absl::StatusOr<LoadResult> result =
      RunLoad(*options, interrupt.fd(),
              terminal ? LoadProgress(ShowProgress) : LoadProgress());
  if (terminal) std::fputs("\r\033[K", stderr);
  if (!result.ok()) return Unusable(result.status());

  const std::string json = LoadReport(*options, *result).dump(2) + "\n";
  if (absl::Status status = output.Write(json); !status.ok()) {
    return Unusable(status);
  }
  if (!output.to_stdout()) {
    std::fputs(LoadSummary(*options, *result).c_str(), stdout);
  }
  if (result->observed && !result->observed->ok()) {
    absl::FPrintF(stderr, "load: %s\n", result->observed->status().message());
  }
  if (result->counts.requests > 0) return kCompleted;
  absl::FPrintF(stderr, "load: %s: not one request succeeded: %s\n",
                options->target,
                result->counts.first_error.empty()
                    ? (interrupt.raised() ? "interrupted" : "no response")
                    : result->counts.first_error);
  return kNoSuccess;
}

}  // namespace
}  // namespace netlab::lab

int main(int argc, char** argv) {
  absl::SetProgramUsageMessage(
      "Makes HTTP load and measures it.\n"
      "  load --url=http://127.0.0.1:8080/ --connections=100 --duration=3s");
  const std::vector<char*> arguments = absl::ParseCommandLine(argc, argv);
  if (arguments.size() > 1) {
    absl::FPrintF(stderr, "load: unexpected argument '%s'; see --help\n",
                  arguments[1]);
    return netlab::lab::kUnusable;
  }
  return netlab::lab::Main();
}
