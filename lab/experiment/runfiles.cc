// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

#include "tools/cpp/runfiles/runfiles.h"

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <system_error>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "netlab/lab/experiment/driver.h"

namespace netlab::lab {

absl::StatusOr<FileFinder> OpenRunfiles(const char* argv0) {
  using ::bazel::tools::cpp::runfiles::Runfiles;
  std::string error;
  std::shared_ptr<Runfiles> runfiles(Runfiles::Create(argv0, &error));
  if (runfiles == nullptr) {
    // Found through PATH, argv0 is no path.
    std::error_code ignored;
    const auto self = std::filesystem::read_symlink("/proc/self/exe", ignored);
    runfiles.reset(Runfiles::Create(self.string(), &error));
  }
  if (runfiles == nullptr) {
    return absl::NotFoundError(absl::StrCat(
        "the files that belong to this program are not beside it (", error,
        "): start it with `bazel run`, or by its path under bazel-bin"));
  }
  return [runfiles](const std::string& path) {
    // Children start elsewhere: a relative path would not reach them.
    return std::filesystem::absolute(runfiles->Rlocation(path)).string();
  };
}

std::string WorkingDir() {
  const char* const dir = std::getenv("BUILD_WORKING_DIRECTORY");
  if (dir != nullptr && *dir != '\0') return dir;
  return std::filesystem::current_path().string();
}

}  // namespace netlab::lab
