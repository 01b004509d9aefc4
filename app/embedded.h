#pragma once
#include <span>
#include <string_view>

namespace attn {

/// The bytes of a file that was built into the program: "shaders/heatmap.frag", "fonts/Inter-Regular.otf".
/// app/CMakeLists.txt lists them.
std::string_view embedded(std::string_view name);

/// The names of all such files, in the order of the list there.
std::span<const std::string_view> embeddedNames();

}  // namespace attn
