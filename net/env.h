// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

// What a launched coroutine hands down to everything it awaits, unseen: where
// it runs, whether it has been asked to stop, and where frames come from.

#ifndef NETLAB_NET_ENV_H_
#define NETLAB_NET_ENV_H_

#include <concepts>
#include <coroutine>
#include <memory_resource>
#include <stop_token>

#include "netlab/net/executor.h"
#include "netlab/net/frame_memory.h"

namespace netlab {

struct Env {
  // Never null in a coroutine that runs.
  Executor* executor = nullptr;
  // An operation that sees a stop request completes with absl::CancelledError.
  std::stop_token stop = {};
  // For the frames of coroutines; null: the recycling free lists.
  std::pmr::memory_resource* frames = nullptr;
};

// Work that resumes a coroutine.
class ResumeWork : public Work {
 public:
  ResumeWork() : Work(&RunResume) {}

  // `env` is that of the coroutine.
  void Set(std::coroutine_handle<> coroutine, const Env& env) {
    coroutine_ = coroutine;
    frames_ = env.frames;
  }

 private:
  static void RunResume(Work* work) {
    auto* const self = static_cast<ResumeWork*>(work);
    FrameResourceScope scope(self->frames_);
    self->coroutine_.resume();
  }

  std::coroutine_handle<> coroutine_;
  std::pmr::memory_resource* frames_ = nullptr;
};

// The promise of a coroutine that can await netlab's operations. An awaitable
// of ours takes the Env from the coroutine that awaits it:
//
//   template <EnvPromise Promise>
//   void await_suspend(std::coroutine_handle<Promise> awaiting) {
//     Start(awaiting, awaiting.promise().env());
//   }
template <typename Promise>
concept EnvPromise = requires(const Promise& promise) {
  { promise.env() } -> std::same_as<const Env&>;
};

// `co_await CurrentEnv()` is a `const Env&`, valid until the launch has ended.
class CurrentEnv {
 public:
  bool await_ready() const noexcept { return false; }
  template <EnvPromise Promise>
  bool await_suspend(std::coroutine_handle<Promise> awaiting) noexcept {
    env_ = &awaiting.promise().env();
    return false;
  }
  const Env& await_resume() const noexcept { return *env_; }

 private:
  const Env* env_ = nullptr;
};

}  // namespace netlab

#endif  // NETLAB_NET_ENV_H_
