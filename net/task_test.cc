// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

#include "netlab/net/task.h"

#include <memory>
#include <memory_resource>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <utility>

#include "gtest/gtest.h"
#include "netlab/net/env.h"
#include "netlab/net/run_queue.h"
#include "netlab/net/spawn.h"

namespace netlab {
namespace {

Task<int> Value(int value) { co_return value; }
Task<> Throw(std::string text) {
  throw std::runtime_error(text);
  co_return;
}

TEST(TaskTest, ReturnsWhatIsAwaited) {
  RunQueue queue;
  const auto sum = []() -> Task<int> {
    co_return co_await Value(1) + co_await Value(2);
  };
  EXPECT_EQ(BlockOn(queue, sum()), 3);
}

TEST(TaskTest, IsLazy) {
  bool ran = false;
  const auto run = [&ran]() -> Task<> {
    ran = true;
    co_return;
  };
  {
    Task<> never_awaited = run();
    EXPECT_TRUE(never_awaited);
  }
  EXPECT_FALSE(ran);
  RunQueue queue;
  BlockOn(queue, run());
  EXPECT_TRUE(ran);
}

TEST(TaskTest, MovesResultsOut) {
  RunQueue queue;
  const auto make = []() -> Task<std::unique_ptr<int>> {
    co_return std::make_unique<int>(7);
  };
  const auto outer = [&make]() -> Task<std::unique_ptr<int>> {
    co_return co_await make();
  };
  EXPECT_EQ(*BlockOn(queue, outer()), 7);
}

TEST(TaskTest, ReturnsReferences) {
  RunQueue queue;
  int number = 1;
  const auto get = [&number]() -> Task<int&> { co_return number; };
  const auto set = [&get]() -> Task<> { co_await get() = 2; };
  BlockOn(queue, set());
  EXPECT_EQ(number, 2);
}

TEST(TaskTest, ExceptionsPropagate) {
  RunQueue queue;
  const auto middle = []() -> Task<> { co_await Throw("deep"); };
  const auto outer = [&middle]() -> Task<std::string> {
    try {
      co_await middle();
    } catch (const std::runtime_error& error) {
      co_return error.what();
    }
    co_return "nothing";
  };
  EXPECT_EQ(BlockOn(queue, outer()), "deep");
  EXPECT_THROW(BlockOn(queue, middle()), std::runtime_error);
}

TEST(TaskTest, MovedFromIsEmpty) {
  Task<int> task = Value(1);
  Task<int> other = std::move(task);
  EXPECT_FALSE(task);  // NOLINT(bugprone-use-after-move)
  EXPECT_TRUE(other);
  task = std::move(other);
  EXPECT_TRUE(task);
}

// A task awaits in constant stack space: control is transferred, not nested.
// GCC does so from -O2 on, and not in what AddressSanitizer instruments.
#ifdef NDEBUG
TEST(TaskTest, LongLoopsOfFinishedTasksDoNotGrowTheStack) {
  RunQueue queue;
  const auto loop = []() -> Task<long> {
    long sum = 0;
    for (int i = 0; i < 1'000'000; ++i) sum += co_await Value(1);
    co_return sum;
  };
  EXPECT_EQ(BlockOn(queue, loop()), 1'000'000);
}
#endif

TEST(TaskTest, EnvFlowsDown) {
  RunQueue queue;
  std::stop_source stop;
  const auto inner = []() -> Task<bool> {
    const Env& env = co_await CurrentEnv();
    co_return env.stop.stop_requested();
  };
  const auto outer = [&]() -> Task<bool> {
    EXPECT_FALSE(co_await inner());
    EXPECT_EQ((co_await CurrentEnv()).executor, &queue);
    stop.request_stop();
    co_return co_await inner();
  };
  EXPECT_TRUE(BlockOn(queue, outer(), {.stop = stop.get_token()}));
}

}  // namespace
}  // namespace netlab
