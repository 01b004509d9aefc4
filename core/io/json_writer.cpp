#include "core/io/json_writer.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/io/number_text.h"

namespace attn {
namespace {

/// JSON has no word for what is not finite: a string says it.
template <class T>
std::string jsonNumber(T value) {
  const std::string text = numberText(value);
  return std::isfinite(value) ? text : '"' + text + '"';
}

std::string escaped(std::string_view text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace

void JsonWriter::open(char bracket, Layout layout) {
  append({&bracket, 1});
  levels_.push_back({bracket == '{' ? '}' : ']', layout});
}

void JsonWriter::close() {
  const Level level = levels_.back();
  levels_.pop_back();
  if (level.layout == Layout::lines && !level.isEmpty) breakLine();
  text_ += level.closing;
}

JsonWriter& JsonWriter::key(std::string_view name) {
  append(escaped(name));
  text_ += ": ";
  afterKey_ = true;
  return *this;
}

void JsonWriter::text(std::string_view value) {
  append(escaped(value));
}

void JsonWriter::number(double value) {
  append(jsonNumber(value));
}

void JsonWriter::number(float value) {
  append(jsonNumber(value));
}

void JsonWriter::rows(const Matrix& matrix) {
  writeRows(matrix, [](float value) { return jsonNumber(value); });
}

void JsonWriter::rows(const Bytes& flags) {
  writeRows(flags, [](std::uint8_t value) { return std::string(value != 0 ? "1" : "0"); });
}

template <class M, class Cell>
void JsonWriter::writeRows(const M& matrix, Cell cell) {
  append("[");
  const std::size_t column = text_.size() - (text_.rfind('\n') + 1);
  for (Index i = 0; i < matrix.rows(); ++i) {
    if (i > 0) text_ += ",\n" + std::string(column, ' ');
    for (Index j = 0; j < matrix.cols(); ++j) text_ += (j == 0 ? "[" : ", ") + cell(matrix(i, j));
    text_ += "]";
  }
  text_ += "]";
}

void JsonWriter::separate() {
  if (afterKey_ || levels_.empty()) {
    afterKey_ = false;
    return;
  }
  Level& level = levels_.back();
  if (!level.isEmpty) text_ += level.layout == Layout::lines ? "," : ", ";
  level.isEmpty = false;
  if (level.layout == Layout::lines) breakLine();
}

void JsonWriter::append(std::string_view value) {
  separate();
  text_ += value;
}

void JsonWriter::breakLine() {
  const auto lines = [](const Level& level) { return level.layout == Layout::lines; };
  const auto depth = static_cast<std::size_t>(std::count_if(levels_.begin(), levels_.end(), lines));
  text_ += "\n" + std::string(2 * depth, ' ');
}

}  // namespace attn
