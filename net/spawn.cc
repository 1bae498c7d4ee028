// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

#include "netlab/net/spawn.h"

#include <exception>
#include <utility>

#include "absl/log/log.h"

namespace netlab::internal {

void DieOfDetachedException(std::exception_ptr exception) noexcept {
  try {
    std::rethrow_exception(std::move(exception));
  } catch (const std::exception& error) {
    LOG(FATAL) << "a detached task threw: " << error.what();
  } catch (...) {
    LOG(FATAL) << "a detached task threw what is no std::exception";
  }
}

}  // namespace netlab::internal
