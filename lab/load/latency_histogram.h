// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NETLAB_LAB_LOAD_LATENCY_HISTOGRAM_H_
#define NETLAB_LAB_LOAD_LATENCY_HISTOGRAM_H_

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

struct hdr_histogram;

namespace netlab::lab {

// Durations from 1 ns to 1 h, kept to three significant digits. Recording
// costs a few nanoseconds and allocates nothing. Not thread-safe: one per
// thread, merged at the end.
class LatencyHistogram {
 public:
  struct Summary {
    double min_us = 0;
    double mean_us = 0;
    double stddev_us = 0;
    double max_us = 0;
    double p50_us = 0;
    double p75_us = 0;
    double p90_us = 0;
    double p99_us = 0;
    double p99_9_us = 0;
    double p99_99_us = 0;
  };

  LatencyHistogram();

  // Longer ones count as 1 h, shorter ones as 1 ns.
  void Record(int64_t nanoseconds);
  void Merge(const LatencyHistogram& other);
  void Clear();

  int64_t count() const;
  // All zero if nothing was recorded.
  Summary Summarize() const;
  // The distribution as (value in us, how many are not above it), rising, ever
  // finer towards the maximum: five points for each halving of what is above.
  std::vector<std::pair<double, int64_t>> Distribution() const;

 private:
  struct Closer {
    void operator()(hdr_histogram* histogram) const;
  };

  std::unique_ptr<hdr_histogram, Closer> histogram_;
};

}  // namespace netlab::lab

#endif  // NETLAB_LAB_LOAD_LATENCY_HISTOGRAM_H_
