// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

#include "netlab/lab/load/file_limit.h"

#include <sys/resource.h>

#include <cerrno>

#include "absl/strings/str_cat.h"

namespace netlab::lab {

absl::Status AllowOpenFiles(uint64_t count) {
  rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) {
    return absl::ErrnoToStatus(errno, "getrlimit(RLIMIT_NOFILE)");
  }
  if (limit.rlim_cur >= count) return absl::OkStatus();
  if (limit.rlim_max < count) {
    return absl::ResourceExhaustedError(
        absl::StrCat("needs ", count, " open files, but the hard limit is ",
                     limit.rlim_max, "; raise it: ulimit -Hn ", count));
  }
  limit.rlim_cur = count;
  if (setrlimit(RLIMIT_NOFILE, &limit) != 0) {
    return absl::ErrnoToStatus(
        errno, absl::StrCat("setrlimit(RLIMIT_NOFILE) to ", count));
  }
  return absl::OkStatus();
}

}  // namespace netlab::lab
