// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

// TaskGroup: any number of tasks that belong to the coroutine that starts them.
//
//   Task<> Serve(TcpListener& listener) {
//     TaskGroup sessions(co_await CurrentEnv());
//     while (...) sessions.Spawn(Session(co_await listener.Accept()));
//     co_await sessions.Join();
//   }
//
// The group outlives its tasks: Join() must have been awaited before it is
// destroyed. Its tasks run on the executor of its creator, and a stop request
// of the creator reaches them. When one throws, the others are asked to stop,
// and Join() rethrows the first exception once all have ended.

#ifndef NETLAB_NET_TASK_GROUP_H_
#define NETLAB_NET_TASK_GROUP_H_

#include <coroutine>

#include "netlab/net/env.h"
#include "netlab/net/internal/children.h"
#include "netlab/net/task.h"

namespace netlab {

// Spawn() and RequestStop() may be called by any thread until Join() is
// awaited, and by the group's tasks until they end.
class TaskGroup {
 public:
  // `env` is that of the creating coroutine.
  explicit TaskGroup(const Env& env) { children_.Begin(env); }
  // Ends the program if a task still runs.
  ~TaskGroup();
  TaskGroup(const TaskGroup&) = delete;
  TaskGroup& operator=(const TaskGroup&) = delete;

  // Starts `task`, which runs at once until it first waits. Allocates one block
  // from where frames come from, freed when the task ends.
  void Spawn(Task<> task);

  // Asks all tasks to stop, those to come included.
  void RequestStop() { children_.Stop(); }

  class [[nodiscard]] JoinAwaiter {
   public:
    explicit JoinAwaiter(TaskGroup* group) : group_(group) {}
    bool await_ready() const noexcept { return false; }
    bool await_suspend(std::coroutine_handle<> awaiting) noexcept {
      return group_->children_.LeaveStarter(awaiting);
    }
    void await_resume() { group_->Finish(); }

   private:
    TaskGroup* const group_;
  };

  // Waits until all tasks have ended. To be awaited once, by the creator.
  JoinAwaiter Join() { return JoinAwaiter(this); }

 private:
  class Child;

  void Finish();

  internal::Children children_;
  internal::FirstFailure failure_;
  bool joined_ = false;
};

}  // namespace netlab

#endif  // NETLAB_NET_TASK_GROUP_H_
