// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

// Makes the reports of an earlier run again from its results:
//
//   bazel run //lab:render -- lab-results/throughput-.../results.jsonl FOLDER

#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <system_error>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "netlab/lab/experiment/driver.h"
#include "netlab/lab/report/html.h"
#include "netlab/lab/report/jsonl.h"

namespace netlab::lab {
namespace {

absl::Status Render(const char* argv0, const std::string& results_path,
                    const std::string& folder) {
  std::ifstream file(results_path, std::ios::binary);
  if (!file) {
    return absl::NotFoundError(absl::StrCat("cannot read ", results_path));
  }
  const std::string text(std::istreambuf_iterator<char>(file), {});
  const absl::StatusOr<Results> results = ParseResults(text);
  if (!results.ok()) {
    return absl::InvalidArgumentError(
        absl::StrCat(results_path, ": ", results.status().message()));
  }
  const absl::StatusOr<FileFinder> find = OpenRunfiles(argv0);
  if (!find.ok()) return find.status();
  const absl::StatusOr<PageAssets> assets = LoadPageAssets(*find);
  if (!assets.ok()) return assets.status();
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  return WriteReports(*results, *assets, folder);
}

}  // namespace
}  // namespace netlab::lab

int main(int argc, char** argv) {
  if (argc != 3) {
    std::cerr << "usage: render RESULTS.jsonl FOLDER\n";
    return 1;
  }
  const std::filesystem::path here = netlab::lab::WorkingDir();
  const absl::Status status =
      netlab::lab::Render(argv[0], here / argv[1], here / argv[2]);
  if (!status.ok()) std::cerr << "ERROR: " << status.message() << "\n";
  return status.ok() ? 0 : 1;
}
