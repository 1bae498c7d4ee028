// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

// WhenAll: runs tasks side by side and waits for all of them.
//
//   auto [user, orders] = co_await WhenAll(GetUser(id), GetOrders(id));
//   std::vector<Page> pages = co_await WhenAll(std::move(tasks));
//
// The tasks start in order, each running until it first waits, on the awaiting
// coroutine's executor. When one throws, the others are asked to stop; once all
// have ended, the first exception is rethrown. A Status that says "failed" is a
// value like any other and stops nothing. A stop request of the awaiting
// coroutine reaches all tasks. For void, the result is std::monostate.
//
// Allocates the state of one std::stop_source, and for a vector its results.

#ifndef NETLAB_NET_WHEN_ALL_H_
#define NETLAB_NET_WHEN_ALL_H_

#include <coroutine>
#include <tuple>
#include <utility>
#include <vector>

#include "netlab/net/internal/children.h"
#include "netlab/net/task.h"

namespace netlab {
namespace internal {

template <typename T>
class AllChild final : public Completion {
 public:
  explicit AllChild(Task<T> task) : task_(std::move(task)) {}

  void Start(Children* children, FirstFailure* failure) {
    children_ = children;
    failure_ = failure;
    children->Add();
    task_.PrepareStart(children->env(), this).resume();
  }
  Value<T> Take() { return TakeValue(task_); }

 private:
  std::coroutine_handle<> TaskDone() noexcept override {
    if (task_.promise().failed()) {
      failure_->Set(task_.promise().exception());
      children_->Stop();
    }
    return children_->LeaveChild();
  }

  Task<T> task_;
  Children* children_ = nullptr;
  FirstFailure* failure_ = nullptr;
};

template <typename Container, typename Result>
class [[nodiscard]] AllAwaitable {
 public:
  template <typename... Arguments>
  explicit AllAwaitable(Arguments&&... arguments)
      : container_(std::forward<Arguments>(arguments)...) {}

  bool await_ready() const noexcept { return false; }

  template <EnvPromise Promise>
  bool await_suspend(std::coroutine_handle<Promise> awaiting) {
    children_.Begin(awaiting.promise().env());
    container_.ForEach(
        [this](auto& child) { child.Start(&children_, &failure_); });
    return children_.LeaveStarter(awaiting);
  }

  Result await_resume() {
    children_.End();
    failure_.RethrowIfSet();
    return container_.template Collect<Result>();
  }

 private:
  Children children_;
  FirstFailure failure_;
  Container container_;
};

}  // namespace internal

// Awaiting it gives a std::tuple of the results.
template <typename... Ts>
auto WhenAll(Task<Ts>... tasks) {
  return internal::AllAwaitable<internal::ChildTuple<internal::AllChild, Ts...>,
                                std::tuple<internal::Value<Ts>...>>(
      std::move(tasks)...);
}

// Awaiting it gives a std::vector of the results, in the order of the tasks.
template <typename T>
auto WhenAll(std::vector<Task<T>> tasks) {
  return internal::AllAwaitable<internal::ChildVector<internal::AllChild, T>,
                                std::vector<internal::Value<T>>>(
      std::move(tasks));
}

}  // namespace netlab

#endif  // NETLAB_NET_WHEN_ALL_H_
