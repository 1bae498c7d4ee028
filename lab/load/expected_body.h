// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

// The body that every response must have.

#ifndef NETLAB_LAB_LOAD_EXPECTED_BODY_H_
#define NETLAB_LAB_LOAD_EXPECTED_BODY_H_

#include <atomic>
#include <cstddef>
#include <string>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"

namespace netlab::lab {

// Either given from the start or learnt from the first response that is
// complete, by whichever thread receives it. Thread-safe.
class ExpectedBody {
 public:
  // A longer body cannot be learnt; it can only be given.
  static constexpr size_t kMaxLearntBytes = size_t{64} << 20;

  // To be learnt.
  ExpectedBody() = default;
  explicit ExpectedBody(std::string body)
      : body_(std::move(body)), known_(&body_) {}

  ExpectedBody(const ExpectedBody&) = delete;
  ExpectedBody& operator=(const ExpectedBody&) = delete;

  // Null until it is known; afterwards it never changes.
  const std::string* known() const {
    return known_.load(std::memory_order_acquire);
  }

  // Makes `body` the expected one if none is known. Returns whether it is.
  bool LearnOrCompare(std::string body) {
    absl::MutexLock lock(&mutex_);
    if (known() == nullptr) {
      body_ = std::move(body);
      known_.store(&body_, std::memory_order_release);
      return true;
    }
    return body == body_;
  }

 private:
  absl::Mutex mutex_;
  // Written once, before `known_` points to it.
  std::string body_;
  std::atomic<const std::string*> known_ = nullptr;
};

}  // namespace netlab::lab

#endif  // NETLAB_LAB_LOAD_EXPECTED_BODY_H_
