#include <algorithm>
#include <string>

#include "core/io/block_readers.h"
#include "core/io/json_parse.h"
#include "core/io/number_text.h"

namespace attn {
namespace {

constexpr char kBlank = ' ';

/// Tabs first: what a spreadsheet copies. A comma separates cells only where nothing else does.
char separatorOf(std::string_view text) {
  for (const char candidate : {'\t', ';', ','})
    if (text.find(candidate) != std::string_view::npos) return candidate;
  return kBlank;
}

/// The next piece up to one of the marks, which is taken off too.
std::string_view next(std::string_view& text, std::string_view marks) {
  const std::size_t end = text.find_first_of(marks);
  const std::string_view piece = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  return piece;
}

/// Cells of one line, one call each.
template <class Visit>
void forEachCell(std::string_view line, char separator, Visit visit) {
  if (separator == kBlank) {
    for (line = trimmed(line); !line.empty(); line = trimmed(line)) visit(next(line, " "));
    return;
  }
  for (bool more = true; more;) {
    more = line.find(separator) != std::string_view::npos;
    std::string_view cell = trimmed(next(line, {&separator, 1}));
    if (cell.size() >= 2 && cell.front() == '"' && cell.back() == '"') cell = cell.substr(1, cell.size() - 2);
    visit(cell);
  }
}

/// Lines without blank ones at the end; "\r\n" and "\r" end a line too.
template <class Visit>
void forEachLine(std::string_view text, Visit visit) {
  while (!text.empty()) {
    const std::string_view line = next(text, "\r\n");
    const bool ended = line.data() + line.size() < text.data();
    if (ended && line.data()[line.size()] == '\r' && text.starts_with('\n')) text.remove_prefix(1);
    visit(line);
  }
}

bool hasTwoCommas(std::string_view cell) {
  return std::count(cell.begin(), cell.end(), ',') > 1;
}

/// "1,5", "0,123" and "12345,678" can only be decimal; "1,234" may be one thousand or about one.
bool isSurelyDecimal(std::string_view cell) {
  const std::size_t comma = cell.find(',');
  if (comma == std::string_view::npos) return false;
  std::string_view whole = cell.substr(0, comma), rest = cell.substr(comma + 1);
  if (whole.starts_with('-') || whole.starts_with('+')) whole.remove_prefix(1);
  const auto isDigit = [](char c) { return c >= '0' && c <= '9'; };
  const auto digits =
      static_cast<std::size_t>(std::find_if_not(rest.begin(), rest.end(), isDigit) - rest.begin());
  return digits != 3 || whole.empty() || whole.starts_with('0') || whole.size() > 3;
}

/// Whether commas in the cells are decimal: one of them must be for sure (all are, for who writes so), and no
/// cell may have a point or two commas.
bool commasAreDecimal(std::string_view text, char separator, bool writesComma) {
  if (separator == ',' || text.find('.') != std::string_view::npos) return false;
  bool sure = writesComma, contradicted = false;
  forEachLine(text, [&](std::string_view line) {
    forEachCell(line, separator, [&](std::string_view cell) {
      sure = sure || isSurelyDecimal(cell);
      contradicted = contradicted || hasTwoCommas(cell);
    });
  });
  return sure && !contradicted;
}

}  // namespace

Matrix readSpreadsheetBlock(std::string_view text, bool writesComma) {
  // Only line ends and blanks are dropped at the ends of the text: a tab there stands for an empty cell.
  const std::size_t begin = text.find_first_not_of(" \r\n"), end = text.find_last_not_of(" \r\n");
  BlockBuilder block;
  if (begin == std::string_view::npos) return block.finished();
  text = text.substr(begin, end - begin + 1);
  char separator = separatorOf(text);
  if (writesComma && separator == ',' && commasAreDecimal(text, kBlank, true)) separator = kBlank;
  const bool decimalComma = commasAreDecimal(text, separator, writesComma);
  forEachLine(text, [&](std::string_view line) {
    if (trimmed(line).empty()) block.refuse("found an empty line, expected a row of numbers");
    forEachCell(line, separator, [&](std::string_view cell) {
      const std::size_t comma = cell.find(',');
      if (comma == std::string_view::npos) return block.add(cell);
      if (!decimalComma)
        block.refuse("found " + inQuotes(cell) +
                     ", expected a number with a decimal point: the comma could also part thousands");
      std::string withPoint(cell);
      withPoint[comma] = '.';
      block.add(withPoint);
    });
    block.endRow();
  });
  return block.finished();
}

}  // namespace attn
