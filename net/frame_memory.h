// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

// Memory for coroutine frames.
//
// By default a frame comes from a free list of the thread that creates it, and
// goes to the free list of the thread that destroys it; neither takes a lock.
// The lists are bounded, and what they hold is returned to the heap when their
// thread ends. Frames larger than 2 KiB go straight to the heap, as all do
// under AddressSanitizer, which could not see a use after free otherwise.
//
// Any std::pmr::memory_resource can take its place for the coroutines that are
// created within a scope:
//
//   std::pmr::monotonic_buffer_resource arena;
//   FrameResourceScope scope(&arena);
//   Task<> task = Session(...);  // Its frame is in `arena`.
//
// Spawn() and BlockOn() take a resource for a whole launch: all coroutines that
// the launched ones call. The resource must outlive the frames, and must be
// thread-safe if the frames change threads.

#ifndef NETLAB_NET_FRAME_MEMORY_H_
#define NETLAB_NET_FRAME_MEMORY_H_

#include <cstddef>
#include <memory_resource>
#include <utility>

namespace netlab {
namespace internal {

// Null stands for the free lists, which are then reached without a virtual
// call.
extern constinit thread_local std::pmr::memory_resource* frame_resource;

// Never returns null; throws std::bad_alloc as operator new does.
void* AllocateFrame(std::size_t bytes);
// `bytes` as they were asked for.
void FreeFrame(void* frame, std::size_t bytes) noexcept;

}  // namespace internal

// Where frames that this thread creates come from until the end of the scope.
// Null: the free lists.
class FrameResourceScope {
 public:
  explicit FrameResourceScope(std::pmr::memory_resource* resource)
      : previous_(std::exchange(internal::frame_resource, resource)) {}
  ~FrameResourceScope() { internal::frame_resource = previous_; }
  FrameResourceScope(const FrameResourceScope&) = delete;
  FrameResourceScope& operator=(const FrameResourceScope&) = delete;

 private:
  std::pmr::memory_resource* const previous_;
};

}  // namespace netlab

#endif  // NETLAB_NET_FRAME_MEMORY_H_
