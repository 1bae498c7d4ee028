// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

#include "netlab/net/thread_pool.h"

#include <thread>

#include "absl/log/check.h"
#include "absl/synchronization/mutex.h"

namespace netlab {
namespace {

constinit thread_local const ThreadPool* running = nullptr;

}  // namespace

ThreadPool::ThreadPool(int threads) {
  CHECK_GE(threads, 1) << "a ThreadPool needs a thread";
  for (int i = 0; i < threads; ++i) {
    threads_.emplace_back([this] { RunThread(); });
  }
}

ThreadPool::~ThreadPool() {
  {
    absl::MutexLock lock(&mutex_);
    stopping_ = true;
  }
  for (std::thread& thread : threads_) thread.join();
}

void ThreadPool::Post(Work* work) {
  absl::MutexLock lock(&mutex_);
  queue_.PushBack(work);
}

bool ThreadPool::RunsHere() const { return running == this; }

void ThreadPool::RunThread() {
  running = this;
  // A thread that is busy may still post, so the others stay until none is.
  const auto ready = [this]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    return !queue_.empty() || (stopping_ && busy_ == 0);
  };
  absl::MutexLock lock(&mutex_);
  for (;;) {
    mutex_.Await(absl::Condition(&ready));
    Work* const work = queue_.PopFront();
    if (work == nullptr) return;
    ++busy_;
    mutex_.Unlock();
    work->Run();
    mutex_.Lock();
    --busy_;
  }
}

}  // namespace netlab
