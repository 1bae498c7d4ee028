// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

#include "netlab/lab/report/text_table.h"

#include <gtest/gtest.h>

#include <string>

namespace netlab::lab {
namespace {

TextTable Sample() {
  TextTable table({{.heading = "name"},
                   {.heading = "µs", .right = true},
                   {.heading = "extra", .dispensable = 1},
                   {.heading = "more", .dispensable = 2}});
  table.AddRow({{"a"}, {"1.50"}, {"x"}, {"y"}});
  table.AddGap();
  table.AddRow({{"long name"}, {"10.00", TextStyle::kGood}, {"–"}, {""}});
  return table;
}

TEST(TextTableTest, AlignsColumns) {
  EXPECT_EQ(Sample().Render({}),
            "name          µs  extra  more\n"
            "a           1.50  x      y\n"
            "\n"
            "long name  10.00  –\n");
}

TEST(TextTableTest, DropsDispensableColumnsFirst) {
  EXPECT_EQ(Sample().Render({.width = 28}),
            "name          µs  extra\n"
            "a           1.50  x\n"
            "\n"
            "long name  10.00  –\n");
  EXPECT_EQ(Sample().Render({.width = 3}),
            "name          µs\n"
            "a           1.50\n"
            "\n"
            "long name  10.00\n");
}

TEST(TextTableTest, ColoursDoNotShiftColumns) {
  const std::string coloured = Sample().Render({.width = 0, .colour = true});
  EXPECT_NE(coloured.find("long name  \033[32m10.00\033[0m  –\n"),
            std::string::npos)
      << coloured;
}

TEST(WrappedTest, BreaksAtSpacesAndIndents) {
  EXPECT_EQ(Wrapped("one two three four", 2, {.width = 9}),
            "one two\n  three\n  four\n");
  EXPECT_EQ(Wrapped("one two", 2, {}), "one two\n");
}

TEST(TextWidthTest, CountsCharacters) { EXPECT_EQ(TextWidth("µ–1"), 3u); }

}  // namespace
}  // namespace netlab::lab
