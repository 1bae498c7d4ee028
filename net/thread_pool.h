// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

// ThreadPool: an executor with a fixed number of threads and one queue.

#ifndef NETLAB_NET_THREAD_POOL_H_
#define NETLAB_NET_THREAD_POOL_H_

#include <thread>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "netlab/net/executor.h"

namespace netlab {

// Thread-safe.
class ThreadPool final : public Executor {
 public:
  // At least one thread.
  explicit ThreadPool(int threads);
  // Runs what is still queued, and what that posts, then ends the threads.
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  void Post(Work* work) override ABSL_LOCKS_EXCLUDED(mutex_);
  bool RunsHere() const override;

 private:
  void RunThread() ABSL_LOCKS_EXCLUDED(mutex_);

  absl::Mutex mutex_;
  WorkList queue_ ABSL_GUARDED_BY(mutex_);
  bool stopping_ ABSL_GUARDED_BY(mutex_) = false;
  int busy_ ABSL_GUARDED_BY(mutex_) = 0;
  std::vector<std::thread> threads_;
};

}  // namespace netlab

#endif  // NETLAB_NET_THREAD_POOL_H_
