// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NETLAB_NET_COUNTING_RESOURCE_H_
#define NETLAB_NET_COUNTING_RESOURCE_H_

#include <cstddef>
#include <memory_resource>

namespace netlab {

// Counts what is taken from it and given back.
class CountingResource : public std::pmr::memory_resource {
 public:
  int allocations = 0;
  int live = 0;

 private:
  void* do_allocate(std::size_t bytes, std::size_t alignment) override {
    ++allocations;
    ++live;
    return std::pmr::new_delete_resource()->allocate(bytes, alignment);
  }
  void do_deallocate(void* block, std::size_t bytes,
                     std::size_t alignment) override {
    --live;
    std::pmr::new_delete_resource()->deallocate(block, bytes, alignment);
  }
  bool do_is_equal(const memory_resource& other) const noexcept override {
    return this == &other;
  }
};

}  // namespace netlab

#endif  // NETLAB_NET_COUNTING_RESOURCE_H_
