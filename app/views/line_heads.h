#pragma once
#include <imgui.h>

#include <string>
#include <vector>

#include "app/views/view.h"

namespace attn {

/// One matrix of weights (queries × keys) and the colour of its lines.
struct LineLayer {
  const float* values = nullptr;
  ImVec4 colour;
  std::string name;
  bool isSigned = false;  // a difference: weights that fell have a colour of their own
  ImVec4 fallen = {};

  const ImVec4& colourOf(float weight) const { return isSigned && weight < 0 ? fallen : colour; }
};

/// The heads whose lines are drawn: all that are not switched off, or what the maps show.
std::vector<LineLayer> lineLayers(ViewContext& context);

/// What is chosen above the lines: all heads or one, which of them, and how weak a line may be.
void chooseLines(ViewContext& context, const std::vector<LineLayer>& layers);

}  // namespace attn
