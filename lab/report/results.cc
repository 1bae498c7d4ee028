// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

#include "netlab/lab/report/results.h"

#include <string>

#include "absl/algorithm/container.h"
#include "absl/log/check.h"

namespace netlab::lab {

const Metric& Experiment::metric(const std::string& key) const {
  const auto it = absl::c_find_if(
      metrics, [&](const Metric& metric) { return metric.key == key; });
  CHECK(it != metrics.end()) << name << " has no metric " << key;
  return *it;
}

const Compared* Experiment::compared_as(const std::string& key) const {
  const auto it = absl::c_find_if(
      compared, [&](const Compared& entry) { return entry.metric == key; });
  return it == compared.end() ? nullptr : &*it;
}

std::string Results::reference() const {
  const auto it = absl::c_find_if(
      subjects, [](const SubjectInfo& subject) { return subject.reference; });
  return it == subjects.end() ? "" : it->name;
}

}  // namespace netlab::lab
