#pragma once
#include <filesystem>

#include "app/editor.h"

namespace attn {

/// The scene of the first start, which is part of the program.
SharedScene defaultScene();

/// A scene file or an .npz archive. Throws Error with one line.
SharedScene openScene(const std::filesystem::path& file);

/// Writes the scene as JSON, whole or not at all. Throws Error with one line.
void saveScene(const Scene& scene, const std::filesystem::path& file);

}  // namespace attn
