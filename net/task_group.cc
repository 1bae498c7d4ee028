// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

#include "netlab/net/task_group.h"

#include <coroutine>
#include <cstddef>
#include <utility>

#include "absl/log/check.h"
#include "netlab/net/frame_memory.h"

namespace netlab {

// One task of a group. Destroys itself, and with it the task, when that is
// done.
class TaskGroup::Child final : private internal::Completion {
 public:
  static void* operator new(std::size_t bytes) {
    return internal::AllocateFrame(bytes);
  }
  static void operator delete(void* child, std::size_t bytes) noexcept {
    internal::FreeFrame(child, bytes);
  }

  Child(TaskGroup* group, Task<> task)
      : group_(group), task_(std::move(task)) {}

  void Start() { task_.PrepareStart(group_->children_.env(), this).resume(); }

 private:
  std::coroutine_handle<> TaskDone() noexcept override {
    TaskGroup* const group = group_;
    if (task_.promise().failed()) {
      group->failure_.Set(task_.promise().exception());
      group->children_.Stop();
    }
    delete this;
    return group->children_.LeaveChild();
  }

  TaskGroup* const group_;
  Task<> task_;
};

TaskGroup::~TaskGroup() {
  CHECK(joined_) << "a TaskGroup was destroyed without having been joined";
}

void TaskGroup::Spawn(Task<> task) {
  children_.Add();
  FrameResourceScope scope(children_.env().frames);
  (new Child(this, std::move(task)))->Start();
}

void TaskGroup::Finish() {
  joined_ = true;
  children_.End();
  failure_.RethrowIfSet();
}

}  // namespace netlab
