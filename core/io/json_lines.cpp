#include "core/io/json_lines.h"

#include <utility>

namespace attn {
namespace {

/// Goes over a text that is known to be JSON, value by value.
class Walk {
 public:
  Walk(std::string_view text, std::map<std::string, std::size_t>& lines) : text_(text), lines_(lines) {}

  void value(const std::string& path) {
    skipSpace();
    lines_.emplace(path, line_);
    switch (here()) {
      case '{':
        return members(path);
      case '[':
        return elements(path);
      case '"':
        string();
        return;
      default:
        while (at_ < text_.size() && std::string_view(",]} \t\r\n").find(here()) == std::string_view::npos)
          step();
    }
  }

 private:
  char here() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  void step() {
    if (here() == '\n') ++line_;
    ++at_;
  }
  void skipSpace() {
    while (at_ < text_.size() && std::string_view(" \t\r\n").find(here()) != std::string_view::npos) step();
  }
  /// What lies between the quotes, its escapes as they stand.
  std::string string() {
    step();
    const std::size_t begin = at_;
    while (at_ < text_.size() && here() != '"') {
      if (here() == '\\') step();
      step();
    }
    const std::string_view inside = text_.substr(begin, at_ - begin);
    step();
    return std::string(inside);
  }
  /// Past the comma to the next part of a list or object; false at its end.
  bool next(char end) {
    skipSpace();
    if (here() == ',') step();
    skipSpace();
    if (at_ < text_.size() && here() != end) return true;
    step();
    return false;
  }
  void members(const std::string& path) {
    step();
    while (next('}')) {
      const std::string key = string();
      skipSpace();
      step();  // the colon
      value(path.empty() ? key : path + "." + key);
    }
  }
  void elements(const std::string& path) {
    step();
    for (std::size_t i = 0; next(']'); ++i) value(path + "[" + std::to_string(i) + "]");
  }

  std::string_view text_;
  std::map<std::string, std::size_t>& lines_;
  std::size_t at_ = 0, line_ = 1;
};

}  // namespace

JsonLines::JsonLines(std::string_view text) {
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  Walk(text, lines_).value("");
}

std::size_t JsonLines::lineOf(std::string path) const {
  for (;;) {
    if (const auto found = lines_.find(path); found != lines_.end()) return found->second;
    const std::size_t end = path.find_last_of(".[");
    path.resize(end == std::string::npos ? 0 : end);
  }
}

}  // namespace attn
