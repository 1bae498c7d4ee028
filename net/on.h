// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

// On(executor, task): runs a task on another executor and comes back.
//
//   int n = co_await On(pool, CountPrimes(1000000));  // here again afterwards

#ifndef NETLAB_NET_ON_H_
#define NETLAB_NET_ON_H_

#include <coroutine>
#include <utility>

#include "netlab/net/env.h"
#include "netlab/net/executor.h"
#include "netlab/net/task.h"

namespace netlab {

// Awaiting it returns or throws what `task` does. The stop token and the frame
// memory of the awaiting coroutine go along. Where an executor would run the
// caller at once anyway, nothing is posted to it.
template <typename T>
class [[nodiscard]] On final : private internal::Completion {
 public:
  // `executor` must outlive the task.
  On(Executor& executor, Task<T> task)
      : executor_(executor), task_(std::move(task)) {}
  On(const On&) = delete;
  On& operator=(const On&) = delete;

  bool await_ready() const noexcept { return false; }

  template <EnvPromise Promise>
  std::coroutine_handle<> await_suspend(
      std::coroutine_handle<Promise> awaiting) noexcept {
    awaiting_ = awaiting;
    home_ = &awaiting.promise().env();
    env_ = {&executor_, home_->stop, home_->frames};
    return Continue(task_.PrepareStart(env_, this), env_);
  }

  T await_resume() { return task_.promise().Take(); }

 private:
  std::coroutine_handle<> TaskDone() noexcept override {
    return Continue(awaiting_, *home_);
  }

  std::coroutine_handle<> Continue(std::coroutine_handle<> coroutine,
                                   const Env& env) {
    if (env.executor->RunsHere()) return coroutine;
    work_.Set(coroutine, env);
    // Whoever runs the work may destroy this object before Post() returns.
    env.executor->Post(&work_);
    return std::noop_coroutine();
  }

  Executor& executor_;
  Task<T> task_;
  Env env_;
  std::coroutine_handle<> awaiting_;
  const Env* home_ = nullptr;
  ResumeWork work_;
};

// Lets other work of the executor run, then goes on.
class [[nodiscard]] Yield {
 public:
  bool await_ready() const noexcept { return false; }
  template <EnvPromise Promise>
  void await_suspend(std::coroutine_handle<Promise> awaiting) noexcept {
    const Env& env = awaiting.promise().env();
    work_.Set(awaiting, env);
    env.executor->Post(&work_);
  }
  void await_resume() const noexcept {}

 private:
  ResumeWork work_;
};

}  // namespace netlab

#endif  // NETLAB_NET_ON_H_
