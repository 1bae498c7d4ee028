// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Feeds one stream to RequestFramer in several splits, and compares what it
// says with each other and with the reference. The first byte chooses the
// splits.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <random>
#include <string_view>
#include <vector>

#include "netlab/echo/framer.h"
#include "netlab/echo/framer_reference.h"

namespace netlab::echo {
namespace {

using Event = RequestFramer::Event;

// What was said, and how many bytes of the stream had been taken by then.
struct Report {
  Event event;
  size_t taken;
  bool operator==(const Report&) const = default;
};

void Check(bool condition, const char* what) {
  if (condition) return;
  std::fprintf(stderr, "framer_fuzz: %s\n", what);
  std::abort();
}

std::vector<Report> Frame(std::string_view stream,
                          const std::function<size_t()>& next_size) {
  RequestFramer framer;
  std::vector<Report> reports;
  for (size_t taken = 0; taken < stream.size();) {
    std::string_view piece = stream.substr(taken, next_size());
    while (!piece.empty()) {
      const size_t before = piece.size();
      const Event event = framer.Next(&piece);
      taken += before - piece.size();
      if (event == Event::kIncomplete) {
        Check(piece.empty(), "bytes of an incomplete head were left");
        break;
      }
      reports.push_back({event, taken});
      if (event != Event::kRequest) return reports;
    }
  }
  return reports;
}

void CompareWithReference(std::string_view stream,
                          const std::vector<Report>& reports) {
  size_t taken = 0;
  for (const Report& report : reports) {
    const ReferenceResult expected = JudgeHead(stream.substr(taken));
    Check(report.event == expected.event, "the reference says otherwise");
    if (report.event == Event::kRequest ||
        report.event == Event::kLastRequest) {
      taken += expected.head_bytes;
      Check(report.taken == taken, "the reference sees another end");
    }
    if (report.event != Event::kRequest) return;
  }
  if (taken == stream.size()) return;
  Check(JudgeHead(stream.substr(taken)).event == Event::kIncomplete,
        "the reference says more");
}

}  // namespace
}  // namespace netlab::echo

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using netlab::echo::Check;
  using netlab::echo::Frame;
  if (size == 0) return 0;
  const std::string_view stream(reinterpret_cast<const char*>(data + 1),
                                size - 1);
  const auto whole = Frame(stream, [] { return std::string_view::npos; });
  Check(Frame(stream, [] { return size_t{1}; }) == whole,
        "byte by byte differs from the whole");
  std::minstd_rand random(data[0] + 1u);
  for (const size_t longest : {3, 17, 64}) {
    Check(Frame(stream, [&] { return 1 + random() % longest; }) == whole,
          "a split differs from the whole");
  }
  netlab::echo::CompareWithReference(stream, whole);
  return 0;
}
