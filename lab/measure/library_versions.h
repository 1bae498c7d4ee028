// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NETLAB_LAB_MEASURE_LIBRARY_VERSIONS_H_
#define NETLAB_LAB_MEASURE_LIBRARY_VERSIONS_H_

#include <string>

namespace netlab::lab {

// The event-loop libraries that the subjects are built with, from their own
// headers: "Abseil 20240722.0, Boost 1.88.0, ...".
std::string LibraryVersions();

}  // namespace netlab::lab

#endif  // NETLAB_LAB_MEASURE_LIBRARY_VERSIONS_H_
