// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

// Task<T>: a coroutine that computes a T, when it is awaited.
//
//   Task<int> Add(int a, int b) { co_return a + b; }
//   Task<> Print() { std::cout << co_await Add(1, 2); }
//
// A task is lazy: it runs when it is awaited, launched (spawn.h) or given to a
// combinator (when_all.h, task_group.h), each of which consumes it. What it
// returns or throws comes out of the co_await. Awaiting costs no allocation
// besides the frame (frame_memory.h) and no stack: control goes from coroutine
// to coroutine by symmetric transfer.
//
// A task that has not been awaited may be destroyed; one that runs is owned by
// whoever awaits it. Arguments live as in any coroutine: what a task takes by
// reference must outlive it, and a lambda's captures live in the lambda, not in
// the coroutine.

#ifndef NETLAB_NET_TASK_H_
#define NETLAB_NET_TASK_H_

#include <concepts>
#include <coroutine>
#include <cstddef>
#include <exception>
#include <optional>
#include <type_traits>
#include <utility>
#include <variant>

#include "netlab/net/env.h"
#include "netlab/net/frame_memory.h"

namespace netlab {

template <typename T>
class Task;

namespace internal {

// Told when a task is done that no coroutine awaits directly. Runs where the
// task ended; returns the coroutine to go on with (std::noop_coroutine():
// none). May destroy the task.
class Completion {
 public:
  virtual std::coroutine_handle<> TaskDone() noexcept = 0;

 protected:
  ~Completion() = default;
};

class TaskPromiseBase {
 public:
  static void* operator new(std::size_t bytes) { return AllocateFrame(bytes); }
  static void operator delete(void* frame, std::size_t bytes) noexcept {
    FreeFrame(frame, bytes);
  }

  std::suspend_always initial_suspend() const noexcept { return {}; }

  struct FinalAwaiter {
    bool await_ready() const noexcept { return false; }
    template <typename Promise>
    std::coroutine_handle<> await_suspend(
        std::coroutine_handle<Promise> done) const noexcept {
      const TaskPromiseBase& promise = done.promise();
      return promise.completion_ == nullptr ? promise.continuation_
                                            : promise.completion_->TaskDone();
    }
    void await_resume() const noexcept {}
  };
  FinalAwaiter final_suspend() const noexcept { return {}; }

  const Env& env() const { return *env_; }

  void Continue(const Env& env, std::coroutine_handle<> continuation) {
    env_ = &env;
    continuation_ = continuation;
  }
  void Continue(const Env& env, Completion* completion) {
    env_ = &env;
    completion_ = completion;
  }

 private:
  const Env* env_ = nullptr;
  std::coroutine_handle<> continuation_;
  Completion* completion_ = nullptr;
};

template <typename T>
class TaskPromise : public TaskPromiseBase {
 public:
  Task<T> get_return_object() noexcept;

  template <std::convertible_to<T> U>
  void return_value(U&& value) {
    result_.template emplace<1>(std::forward<U>(value));
  }
  void unhandled_exception() noexcept {
    result_.template emplace<2>(std::current_exception());
  }

  bool failed() const { return result_.index() == 2; }
  std::exception_ptr exception() const { return std::get<2>(result_); }
  T Take() {
    if (failed()) std::rethrow_exception(std::get<2>(std::move(result_)));
    return std::get<1>(std::move(result_));
  }

 private:
  std::variant<std::monostate, T, std::exception_ptr> result_;
};

template <typename T>
  requires std::is_lvalue_reference_v<T>
class TaskPromise<T> : public TaskPromiseBase {
 public:
  Task<T> get_return_object() noexcept;

  void return_value(T value) noexcept { result_ = &value; }
  void unhandled_exception() noexcept { exception_ = std::current_exception(); }

  bool failed() const { return exception_ != nullptr; }
  std::exception_ptr exception() const { return exception_; }
  T Take() {
    if (failed()) std::rethrow_exception(std::move(exception_));
    return *result_;
  }

 private:
  std::remove_reference_t<T>* result_ = nullptr;
  std::exception_ptr exception_;
};

template <>
class TaskPromise<void> : public TaskPromiseBase {
 public:
  Task<void> get_return_object() noexcept;

  void return_void() const noexcept {}
  void unhandled_exception() noexcept { exception_ = std::current_exception(); }

  bool failed() const { return exception_ != nullptr; }
  std::exception_ptr exception() const { return exception_; }
  void Take() {
    if (failed()) std::rethrow_exception(std::move(exception_));
  }

 private:
  std::exception_ptr exception_;
};

}  // namespace internal

template <typename T = void>
class [[nodiscard]] Task {
 public:
  using promise_type = internal::TaskPromise<T>;
  using value_type = T;

  Task(Task&& other) noexcept
      : coroutine_(std::exchange(other.coroutine_, nullptr)) {}
  Task& operator=(Task&& other) noexcept {
    std::swap(coroutine_, other.coroutine_);
    return *this;
  }
  ~Task() {
    if (coroutine_) coroutine_.destroy();
  }

  // False when it has been moved from or awaited.
  explicit operator bool() const { return coroutine_ != nullptr; }

  class Awaiter {
   public:
    explicit Awaiter(Task task) : task_(std::move(task)) {}

    bool await_ready() const noexcept { return false; }
    template <EnvPromise Promise>
    std::coroutine_handle<> await_suspend(
        std::coroutine_handle<Promise> awaiting) noexcept {
      task_.coroutine_.promise().Continue(awaiting.promise().env(), awaiting);
      return task_.coroutine_;
    }
    T await_resume() { return task_.coroutine_.promise().Take(); }

   private:
    Task task_;
  };
  Awaiter operator co_await() && { return Awaiter(std::move(*this)); }

  // For launchers and combinators, which run a task that no coroutine awaits.
  // `env` and `completion` must live until the task is done.
  std::coroutine_handle<> PrepareStart(const Env& env,
                                       internal::Completion* completion) {
    promise().Continue(env, completion);
    return coroutine_;
  }
  // The outcome of a task that is done.
  promise_type& promise() { return coroutine_.promise(); }

 private:
  friend promise_type;
  explicit Task(std::coroutine_handle<promise_type> coroutine)
      : coroutine_(coroutine) {}

  std::coroutine_handle<promise_type> coroutine_;
};

namespace internal {

template <typename T>
Task<T> TaskPromise<T>::get_return_object() noexcept {
  return Task<T>(std::coroutine_handle<TaskPromise>::from_promise(*this));
}
template <typename T>
  requires std::is_lvalue_reference_v<T>
Task<T> TaskPromise<T>::get_return_object() noexcept {
  return Task<T>(std::coroutine_handle<TaskPromise>::from_promise(*this));
}
inline Task<void> TaskPromise<void>::get_return_object() noexcept {
  return Task<void>(std::coroutine_handle<TaskPromise>::from_promise(*this));
}

}  // namespace internal
}  // namespace netlab

#endif  // NETLAB_NET_TASK_H_
