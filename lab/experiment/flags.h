// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NETLAB_LAB_EXPERIMENT_FLAGS_H_
#define NETLAB_LAB_EXPERIMENT_FLAGS_H_

#include "absl/strings/string_view.h"
#include "netlab/lab/experiment/options.h"

namespace netlab::lab {

// Reads the command line. Ends the process, with a line that says why, when it
// holds an unknown flag, a value of the wrong form or anything but flags; and
// after --help.
RawOptions ParseFlags(int argc, char** argv, absl::string_view usage);

}  // namespace netlab::lab

#endif  // NETLAB_LAB_EXPERIMENT_FLAGS_H_
