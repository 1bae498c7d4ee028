// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

// How this program was built; written by the build itself.

#ifndef NETLAB_LAB_MEASURE_BUILD_INFO_H_
#define NETLAB_LAB_MEASURE_BUILD_INFO_H_

namespace netlab::lab {

// Bazel's --compilation_mode: "opt", "fastbuild" or "dbg".
extern const char kCompilationMode[];
// The compiler's and the linker's options that were asked for, in their order:
// of two that contradict each other the later holds.
extern const char kCompilerOptions[];

}  // namespace netlab::lab

#endif  // NETLAB_LAB_MEASURE_BUILD_INFO_H_
