// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

// Launching tasks: Spawn() and BlockOn().
//
//   JoinHandle<int> handle = Spawn(executor, Compute());
//   ...
//   int result = co_await std::move(handle).Join();
//
//   int result = BlockOn(queue, Compute());   // from outside of coroutines
//
// Prefer a TaskGroup (task_group.h) for tasks that belong to the coroutine that
// starts them.

#ifndef NETLAB_NET_SPAWN_H_
#define NETLAB_NET_SPAWN_H_

#include <atomic>
#include <coroutine>
#include <cstddef>
#include <exception>
#include <memory_resource>
#include <stop_token>
#include <utility>

#include "netlab/net/env.h"
#include "netlab/net/executor.h"
#include "netlab/net/frame_memory.h"
#include "netlab/net/task.h"

namespace netlab {

struct LaunchOptions {
  // Asks the task, and everything it awaits, to stop.
  std::stop_token stop = {};
  // For all coroutine frames of the launch; null: the recycling free lists.
  std::pmr::memory_resource* frames = nullptr;
};

namespace internal {

// Who waits for a launched task: a coroutine, or a thread in BlockOn().
class Joiner {
 public:
  virtual void LaunchDone() noexcept = 0;

 protected:
  ~Joiner() = default;
};

// Ends the program, saying what a detached task threw.
[[noreturn]] void DieOfDetachedException(std::exception_ptr exception) noexcept;

// A launched task. Two have an interest in it: the task as it runs, and the
// handle. The last one to lose it destroys the launch; `state_` decides who.
template <typename T>
class Launch final : public Completion, public Work {
 public:
  static void* operator new(std::size_t bytes) { return AllocateFrame(bytes); }
  static void operator delete(void* launch, std::size_t bytes) noexcept {
    FreeFrame(launch, bytes);
  }

  Launch(Executor& executor, Task<T> task, LaunchOptions options)
      : Work(&Start),
        env_{&executor, std::move(options.stop), options.frames},
        task_(std::move(task)) {}

  // False if the task is done already.
  bool SetJoiner(Joiner* joiner) {
    void* expected = nullptr;
    return state_.compare_exchange_strong(expected, joiner,
                                          std::memory_order_acq_rel);
  }
  T Take() { return task_.promise().Take(); }

  void Detach() noexcept {
    if (state_.exchange(Detached(), std::memory_order_acq_rel) == Done()) {
      DestroyDetached();
    }
  }

  std::coroutine_handle<> TaskDone() noexcept override {
    void* const state = state_.exchange(Done(), std::memory_order_acq_rel);
    if (state == Detached()) {
      DestroyDetached();
    } else if (state != nullptr) {
      static_cast<Joiner*>(state)->LaunchDone();
    }
    return std::noop_coroutine();
  }

 private:
  static void Start(Work* work) {
    auto* const self = static_cast<Launch*>(work);
    FrameResourceScope scope(self->env_.frames);
    self->task_.PrepareStart(self->env_, self).resume();
  }

  // An exception that nobody can catch ends the program, as a thread's would.
  void DestroyDetached() noexcept {
    if (task_.promise().failed()) {
      DieOfDetachedException(task_.promise().exception());
    }
    delete this;
  }

  // Values of `state_` besides null (runs) and a Joiner.
  void* Done() { return this; }
  void* Detached() { return &env_; }

  Env env_;
  Task<T> task_;
  std::atomic<void*> state_ = nullptr;
};

}  // namespace internal

// The right to a launched task's result. Destroying the handle detaches the
// task: it runs on, and what it returns is dropped. A detached task that ends
// with an exception ends the program.
template <typename T>
class [[nodiscard]] JoinHandle {
 public:
  explicit JoinHandle(internal::Launch<T>* launch) : launch_(launch) {}
  JoinHandle(JoinHandle&& other) noexcept
      : launch_(std::exchange(other.launch_, nullptr)) {}
  JoinHandle& operator=(JoinHandle&& other) noexcept {
    std::swap(launch_, other.launch_);
    return *this;
  }
  ~JoinHandle() { std::move(*this).Detach(); }

  void Detach() && {
    if (launch_ != nullptr) std::exchange(launch_, nullptr)->Detach();
  }

  class [[nodiscard]] JoinAwaiter final : private internal::Joiner {
   public:
    explicit JoinAwaiter(internal::Launch<T>* launch) : launch_(launch) {}
    JoinAwaiter(const JoinAwaiter&) = delete;
    JoinAwaiter& operator=(const JoinAwaiter&) = delete;
    ~JoinAwaiter() { delete launch_; }

    bool await_ready() const noexcept { return false; }
    template <EnvPromise Promise>
    bool await_suspend(std::coroutine_handle<Promise> awaiting) noexcept {
      const Env& env = awaiting.promise().env();
      executor_ = env.executor;
      work_.Set(awaiting, env);
      return launch_->SetJoiner(this);
    }
    T await_resume() { return launch_->Take(); }

   private:
    void LaunchDone() noexcept override { executor_->Post(&work_); }

    internal::Launch<T>* const launch_;
    Executor* executor_ = nullptr;
    ResumeWork work_;
  };

  // Awaits the task's end and returns, or throws, what it did. Not cancelled by
  // a stop request of the awaiting coroutine: the task has to end.
  JoinAwaiter Join() && { return JoinAwaiter(std::exchange(launch_, nullptr)); }

 private:
  internal::Launch<T>* launch_;
};

// Starts `task` on `executor`, which must outlive it. Any thread may call it.
// Allocates one block for the launch, from where frames come from.
template <typename T>
JoinHandle<T> Spawn(Executor& executor, Task<T> task,
                    LaunchOptions options = {}) {
  FrameResourceScope scope(options.frames);
  auto* const launch =
      new internal::Launch<T>(executor, std::move(task), std::move(options));
  // The handle comes first: the task may be done before Post() returns.
  JoinHandle<T> handle(launch);
  executor.Post(launch);
  return handle;
}

// The same for the task that `make_task()` returns, whose frame then comes from
// `options.frames` as well.
template <typename MakeTask>
auto Spawn(Executor& executor, LaunchOptions options, MakeTask&& make_task) {
  FrameResourceScope scope(options.frames);
  auto task = std::forward<MakeTask>(make_task)();
  return Spawn(executor, std::move(task), std::move(options));
}

// Runs `task` on `runner` (a RunQueue, a Loop), which it drives on this thread
// until the task is done; returns or throws what the task did. Other work of
// the runner runs as well. Not from within a coroutine.
template <typename Runner, typename T>
T BlockOn(Runner& runner, Task<T> task, LaunchOptions options = {}) {
  class Flag final : public internal::Joiner {
   public:
    explicit Flag(Runner& runner) : runner_(runner) {}
    void WaitWhileRunning() {
      while (!done_) runner_.RunOnce();
    }

   private:
    // By the runner itself: the task runs nowhere else at its end.
    void LaunchDone() noexcept override { done_ = true; }

    Runner& runner_;
    bool done_ = false;
  };
  class Owner {
   public:
    explicit Owner(internal::Launch<T>* launch) : launch_(launch) {}
    ~Owner() { delete launch_; }
    internal::Launch<T>* operator->() { return launch_; }

   private:
    internal::Launch<T>* const launch_;
  };

  FrameResourceScope scope(options.frames);
  Owner launch(
      new internal::Launch<T>(runner, std::move(task), std::move(options)));
  Flag flag(runner);
  launch->SetJoiner(&flag);
  runner.Post(launch.operator->());
  flag.WaitWhileRunning();
  return launch->Take();
}

}  // namespace netlab

#endif  // NETLAB_NET_SPAWN_H_
