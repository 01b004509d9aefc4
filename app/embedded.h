#pragma once
#include <string_view>

namespace attn {

/// The bytes of a file that was built into the program: "shaders/heatmap.frag", "fonts/Inter-Regular.otf".
/// app/CMakeLists.txt lists them.
std::string_view embedded(std::string_view name);

}  // namespace attn
