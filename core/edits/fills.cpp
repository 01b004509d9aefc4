#include "core/edits/fills.h"

#include "core/edits/rearrange.h"

namespace attn {

Fill suggestedFill(const Scene& scene, const InputRef& ref) {
  const InputOf<float>* input = findInput(scene, ref);
  if (input && input->fill.kind != Fill::Kind::typed) return input->fill;
  return {.kind = Fill::Kind::normal, .seed = nextSeed(scene)};
}

void fillAnew(Scene& scene, const InputRef& ref) {
  Fill fill = suggestedFill(scene, ref);
  if (fill.kind == Fill::Kind::identity) fill = {.kind = Fill::Kind::normal};
  fill.seed = nextSeed(scene);
  fillInput(scene, ref, fill);
}

}  // namespace attn
