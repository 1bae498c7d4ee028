// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

#include "netlab/lab/measure/library_versions.h"

#include <liburing/io_uring_version.h>
#include <uv/version.h>

#include <string>

#include "absl/base/config.h"
#include "absl/strings/str_cat.h"
#include "boost/version.hpp"

namespace netlab::lab {

std::string LibraryVersions() {
  return absl::StrCat(
      "Abseil ", ABSL_LTS_RELEASE_VERSION, ".", ABSL_LTS_RELEASE_PATCH_LEVEL,
      ", Boost ", BOOST_VERSION / 100000, ".", BOOST_VERSION / 100 % 1000, ".",
      BOOST_VERSION % 100, ", libuv ", UV_VERSION_MAJOR, ".", UV_VERSION_MINOR,
      ".", UV_VERSION_PATCH, ", liburing ", IO_URING_VERSION_MAJOR, ".",
      IO_URING_VERSION_MINOR);
}

}  // namespace netlab::lab
