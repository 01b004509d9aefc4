#pragma once
#include <set>
#include <string_view>

namespace attn {

/// Letters beyond those that the interface itself uses: tokens and names of files may be in any script.
using Letters = std::set<char32_t>;

/// Adds those of a text in UTF-8.
void addLetters(std::string_view text, Letters& letters);

}  // namespace attn
