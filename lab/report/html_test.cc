// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

#include "netlab/lab/report/html.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "netlab/lab/report/results.h"
#include "netlab/lab/report/summary.h"
#include "netlab/lab/report/terminal_report.h"
#include "netlab/lab/report/testing/sample_results.h"
#include "netlab/lab/report/text_table.h"

namespace netlab::lab {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;

// The page without what is inlined from elsewhere.
PageAssets NoAssets() {
  return {
      .style = "", .script = "", .themes = "{}", .vega = "", .vega_lite = ""};
}

std::string Page(const Results& results) {
  return HtmlReport(results, Summarize(results), NoAssets());
}

nlohmann::json SpecsOf(const std::string& page) {
  const std::string begin = "id=\"specs\">";
  const size_t from = page.find(begin) + begin.size();
  return nlohmann::json::parse(page.substr(from, page.find('<', from) - from),
                               nullptr, /*allow_exceptions=*/false);
}

TEST(HtmlReportTest, SaysWhichDifferencesAreReal) {
  const std::string page = Page(SampleResults());
  EXPECT_THAT(page, HasSubstr("fast\u00a0+25\u00a0%"));
  EXPECT_THAT(page, HasSubstr("fast\u00a0−20\u00a0%"));
  EXPECT_THAT(page, HasSubstr("faulty (errors)"));
  EXPECT_THAT(page, HasSubstr("fast (limited by the generator)"));
  EXPECT_THAT(page, HasSubstr("3 real differences, 3 ties, 10 not judged."));
}

TEST(HtmlReportTest, ReadsWithoutScripts) {
  const std::string page = Page(SampleResults());
  const std::string body = page.substr(0, page.find("<script"));
  for (const char* text :
       {"base", "0.80 (0.", "cannot run here", "12 timeout", "bye",
        "quiet machine", "Linux 6.1", "bazel run //lab:sample", "<noscript>"}) {
    EXPECT_THAT(body, HasSubstr(text));
  }
}

TEST(HtmlReportTest, EscapesWhatComesFromOutside) {
  const std::string page = Page(SampleResults());
  EXPECT_THAT(page, HasSubstr("is &lt;this&gt; escaped &amp; &quot;quoted"));
  EXPECT_THAT(page, HasSubstr("no &lt;ring&gt;"));
  EXPECT_THAT(page, HasSubstr("&lt;assertion&gt; failed"));
  EXPECT_THAT(page, HasSubstr("--subjects=&#39;a&lt;b&#39;"));
  EXPECT_THAT(page, Not(HasSubstr("<ring>")));
  EXPECT_THAT(page, Not(HasSubstr("</script> with care")));
}

TEST(HtmlReportTest, DrawsEachFigureForEachLevel) {
  const nlohmann::json specs = SpecsOf(Page(SampleResults()));
  ASSERT_TRUE(specs.is_array());
  EXPECT_EQ(specs.size(), (2 + 3) * 2u);
  for (const nlohmann::json& entry : specs) {
    EXPECT_FALSE(entry["spec"]["data"]["values"].empty());
    EXPECT_FALSE(entry["spec"]["layer"].empty());
  }
}

TEST(HtmlReportTest, ChartsHoldEveryRound) {
  const nlohmann::json specs = SpecsOf(Page(SampleResults()));
  int rounds = 0;
  for (const nlohmann::json& row : specs[4]["spec"]["data"]["values"]) {
    rounds += row["kind"] == "round";
  }
  EXPECT_EQ(specs[4]["figure"], "Throughput.");
  EXPECT_EQ(rounds, 6 + 6 + 6 + 4);
}

TEST(HtmlReportTest, AnInterruptedRunSaysSo) {
  Results results = SampleResults();
  results.interrupted = true;
  results.planned_rounds = 9;
  EXPECT_THAT(Page(results), HasSubstr("interrupted: 6 of 9 rounds"));
}

TEST(HtmlReportTest, OneSubjectAloneHasAReportToo) {
  Results results = SampleResults();
  results.subjects.resize(1);
  EXPECT_THAT(Page(results), HasSubstr("nothing to compare"));
}

TEST(HtmlReportTest, NeedsNothingFromElsewhere) {
  const std::string runfiles = absl::StrCat(std::getenv("TEST_SRCDIR"), "/");
  const absl::StatusOr<PageAssets> assets =
      LoadPageAssets([&](const std::string& path) { return runfiles + path; });
  ASSERT_TRUE(assets.ok()) << assets.status();
  const Results results = SampleResults();
  const std::string page = HtmlReport(results, Summarize(results), *assets);
  EXPECT_GT(page.size(), 500'000u);
  EXPECT_THAT(page, HasSubstr("default-src 'none'"));
  // Outside the libraries there is no address at all, and nothing is loaded.
  const std::string own = Page(results) + assets->style + assets->script;
  EXPECT_THAT(own, Not(HasSubstr("://")));
  EXPECT_THAT(own, Not(ContainsRegex("<(link|img|iframe|script src)")));
  // Each of the scripts ends where it should.
  size_t scripts = 0;
  size_t ends = 0;
  for (size_t at = 0; (at = page.find("<script", at)) != std::string::npos;
       ++at) {
    ++scripts;
  }
  for (size_t at = 0; (at = page.find("</script>", at)) != std::string::npos;
       ++at) {
    ++ends;
  }
  EXPECT_EQ(scripts, 5u);
  EXPECT_EQ(ends, 5u);
}

TEST(LoadPageAssetsTest, NamesTheMissingFile) {
  EXPECT_THAT(std::string(LoadPageAssets(
                              [](const std::string&) { return "/nonexistent"; })
                              .status()
                              .message()),
              HasSubstr("page.css"));
}

TEST(TerminalReportTest, ShowsTheTableAndWhatMustBeKnown) {
  const Results results = SampleResults();
  const std::string text = TerminalReport(results, Summarize(results), {});
  EXPECT_THAT(text, HasSubstr("quiet machine"));
  EXPECT_THAT(text, ContainsRegex("fast +1 +[0-9,]+ +1\\.2[0-9] \\("));
  EXPECT_THAT(text, ContainsRegex("even +1 .*= 1\\.00 \\(0\\.9"));
  EXPECT_THAT(text, ContainsRegex("gone +1 .*unavailable"));
  EXPECT_THAT(text, HasSubstr("! faulty, 1 thread: errors (12 timeout)"));
  EXPECT_THAT(text, HasSubstr("    | bye"));
  EXPECT_THAT(text, HasSubstr("= tie"));
  EXPECT_THAT(text, HasSubstr("? not judged"));
  EXPECT_THAT(text, HasSubstr("2 threads: too few cores"));
  EXPECT_THAT(text, Not(HasSubstr("\033[")));
}

TEST(TerminalReportTest, FitsTheTerminal) {
  const Results results = SampleResults();
  const std::string text =
      TerminalReport(results, Summarize(results), {.width = 100});
  EXPECT_THAT(text, Not(HasSubstr("peak MiB")));
  EXPECT_THAT(text, HasSubstr("CPU µs/req"));
}

}  // namespace
}  // namespace netlab::lab
