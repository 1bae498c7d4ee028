// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

#include "netlab/net/run_queue.h"

#include <cstddef>
#include <utility>

#include "absl/cleanup/cleanup.h"
#include "absl/log/check.h"

namespace netlab {
namespace {

constinit thread_local const RunQueue* running = nullptr;

}  // namespace

RunQueue::~RunQueue() {
  CHECK(ready_.empty() && inbox_.TakeAll().empty())
      << "a RunQueue was destroyed with work left";
}

void RunQueue::Post(Work* work) {
  if (RunsHere()) {
    ready_.PushBack(work);
  } else if (inbox_.Push(work)) {
    wake_.release();
  }
}

bool RunQueue::RunsHere() const { return running == this; }

std::size_t RunQueue::Poll() {
  const absl::Cleanup restore = [previous = std::exchange(running, this)] {
    running = previous;
  };
  ready_.Append(inbox_.TakeAll());
  WorkList batch(std::move(ready_));
  std::size_t count = 0;
  while (Work* const work = batch.PopFront()) {
    work->Run();
    ++count;
  }
  return count;
}

void RunQueue::RunOnce() {
  while (Poll() == 0) {
    if (inbox_.TrySleep()) wake_.acquire();
  }
}

}  // namespace netlab
