// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

// The vocabulary of every experiment: a subject is measured in rounds, at each
// level of the experiment's axis (its thread counts, say), and each time gives
// one observation.

#ifndef NETLAB_LAB_RUN_OBSERVATION_H_
#define NETLAB_LAB_RUN_OBSERVATION_H_

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace netlab::lab {

// A program under test, as lab/subjects.bzl lists it.
struct Subject {
  std::string name;
  std::string what;     // one phrase
  std::string program;  // path
  std::vector<std::string> args = {};
  bool reference = false;  // the one that others are compared with
};

// A quantity that observations hold under `key`.
struct Metric {
  std::string key = "";
  std::string title = "";
  std::string heading = "";  // the short title, with the unit: "p99 µs"
  std::string unit = "";     // "" for a plain number
  bool lower_is_better = true;
  int digits = 1;  // decimals when printed
};

enum class Outcome {
  kOk,
  kUnavailable,  // the subject cannot run on this machine, and said why
  kFailed,
};

// "ok", "unavailable", "failed".
inline const char* OutcomeName(Outcome outcome) {
  switch (outcome) {
    case Outcome::kOk:
      return "ok";
    case Outcome::kUnavailable:
      return "unavailable";
    case Outcome::kFailed:
      return "failed";
  }
  return "failed";
}

// One cell (subject and level) in one round.
struct Observation {
  int round = 0;     // from 1
  int position = 0;  // its turn within the round, from 1
  std::string subject;
  int64_t level = 0;

  Outcome outcome = Outcome::kOk;
  std::string problem;                // one line, when outcome is not kOk
  std::vector<std::string> log_tail;  // what the failed program said last
  std::vector<std::string> notes;  // what the reader should know all the same

  // Who had no time left: "server", "generator", "both", "neither", or
  // "machine" when the sides share CPUs that were all busy. Empty: not known.
  std::string limited_by;
  // Whether the sides had cores of their own: SharingName().
  std::string placement;

  std::map<std::string, double> metrics;
  std::map<std::string, int64_t> errors;  // by kind; kinds without any included
  nlohmann::ordered_json details;         // everything else that was measured

  int64_t error_count() const {
    int64_t sum = 0;
    for (const auto& [kind, count] : errors) sum += count;
    return sum;
  }
};

}  // namespace netlab::lab

#endif  // NETLAB_LAB_RUN_OBSERVATION_H_
