// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

// Shows that the pinned mimalloc works by its own names.

#include <mimalloc.h>

#include <cstdint>
#include <cstring>

#include "gtest/gtest.h"

namespace netlab {
namespace {

TEST(MimallocTest, AllocatesAlignedMemoryOfItsOwn) {
  void* block = mi_malloc_aligned(1000, 256);
  ASSERT_NE(block, nullptr);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(block) % 256, 0u);
  EXPECT_GE(mi_usable_size(block), 1000u);
  std::memset(block, 1, 1000);
  mi_free(block);
}

}  // namespace
}  // namespace netlab
