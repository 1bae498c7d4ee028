// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

#include "netlab/net/when_any.h"

#include <stdexcept>
#include <string>
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

Task<> UntilStopped(int* ended) {
  const Env& env = co_await CurrentEnv();
  while (!env.stop.stop_requested()) co_await Yield();
  ++*ended;
}

TEST(WhenAnyTest, FirstToEndWinsAndTheOthersAreStopped) {
  RunQueue queue;
  int ended = 0;
  const auto run = [&]() -> Task<> {
    auto first = co_await WhenAny(UntilStopped(&ended),
                                  Later(2, std::string("won")), Later(9, 1));
    EXPECT_EQ(first.index, 1u);
    EXPECT_EQ(std::get<1>(first.value), "won");
    EXPECT_EQ(ended, 1);
  };
  BlockOn(queue, run());
}

TEST(WhenAnyTest, TheIndexTellsTasksOfOneTypeApart) {
  RunQueue queue;
  const auto run = []() -> Task<> {
    auto first = co_await WhenAny(Later(3, 1), Later(1, 2), Later(2, 3));
    EXPECT_EQ(first.index, 1u);
    EXPECT_EQ(std::get<1>(first.value), 2);
  };
  BlockOn(queue, run());
}

TEST(WhenAnyTest, Vector) {
  RunQueue queue;
  const auto run = []() -> Task<> {
    std::vector<Task<int>> tasks;
    for (int i = 0; i < 20; ++i) tasks.push_back(Later(20 - i, i));
    First<int> first = co_await WhenAny(std::move(tasks));
    EXPECT_EQ(first.index, 19u);
    EXPECT_EQ(first.value, 19);
  };
  BlockOn(queue, run());
}

TEST(WhenAnyTest, ATaskThatEndsAtOnceKeepsLaterOnesFromStarting) {
  RunQueue queue;
  bool started = false;
  const auto start = [&started]() -> Task<> {
    started = true;
    co_return;
  };
  const auto run = [&]() -> Task<> {
    auto first = co_await WhenAny(Later(0, 1), start());
    EXPECT_EQ(first.index, 0u);
  };
  BlockOn(queue, run());
  EXPECT_FALSE(started);
}

TEST(WhenAnyTest, RethrowsWhatTheFirstThrew) {
  RunQueue queue;
  int ended = 0;
  const auto fail = []() -> Task<> {
    co_await Yield();
    throw std::runtime_error("first");
  };
  const auto run = [&]() -> Task<> {
    co_await WhenAny(UntilStopped(&ended), fail());
  };
  EXPECT_THROW(BlockOn(queue, run()), std::runtime_error);
  EXPECT_EQ(ended, 1);
}

TEST(WhenAnyTest, DropsWhatTheOthersThrow) {
  RunQueue queue;
  const auto fail_when_stopped = []() -> Task<> {
    int ended = 0;
    co_await UntilStopped(&ended);
    throw std::runtime_error("too late");
  };
  const auto run = [&]() -> Task<std::size_t> {
    co_return (co_await WhenAny(fail_when_stopped(), Later(1, 1))).index;
  };
  EXPECT_EQ(BlockOn(queue, run()), 1u);
}

TEST(WhenAnyTest, RaceOnSeveralThreads) {
  RunQueue queue;
  ThreadPool pool(3);
  const auto work = [&pool](int i) -> Task<int> {
    co_return co_await On(pool, Later(0, i));
  };
  const auto run = [&]() -> Task<> {
    for (int round = 0; round < 200; ++round) {
      std::vector<Task<int>> tasks;
      for (int i = 0; i < 4; ++i) tasks.push_back(work(i));
      First<int> first = co_await WhenAny(std::move(tasks));
      EXPECT_EQ(static_cast<int>(first.index), first.value);
    }
  };
  const auto launch = [&]() -> Task<> { co_await On(pool, run()); };
  BlockOn(queue, run());
  BlockOn(queue, launch());
}

}  // namespace
}  // namespace netlab
