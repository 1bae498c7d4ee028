// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

#include "netlab/net/spawn.h"

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "netlab/net/counting_resource.h"
#include "netlab/net/env.h"
#include "netlab/net/executor.h"
#include "netlab/net/on.h"
#include "netlab/net/run_queue.h"
#include "netlab/net/task.h"
#include "netlab/net/thread_pool.h"

namespace netlab {
namespace {

Task<int> Value(int value) { co_return value; }

// Ends after `yields` trips through its executor's queue.
Task<int> Later(int yields, int value) {
  for (int i = 0; i < yields; ++i) co_await Yield();
  co_return value;
}

TEST(SpawnTest, RunsOnItsExecutorNotAtOnce) {
  RunQueue queue;
  bool ran = false;
  const auto run = [&]() -> Task<> {
    ran = true;
    EXPECT_TRUE(queue.RunsHere());
    co_return;
  };
  JoinHandle<void> handle = Spawn(queue, run());
  EXPECT_FALSE(ran);
  EXPECT_FALSE(queue.RunsHere());
  EXPECT_EQ(queue.Poll(), 1u);
  EXPECT_TRUE(ran);
}

TEST(SpawnTest, InlineExecutorRunsAtOnce) {
  InlineExecutor executor;
  bool ran = false;
  const auto run = [&ran]() -> Task<> {
    ran = true;
    co_return;
  };
  JoinHandle<void> handle = Spawn(executor, run());
  EXPECT_TRUE(ran);
}

TEST(SpawnTest, JoinBeforeAndAfterTheEnd) {
  RunQueue queue;
  const auto join = [&queue](int yields_before_join) -> Task<int> {
    JoinHandle<int> handle = Spawn(queue, Later(2, 7));
    co_await Later(yields_before_join, 0);
    co_return co_await std::move(handle).Join();
  };
  EXPECT_EQ(BlockOn(queue, join(0)), 7);
  EXPECT_EQ(BlockOn(queue, join(10)), 7);
}

TEST(SpawnTest, JoinRethrows) {
  RunQueue queue;
  const auto fail = []() -> Task<> {
    throw std::runtime_error("no");
    co_return;
  };
  const auto join = [&]() -> Task<> { co_await Spawn(queue, fail()).Join(); };
  EXPECT_THROW(BlockOn(queue, join()), std::runtime_error);
}

TEST(SpawnTest, DetachedTasksRunToTheirEnd) {
  RunQueue queue;
  int ended = 0;
  const auto run = [&ended](int yields) -> Task<> {
    co_await Later(yields, 0);
    ++ended;
  };
  for (int i = 0; i < 4; ++i) Spawn(queue, run(i)).Detach();
  while (queue.Poll() != 0) {
  }
  EXPECT_EQ(ended, 4);
}

TEST(SpawnDeathTest, AnExceptionThatNobodyCanCatchEndsTheProgram) {
  const auto fail = []() -> Task<> {
    throw std::runtime_error("nobody hears");
    co_return;
  };
  EXPECT_DEATH(
      {
        InlineExecutor executor;
        Spawn(executor, fail()).Detach();
      },
      "nobody hears");
}

// The joiner is on one executor, the task on another: each is resumed at home.
TEST(SpawnTest, JoinComesBackToTheJoinersExecutor) {
  RunQueue queue;
  ThreadPool pool(2);
  const auto work = [&pool](int i) -> Task<int> {
    EXPECT_TRUE(pool.RunsHere());
    co_return i;
  };
  const auto join = [&]() -> Task<int> {
    int sum = 0;
    for (int i = 0; i < 1000; ++i) {
      sum += co_await Spawn(pool, work(i)).Join();
      EXPECT_TRUE(queue.RunsHere());
    }
    co_return sum;
  };
  EXPECT_EQ(BlockOn(queue, join()), 499'500);
}

TEST(SpawnTest, HandlesMayBeDroppedWhileTheTaskEndsElsewhere) {
  ThreadPool pool(2);
  for (int i = 0; i < 1000; ++i) {
    JoinHandle<int> handle = Spawn(pool, Value(i));
  }
}

// Frames that are created after a suspension come from the launch's resource as
// well, and those of other launches that run in between do not.
TEST(SpawnTest, FramesOfALaunchComeFromItsResource) {
  CountingResource resource;
  RunQueue queue;
  const auto other = [&queue]() -> Task<> {
    for (int i = 0; i < 5; ++i) co_await Later(1, 0);
  };
  const auto run = [&]() -> Task<int> {
    co_await Later(1, 0);
    const int before = resource.allocations;
    co_await Value(1);
    co_await Later(1, 0);
    co_return resource.allocations - before;
  };
  JoinHandle<void> noise = Spawn(queue, other());
  JoinHandle<int> handle =
      Spawn(queue, {.frames = &resource}, [&run] { return run(); });
  const auto join = [&]() -> Task<int> {
    const int counted = co_await std::move(handle).Join();
    co_await std::move(noise).Join();
    co_return counted;
  };
  EXPECT_EQ(BlockOn(queue, join()), 2);
  // Those two, run() itself, its first Later(), and the launch.
  EXPECT_EQ(resource.allocations, 5);
  EXPECT_EQ(resource.live, 0);
}

TEST(BlockOnTest, WaitsForOtherThreads) {
  RunQueue queue;
  ThreadPool pool(1);
  const auto work = []() -> Task<std::thread::id> {
    co_return std::this_thread::get_id();
  };
  const auto run = [&]() -> Task<bool> {
    co_return co_await On(pool, work()) != std::this_thread::get_id();
  };
  for (int i = 0; i < 1000; ++i) EXPECT_TRUE(BlockOn(queue, run()));
}

}  // namespace
}  // namespace netlab
