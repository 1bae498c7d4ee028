// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

// Executors: where coroutines run.
//
// An executor runs pieces of work that are posted to it: a loop on its thread,
// a ThreadPool on one of several, a Strand one after another on some other
// executor, InlineExecutor at once. A coroutine is tied to an executor when it
// is launched (see spawn.h) and is resumed there after everything it awaits.

#ifndef NETLAB_NET_EXECUTOR_H_
#define NETLAB_NET_EXECUTOR_H_

#include <utility>

namespace netlab {

// One piece of work, linked into its executor's queue without an allocation. It
// lives in whatever waits for it (an awaitable, a launched task), must stay
// there until it has been run, and may be posted again from then on.
class Work {
 public:
  using Function = void (*)(Work*);

  explicit constexpr Work(Function function) : function_(function) {}
  Work(const Work&) = delete;
  Work& operator=(const Work&) = delete;

  // The function may destroy or post again what it is called with.
  void Run() { function_(this); }

 private:
  friend class WorkList;
  friend class Inbox;

  Function function_;
  Work* next_ = nullptr;
};

// First in, first out. Not thread-safe.
class WorkList {
 public:
  WorkList() = default;
  WorkList(WorkList&& other) noexcept
      : first_(std::exchange(other.first_, nullptr)),
        last_(std::exchange(other.last_, nullptr)) {}
  WorkList& operator=(WorkList&&) = delete;

  bool empty() const { return first_ == nullptr; }

  void PushBack(Work* work) {
    work->next_ = nullptr;
    (last_ == nullptr ? first_ : last_->next_) = work;
    last_ = work;
  }

  // Null when empty.
  Work* PopFront() {
    Work* const work = first_;
    if (work != nullptr) {
      first_ = work->next_;
      if (first_ == nullptr) last_ = nullptr;
    }
    return work;
  }

  // Moves all of `other` behind what is here.
  void Append(WorkList other) {
    if (other.empty()) return;
    (last_ == nullptr ? first_ : last_->next_) = other.first_;
    last_ = other.last_;
  }

 private:
  friend class Inbox;

  Work* first_ = nullptr;
  Work* last_ = nullptr;
};

class Executor {
 public:
  // Runs `work` once, later, never within this call (InlineExecutor excepted).
  // Any thread may call it. Allocates nothing and cannot fail. An executor that
  // is destroyed must have no work left.
  virtual void Post(Work* work) = 0;

  // Whether the caller is being run by this executor, so that continuing at
  // once is as good as posting.
  virtual bool RunsHere() const = 0;

 protected:
  ~Executor() = default;
};

// Runs everything at once, on the thread that posts it.
class InlineExecutor final : public Executor {
 public:
  void Post(Work* work) override { work->Run(); }
  bool RunsHere() const override { return true; }
};

}  // namespace netlab

#endif  // NETLAB_NET_EXECUTOR_H_
