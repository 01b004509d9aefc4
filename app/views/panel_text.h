#pragma once
#include <string>

namespace attn {

struct ViewContext;

/// The numbers of a panel's map, of the chosen head, as cells between tabs: a spreadsheet takes them as a
/// block.
std::string scoresText(const ViewContext& context);
std::string weightsText(const ViewContext& context);
std::string outputText(const ViewContext& context);

}  // namespace attn
