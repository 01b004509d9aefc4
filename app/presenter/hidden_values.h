#pragma once
#include <string>

#include "core/matrix.h"

namespace attn {

struct ViewState;

/// Whether an audience may not see this number yet. `of` names the map or table that it is in.
bool isValueHidden(const ViewState& state, const std::string& of, Index row, Index col);

/// Whether hidden numbers lose their colours, too.
bool areColoursHidden(const ViewState& state);

/// The number as a text, or what stands for one that is hidden.
std::string shownValue(const ViewState& state, const std::string& of, Index row, Index col, std::string text);

/// The pointer is on this number: a key reveals it.
void pointAtValue(ViewState& state, const std::string& of, Index row, Index col);

/// A derivation gives numbers away, too: where they are hidden, it is folded to its beginning, and unfolds step
/// by step.
void foldHidden(ViewState& state);

/// The number under the pointer is shown, or hidden again; without one there, all are shown.
void revealValues(ViewState& state);

}  // namespace attn
