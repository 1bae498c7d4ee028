// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

#include "netlab/lab/report/jsonl.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"

namespace netlab::lab {
namespace {

using Json = nlohmann::ordered_json;

Json Line(const char* kind) {
  return {{"schema", kResultsSchema}, {"kind", kind}};
}

// Output of a program under test need not be UTF-8.
std::string Dump(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

// Members of any type: one that is absent or of another type reads as empty.
const Json& Member(const Json& parent, const char* key) {
  static const Json& null = *new Json();
  if (!parent.is_object()) return null;
  const auto it = parent.find(key);
  return it == parent.end() ? null : *it;
}

std::string Text(const Json& parent, const char* key) {
  const Json& member = Member(parent, key);
  return member.is_string() ? member.get<std::string>() : "";
}

double Number(const Json& parent, const char* key) {
  const Json& member = Member(parent, key);
  return member.is_number() ? member.get<double>() : 0;
}

int64_t Integer(const Json& parent, const char* key) {
  const Json& member = Member(parent, key);
  return member.is_number() ? member.get<int64_t>() : 0;
}

bool Flag(const Json& parent, const char* key) {
  const Json& member = Member(parent, key);
  return member.is_boolean() && member.get<bool>();
}

std::vector<std::string> Texts(const Json& parent, const char* key) {
  std::vector<std::string> texts;
  for (const Json& item : Member(parent, key)) {
    if (item.is_string()) texts.push_back(item.get<std::string>());
  }
  return texts;
}

Json FactsToJson(const std::vector<Fact>& facts) {
  Json json = Json::object();
  for (const Fact& fact : facts) json[fact.key] = fact.value;
  return json;
}

std::vector<Fact> FactsFromJson(const Json& json) {
  std::vector<Fact> facts;
  for (const auto& [key, value] : json.items()) {
    if (value.is_string()) facts.push_back({key, value.get<std::string>()});
  }
  return facts;
}

Json ExperimentToJson(const Experiment& experiment) {
  Json json = {{"name", experiment.name},
               {"question", experiment.question},
               {"axis", experiment.axis},
               {"metrics", Json::array()},
               {"compared", Json::array()},
               {"table_metrics", experiment.table_metrics},
               {"error_kinds", experiment.error_kinds},
               {"charts", Json::array()},
               {"caveats", experiment.caveats}};
  for (const Metric& metric : experiment.metrics) {
    json["metrics"].push_back({{"key", metric.key},
                               {"title", metric.title},
                               {"heading", metric.heading},
                               {"unit", metric.unit},
                               {"lower_is_better", metric.lower_is_better},
                               {"digits", metric.digits}});
  }
  for (const Compared& compared : experiment.compared) {
    json["compared"].push_back(
        {{"metric", compared.metric}, {"is_capacity", compared.is_capacity}});
  }
  for (const Chart& chart : experiment.charts) {
    json["charts"].push_back(
        {{"kind", chart.kind == ChartKind::kBars ? "bars" : "percentiles"},
         {"title", chart.title},
         {"axis_title", chart.axis_title},
         {"metrics", chart.metrics},
         {"caption", chart.caption}});
  }
  return json;
}

Experiment ExperimentFromJson(const Json& json) {
  Experiment experiment;
  experiment.name = Text(json, "name");
  experiment.question = Text(json, "question");
  experiment.axis = Text(json, "axis");
  for (const Json& metric : Member(json, "metrics")) {
    experiment.metrics.push_back(
        {.key = Text(metric, "key"),
         .title = Text(metric, "title"),
         .heading = Text(metric, "heading"),
         .unit = Text(metric, "unit"),
         .lower_is_better = Flag(metric, "lower_is_better"),
         .digits = static_cast<int>(Integer(metric, "digits"))});
  }
  for (const Json& compared : Member(json, "compared")) {
    experiment.compared.push_back(
        {.metric = Text(compared, "metric"),
         .is_capacity = Flag(compared, "is_capacity")});
  }
  experiment.table_metrics = Texts(json, "table_metrics");
  experiment.error_kinds = Texts(json, "error_kinds");
  for (const Json& chart : Member(json, "charts")) {
    experiment.charts.push_back({.kind = Text(chart, "kind") == "bars"
                                             ? ChartKind::kBars
                                             : ChartKind::kPercentiles,
                                 .title = Text(chart, "title"),
                                 .axis_title = Text(chart, "axis_title"),
                                 .metrics = Texts(chart, "metrics"),
                                 .caption = Text(chart, "caption")});
  }
  experiment.caveats = Texts(json, "caveats");
  return experiment;
}

// A file that names a metric it does not define would end in a CHECK later.
absl::Status CheckMetrics(const Experiment& experiment) {
  std::vector<std::string> used = experiment.table_metrics;
  for (const Compared& compared : experiment.compared) {
    used.push_back(compared.metric);
  }
  for (const Chart& chart : experiment.charts) {
    used.insert(used.end(), chart.metrics.begin(), chart.metrics.end());
  }
  for (const std::string& key : used) {
    bool known = false;
    for (const Metric& metric : experiment.metrics) known |= metric.key == key;
    if (!known) {
      return absl::InvalidArgumentError(
          absl::StrCat("metric '", key, "' is used but not defined"));
    }
  }
  return absl::OkStatus();
}

Observation ObservationFromJson(const Json& json) {
  Observation observation;
  observation.round = static_cast<int>(Integer(json, "round"));
  observation.position = static_cast<int>(Integer(json, "position"));
  observation.subject = Text(json, "subject");
  observation.level = Integer(json, "level");
  observation.outcome = Outcome::kFailed;
  for (const Outcome outcome : {Outcome::kOk, Outcome::kUnavailable}) {
    if (Text(json, "outcome") == OutcomeName(outcome)) {
      observation.outcome = outcome;
    }
  }
  observation.problem = Text(json, "problem");
  observation.log_tail = Texts(json, "log_tail");
  observation.notes = Texts(json, "notes");
  observation.limited_by = Text(json, "limited_by");
  observation.placement = Text(json, "placement");
  for (const auto& [key, value] : Member(json, "metrics").items()) {
    if (value.is_number()) observation.metrics[key] = value.get<double>();
  }
  for (const auto& [kind, count] : Member(json, "errors").items()) {
    if (count.is_number()) observation.errors[kind] = count.get<int64_t>();
  }
  observation.details = Member(json, "details");
  return observation;
}

NoiseSample NoiseFromJson(const Json& json) {
  NoiseSample sample;
  sample.steal_share = Number(json, "steal_share");
  for (const Json& time : Member(json, "calibration")) {
    sample.calibration.push_back(
        {.cpu = static_cast<int>(Integer(time, "cpu")),
         .milliseconds = Number(time, "milliseconds")});
  }
  return sample;
}

absl::Status ReadRun(const Json& json, Results& results) {
  results.experiment = ExperimentFromJson(Member(json, "experiment"));
  for (const Json& subject : Member(json, "subjects")) {
    results.subjects.push_back({.name = Text(subject, "name"),
                                .what = Text(subject, "what"),
                                .reference = Flag(subject, "reference")});
  }
  for (const Json& level : Member(json, "levels")) {
    if (level.is_number()) results.levels.push_back(level.get<int64_t>());
  }
  results.options = FactsFromJson(Member(json, "options"));
  results.command = Text(json, "command");
  results.environment = FactsFromJson(Member(json, "environment"));
  results.planned_rounds = static_cast<int>(Integer(json, "planned_rounds"));
  return CheckMetrics(results.experiment);
}

absl::Status ReadLine(absl::string_view line, Results& results) {
  const Json json = Json::parse(line.begin(), line.end(), nullptr,
                                /*allow_exceptions=*/false);
  if (json.is_discarded()) return absl::InvalidArgumentError("not JSON");
  if (Text(json, "schema") != kResultsSchema) {
    return absl::InvalidArgumentError(absl::StrCat(
        "schema '", Text(json, "schema"), "' is not ", kResultsSchema));
  }
  const std::string kind = Text(json, "kind");
  if (kind == "run") return ReadRun(json, results);
  if (kind == "observation") {
    results.observations.push_back(ObservationFromJson(json));
  } else if (kind == "noise") {
    results.noise.push_back(NoiseFromJson(json));
  } else if (kind == "end") {
    results.interrupted = Flag(json, "interrupted");
  }
  // Other kinds may be added to the schema without breaking its readers.
  return absl::OkStatus();
}

}  // namespace

std::string RunLine(const Results& results) {
  Json json = Line("run");
  json["experiment"] = ExperimentToJson(results.experiment);
  json["subjects"] = Json::array();
  for (const SubjectInfo& subject : results.subjects) {
    json["subjects"].push_back({{"name", subject.name},
                                {"what", subject.what},
                                {"reference", subject.reference}});
  }
  json["levels"] = results.levels;
  json["planned_rounds"] = results.planned_rounds;
  json["options"] = FactsToJson(results.options);
  json["command"] = results.command;
  json["environment"] = FactsToJson(results.environment);
  return Dump(json);
}

std::string ObservationLine(const Observation& observation) {
  Json json = Line("observation");
  json["round"] = observation.round;
  json["position"] = observation.position;
  json["subject"] = observation.subject;
  json["level"] = observation.level;
  json["outcome"] = OutcomeName(observation.outcome);
  if (observation.outcome != Outcome::kOk) {
    json["problem"] = observation.problem;
    json["log_tail"] = observation.log_tail;
  }
  json["notes"] = observation.notes;
  json["limited_by"] = observation.limited_by;
  json["placement"] = observation.placement;
  json["metrics"] = observation.metrics;
  json["errors"] = observation.errors;
  json["details"] = observation.details;
  return Dump(json);
}

std::string NoiseLine(const NoiseSample& sample) {
  Json json = Line("noise");
  json["calibration"] = Json::array();
  for (const CalibrationTime& time : sample.calibration) {
    json["calibration"].push_back(
        {{"cpu", time.cpu}, {"milliseconds", time.milliseconds}});
  }
  json["steal_share"] = sample.steal_share;
  return Dump(json);
}

std::string EndLine(bool interrupted) {
  Json json = Line("end");
  json["interrupted"] = interrupted;
  return Dump(json);
}

absl::StatusOr<Results> ParseResults(absl::string_view jsonl) {
  Results results;
  // A run that is cut off is one that was interrupted.
  results.interrupted = true;
  int number = 0;
  for (const absl::string_view line : absl::StrSplit(jsonl, '\n')) {
    ++number;
    if (line.empty()) continue;
    if (absl::Status status = ReadLine(line, results); !status.ok()) {
      return absl::InvalidArgumentError(
          absl::StrCat("line ", number, ": ", status.message()));
    }
  }
  if (results.subjects.empty() || results.experiment.name.empty()) {
    return absl::InvalidArgumentError("there is no line of kind 'run'");
  }
  return results;
}

}  // namespace netlab::lab
