// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

// What the coroutine layer costs: bazel run //net:coroutines_benchmark

#include <cstddef>
#include <vector>

#include "benchmark/benchmark.h"
#include "netlab/net/executor.h"
#include "netlab/net/on.h"
#include "netlab/net/run_queue.h"
#include "netlab/net/spawn.h"
#include "netlab/net/strand.h"
#include "netlab/net/task.h"
#include "netlab/net/task_group.h"
#include "netlab/net/when_all.h"

namespace netlab {
namespace {

[[gnu::noinline]] Task<int> Chain(int depth) {
  if (depth <= 1) co_return 1;
  co_return co_await Chain(depth - 1) + 1;
}

void BM_SpawnInline(benchmark::State& state) {
  InlineExecutor executor;
  const int depth = static_cast<int>(state.range(0));
  for (auto _ : state) Spawn(executor, Chain(depth)).Detach();
}
BENCHMARK(BM_SpawnInline)->DenseRange(1, 4);

void BM_SpawnOnQueue(benchmark::State& state) {
  RunQueue queue;
  for (auto _ : state) {
    Spawn(queue, Chain(1)).Detach();
    queue.Poll();
  }
}
BENCHMARK(BM_SpawnOnQueue);

void BM_SpawnOnStrand(benchmark::State& state) {
  RunQueue queue;
  Strand strand(queue);
  const int depth = static_cast<int>(state.range(0));
  for (auto _ : state) {
    Spawn(strand, Chain(depth)).Detach();
    queue.Poll();
  }
}
BENCHMARK(BM_SpawnOnStrand)->Arg(1)->Arg(4);

// One operation awaited over and over by one coroutine.
template <typename Operation>
void RunLoop(benchmark::State& state, Operation operation) {
  RunQueue queue;
  const auto loop = [&]() -> Task<> {
    for (auto _ : state) co_await operation();
  };
  BlockOn(queue, loop());
}

void BM_AwaitTask(benchmark::State& state) {
  const int depth = static_cast<int>(state.range(0));
  RunLoop(state, [depth] { return Chain(depth); });
}
BENCHMARK(BM_AwaitTask)->DenseRange(1, 4);

// One trip through the queue of the coroutine's own executor.
void BM_Yield(benchmark::State& state) {
  RunLoop(state, [] { return Yield(); });
}
BENCHMARK(BM_Yield);

void BM_OnStrand(benchmark::State& state) {
  RunQueue queue;
  Strand strand(queue);
  const auto loop = [&]() -> Task<> {
    for (auto _ : state) co_await On(strand, Chain(1));
  };
  BlockOn(queue, loop());
}
BENCHMARK(BM_OnStrand);

void BM_WhenAll(benchmark::State& state) {
  const int count = static_cast<int>(state.range(0));
  RunLoop(state, [count] {
    std::vector<Task<int>> tasks;
    tasks.reserve(static_cast<std::size_t>(count));
    for (int i = 0; i < count; ++i) tasks.push_back(Chain(1));
    return WhenAll(std::move(tasks));
  });
}
BENCHMARK(BM_WhenAll)->Arg(2)->Arg(8)->Arg(64);

Task<> Nothing() { co_return; }

void BM_TaskGroupSpawn(benchmark::State& state) {
  RunQueue queue;
  const auto loop = [&]() -> Task<> {
    TaskGroup group(co_await CurrentEnv());
    for (auto _ : state) group.Spawn(Nothing());
    co_await group.Join();
  };
  BlockOn(queue, loop());
}
BENCHMARK(BM_TaskGroupSpawn);

}  // namespace
}  // namespace netlab
