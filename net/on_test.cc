// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

#include "netlab/net/on.h"

#include <stdexcept>
#include <stop_token>
#include <vector>

#include "gtest/gtest.h"
#include "netlab/net/env.h"
#include "netlab/net/executor.h"
#include "netlab/net/run_queue.h"
#include "netlab/net/spawn.h"
#include "netlab/net/task.h"
#include "netlab/net/thread_pool.h"

namespace netlab {
namespace {

TEST(OnTest, RunsThereAndComesBack) {
  RunQueue queue;
  ThreadPool pool(2);
  const auto there = [&]() -> Task<int> {
    EXPECT_TRUE(pool.RunsHere());
    EXPECT_FALSE(queue.RunsHere());
    EXPECT_EQ((co_await CurrentEnv()).executor, &pool);
    co_return 5;
  };
  const auto here = [&]() -> Task<int> {
    const int value = co_await On(pool, there());
    EXPECT_TRUE(queue.RunsHere());
    EXPECT_EQ((co_await CurrentEnv()).executor, &queue);
    co_return value;
  };
  EXPECT_EQ(BlockOn(queue, here()), 5);
}

TEST(OnTest, ExceptionsComeBackToo) {
  RunQueue queue;
  ThreadPool pool(1);
  const auto there = []() -> Task<> {
    throw std::runtime_error("there");
    co_return;
  };
  const auto here = [&]() -> Task<bool> {
    try {
      co_await On(pool, there());
    } catch (const std::runtime_error&) {
      co_return queue.RunsHere();
    }
    co_return false;
  };
  EXPECT_TRUE(BlockOn(queue, here()));
}

TEST(OnTest, CarriesTheStopToken) {
  RunQueue queue;
  InlineExecutor other;
  std::stop_source stop;
  stop.request_stop();
  const auto there = []() -> Task<bool> {
    co_return (co_await CurrentEnv()).stop.stop_requested();
  };
  const auto here = [&]() -> Task<bool> {
    co_return co_await On(other, there());
  };
  EXPECT_TRUE(BlockOn(queue, here(), {.stop = stop.get_token()}));
}

TEST(OnTest, PostsNothingToTheExecutorThatRunsTheCaller) {
  RunQueue queue;
  const auto there = []() -> Task<> { co_return; };
  const auto here = [&]() -> Task<> { co_await On(queue, there()); };
  JoinHandle<void> handle = Spawn(queue, here());
  EXPECT_EQ(queue.Poll(), 1u);
  EXPECT_EQ(queue.Poll(), 0u);
}

TEST(YieldTest, LetsOthersRunInTurn) {
  RunQueue queue;
  std::vector<int> order;
  const auto run = [&order](int id) -> Task<> {
    for (int i = 0; i < 2; ++i) {
      order.push_back(id);
      co_await Yield();
    }
  };
  JoinHandle<void> one = Spawn(queue, run(1));
  JoinHandle<void> two = Spawn(queue, run(2));
  while (queue.Poll() != 0) {
  }
  EXPECT_EQ(order, (std::vector<int>{1, 2, 1, 2}));
}

}  // namespace
}  // namespace netlab
