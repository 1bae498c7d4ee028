// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

// Strand: runs work one piece after another, in the order in which it was
// posted, on an executor that may have many threads. What only a strand's work
// touches needs no lock.
//
//   ThreadPool pool(4);
//   Strand strand(pool);
//   co_await On(strand, Append(&log, "line"));

#ifndef NETLAB_NET_STRAND_H_
#define NETLAB_NET_STRAND_H_

#include "netlab/net/executor.h"
#include "netlab/net/internal/inbox.h"

namespace netlab {

// Thread-safe. Must outlive the work posted to it, and `base` must outlive it.
class Strand final : public Executor {
 public:
  explicit Strand(Executor& base);
  Strand(const Strand&) = delete;
  Strand& operator=(const Strand&) = delete;

  void Post(Work* work) override;
  bool RunsHere() const override;

 private:
  // What the strand itself posts to `base`: a batch of its work.
  class Batch : public Work {
   public:
    explicit Batch(Strand* strand) : Work(&RunBatch), strand_(strand) {}

   private:
    static void RunBatch(Work* work);
    Strand* const strand_;
  };

  void Run();

  Executor& base_;
  Inbox inbox_;
  Batch batch_{this};
};

}  // namespace netlab

#endif  // NETLAB_NET_STRAND_H_
