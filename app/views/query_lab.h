#pragma once

namespace attn {

struct ViewContext;

/// Which query averages two values: the keys and the query, what comes out, and how far that is from the
/// middle.
void drawQueryLab(ViewContext& context);

}  // namespace attn
