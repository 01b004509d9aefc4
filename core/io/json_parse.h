#pragma once
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace attn {

/// The document in the text. Throws Error with one line that starts with where and names the line and column,
/// or the path, of what is not JSON, a key given twice, a number too large or a list nested too deeply.
/// Refuses a text whose document might not fit into the memory limit.
nlohmann::json parseJson(std::string_view text, const std::string& where, std::uint64_t memoryLimit);

/// Text found in a file, in quotes and fit for an error line: short, on one line, in ASCII with escapes.
std::string inQuotes(std::string_view text);

}  // namespace attn
