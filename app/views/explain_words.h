#pragma once
#include <string>

#include "app/formula/notation.h"
#include "core/explain/explain.h"

namespace attn {

/// "Weight, it → cat", "Output of head 2, it, dimension 3".
std::string cellWords(const Notation& notation, const Scene& scene, const Cell& cell);
/// What the stage is in words, for one of its numbers: "Weight".
const char* stageWords(Stage stage);

}  // namespace attn
