// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NETLAB_NET_INTERNAL_CHILDREN_H_
#define NETLAB_NET_INTERNAL_CHILDREN_H_

#include <atomic>
#include <coroutine>
#include <cstddef>
#include <exception>
#include <optional>
#include <stop_token>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "netlab/net/env.h"
#include "netlab/net/task.h"

namespace netlab::internal {

// What tasks that run side by side for one awaiting coroutine share: an Env
// whose stop token also fires when one of them decides so, and the count of
// those that run. Lives in the awaiting coroutine.
class Children {
 public:
  Children() = default;
  Children(const Children&) = delete;
  Children& operator=(const Children&) = delete;

  // To be called before the first child starts. The starter counts as one.
  void Begin(const Env& env) {
    env_ = {env.executor, stop_.get_token(), env.frames};
    if (env.stop.stop_possible()) link_.emplace(env.stop, RequestStop{&stop_});
  }
  const Env& env() const { return env_; }

  void Add() { running_.fetch_add(1, std::memory_order_relaxed); }
  void Stop() { stop_.request_stop(); }

  // One ends; true if it was the last.
  bool Leave() { return running_.fetch_sub(1, std::memory_order_acq_rel) == 1; }

  // For Completion::TaskDone(): leaves, and the last one goes on with the
  // parent, until which this object lives. Others must not touch it again.
  std::coroutine_handle<> LeaveChild() {
    if (Leave()) return parent_;
    return std::noop_coroutine();
  }

  // The starter leaves, to wait as `parent`; false if nobody is left to wait
  // for.
  bool LeaveStarter(std::coroutine_handle<> parent) {
    parent_ = parent;
    return !Leave();
  }

  // All have ended: parent's stop requests no longer concern this object.
  void End() { link_.reset(); }

 private:
  struct RequestStop {
    std::stop_source* source;
    void operator()() const { source->request_stop(); }
  };

  std::atomic<std::size_t> running_ = 1;
  std::coroutine_handle<> parent_;
  std::stop_source stop_;
  std::optional<std::stop_callback<RequestStop>> link_;
  Env env_;
};

// The exception of the child that failed first.
class FirstFailure {
 public:
  void Set(std::exception_ptr exception) {
    if (!set_.exchange(true, std::memory_order_relaxed)) {
      exception_ = std::move(exception);
    }
  }
  // Once all children have ended.
  void RethrowIfSet() {
    if (exception_ != nullptr) std::rethrow_exception(std::move(exception_));
  }

 private:
  std::atomic<bool> set_ = false;
  std::exception_ptr exception_;
};

// void as a value, so that results can stand in a tuple or a variant.
template <typename T>
using Value = std::conditional_t<std::is_void_v<T>, std::monostate, T>;

template <typename T>
Value<T> TakeValue(Task<T>& task) {
  if constexpr (std::is_void_v<T>) {
    task.promise().Take();
    return {};
  } else {
    return task.promise().Take();
  }
}

// Children of several types, and of one.
template <template <typename> typename Child, typename... Ts>
class ChildTuple {
 public:
  explicit ChildTuple(Task<Ts>&&... tasks) : children_(std::move(tasks)...) {}

  template <typename Visit>
  void ForEach(Visit visit) {
    std::apply([&](auto&... child) { (visit(child), ...); }, children_);
  }
  template <typename Result>
  Result Collect() {
    return std::apply([](auto&... child) { return Result(child.Take()...); },
                      children_);
  }
  // What child number `index` returned, as that alternative of `Variant`.
  template <typename Variant>
  Variant TakeOne(std::size_t index) {
    return TakeOne<Variant>(index, std::index_sequence_for<Ts...>());
  }

 private:
  template <typename Variant, std::size_t... I>
  Variant TakeOne(std::size_t index, std::index_sequence<I...>) {
    std::optional<Variant> result;
    const auto take = [&]<std::size_t Index>() {
      if (Index != index) return;
      result.emplace(std::in_place_index<Index>,
                     std::get<Index>(children_).Take());
    };
    (take.template operator()<I>(), ...);
    return *std::move(result);
  }

  std::tuple<Child<Ts>...> children_;
};

template <template <typename> typename Child, typename T>
class ChildVector {
 public:
  explicit ChildVector(std::vector<Task<T>> tasks) {
    children_.reserve(tasks.size());
    for (Task<T>& task : tasks) children_.emplace_back(std::move(task));
  }

  template <typename Visit>
  void ForEach(Visit visit) {
    for (Child<T>& child : children_) visit(child);
  }
  template <typename Result>
  Result Collect() {
    Result results;
    results.reserve(children_.size());
    for (Child<T>& child : children_) results.push_back(child.Take());
    return results;
  }
  template <typename Result>
  Result TakeOne(std::size_t index) {
    return children_[index].Take();
  }

 private:
  std::vector<Child<T>> children_;
};

}  // namespace netlab::internal

#endif  // NETLAB_NET_INTERNAL_CHILDREN_H_
