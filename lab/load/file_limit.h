// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NETLAB_LAB_LOAD_FILE_LIMIT_H_
#define NETLAB_LAB_LOAD_FILE_LIMIT_H_

#include <cstdint>

#include "absl/status/status.h"

namespace netlab::lab {

// Makes sure that this process may have `count` files open, by raising the
// soft limit if need be. If the hard limit is in the way, an error that says
// how high it would have to be.
absl::Status AllowOpenFiles(uint64_t count);

}  // namespace netlab::lab

#endif  // NETLAB_LAB_LOAD_FILE_LIMIT_H_
