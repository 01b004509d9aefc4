#pragma once
#include <string>

namespace attn {

/// A text in UTF-8 as it is written, for what can only draw letters one after the other from left to right:
/// Arabic letters take the forms in which they join, and what is read from right to left is turned. Short
/// texts of one line; brackets are not mirrored.
std::string asWritten(const std::string& text);

}  // namespace attn
