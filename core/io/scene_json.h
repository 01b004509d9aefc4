#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "core/io/available_memory.h"
#include "core/scene.h"

namespace attn {

/// A scene from the text of a scene file (docs/scene-format.md). Throws Error with one line: where, the path
/// in the file, what was found and what was expected. Refuses what would not fit into the memory limit.
PreciseScene readSceneJson(std::string_view text, const std::string& where,
                           std::uint64_t memoryLimit = availableMemory());

/// The text of a scene file, for a scene that `check` has passed: reading it gives the same scene, and the
/// same scene gives the same text. A matrix that a fill made is kept as that fill.
std::string writeSceneJson(const Scene& scene);

}  // namespace attn
