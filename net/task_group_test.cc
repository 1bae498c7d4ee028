// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

#include "netlab/net/task_group.h"

#include <atomic>
#include <stdexcept>
#include <stop_token>
#include <string>

#include "gtest/gtest.h"
#include "netlab/net/env.h"
#include "netlab/net/on.h"
#include "netlab/net/run_queue.h"
#include "netlab/net/spawn.h"
#include "netlab/net/task.h"
#include "netlab/net/thread_pool.h"

namespace netlab {
namespace {

Task<> Count(int yields, std::atomic<int>* counter) {
  for (int i = 0; i < yields; ++i) co_await Yield();
  counter->fetch_add(1);
}

Task<> UntilStopped(std::atomic<int>* ended) {
  const Env& env = co_await CurrentEnv();
  while (!env.stop.stop_requested()) co_await Yield();
  ended->fetch_add(1);
}

Task<> Fail(int yields, std::string text) {
  for (int i = 0; i < yields; ++i) co_await Yield();
  throw std::runtime_error(text);
}

TEST(TaskGroupTest, JoinWaitsForAll) {
  RunQueue queue;
  std::atomic<int> counter = 0;
  const auto run = [&]() -> Task<> {
    TaskGroup group(co_await CurrentEnv());
    for (int i = 0; i < 100; ++i) group.Spawn(Count(i % 7, &counter));
    EXPECT_LT(counter, 100);
    co_await group.Join();
    EXPECT_EQ(counter, 100);
  };
  BlockOn(queue, run());
}

TEST(TaskGroupTest, TasksMaySpawnMore) {
  RunQueue queue;
  std::atomic<int> counter = 0;
  struct Tree {
    static Task<> Grow(TaskGroup* group, int depth, std::atomic<int>* counter) {
      co_await Yield();
      counter->fetch_add(1);
      if (depth == 0) co_return;
      group->Spawn(Grow(group, depth - 1, counter));
      group->Spawn(Grow(group, depth - 1, counter));
    }
  };
  const auto run = [&]() -> Task<> {
    TaskGroup group(co_await CurrentEnv());
    group.Spawn(Tree::Grow(&group, 6, &counter));
    co_await group.Join();
  };
  BlockOn(queue, run());
  EXPECT_EQ(counter, 127);
}

TEST(TaskGroupTest, FailureStopsTheOthersAndComesOutOfJoin) {
  RunQueue queue;
  std::atomic<int> ended = 0;
  const auto run = [&]() -> Task<> {
    TaskGroup group(co_await CurrentEnv());
    group.Spawn(UntilStopped(&ended));
    group.Spawn(Fail(3, "first"));
    group.Spawn(Fail(5, "second"));
    try {
      co_await group.Join();
      ADD_FAILURE() << "nothing was thrown";
    } catch (const std::runtime_error& error) {
      EXPECT_STREQ(error.what(), "first");
    }
  };
  BlockOn(queue, run());
  EXPECT_EQ(ended, 1);
}

TEST(TaskGroupTest, StopRequestsFromInsideAndOutside) {
  RunQueue queue;
  std::stop_source stop;
  std::atomic<int> ended = 0;
  const auto run = [&](bool outside) -> Task<> {
    TaskGroup group(co_await CurrentEnv());
    for (int i = 0; i < 3; ++i) group.Spawn(UntilStopped(&ended));
    co_await Yield();
    if (outside) {
      stop.request_stop();
    } else {
      group.RequestStop();
    }
    co_await group.Join();
  };
  BlockOn(queue, run(false), {.stop = stop.get_token()});
  EXPECT_EQ(ended, 3);
  BlockOn(queue, run(true), {.stop = stop.get_token()});
  EXPECT_EQ(ended, 6);
}

TEST(TaskGroupTest, EmptyGroup) {
  RunQueue queue;
  const auto run = []() -> Task<> {
    TaskGroup group(co_await CurrentEnv());
    co_await group.Join();
  };
  BlockOn(queue, run());
}

TEST(TaskGroupTest, OnSeveralThreads) {
  RunQueue queue;
  ThreadPool pool(3);
  std::atomic<int> counter = 0;
  const auto run = [&]() -> Task<> {
    TaskGroup group(co_await CurrentEnv());
    for (int i = 0; i < 1000; ++i) group.Spawn(Count(i % 3, &counter));
    co_await group.Join();
    EXPECT_EQ(counter, 1000);
  };
  const auto launch = [&]() -> Task<> { co_await On(pool, run()); };
  BlockOn(queue, launch());
}

TEST(TaskGroupDeathTest, DestroyedWithoutJoin) {
  EXPECT_DEATH(
      {
        RunQueue queue;
        TaskGroup group(Env{.executor = &queue});
      },
      "joined");
}

}  // namespace
}  // namespace netlab
