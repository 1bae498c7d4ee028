// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

#include "netlab/net/strand.h"

#include <utility>

#include "absl/cleanup/cleanup.h"
#include "absl/log/check.h"

namespace netlab {
namespace {

constinit thread_local const Strand* running = nullptr;

}  // namespace

Strand::Strand(Executor& base) : base_(base) { CHECK(inbox_.TrySleep()); }

void Strand::Post(Work* work) {
  // An empty inbox is one that sleeps: nothing of this strand runs or is
  // queued.
  if (inbox_.Push(work)) base_.Post(&batch_);
}

bool Strand::RunsHere() const { return running == this; }

void Strand::Batch::RunBatch(Work* work) {
  static_cast<Batch*>(work)->strand_->Run();
}

// One batch, not until the inbox is empty: others on `base` want their turn.
void Strand::Run() {
  WorkList batch = inbox_.TakeAll();
  {
    const absl::Cleanup restore = [previous = std::exchange(running, this)] {
      running = previous;
    };
    while (Work* const work = batch.PopFront()) work->Run();
  }
  if (!inbox_.TrySleep()) base_.Post(&batch_);
}

}  // namespace netlab
