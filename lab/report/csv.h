// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

// results.csv: one line per subject and level; lab/README.md lists the columns.

#ifndef NETLAB_LAB_REPORT_CSV_H_
#define NETLAB_LAB_REPORT_CSV_H_

#include <string>
#include <vector>

#include "netlab/lab/report/results.h"
#include "netlab/lab/report/summary.h"

namespace netlab::lab {

// The heading's columns: those every experiment has, and for each of its
// metrics one more, and five for each that is compared.
std::vector<std::string> CsvColumns(const Experiment& experiment);

// As RFC 4180 has it, with a heading. A figure that was not measured is empty.
std::string ToCsv(const Results& results, const Summary& summary);

}  // namespace netlab::lab

#endif  // NETLAB_LAB_REPORT_CSV_H_
