// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

#include "netlab/net/when_all.h"

#include <memory>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include "gtest/gtest.h"
#include "netlab/net/env.h"
#include "netlab/net/on.h"
#include "netlab/net/run_queue.h"
#include "netlab/net/spawn.h"
#include "netlab/net/task.h"
#include "netlab/net/thread_pool.h"

namespace netlab {
namespace {

template <typename T>
Task<T> Later(int yields, T value) {
  for (int i = 0; i < yields; ++i) co_await Yield();
  co_return value;
}

Task<> Fail(int yields, std::string text) {
  for (int i = 0; i < yields; ++i) co_await Yield();
  throw std::runtime_error(text);
}

// Ends when it is asked to stop; how often it waited.
Task<int> UntilStopped() {
  const Env& env = co_await CurrentEnv();
  int waits = 0;
  while (!env.stop.stop_requested()) {
    co_await Yield();
    ++waits;
  }
  co_return waits;
}

TEST(WhenAllTest, GivesAllResults) {
  RunQueue queue;
  const auto none = []() -> Task<> { co_return; };
  const auto run = [&]() -> Task<> {
    auto [number, text, nothing] = co_await WhenAll(
        Later(3, 1), Later(0, std::make_unique<int>(2)), none());
    EXPECT_EQ(number, 1);
    EXPECT_EQ(*text, 2);
    static_assert(std::is_same_v<decltype(nothing), std::monostate>);
  };
  BlockOn(queue, run());
}

TEST(WhenAllTest, RunsSideBySide) {
  RunQueue queue;
  std::vector<int> order;
  const auto note = [&order](int id) -> Task<> {
    for (int i = 0; i < 2; ++i) {
      order.push_back(id);
      co_await Yield();
    }
  };
  const auto run = [&]() -> Task<> { co_await WhenAll(note(1), note(2)); };
  BlockOn(queue, run());
  EXPECT_EQ(order, (std::vector<int>{1, 2, 1, 2}));
}

TEST(WhenAllTest, VectorKeepsTheOrderOfTasks) {
  RunQueue queue;
  const auto run = []() -> Task<std::vector<int>> {
    std::vector<Task<int>> tasks;
    for (int i = 0; i < 50; ++i) tasks.push_back(Later(50 - i, i));
    co_return co_await WhenAll(std::move(tasks));
  };
  const std::vector<int> results = BlockOn(queue, run());
  ASSERT_EQ(results.size(), 50u);
  for (int i = 0; i < 50; ++i) EXPECT_EQ(results[i], i);
}

TEST(WhenAllTest, NothingIsDoneAtOnce) {
  RunQueue queue;
  const auto run = []() -> Task<std::size_t> {
    co_return (co_await WhenAll(std::vector<Task<int>>())).size();
  };
  EXPECT_EQ(BlockOn(queue, run()), 0u);
}

TEST(WhenAllTest, FirstFailureStopsTheOthersAndComesOut) {
  RunQueue queue;
  bool others_ended = false;
  const auto other = [&]() -> Task<> {
    co_await UntilStopped();
    co_await Yield();
    others_ended = true;
  };
  const auto run = [&]() -> Task<std::string> {
    try {
      co_await WhenAll(other(), Fail(2, "first"), Fail(9, "second"));
    } catch (const std::runtime_error& error) {
      EXPECT_TRUE(others_ended);
      co_return error.what();
    }
    co_return "nothing";
  };
  EXPECT_EQ(BlockOn(queue, run()), "first");
}

TEST(WhenAllTest, StopRequestReachesAll) {
  RunQueue queue;
  std::stop_source stop;
  const auto request = [&stop]() -> Task<> {
    co_await Yield();
    stop.request_stop();
  };
  const auto run = [&]() -> Task<> {
    auto [first, second, done] =
        co_await WhenAll(UntilStopped(), UntilStopped(), request());
    EXPECT_EQ(first, second);
  };
  BlockOn(queue, run(), {.stop = stop.get_token()});
}

TEST(WhenAllTest, TasksMayEndOnSeveralThreads) {
  RunQueue queue;
  ThreadPool pool(3);
  const auto work = [&pool](int i) -> Task<int> {
    co_return co_await On(pool, Later(i % 3, i));
  };
  const auto run = [&]() -> Task<int> {
    std::vector<Task<int>> tasks;
    for (int i = 0; i < 100; ++i) tasks.push_back(work(i));
    int sum = 0;
    for (const int value : co_await WhenAll(std::move(tasks))) sum += value;
    co_return sum;
  };
  const auto launch = [&]() -> Task<int> {
    co_return co_await On(pool, run());
  };
  EXPECT_EQ(BlockOn(queue, run()), 4950);
  EXPECT_EQ(BlockOn(queue, launch()), 4950);
}

}  // namespace
}  // namespace netlab
