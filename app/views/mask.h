#pragma once

namespace attn {

struct ViewContext;
struct ViewState;
struct Wanted;

struct MaskState {
  /// What a stroke of the painter writes, from its first cell on.
  enum class Stroke { none, hide, show };
  Stroke stroke = Stroke::none;
};

void drawMask(ViewContext& context);

}  // namespace attn
