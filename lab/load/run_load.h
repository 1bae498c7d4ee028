// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NETLAB_LAB_LOAD_RUN_LOAD_H_
#define NETLAB_LAB_LOAD_RUN_LOAD_H_

#include <cstdint>
#include <functional>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "netlab/lab/load/load_options.h"
#include "netlab/lab/load/load_result.h"

namespace netlab::lab {

// What a caller may want to hear while a run goes on: the phase it is in, and
// all good responses so far.
using LoadProgress =
    std::function<void(absl::string_view phase, int64_t requests)>;

// Makes the load that `options` (checked) describe, and measures it.
//
// Ends early once `stop_fd` is readable; -1: never. Errors of the server are in
// the result; an error of this function means that nothing could be measured,
// for example because a name does not resolve. If not one connection could be
// set up, the result comes at once and holds no requests.
absl::StatusOr<LoadResult> RunLoad(const LoadOptions& options, int stop_fd,
                                   const LoadProgress& progress);

}  // namespace netlab::lab

#endif  // NETLAB_LAB_LOAD_RUN_LOAD_H_
