// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

// Tables for a terminal: columns aligned, as many of them as fit.
//
//   TextTable table({{.heading = "server"}, {.heading = "req/s", .right =
//   true}}); table.AddRow({{"asio"}, {"123,456", TextStyle::kGood}}); std::cout
//   << table.Render({.width = 80, .colour = true});

#ifndef NETLAB_LAB_REPORT_TEXT_TABLE_H_
#define NETLAB_LAB_REPORT_TEXT_TABLE_H_

#include <cstddef>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace netlab::lab {

enum class TextStyle { kPlain, kBold, kDim, kGood, kBad, kWarning };

struct TextColumn {
  std::string heading;
  bool right = false;  // aligned
  // Where the terminal is too narrow, the columns with the highest numbers go
  // first; those with 0 always stay.
  int dispensable = 0;
};

struct TextCell {
  std::string text = {};
  TextStyle style = TextStyle::kPlain;
};

struct Terminal {
  size_t width = 0;  // in characters; 0: as wide as it takes
  bool colour = false;
};

// Of standard output. Colour needs a terminal, and NO_COLOR unset or empty.
Terminal StandardOutputTerminal();

// `text` in `style`, if the terminal has colour.
std::string Styled(absl::string_view text, TextStyle style,
                   const Terminal& terminal);

// Characters that `text` (UTF-8) takes on a terminal, each taken for one column
// wide.
size_t TextWidth(absl::string_view text);

// `text` broken at spaces into lines of the terminal's width, all but the first
// indented.
std::string Wrapped(absl::string_view text, size_t indent,
                    const Terminal& terminal);

class TextTable {
 public:
  explicit TextTable(std::vector<TextColumn> columns);

  // One cell for each column.
  void AddRow(std::vector<TextCell> cells);
  // An empty line before the next row.
  void AddGap();

  std::string Render(const Terminal& terminal) const;

 private:
  std::vector<size_t> Widths() const;
  std::vector<size_t> Fitting(const std::vector<size_t>& widths,
                              size_t limit) const;

  std::vector<TextColumn> columns_;
  std::vector<std::vector<TextCell>> rows_;  // an empty one is a gap
};

}  // namespace netlab::lab

#endif  // NETLAB_LAB_REPORT_TEXT_TABLE_H_
