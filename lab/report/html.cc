// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

#include "netlab/lab/report/html.h"

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "netlab/lab/report/charts.h"
#include "netlab/lab/report/format.h"
#include "netlab/lab/report/verdict.h"

namespace netlab::lab {
namespace {

using Json = nlohmann::ordered_json;

// The page must work from a file and must not call home: this forbids it every
// request. Vega compiles its expressions, which is what 'unsafe-eval' allows.
constexpr char kSecurityPolicy[] =
    "default-src 'none'; img-src data:; style-src 'unsafe-inline'; "
    "script-src 'unsafe-inline' 'unsafe-eval'";

// Inside <script>, only its end tag and "<!--" mean anything.
std::string InlineScript(absl::string_view code) {
  return absl::StrCat("<script>\n",
                      absl::StrReplaceAll(code, {{"</script", "<\\/script"},
                                                 {"<!--", "<\\!--"}}),
                      "\n</script>\n");
}

std::string InlineJson(absl::string_view id, absl::string_view json) {
  return absl::StrCat("<script type=\"application/json\" id=\"", id, "\">",
                      absl::StrReplaceAll(json, {{"<", "\\u003c"}}),
                      "</script>\n");
}

std::string Section(absl::string_view id, absl::string_view title,
                    absl::string_view content) {
  return absl::StrCat("<section id=\"", id, "\">\n<h2>", EscapeHtml(title),
                      "</h2>\n", content, "</section>\n");
}

std::string Paragraph(absl::string_view text) {
  return absl::StrCat("<p>", EscapeHtml(text), "</p>\n");
}

std::string TextList(const std::vector<std::string>& items) {
  std::string list = "<ul>\n";
  for (const std::string& item : items) {
    absl::StrAppend(&list, "<li>", EscapeHtml(item), "</li>\n");
  }
  return list + "</ul>\n";
}

std::string FactTable(const std::vector<Fact>& facts) {
  std::string table = "<table class=\"facts\">\n";
  for (const Fact& fact : facts) {
    absl::StrAppend(&table, "<tr><th scope=\"row\">",
                    EscapeHtml(absl::StrReplaceAll(fact.key, {{"_", " "}})),
                    "</th><td>", EscapeHtml(fact.value), "</td></tr>\n");
  }
  return table + "</table>\n";
}

std::string Value(const std::vector<Fact>& facts, absl::string_view key) {
  for (const Fact& fact : facts) {
    if (fact.key == key) return fact.value;
  }
  return "";
}

// Collects the figures: their places in the page, and their specifications.
class FigureList {
 public:
  std::string Add(const ChartFigure& figure) {
    std::string html =
        absl::StrCat("<figure>\n<figcaption><strong>", EscapeHtml(figure.title),
                     "</strong> ", EscapeHtml(figure.caption),
                     "</figcaption>\n<p class=\"legend\">");
    for (const LegendEntry& entry : figure.legend) {
      absl::StrAppend(&html, "<span><i data-colour=\"",
                      EscapeHtml(entry.colour), "\"></i>",
                      EscapeHtml(entry.label), "</span>");
    }
    absl::StrAppend(&html, "</p>\n<div class=\"panels\">\n");
    for (const ChartPanel& panel : figure.panels) {
      absl::StrAppend(&html, "<div class=\"panel\"><h4>",
                      EscapeHtml(panel.title), "</h4><div data-spec=\"",
                      specs_.size(), "\"></div></div>\n");
      specs_.push_back({{"figure", figure.title},
                        {"panel", panel.title},
                        {"spec", panel.spec}});
    }
    absl::StrAppend(&html, "</div>\n</figure>\n");
    return html;
  }

  const Json& specs() const { return specs_; }

 private:
  Json specs_ = Json::array();
};

std::string Header(const Results& results, const Summary& summary) {
  std::string html = absl::StrCat(
      "<header>\n<h1>", EscapeHtml(results.experiment.name), "</h1>\n",
      "<p class=\"question\">", EscapeHtml(results.experiment.question),
      "</p>\n<p class=\"machine\">",
      EscapeHtml(absl::StrJoin({Value(results.environment, "date"),
                                Value(results.environment, "cpu_model"),
                                Value(results.environment, "kernel")},
                               " · ")),
      "</p>\n<p><span class=\"badge ", summary.noise.noisy ? "bad" : "good",
      "\">", EscapeHtml(summary.noise.text), "</span></p>\n");
  if (results.interrupted) {
    absl::StrAppend(&html, "<p><span class=\"badge bad\">",
                    EscapeHtml(absl::StrCat(
                        "interrupted: ", summary.complete_rounds, " of ",
                        results.planned_rounds, " rounds are complete")),
                    "</span></p>\n");
  }
  return html + "</header>\n";
}

std::string Names(const std::vector<std::string>& names) {
  if (names.empty()) return "<td class=\"none\">–</td>";
  return absl::StrCat("<td>", EscapeHtml(absl::StrJoin(names, ", ")), "</td>");
}

std::string VerdictSection(const Results& results, const Summary& summary,
                           FigureList& figures) {
  if (results.subjects.size() < 2) {
    return Section("verdict", "Which differences are real",
                   Paragraph("There is one subject: nothing to compare."));
  }
  const std::vector<VerdictGroup> groups = GroupVerdicts(results, summary);
  std::string html = absl::StrCat(
      "<p>", EscapeHtml(CountVerdicts(groups)), " Compared with <strong>",
      EscapeHtml(results.reference()),
      "</strong>, round by round; a difference is real when the 95 % interval "
      "of the ratio does not hold 1.</p>\n<div class=\"scroll\"><table>\n"
      "<thead><tr><th>Metric</th><th>",
      EscapeHtml(results.experiment.axis),
      "</th><th>Better</th><th>Worse</th><th>Tie (noise)</th>"
      "<th>Not judged</th></tr></thead>\n<tbody>\n");
  for (const VerdictGroup& group : groups) {
    absl::StrAppend(&html, "<tr><th scope=\"row\">",
                    EscapeHtml(results.experiment.metric(group.metric).title),
                    "</th><td class=\"number\">", group.level, "</td>",
                    Names(group.better), Names(group.worse), Names(group.ties),
                    Names(group.not_judged), "</tr>\n");
  }
  absl::StrAppend(&html, "</tbody></table></div>\n");
  if (summary.noise.noisy) {
    absl::StrAppend(&html,
                    Paragraph("The machine was noisy during this run: rely on "
                              "small differences only after they repeat on a "
                              "quiet one."));
  }
  for (const Compared& compared : results.experiment.compared) {
    absl::StrAppend(&html,
                    figures.Add(RatioFigure(results, summary, compared)));
  }
  return Section("verdict", "Which differences are real", html);
}

const char* RatioClass(const Metric& metric, const Comparison& comparison) {
  switch (comparison.estimate.verdict) {
    case Verdict::kHigher:
      return metric.lower_is_better ? "worse" : "better";
    case Verdict::kLower:
      return metric.lower_is_better ? "better" : "worse";
    case Verdict::kTie:
    case Verdict::kUndecided:
      return "none";
  }
  return "none";
}

// Of the table: subject and level, the metrics and their ratios, the limit and
// the errors.
size_t ColumnCount(const Experiment& experiment) {
  size_t count = 4 + experiment.table_metrics.size();
  for (const std::string& key : experiment.table_metrics) {
    if (experiment.compared_as(key) != nullptr) ++count;
  }
  return count;
}

// A row, and one below it for what must be known about it.
std::string TableRow(const Results& results, const CellSummary& cell) {
  const Experiment& experiment = results.experiment;
  std::string html =
      absl::StrCat(cell.reference ? "<tr class=\"reference\">" : "<tr>",
                   "<th scope=\"row\">", EscapeHtml(cell.subject),
                   "</th><td class=\"number\">", cell.level, "</td>");
  for (const std::string& key : experiment.table_metrics) {
    const Metric& metric = experiment.metric(key);
    const auto median = cell.medians.find(key);
    absl::StrAppend(&html, "<td class=\"number\">",
                    median == cell.medians.end()
                        ? "–"
                        : FormatValue(metric, median->second),
                    "</td>");
    if (experiment.compared_as(key) == nullptr) continue;
    const auto ratio = cell.ratios.find(key);
    if (ratio == cell.ratios.end()) {
      absl::StrAppend(&html, "<td class=\"none\">",
                      cell.measured > 0 ? "1" : "–", "</td>");
    } else {
      absl::StrAppend(&html, "<td class=\"ratio ",
                      RatioClass(metric, ratio->second), "\">",
                      EscapeHtml(FormatRatio(ratio->second)), "</td>");
    }
  }
  const bool ok = cell.outcome == Outcome::kOk;
  absl::StrAppend(
      &html, "<td class=\"", ok && !cell.limited_by_generator() ? "" : "warn",
      "\">",
      ok ? EscapeHtml(cell.limited_by)
         : (cell.outcome == Outcome::kUnavailable ? "cannot run here"
                                                  : "failed"),
      "</td><td class=\"number", cell.error_count() > 0 ? " worse" : "", "\">",
      cell.error_count(), "</td></tr>\n");
  if (cell.notes.empty()) return html;
  absl::StrAppend(&html, "<tr class=\"notes\"><td></td><td colspan=\"",
                  ColumnCount(experiment) - 1, "\">",
                  EscapeHtml(absl::StrJoin(cell.notes, "; ")));
  if (!cell.log_tail.empty()) {
    absl::StrAppend(&html, "<pre>",
                    EscapeHtml(absl::StrJoin(cell.log_tail, "\n")), "</pre>");
  }
  return html + "</td></tr>\n";
}

std::string TableSection(const Results& results, const Summary& summary) {
  const Experiment& experiment = results.experiment;
  std::string html = absl::StrCat(
      "<div class=\"scroll\"><table class=\"results\">\n<thead><tr>"
      "<th>Subject</th><th>",
      EscapeHtml(experiment.axis), "</th>");
  for (const std::string& key : experiment.table_metrics) {
    const Metric& metric = experiment.metric(key);
    absl::StrAppend(&html, "<th title=\"", EscapeHtml(HeadingOf(metric)), "\">",
                    EscapeHtml(metric.heading), "</th>");
    if (experiment.compared_as(key) != nullptr) {
      absl::StrAppend(&html, "<th>/ ", EscapeHtml(results.reference()),
                      "</th>");
    }
  }
  absl::StrAppend(&html, "<th>Limited by</th><th>Errors</th></tr></thead>\n");
  for (size_t i = 0; i < summary.cells.size(); ++i) {
    const bool first =
        i == 0 || summary.cells[i].level != summary.cells[i - 1].level;
    if (first) absl::StrAppend(&html, i == 0 ? "" : "</tbody>", "<tbody>\n");
    absl::StrAppend(&html, TableRow(results, summary.cells[i]));
  }
  absl::StrAppend(
      &html, "</tbody></table></div>\n",
      Paragraph(absl::StrCat(
          "Medians of ", summary.complete_rounds,
          " rounds. “=” is a tie; “?” is not judged: there were errors, too "
          "few rounds, or a throughput that the load generator limited.")));
  std::string subjects = "<dl>\n";
  for (const SubjectInfo& subject : results.subjects) {
    absl::StrAppend(&subjects, "<dt>", EscapeHtml(subject.name), "</dt><dd>",
                    EscapeHtml(subject.what),
                    subject.reference ? " (the reference)" : "", "</dd>\n");
  }
  absl::StrAppend(&html, subjects, "</dl>\n");
  return Section("table", "Medians", html);
}

std::string ChartSection(const Results& results, const Summary& summary,
                         FigureList& figures) {
  std::string html =
      "<noscript><p>The charts are drawn by a script; all they show is in the "
      "table above and in the result files.</p></noscript>\n";
  for (const Chart& chart : results.experiment.charts) {
    absl::StrAppend(&html, figures.Add(Figure(results, summary, chart)));
  }
  return Section("charts", "Charts", html);
}

std::vector<std::string> Caveats(const Results& results,
                                 const Summary& summary) {
  std::vector<std::string> caveats = results.experiment.caveats;
  size_t judged = 0;
  for (const VerdictGroup& group : GroupVerdicts(results, summary)) {
    judged += group.better.size() + group.worse.size() + group.ties.size();
  }
  if (judged > 0) {
    caveats.push_back(absl::StrFormat(
        "%d comparisons were judged, each at 95 %%: where nothing differs at "
        "all, about %.1f of them would still come out as real. A difference "
        "that matters should repeat in a second run.",
        judged, static_cast<double>(judged) * 0.05));
  }
  if (summary.complete_rounds < 6) {
    caveats.push_back(absl::StrCat(
        summary.complete_rounds,
        " rounds cannot give a 95 % interval: even the range of five covers "
        "93.75 %. Six rounds can."));
  }
  return caveats;
}

std::string EnvironmentSection(const Results& results, const Summary& summary) {
  const NoiseVerdict& noise = summary.noise;
  return Section(
      "environment", "Environment",
      absl::StrCat(
          FactTable(results.environment), "<h3>Noise</h3>\n",
          FactTable(
              {{"calibration_spread",
                absl::StrFormat("%.1f %% (quiet: up to %.0f %%)",
                                noise.calibration_spread * 100,
                                kQuietCalibrationSpread * 100)},
               {"stolen_by_the_hypervisor",
                absl::StrFormat("up to %.2f %% of a round (quiet: %.0f %%)",
                                noise.steal_share * 100,
                                kQuietStealShare * 100)},
               {"used_by_other_processes",
                absl::StrFormat("%.2f CPUs in the median cell (quiet: %.2f)",
                                noise.foreign_cpus, kQuietForeignCpus)}})));
}

std::string ReproduceSection(const Results& results) {
  return Section(
      "reproduce", "Reproduce",
      absl::StrCat("<pre>", EscapeHtml(results.command), "</pre>\n",
                   FactTable(results.options),
                   "<p>Beside this page: <code>results.jsonl</code> has every "
                   "round with everything measured, <code>results.csv</code> "
                   "the medians.</p>\n"));
}

}  // namespace

std::string HtmlReport(const Results& results, const Summary& summary,
                       const PageAssets& assets) {
  FigureList figures;
  std::string body = Header(results, summary);
  body += VerdictSection(results, summary, figures);
  body += TableSection(results, summary);
  body += ChartSection(results, summary, figures);
  body += Section("caveats", "How to read this",
                  TextList(Caveats(results, summary)));
  body += EnvironmentSection(results, summary);
  body += ReproduceSection(results);
  return absl::StrCat(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"",
      kSecurityPolicy,
      "\">\n<meta name=\"viewport\" content=\"width=device-width, "
      "initial-scale=1\">\n<meta name=\"color-scheme\" content=\"light dark\">"
      "\n<title>netlab ",
      EscapeHtml(results.experiment.name), "</title>\n<style>\n", assets.style,
      "</style>\n</head>\n<body>\n", body, InlineJson("themes", assets.themes),
      InlineJson("specs", figures.specs().dump(-1, ' ', false,
                                               Json::error_handler_t::replace)),
      InlineScript(assets.vega), InlineScript(assets.vega_lite),
      InlineScript(assets.script), "</body>\n</html>\n");
}

}  // namespace netlab::lab
