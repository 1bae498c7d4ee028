// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NETLAB_LAB_LOAD_LOAD_REPORT_H_
#define NETLAB_LAB_LOAD_LOAD_REPORT_H_

#include <nlohmann/json.hpp>
#include <string>

#include "netlab/lab/load/load_options.h"
#include "netlab/lab/load/load_result.h"

namespace netlab::lab {

// A run as JSON, schema "netlab.load/1"; README.md describes the fields.
nlohmann::ordered_json LoadReport(const LoadOptions& options,
                                  const LoadResult& result);

// A run in a few lines for a reader.
std::string LoadSummary(const LoadOptions& options, const LoadResult& result);

}  // namespace netlab::lab

#endif  // NETLAB_LAB_LOAD_LOAD_REPORT_H_
