// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

#include "netlab/echo/server_main.h"

#include <pthread.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sysexits.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/flags/flag.h"
#include "absl/flags/parse.h"
#include "absl/flags/usage.h"
#include "absl/flags/usage_config.h"
#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "netlab/echo/listener.h"
#include "netlab/net/cpu_list.h"

ABSL_FLAG(int, port, 0,
          "TCP port on 127.0.0.1 to listen on; 0 picks a free one. `listening "
          "on PORT` is printed when connections are accepted.");
ABSL_FLAG(int, threads, 1, "Threads that serve connections.");
ABSL_FLAG(int, backlog, 4096,
          "Connections that may wait to be accepted, per listener; the kernel "
          "caps it at net.core.somaxconn.");
ABSL_FLAG(std::string, cpus, "",
          "CPUs to pin the threads to, such as 0,2-3: thread i to the i-th, "
          "starting over after the last. Empty: no pinning.");

namespace netlab::echo {
namespace {

constexpr int kMaxThreads = 1024;
constexpr absl::Duration kDrainLimit = absl::Seconds(5);

absl::Status CheckRange(const char* flag, int value, int low, int high) {
  if (value >= low && value <= high) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(
      "--", flag, "=", value, " is not between ", low, " and ", high));
}

absl::Status CheckFlags() {
  for (const absl::Status& status :
       {CheckRange("port", absl::GetFlag(FLAGS_port), 0, UINT16_MAX),
        CheckRange("threads", absl::GetFlag(FLAGS_threads), 1, kMaxThreads),
        CheckRange("backlog", absl::GetFlag(FLAGS_backlog), 1, INT32_MAX)}) {
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
}

absl::StatusOr<std::vector<int>> CpusFromFlag() {
  absl::StatusOr<std::vector<int>> cpus =
      ParseCpuList(absl::GetFlag(FLAGS_cpus));
  absl::Status status = cpus.status();
  if (status.ok()) status = CheckCpusAvailable(*cpus);
  if (!status.ok()) {
    return absl::InvalidArgumentError(
        absl::StrCat("--cpus: ", status.message()));
  }
  return cpus;
}

void RaiseFileLimit() {
  rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
}

// Blocked in every thread started later, too, so that only sigwait() sees them.
sigset_t BlockStopSignals() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGINT);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  return signals;
}

void ParseFlags(int argc, char** argv, const char* usage) {
  absl::SetProgramUsageMessage(usage);
  absl::FlagsUsageConfig config;
  config.contains_help_flags = [](absl::string_view file) {
    return absl::EndsWith(file, "echo/server_main.cc");
  };
  absl::SetFlagsUsageConfig(config);
  const std::vector<char*> positional = absl::ParseCommandLine(argc, argv);
  if (positional.size() > 1) {
    absl::FPrintF(stderr, "%s: unexpected argument '%s'; see --help\n", argv[0],
                  positional[1]);
    std::exit(EXIT_FAILURE);
  }
}

int ExitStatus(const char* program, const absl::Status& status) {
  if (status.ok()) return EXIT_SUCCESS;
  absl::FPrintF(stderr, "%s: %s\n", program, status.message());
  return absl::IsUnavailable(status) ? EX_UNAVAILABLE : EXIT_FAILURE;
}

}  // namespace

Worker::Worker(int listener, int stop_fd, int first_thread, int threads,
               const std::vector<int>& cpus, std::function<void()> ready)
    : listener_(listener),
      stop_fd_(stop_fd),
      first_thread_(first_thread),
      threads_(threads),
      cpus_(cpus),
      ready_(std::move(ready)) {}

void Worker::Ready() { ready_(); }

void Worker::EnterThread(int offset) const {
  const int index = first_thread_ + offset;
  pthread_setname_np(pthread_self(), absl::StrCat("worker-", index).c_str());
  if (cpus_.empty()) return;
  // Checked when the flags were; a CPU that has gone since costs the pinning.
  PinCurrentThread({cpus_[index % cpus_.size()]}).IgnoreError();
}

void Worker::RunOnEveryThread(absl::FunctionRef<void()> run) {
  std::vector<std::thread> others;
  for (int i = 1; i < threads_; ++i) {
    others.emplace_back([this, run, i] {
      EnterThread(i);
      run();
    });
  }
  run();
  for (std::thread& other : others) other.join();
}

// The workers and their threads.
class Server {
 public:
  Server(ServeFunction serve, std::vector<int> cpus)
      : serve_(serve), cpus_(std::move(cpus)) {}

  ~Server() {
    for (std::thread& thread : threads_) thread.join();
    for (const auto& worker : workers_) close(worker->stop_fd());
  }

  // Returns when every worker accepts connections, or with the error of one
  // that cannot.
  absl::Status Start(const std::vector<int>& listeners,
                     int threads_per_worker) {
    for (int listener : listeners) {
      const int stop_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
      if (stop_fd < 0) return absl::ErrnoToStatus(errno, "eventfd");
      const int index = static_cast<int>(workers_.size());
      workers_.push_back(std::unique_ptr<Worker>(
          new Worker(listener, stop_fd, index * threads_per_worker,
                     threads_per_worker, cpus_, [this] { CountReady(); })));
    }
    for (const auto& worker : workers_) {
      threads_.emplace_back([this, &worker = *worker] { Run(worker); });
    }
    absl::MutexLock lock(&mutex_);
    mutex_.Await(absl::Condition(
        +[](Server* self) ABSL_EXCLUSIVE_LOCKS_REQUIRED(self->mutex_) {
          return self->ready_ == self->workers_.size() || !self->failure_.ok();
        },
        this));
    return failure_;
  }

  // Returns whether every worker has drained in time.
  bool Drain(absl::Duration limit) {
    for (const auto& worker : workers_) eventfd_write(worker->stop_fd(), 1);
    absl::MutexLock lock(&mutex_);
    return mutex_.AwaitWithTimeout(
        absl::Condition(
            +[](Server* self) ABSL_EXCLUSIVE_LOCKS_REQUIRED(self->mutex_) {
              return self->finished_ == self->threads_.size();
            },
            this),
        limit);
  }

  // The first error of a worker.
  absl::Status failure() const {
    absl::MutexLock lock(&mutex_);
    return failure_;
  }

 private:
  void CountReady() {
    absl::MutexLock lock(&mutex_);
    ++ready_;
  }

  void Run(Worker& worker) {
    worker.EnterThread(0);
    const absl::Status status = serve_(worker);
    absl::MutexLock lock(&mutex_);
    ++finished_;
    if (status.ok()) return;
    failure_.Update(status);
    // A server that lacks a worker is no good: let the main thread stop it.
    kill(getpid(), SIGTERM);
  }

  const ServeFunction serve_;
  const std::vector<int> cpus_;
  std::vector<std::unique_ptr<Worker>> workers_;
  std::vector<std::thread> threads_;

  mutable absl::Mutex mutex_;
  size_t ready_ ABSL_GUARDED_BY(mutex_) = 0;
  size_t finished_ ABSL_GUARDED_BY(mutex_) = 0;
  absl::Status failure_ ABSL_GUARDED_BY(mutex_);
};

int ServerMain(int argc, char** argv, const char* usage, Sharing sharing,
               ServeFunction serve) {
  ParseFlags(argc, argv, usage);
  absl::Status status = CheckFlags();
  if (!status.ok()) return ExitStatus(argv[0], status);
  const absl::StatusOr<std::vector<int>> cpus = CpusFromFlag();
  if (!cpus.ok()) return ExitStatus(argv[0], cpus.status());

  std::signal(SIGPIPE, SIG_IGN);
  const sigset_t stop_signals = BlockStopSignals();
  RaiseFileLimit();

  const int threads = absl::GetFlag(FLAGS_threads);
  const int workers = sharing == Sharing::kLoopPerThread ? threads : 1;
  const absl::StatusOr<Listeners> listeners =
      Listen(static_cast<uint16_t>(absl::GetFlag(FLAGS_port)),
             absl::GetFlag(FLAGS_backlog), workers);
  if (!listeners.ok()) return ExitStatus(argv[0], listeners.status());

  Server server(serve, *cpus);
  status = server.Start(listeners->fds, threads / workers);
  if (status.ok()) {
    absl::PrintF("listening on %d\n", listeners->port);
    std::fflush(stdout);
    int signal;
    sigwait(&stop_signals, &signal);
  }
  if (!server.Drain(kDrainLimit)) {
    absl::FPrintF(stderr,
                  "%s: connections were still open after %s; leaving them\n",
                  argv[0], absl::FormatDuration(kDrainLimit));
    std::fflush(nullptr);
    _exit(ExitStatus(argv[0], server.failure()));
  }
  return ExitStatus(argv[0], server.failure());
}

}  // namespace netlab::echo
