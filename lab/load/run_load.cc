// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

#include "netlab/lab/load/run_load.h"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "netlab/lab/load/clock.h"
#include "netlab/lab/load/expected_body.h"
#include "netlab/lab/load/file_limit.h"
#include "netlab/lab/load/load_phase.h"
#include "netlab/lab/load/uring_engine.h"
#include "netlab/lab/load/url.h"
#include "netlab/lab/load/worker.h"
#include "netlab/lab/measure/process_usage.h"
#include "netlab/net/cpu_list.h"

namespace netlab::lab {
namespace {

constexpr absl::Duration kProgressInterval = absl::Milliseconds(250);
constexpr absl::Duration kReadyInterval = absl::Milliseconds(2);
// Standard streams, epoll or io_uring, and whatever the caller has open.
constexpr uint64_t kOtherFiles = 64;

// The two processes at one edge of the window.
struct EdgeSample {
  int64_t time_ns = 0;
  absl::StatusOr<ProcessSample> generator;
  std::optional<absl::StatusOr<ProcessSample>> observed;
};

absl::StatusOr<ProcessUsage> UsageOf(const absl::StatusOr<ProcessSample>& begin,
                                     const absl::StatusOr<ProcessSample>& end) {
  if (!begin.ok()) return begin.status();
  if (!end.ok()) return end.status();
  return UsageBetween(*begin, *end);
}

// Directs the workers through the phases.
class LoadRun {
 public:
  LoadRun(const LoadOptions& options, const SocketAddress& server, int stop_fd,
          const LoadProgress& progress)
      : options_(options),
        server_(server),
        stop_fd_(stop_fd),
        progress_(progress),
        expected_body_(
            options.expect_body.empty()
                ? std::make_unique<ExpectedBody>()
                : std::make_unique<ExpectedBody>(options.expect_body)) {}

  absl::StatusOr<LoadResult> Run();

 private:
  void StartThreads();
  bool SetUp();
  absl::Status Measure(LoadResult& result);
  EdgeSample SampleEdge() const;
  void Enter(LoadPhase phase) {
    control_.phase.store(phase, std::memory_order_release);
  }
  bool Stopped(absl::Duration wait) const;
  bool WaitUntil(absl::string_view phase, int64_t time_ns);
  void ShowProgress(absl::string_view phase);

  const LoadOptions& options_;
  const SocketAddress server_;
  const int stop_fd_;
  const LoadProgress& progress_;
  const std::unique_ptr<ExpectedBody> expected_body_;
  LoadControl control_;
  std::vector<std::unique_ptr<Worker>> workers_;
  std::vector<absl::Status> statuses_;
  std::vector<std::thread> threads_;
};

absl::StatusOr<LoadResult> LoadRun::Run() {
  LoadResult result;
  result.engine = options_.engine;
  StartThreads();
  absl::Status status;
  if (SetUp()) status = Measure(result);
  Enter(LoadPhase::kDone);
  for (std::thread& thread : threads_) thread.join();
  for (const absl::Status& worker : statuses_) status.Update(worker);
  if (!status.ok()) return status;
  for (const auto& worker : workers_) result.counts.Merge(worker->counts());
  return result;
}

void LoadRun::StartThreads() {
  ExpectedBody* const expected_body =
      options_.verify_body ? expected_body_.get() : nullptr;
  statuses_.resize(static_cast<size_t>(options_.threads));
  for (int i = 0; i < options_.threads; ++i) {
    workers_.push_back(std::make_unique<Worker>(options_, server_, i,
                                                expected_body, &control_));
  }
  for (size_t i = 0; i < workers_.size(); ++i) {
    threads_.emplace_back([this, i] { statuses_[i] = workers_[i]->Run(); });
  }
}

// Returns whether there is anything to measure.
bool LoadRun::SetUp() {
  while (control_.workers_ready.load(std::memory_order_acquire) <
         options_.threads) {
    if (Stopped(kReadyInterval)) return false;
    if (control_.worker_failed.load(std::memory_order_acquire)) return false;
  }
  for (const auto& worker : workers_) {
    if (worker->connected() > 0) return true;
  }
  return false;
}

absl::Status LoadRun::Measure(LoadResult& result) {
  const int64_t start_ns = NowNanos();
  const int64_t window_ns =
      start_ns + absl::ToInt64Nanoseconds(options_.warmup);
  control_.load_start_ns.store(start_ns, std::memory_order_relaxed);
  Enter(LoadPhase::kWarmUp);
  if (!WaitUntil("warm-up", window_ns)) return absl::OkStatus();

  const EdgeSample begin = SampleEdge();
  if (begin.observed && !begin.observed->ok()) return begin.observed->status();
  Enter(LoadPhase::kMeasure);
  WaitUntil("measuring",
            begin.time_ns + absl::ToInt64Nanoseconds(options_.duration));
  // Both edges lie just before the phase that begins there.
  const EdgeSample end = SampleEdge();
  Enter(LoadPhase::kDone);

  result.elapsed = absl::Nanoseconds(end.time_ns - begin.time_ns);
  result.generator = UsageOf(begin.generator, end.generator);
  if (end.observed) result.observed = UsageOf(*begin.observed, *end.observed);
  return absl::OkStatus();
}

EdgeSample LoadRun::SampleEdge() const {
  EdgeSample sample;
  sample.generator = SampleProcess(getpid());
  if (options_.observe_pid != 0) {
    sample.observed = SampleProcess(options_.observe_pid);
  }
  sample.time_ns = NowNanos();
  return sample;
}

bool LoadRun::Stopped(absl::Duration wait) const {
  pollfd stop = {.fd = stop_fd_, .events = POLLIN, .revents = 0};
  const timespec timeout = absl::ToTimespec(wait);
  return ppoll(&stop, 1, &timeout, nullptr) == 1;
}

// False if it was stopped before.
bool LoadRun::WaitUntil(absl::string_view phase, int64_t time_ns) {
  for (int64_t now_ns; (now_ns = NowNanos()) < time_ns;) {
    const absl::Duration rest = absl::Nanoseconds(time_ns - now_ns);
    const bool progress = progress_ != nullptr;
    if (Stopped(progress ? std::min(rest, kProgressInterval) : rest)) {
      return false;
    }
    if (control_.worker_failed.load(std::memory_order_acquire)) return false;
    if (progress) ShowProgress(phase);
  }
  return true;
}

void LoadRun::ShowProgress(absl::string_view phase) {
  int64_t requests = 0;
  for (const auto& worker : workers_) requests += worker->progress();
  progress_(phase, requests);
}

}  // namespace

absl::StatusOr<LoadResult> RunLoad(const LoadOptions& options, int stop_fd,
                                   const LoadProgress& progress) {
  absl::Status status =
      AllowOpenFiles(static_cast<uint64_t>(options.connections) + kOtherFiles);
  if (!status.ok()) return status;
  if (options.observe_pid != 0) {
    status = SampleProcess(options.observe_pid).status();
    if (!status.ok()) return status;
  }
  // This thread wakes up at the edges of the window, and must not do so at the
  // expense of a server elsewhere.
  if (!options.cpus.empty()) {
    status = PinCurrentThread(options.cpus);
    if (!status.ok()) return status;
  }
  absl::StatusOr<std::vector<SocketAddress>> addresses = Resolve(options.url);
  if (!addresses.ok()) return addresses.status();
  const SocketAddress server = FirstReachable(*addresses, options.timeout);
  LoadOptions chosen = options;
  if (chosen.engine == EngineKind::kAuto) {
    // By making one, as a kernel may have io_uring and still forbid it.
    const bool io_uring = MakeUringEngine(server, "", 1, 1, nullptr).ok();
    chosen.engine = io_uring ? EngineKind::kIoUring : EngineKind::kEpoll;
  }
  return LoadRun(chosen, server, stop_fd, progress).Run();
}

}  // namespace netlab::lab
