// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

#include "netlab/net/frame_memory.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <set>
#include <thread>
#include <vector>

#include "absl/base/config.h"
#include "gtest/gtest.h"
#include "netlab/net/counting_resource.h"

namespace netlab {
namespace {

using internal::AllocateFrame;
using internal::FreeFrame;

TEST(FrameMemoryTest, EverySizeIsUsableAndAligned) {
  for (std::size_t bytes = 1; bytes <= 5000; bytes += 7) {
    void* const frame = AllocateFrame(bytes);
    EXPECT_EQ(
        reinterpret_cast<std::uintptr_t>(frame) % alignof(std::max_align_t),
        0u);
    std::memset(frame, 0xab, bytes);
    FreeFrame(frame, bytes);
  }
}

#ifndef ABSL_HAVE_ADDRESS_SANITIZER
TEST(FrameMemoryTest, RecyclesOnTheSameThread) {
  void* const first = AllocateFrame(200);
  FreeFrame(first, 200);
  void* const second = AllocateFrame(200);
  EXPECT_EQ(first, second);
  FreeFrame(second, 200);
}
#endif

TEST(FrameMemoryTest, LiveFramesAreDistinct) {
  std::set<void*> frames;
  for (int i = 0; i < 3000; ++i) frames.insert(AllocateFrame(100));
  EXPECT_EQ(frames.size(), 3000u);
  // More than a thread keeps: the rest goes to the heap.
  for (void* const frame : frames) FreeFrame(frame, 100);
}

TEST(FrameMemoryTest, FramesMayBeFreedOnAnotherThread) {
  for (int round = 0; round < 10; ++round) {
    std::vector<void*> frames;
    std::thread([&frames] {
      for (int i = 0; i < 2000; ++i) frames.push_back(AllocateFrame(300));
    }).join();
    std::thread([&frames] {
      for (void* const frame : frames) FreeFrame(frame, 300);
      // What the thread keeps goes to the heap with its end: a leak otherwise.
    }).join();
  }
}

TEST(FrameMemoryTest, ScopeChoosesTheResourceAndTheFrameRemembersIt) {
  CountingResource outer;
  CountingResource inner;
  void* from_outer = nullptr;
  void* from_inner = nullptr;
  {
    FrameResourceScope outer_scope(&outer);
    {
      FrameResourceScope inner_scope(&inner);
      from_inner = AllocateFrame(64);
    }
    from_outer = AllocateFrame(64);
  }
  EXPECT_EQ(outer.live, 1);
  EXPECT_EQ(inner.live, 1);
  // Whatever scope there is when the frame dies.
  FreeFrame(from_inner, 64);
  FreeFrame(from_outer, 64);
  EXPECT_EQ(outer.live, 0);
  EXPECT_EQ(inner.live, 0);
}

}  // namespace
}  // namespace netlab
