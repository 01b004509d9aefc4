#pragma once

namespace attn {

struct ViewContext;

/// Which masks which attention needs, on a padded batch of sentences.
void drawMaskLab(ViewContext& context);

}  // namespace attn
