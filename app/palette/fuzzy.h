#pragma once
#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

namespace attn {

/// A part of a text, in bytes: from `begin` up to before `end`.
struct TextRange {
  std::size_t begin = 0, end = 0;
  bool operator==(const TextRange&) const = default;
};

struct FuzzyMatch {
  int score = 0;                  // higher is better
  std::vector<TextRange> ranges;  // the matched letters, from left to right; neighbours are joined
};

/// Finds the letters of a word in the text, in this order and whatever their case, where they mean most: at
/// its beginning, at the beginnings of its words, next to each other. Nothing where a letter is missing.
std::optional<FuzzyMatch> fuzzyMatch(std::string_view word, std::string_view text);

}  // namespace attn
