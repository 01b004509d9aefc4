#pragma once
#include <cstddef>
#include <map>
#include <string>
#include <string_view>

namespace attn {

/// On which line of a text each value begins, by its path as JsonReader names it: "steps[2].question.ask".
/// The text must be one that parseJson has taken.
class JsonLines {
 public:
  explicit JsonLines(std::string_view text);

  /// Lines count from 1. A path that is not there has the line of the nearest one around it.
  std::size_t lineOf(std::string path) const;

 private:
  std::map<std::string, std::size_t> lines_;
};

}  // namespace attn
