// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NETLAB_NET_INTERNAL_INBOX_H_
#define NETLAB_NET_INTERNAL_INBOX_H_

#include <atomic>

#include "netlab/net/executor.h"

namespace netlab {

// Work on its way to one consumer, which may be asleep. Lock-free: one
// compare-and-swap to push, one exchange to take everything. Push() tells its
// caller to wake the consumer only if it sleeps, and tells exactly one.
class Inbox {
 public:
  // Any thread. Returns true if the consumer is asleep and the caller must wake
  // it.
  bool Push(Work* work) {
    Work* head = head_.load(std::memory_order_relaxed);
    do {
      work->next_ = head == Asleep() ? nullptr : head;
    } while (!head_.compare_exchange_weak(head, work, std::memory_order_acq_rel,
                                          std::memory_order_relaxed));
    return head == Asleep();
  }

  // Consumer only. Takes what has been pushed, oldest first. Also ends sleep.
  WorkList TakeAll() {
    Work* newest = nullptr;
    if (head_.load(std::memory_order_relaxed) != nullptr) {
      newest = head_.exchange(nullptr, std::memory_order_acquire);
    }
    WorkList list;
    if (newest == nullptr || newest == Asleep()) return list;
    list.last_ = newest;
    while (newest != nullptr) {
      Work* const older = newest->next_;
      newest->next_ = list.first_;
      list.first_ = newest;
      newest = older;
    }
    return list;
  }

  // Consumer only. False if there is work, which must be taken first; otherwise
  // the next Push() reports the sleep. What the consumer has done until then
  // happens before what is done by whoever wakes it.
  bool TrySleep() {
    Work* expected = nullptr;
    return head_.compare_exchange_strong(expected, Asleep(),
                                         std::memory_order_release,
                                         std::memory_order_relaxed);
  }

 private:
  // An address that no work has.
  Work* Asleep() { return reinterpret_cast<Work*>(this); }

  std::atomic<Work*> head_ = nullptr;
};

}  // namespace netlab

#endif  // NETLAB_NET_INTERNAL_INBOX_H_
