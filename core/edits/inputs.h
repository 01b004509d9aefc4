#pragma once
#include <string>

#include "core/scene.h"

namespace attn {

/// "q", "w_k of head 2" (heads counted from 1), "x_kv".
std::string inputText(const Scene& scene, const InputRef& ref);

/// The matrix, null where the scene does not have it. Also of the kind of source that is not in use.
const InputOf<float>* findInput(const Scene& scene, const InputRef& ref);

/// These throw Error with one line where there is no such matrix or cell, and then change nothing.
/// A matrix that is typed into is no longer its fill.
void setCell(Scene& scene, const InputRef& ref, Index row, Index col, float value);
/// Puts the block with its first cell at (row, col). It must lie inside.
void setBlock(Scene& scene, const InputRef& ref, Index row, Index col, const Matrix& block);
/// Fills the matrix and keeps the fill beside the numbers, so that the scene replays it.
void fillInput(Scene& scene, const InputRef& ref, const Fill& fill);
/// A part of a matrix, e.g. to copy it.
Matrix blockOf(const Scene& scene, const InputRef& ref, Index row, Index col, Index rows, Index cols);

}  // namespace attn
