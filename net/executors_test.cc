// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

// What every executor promises, and what only some do.

#include <atomic>
#include <memory>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "netlab/net/executor.h"
#include "netlab/net/internal/inbox.h"
#include "netlab/net/run_queue.h"
#include "netlab/net/strand.h"
#include "netlab/net/thread_pool.h"

namespace netlab {
namespace {

struct Call : Work {
  explicit Call(void (*function)(Call*))
      : Work([](Work* work) {
          Call* const call = static_cast<Call*>(work);
          call->run(call);
        }),
        run(function) {}
  void (*run)(Call*);
};

struct Numbered : Work {
  Numbered() : Work(&Note) {}
  static void Note(Work* work) {
    Numbered* const self = static_cast<Numbered*>(work);
    self->order->push_back(self->number);
  }
  int number = 0;
  std::vector<int>* order = nullptr;
};

TEST(WorkListTest, FirstInFirstOut) {
  std::vector<int> order;
  Numbered work[4];
  for (int i = 0; i < 4; ++i) {
    work[i].number = i;
    work[i].order = &order;
  }
  WorkList list;
  EXPECT_TRUE(list.empty());
  EXPECT_EQ(list.PopFront(), nullptr);
  list.PushBack(&work[0]);
  list.PushBack(&work[1]);
  list.Append(WorkList());
  WorkList more;
  more.PushBack(&work[2]);
  more.PushBack(&work[3]);
  list.Append(std::move(more));
  while (Work* const next = list.PopFront()) next->Run();
  EXPECT_EQ(order, (std::vector<int>{0, 1, 2, 3}));
  EXPECT_TRUE(list.empty());
}

TEST(InboxTest, ReportsSleepOnce) {
  Inbox inbox;
  Call one([](Call*) {});
  Call two([](Call*) {});
  EXPECT_FALSE(inbox.Push(&one));
  EXPECT_FALSE(inbox.TrySleep());
  EXPECT_EQ(inbox.TakeAll().PopFront(), &one);
  EXPECT_TRUE(inbox.TrySleep());
  EXPECT_TRUE(inbox.Push(&one));
  EXPECT_FALSE(inbox.Push(&two));
  WorkList all = inbox.TakeAll();
  EXPECT_EQ(all.PopFront(), &one);
  EXPECT_EQ(all.PopFront(), &two);
  EXPECT_EQ(all.PopFront(), nullptr);
}

TEST(InboxTest, TakingEndsSleep) {
  Inbox inbox;
  EXPECT_TRUE(inbox.TrySleep());
  EXPECT_TRUE(inbox.TakeAll().empty());
  Call work([](Call*) {});
  EXPECT_FALSE(inbox.Push(&work));
}

constexpr int kThreads = 4;
constexpr int kPosts = 5000;

// Posts from several threads and counts what has been run.
class Hammer {
 public:
  explicit Hammer(Executor& executor) {
    for (int t = 0; t < kThreads; ++t) {
      threads_.emplace_back([this, &executor, t] {
        for (int i = 0; i < kPosts; ++i) {
          works_[t].push_back(std::make_unique<Count>(this));
        }
        for (auto& work : works_[t]) executor.Post(work.get());
      });
    }
  }
  ~Hammer() { Join(); }
  void Join() {
    for (std::thread& thread : threads_) {
      if (thread.joinable()) thread.join();
    }
  }
  int done() const { return done_.load(std::memory_order_acquire); }
  bool all_done() const { return done() == kThreads * kPosts; }

 private:
  struct Count : Work {
    explicit Count(Hammer* owner) : Work(&Run), hammer(owner) {}
    static void Run(Work* work) {
      static_cast<Count*>(work)->hammer->done_.fetch_add(
          1, std::memory_order_release);
    }
    Hammer* hammer;
  };

  std::atomic<int> done_ = 0;
  std::vector<std::unique_ptr<Count>> works_[kThreads];
  std::vector<std::thread> threads_;
};

TEST(RunQueueTest, TakesWorkFromOtherThreadsAndSleepsBetween) {
  RunQueue queue;
  Hammer hammer(queue);
  while (!hammer.all_done()) queue.RunOnce();
  EXPECT_EQ(queue.Poll(), 0u);
}

TEST(RunQueueTest, PollRunsWhatIsReadyNotWhatThatPosts) {
  struct Again : Work {
    explicit Again(RunQueue* q) : Work(&Run), queue(q) {}
    static void Run(Work* work) {
      Again* const self = static_cast<Again*>(work);
      if (++self->runs < 3) self->queue->Post(self);
    }
    RunQueue* queue;
    int runs = 0;
  };
  RunQueue queue;
  Again again(&queue);
  queue.Post(&again);
  EXPECT_EQ(queue.Poll(), 1u);
  EXPECT_EQ(again.runs, 1);
  EXPECT_EQ(queue.Poll(), 1u);
  EXPECT_EQ(queue.Poll(), 1u);
  EXPECT_EQ(queue.Poll(), 0u);
}

TEST(RunQueueDeathTest, DestroyedWithWorkLeft) {
  EXPECT_DEATH(
      {
        Call work([](Call*) {});
        RunQueue queue;
        queue.Post(&work);
      },
      "work left");
}

TEST(ThreadPoolTest, RunsEverything) {
  ThreadPool pool(3);
  Hammer hammer(pool);
  hammer.Join();
  RunQueue queue;
  while (!hammer.all_done()) std::this_thread::yield();
}

TEST(ThreadPoolTest, DestructorRunsWhatIsQueuedAndWhatThatPosts) {
  struct Chain : Work {
    Chain() : Work(&Run) {}
    static void Run(Work* work) {
      Chain* const self = static_cast<Chain*>(work);
      EXPECT_TRUE(self->pool->RunsHere());
      if (++self->runs < 1000) self->pool->Post(self);
    }
    ThreadPool* pool = nullptr;
    int runs = 0;
  };
  Chain chain;
  {
    ThreadPool pool(2);
    chain.pool = &pool;
    EXPECT_FALSE(pool.RunsHere());
    pool.Post(&chain);
  }
  EXPECT_EQ(chain.runs, 1000);
}

// The counter is not atomic: only a strand keeps this right.
TEST(StrandTest, RunsOneAtATime) {
  struct Increment : Work {
    Increment() : Work(&Run) {}
    static void Run(Work* work) {
      Increment* const self = static_cast<Increment*>(work);
      EXPECT_TRUE(self->strand->RunsHere());
      if (++*self->counter == kThreads * kPosts) {
        self->done->store(true, std::memory_order_release);
      }
    }
    Strand* strand = nullptr;
    int* counter = nullptr;
    std::atomic<bool>* done = nullptr;
  };
  int counter = 0;
  std::atomic<bool> done = false;
  std::vector<Increment> works(kThreads * kPosts);
  ThreadPool pool(3);
  Strand strand(pool);
  for (Increment& work : works) {
    work.strand = &strand;
    work.counter = &counter;
    work.done = &done;
  }
  std::vector<std::thread> posters;
  for (int t = 0; t < kThreads; ++t) {
    posters.emplace_back([&, t] {
      for (int i = 0; i < kPosts; ++i) strand.Post(&works[t * kPosts + i]);
    });
  }
  for (std::thread& poster : posters) poster.join();
  while (!done.load(std::memory_order_acquire)) std::this_thread::yield();
  EXPECT_EQ(counter, kThreads * kPosts);
  EXPECT_FALSE(strand.RunsHere());
}

TEST(StrandTest, KeepsTheOrderAndGivesWayToOthers) {
  std::vector<int> order;
  Numbered work[5];
  for (int i = 0; i < 5; ++i) {
    work[i].number = i;
    work[i].order = &order;
  }
  RunQueue queue;
  Strand strand(queue);
  strand.Post(&work[0]);
  strand.Post(&work[1]);
  queue.Post(&work[4]);
  EXPECT_EQ(queue.Poll(), 2u);
  strand.Post(&work[2]);
  strand.Post(&work[3]);
  EXPECT_EQ(queue.Poll(), 1u);
  EXPECT_EQ(order, (std::vector<int>{0, 1, 4, 2, 3}));
}

}  // namespace
}  // namespace netlab
