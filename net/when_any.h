// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

// WhenAny: runs tasks side by side until the first of them ends.
//
//   auto first = co_await WhenAny(Fetch(mirror1), Fetch(mirror2));
//   // first.index says which; std::get<0>(first.value) is what it returned.
//
// The tasks start in order, each running until it first waits, on the awaiting
// coroutine's executor. When the first has ended, by a value or an exception,
// the others are asked to stop, and all have ended before the co_await does;
// what they return or throw is dropped. If the first threw, that is rethrown. A
// task that ends at once keeps the later ones from being started. A stop
// request of the awaiting coroutine reaches all tasks. For void, a value is
// std::monostate.
//
// Allocates the state of one std::stop_source.

#ifndef NETLAB_NET_WHEN_ANY_H_
#define NETLAB_NET_WHEN_ANY_H_

#include <atomic>
#include <coroutine>
#include <cstddef>
#include <utility>
#include <variant>
#include <vector>

#include "absl/log/check.h"
#include "netlab/net/internal/children.h"
#include "netlab/net/task.h"

namespace netlab {

// For several tasks `Value` is a std::variant of their results, of which number
// `index` is set; for a vector of tasks it is their result.
template <typename Value>
struct First {
  std::size_t index;
  Value value;
};

namespace internal {

// The index of the task that ended first.
class Winner {
 public:
  bool decided() const {
    return index_.load(std::memory_order_relaxed) != kNobody;
  }
  // True for the first caller.
  bool Claim(std::size_t index) {
    std::size_t nobody = kNobody;
    return index_.compare_exchange_strong(nobody, index,
                                          std::memory_order_relaxed);
  }
  std::size_t index() const { return index_.load(std::memory_order_relaxed); }

 private:
  static constexpr std::size_t kNobody = ~std::size_t{0};

  std::atomic<std::size_t> index_ = kNobody;
};

template <typename T>
class AnyChild final : public Completion {
 public:
  explicit AnyChild(Task<T> task) : task_(std::move(task)) {}

  void Start(std::size_t index, Children* children, Winner* winner) {
    index_ = index;
    children_ = children;
    winner_ = winner;
    children->Add();
    task_.PrepareStart(children->env(), this).resume();
  }
  Value<T> Take() { return TakeValue(task_); }

 private:
  std::coroutine_handle<> TaskDone() noexcept override {
    if (winner_->Claim(index_)) children_->Stop();
    return children_->LeaveChild();
  }

  Task<T> task_;
  std::size_t index_ = 0;
  Children* children_ = nullptr;
  Winner* winner_ = nullptr;
};

template <typename Container, typename Value>
class [[nodiscard]] AnyAwaitable {
 public:
  template <typename... Arguments>
  explicit AnyAwaitable(Arguments&&... arguments)
      : container_(std::forward<Arguments>(arguments)...) {}

  bool await_ready() const noexcept { return false; }

  template <EnvPromise Promise>
  bool await_suspend(std::coroutine_handle<Promise> awaiting) {
    children_.Begin(awaiting.promise().env());
    std::size_t index = 0;
    container_.ForEach([&](auto& child) {
      if (!winner_.decided()) child.Start(index, &children_, &winner_);
      ++index;
    });
    return children_.LeaveStarter(awaiting);
  }

  First<Value> await_resume() {
    children_.End();
    const std::size_t index = winner_.index();
    return {index, container_.template TakeOne<Value>(index)};
  }

 private:
  Children children_;
  Winner winner_;
  Container container_;
};

}  // namespace internal

// Awaiting it gives a First<std::variant<...>>. At least one task.
template <typename T, typename... Ts>
auto WhenAny(Task<T> task, Task<Ts>... tasks) {
  return internal::AnyAwaitable<
      internal::ChildTuple<internal::AnyChild, T, Ts...>,
      std::variant<internal::Value<T>, internal::Value<Ts>...>>(
      std::move(task), std::move(tasks)...);
}

// Awaiting it gives a First<T>. There must be a task.
template <typename T>
auto WhenAny(std::vector<Task<T>> tasks) {
  CHECK(!tasks.empty()) << "WhenAny of no tasks would never end";
  return internal::AnyAwaitable<internal::ChildVector<internal::AnyChild, T>,
                                internal::Value<T>>(std::move(tasks));
}

}  // namespace netlab

#endif  // NETLAB_NET_WHEN_ANY_H_
