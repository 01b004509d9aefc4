#pragma once
#include <filesystem>
#include <map>

#include "core/io/npy.h"
#include "core/scene.h"

namespace attn {

/// A scene from arrays as people have them in NumPy: q, k, v as (n, d) or (heads, n, d); or x (and x_kv) with
/// w_q, w_k, w_v as (d, d_k) or (heads, d, d_k) and optional w_o; optional mask, key_padding and d_out. See
/// docs/scene-format.md. Throws Error with one line that starts with `where` and names the array.
PreciseScene sceneOfArrays(const std::map<std::string, NpyArray>& arrays, const std::string& where);

/// A scene from a file of either kind: an .npz archive or a scene in JSON, told apart by what is in them.
PreciseScene readScene(const std::filesystem::path& file);

}  // namespace attn
