// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

#include "netlab/net/frame_memory.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory_resource>
#include <new>

#include "absl/base/config.h"
#include "absl/base/optimization.h"

namespace netlab::internal {

constinit thread_local std::pmr::memory_resource* frame_resource = nullptr;

namespace {

// Size classes are multiples of a cache line, so that neighbours on different
// threads share none.
constexpr std::size_t kGranule = 64;
constexpr std::size_t kClasses = 32;
// Of each class, a thread keeps what fits into this.
constexpr std::size_t kMaxBytesPerClass = std::size_t{64} << 10;

#ifdef ABSL_HAVE_ADDRESS_SANITIZER
constexpr bool kRecycle = false;
#else
constexpr bool kRecycle = true;
#endif

struct FreeBlock {
  FreeBlock* next;
};

struct FreeList {
  FreeBlock* first;
  uint32_t blocks;
};

// Without a destructor, so that reaching it costs no check; Reaper has that.
constinit thread_local std::array<FreeList, kClasses> free_lists = {};
constinit thread_local bool lists_closed = false;

struct Reaper {
  ~Reaper() {
    lists_closed = true;
    for (FreeList& list : free_lists) {
      while (list.first != nullptr) {
        ::operator delete(std::exchange(list.first, list.first->next));
      }
      list.blocks = 0;
    }
  }
  void Touch() {}
};
thread_local Reaper reaper;

// A frame is followed by the resource that it came from.
constexpr std::size_t TrailerOffset(std::size_t bytes) {
  constexpr std::size_t kAlign = alignof(std::pmr::memory_resource*);
  return (bytes + kAlign - 1) / kAlign * kAlign;
}
constexpr std::size_t BlockBytes(std::size_t bytes) {
  return TrailerOffset(bytes) + sizeof(std::pmr::memory_resource*);
}
constexpr std::size_t ClassOf(std::size_t block_bytes) {
  return (block_bytes - 1) / kGranule;
}

void* AllocateBlock(std::size_t bytes) {
  const std::size_t index = ClassOf(bytes);
  if (!kRecycle || index >= kClasses) return ::operator new(bytes);
  FreeList& list = free_lists[index];
  if (ABSL_PREDICT_TRUE(list.first != nullptr)) {
    --list.blocks;
    return std::exchange(list.first, list.first->next);
  }
  return ::operator new((index + 1) * kGranule);
}

void FreeBlockOf(void* block, std::size_t bytes) noexcept {
  const std::size_t index = ClassOf(bytes);
  if (kRecycle && index < kClasses) {
    FreeList& list = free_lists[index];
    // The first block makes sure that the thread's end finds it.
    if (list.blocks == 0 && !lists_closed) reaper.Touch();
    if (ABSL_PREDICT_TRUE(list.blocks <
                              kMaxBytesPerClass / ((index + 1) * kGranule) &&
                          !lists_closed)) {
      list.first = ::new (block) FreeBlock{list.first};
      ++list.blocks;
      return;
    }
  }
  ::operator delete(block);
}

}  // namespace

void* AllocateFrame(std::size_t bytes) {
  std::pmr::memory_resource* const resource = frame_resource;
  const std::size_t block_bytes = BlockBytes(bytes);
  void* const block = ABSL_PREDICT_TRUE(resource == nullptr)
                          ? AllocateBlock(block_bytes)
                          : resource->allocate(block_bytes);
  std::memcpy(static_cast<char*>(block) + TrailerOffset(bytes), &resource,
              sizeof(resource));
  return block;
}

void FreeFrame(void* frame, std::size_t bytes) noexcept {
  std::pmr::memory_resource* resource;
  std::memcpy(&resource, static_cast<char*>(frame) + TrailerOffset(bytes),
              sizeof(resource));
  if (ABSL_PREDICT_TRUE(resource == nullptr)) {
    FreeBlockOf(frame, BlockBytes(bytes));
  } else {
    resource->deallocate(frame, BlockBytes(bytes));
  }
}

}  // namespace netlab::internal
