// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NETLAB_ECHO_LIVE_SOCKETS_H_
#define NETLAB_ECHO_LIVE_SOCKETS_H_

#include <sys/socket.h>

#include <atomic>
#include <unordered_set>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"

namespace netlab::echo {

// The connections of a worker, so that it can drain them. Thread-safe.
class LiveSockets {
 public:
  // `fd` must be removed before it is closed: its number may be another
  // connection's the moment after.
  void Add(int fd) {
    absl::MutexLock lock(&mutex_);
    fds_.insert(fd);
    if (draining()) shutdown(fd, SHUT_RD);
  }

  void Remove(int fd) {
    absl::MutexLock lock(&mutex_);
    fds_.erase(fd);
  }

  bool empty() const {
    absl::MutexLock lock(&mutex_);
    return fds_.empty();
  }

  // Ends the input of every connection, as if its peer had half-closed it: what
  // has arrived is still read, then comes the end. Holds for connections added
  // later, too.
  void Drain() {
    absl::MutexLock lock(&mutex_);
    draining_.store(true, std::memory_order_relaxed);
    for (int fd : fds_) shutdown(fd, SHUT_RD);
  }

  // The kernel goes on taking what arrives after Drain(), so that a busy peer
  // could keep a connection going. Once this holds, a read that does not fill
  // its buffer has to be the last: it has got all that came before.
  bool draining() const { return draining_.load(std::memory_order_relaxed); }

 private:
  mutable absl::Mutex mutex_;
  std::unordered_set<int> fds_ ABSL_GUARDED_BY(mutex_);
  std::atomic<bool> draining_ = false;
};

}  // namespace netlab::echo

#endif  // NETLAB_ECHO_LIVE_SOCKETS_H_
