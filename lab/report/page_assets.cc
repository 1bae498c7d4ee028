// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

#include <fstream>
#include <iterator>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "netlab/lab/report/html.h"

namespace netlab::lab {

absl::StatusOr<PageAssets> LoadPageAssets(
    const std::function<std::string(const std::string&)>& rlocation) {
  PageAssets assets;
  const std::pair<const char*, std::string*> files[] = {
      {"netlab/lab/report/page.css", &assets.style},
      {"netlab/lab/report/page.js", &assets.script},
      {"netlab/lab/report/themes.json", &assets.themes},
      {"vega/vega.min.js", &assets.vega},
      {"vega/vega-lite.min.js", &assets.vega_lite},
  };
  for (const auto& [name, content] : files) {
    std::ifstream file(rlocation(name), std::ios::binary);
    if (!file) {
      return absl::NotFoundError(absl::StrCat(
          "the report needs ", name, ", which is not among the runfiles"));
    }
    content->assign(std::istreambuf_iterator<char>(file), {});
  }
  return assets;
}

}  // namespace netlab::lab
