#include "core/edits/heads.h"

#include "core/edits/rearrange.h"

namespace attn {
namespace {

void change(Scene& scene, const Arrangement& from) {
  changeChecked(scene, [&](Scene& changed) { rearrange(changed, Axis::heads, from); });
}

}  // namespace

void addHead(Scene& scene, Index at) {
  change(scene, withAdded("heads", shapesOf(scene).heads, at));
}

void removeHead(Scene& scene, Index at) {
  change(scene, withRemoved("heads", shapesOf(scene).heads, at));
}

void duplicateHead(Scene& scene, Index at) {
  change(scene, withDuplicated("heads", shapesOf(scene).heads, at));
}

void moveHead(Scene& scene, Index from, Index to) {
  change(scene, withMoved("heads", shapesOf(scene).heads, from, to));
}

}  // namespace attn
