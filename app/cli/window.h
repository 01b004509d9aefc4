#pragma once
#include <string>

namespace attn {

/// Opens the window with this scene, or with the first scene where the name is empty. Where there is no
/// display it says so and writes a picture of the window instead.
void openWindow(const std::string& scene);

}  // namespace attn
