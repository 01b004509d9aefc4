#pragma once
#include <concepts>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/matrix.h"

namespace attn {

/// Writes JSON for people: short things on one line, a matrix as one line a row. Values are appended in
/// order; commas, line ends and indentation are the writer's.
class JsonWriter {
 public:
  enum class Layout { inLine, lines };  // lines: one element or member a line

  void open(char bracket, Layout layout = Layout::inLine);
  void close();
  JsonWriter& key(std::string_view name);

  /// Broken UTF-8 becomes U+FFFD.
  void text(std::string_view value);
  void flag(bool value) { append(value ? "true" : "false"); }
  void whole(std::integral auto value) { append(std::to_string(value)); }
  /// The shortest text that reads back to the same number, through double.
  void number(double value);
  void number(float value);
  void rows(const Matrix& matrix);
  void rows(const Bytes& flags);  // 1 where not 0

  /// What has been written since it was last taken: long texts need not be held whole.
  std::string take() { return std::exchange(text_, {}); }
  /// The text, once all that was opened is closed.
  std::string finished() { return std::move(text_) + "\n"; }

 private:
  struct Level {
    char closing;
    Layout layout;
    bool isEmpty = true;
  };

  void separate();
  void append(std::string_view value);
  void breakLine();
  template <class M, class Cell>
  void writeRows(const M& matrix, Cell cell);

  std::string text_;
  std::vector<Level> levels_;
  bool afterKey_ = false;
};

}  // namespace attn
