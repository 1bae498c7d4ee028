// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NETLAB_LAB_REPORT_TESTING_SAMPLE_RESULTS_H_
#define NETLAB_LAB_REPORT_TESTING_SAMPLE_RESULTS_H_

#include "netlab/lab/report/results.h"

namespace netlab::lab {

// Made-up results that hold one of everything a report has to present, in six
// rounds of five subjects at the levels 1 and 2:
//
//   base    the reference, 100,000 requests/s at 10 µs
//   fast    20 % less CPU, 25 % more requests
//   even    a tie in both
//   gone    cannot run here
//   faulty  measured in four of six rounds, with errors; in the others it died
//
// At level 2 the load generator limits all of them. Names and texts hold
// characters that HTML and CSV give a meaning.
Results SampleResults();

}  // namespace netlab::lab

#endif  // NETLAB_LAB_REPORT_TESTING_SAMPLE_RESULTS_H_
