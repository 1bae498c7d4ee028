// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

#include "netlab/lab/report/text_table.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "absl/log/check.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"

namespace netlab::lab {
namespace {

constexpr absl::string_view kSeparator = "  ";

absl::string_view EscapeOf(TextStyle style) {
  switch (style) {
    case TextStyle::kPlain:
      return "";
    case TextStyle::kBold:
      return "\033[1m";
    case TextStyle::kDim:
      return "\033[2m";
    case TextStyle::kGood:
      return "\033[32m";
    case TextStyle::kBad:
      return "\033[31m";
    case TextStyle::kWarning:
      return "\033[33m";
  }
  return "";
}

std::string Padded(absl::string_view text, absl::string_view styled,
                   size_t width, bool right) {
  const std::string padding(width - TextWidth(text), ' ');
  return right ? absl::StrCat(padding, styled) : absl::StrCat(styled, padding);
}

}  // namespace

Terminal StandardOutputTerminal() {
  if (!isatty(STDOUT_FILENO)) return {};
  Terminal terminal;
  winsize size = {};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0) {
    terminal.width = size.ws_col;
  }
  const char* const no_color = std::getenv("NO_COLOR");
  terminal.colour = no_color == nullptr || *no_color == '\0';
  return terminal;
}

std::string Styled(absl::string_view text, TextStyle style,
                   const Terminal& terminal) {
  const absl::string_view escape = EscapeOf(style);
  if (!terminal.colour || escape.empty()) return std::string(text);
  return absl::StrCat(escape, text, "\033[0m");
}

size_t TextWidth(absl::string_view text) {
  return static_cast<size_t>(std::count_if(
      text.begin(), text.end(),
      [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

std::string Wrapped(absl::string_view text, size_t indent,
                    const Terminal& terminal) {
  std::string wrapped;
  size_t column = 0;
  for (const absl::string_view word : absl::StrSplit(text, ' ')) {
    const size_t width = TextWidth(word);
    if (column == 0) {
      absl::StrAppend(&wrapped, word);
      column = width;
    } else if (terminal.width > 0 && column + 1 + width > terminal.width) {
      absl::StrAppend(&wrapped, "\n", std::string(indent, ' '), word);
      column = indent + width;
    } else {
      absl::StrAppend(&wrapped, " ", word);
      column += 1 + width;
    }
  }
  return wrapped + "\n";
}

TextTable::TextTable(std::vector<TextColumn> columns)
    : columns_(std::move(columns)) {}

void TextTable::AddRow(std::vector<TextCell> cells) {
  CHECK_EQ(cells.size(), columns_.size());
  rows_.push_back(std::move(cells));
}

void TextTable::AddGap() { rows_.emplace_back(); }

std::vector<size_t> TextTable::Widths() const {
  std::vector<size_t> widths;
  for (size_t i = 0; i < columns_.size(); ++i) {
    size_t width = TextWidth(columns_[i].heading);
    for (const std::vector<TextCell>& row : rows_) {
      if (!row.empty()) width = std::max(width, TextWidth(row[i].text));
    }
    widths.push_back(width);
  }
  return widths;
}

// The columns to show.
std::vector<size_t> TextTable::Fitting(const std::vector<size_t>& widths,
                                       size_t limit) const {
  std::vector<size_t> shown(columns_.size());
  std::iota(shown.begin(), shown.end(), size_t{0});
  const auto total = [&] {
    size_t sum = shown.empty() ? 0 : (shown.size() - 1) * kSeparator.size();
    for (const size_t i : shown) sum += widths[i];
    return sum;
  };
  while (limit > 0 && total() > limit) {
    const auto most =
        std::max_element(shown.begin(), shown.end(), [&](size_t a, size_t b) {
          return columns_[a].dispensable < columns_[b].dispensable;
        });
    if (most == shown.end() || columns_[*most].dispensable == 0) break;
    shown.erase(most);
  }
  return shown;
}

std::string TextTable::Render(const Terminal& terminal) const {
  const std::vector<size_t> widths = Widths();
  const std::vector<size_t> shown = Fitting(widths, terminal.width);
  std::string text;
  const auto add_line = [&](const std::vector<TextCell>& row) {
    std::string line;
    for (const size_t i : shown) {
      if (i != shown.front()) absl::StrAppend(&line, kSeparator);
      const TextCell& cell = row[i];
      absl::StrAppend(&line,
                      Padded(cell.text, Styled(cell.text, cell.style, terminal),
                             widths[i], columns_[i].right));
    }
    line.erase(line.find_last_not_of(' ') + 1);
    absl::StrAppend(&text, line, "\n");
  };
  std::vector<TextCell> headings;
  for (const TextColumn& column : columns_) {
    headings.push_back({column.heading, TextStyle::kBold});
  }
  add_line(headings);
  for (const std::vector<TextCell>& row : rows_) {
    if (row.empty()) {
      text += "\n";
    } else {
      add_line(row);
    }
  }
  return text;
}

}  // namespace netlab::lab
