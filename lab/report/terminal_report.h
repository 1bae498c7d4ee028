// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NETLAB_LAB_REPORT_TERMINAL_REPORT_H_
#define NETLAB_LAB_REPORT_TERMINAL_REPORT_H_

#include <string>

#include "netlab/lab/report/results.h"
#include "netlab/lab/report/summary.h"
#include "netlab/lab/report/text_table.h"

namespace netlab::lab {

// The table that ends a run, with the noise verdict above it and below it what
// must be known about single cells.
std::string TerminalReport(const Results& results, const Summary& summary,
                           const Terminal& terminal);

}  // namespace netlab::lab

#endif  // NETLAB_LAB_REPORT_TERMINAL_REPORT_H_
