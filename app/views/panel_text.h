#pragma once
#include <string>

#include "app/formula/notation.h"
#include "core/io/block_text.h"

namespace attn {

struct ViewContext;

/// A block for the clipboard, with a decimal comma where that is wanted. NumPy text is for programs and keeps
/// the point.
std::string blockText(const Matrix& block, BlockFormat format, const Notation& notation);

/// The numbers of a panel's map, of the chosen head, as cells between tabs: a spreadsheet takes them as a
/// block.
std::string scoresText(const ViewContext& context);
std::string weightsText(const ViewContext& context);
std::string outputText(const ViewContext& context);

}  // namespace attn
