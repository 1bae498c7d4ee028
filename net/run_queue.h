// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

// RunQueue: an executor without I/O, driven by the thread that owns it.
//
//   RunQueue queue;
//   int sum = BlockOn(queue, Add(1, 2));
//
// Posting from the owner's thread takes no lock and no atomic operation. Other
// threads post through a lock-free inbox and wake the owner only if it sleeps.

#ifndef NETLAB_NET_RUN_QUEUE_H_
#define NETLAB_NET_RUN_QUEUE_H_

#include <cstddef>
#include <semaphore>

#include "netlab/net/executor.h"
#include "netlab/net/internal/inbox.h"

namespace netlab {

// Post() may be called by any thread, everything else by one thread at a time.
class RunQueue final : public Executor {
 public:
  RunQueue() = default;
  // There must be no work left.
  ~RunQueue();

  void Post(Work* work) override;
  bool RunsHere() const override;

  // Runs what is ready now, but not what that posts; returns how much it was.
  std::size_t Poll();

  // Waits until there is work, then does as Poll().
  void RunOnce();

 private:
  WorkList ready_;
  Inbox inbox_;
  std::binary_semaphore wake_{0};
};

}  // namespace netlab

#endif  // NETLAB_NET_RUN_QUEUE_H_
