#include "core/edits/rearrange.h"

#include <algorithm>

#include "core/edits/step.h"

namespace attn {
namespace {

Index countOf(const Shapes& s, Axis axis) {
  switch (axis) {
    case Axis::queries:
    case Axis::tokens:
      return s.queries;
    case Axis::keys:
      return s.keys;
    case Axis::keyWidth:
      return s.keyWidth;
    case Axis::valueWidth:
      return s.valueWidth;
    case Axis::modelWidth:
      return s.modelWidth;
    case Axis::otherWidth:
      return s.otherWidth;
    case Axis::outWidth:
      return s.outWidth;
    case Axis::heads:
      break;
  }
  return s.heads;
}

template <class Visit>
void forEachFill(const SourceOf<float>& source, Visit visit) {
  for (const auto& head : source.given) visit(head.q), visit(head.k), visit(head.v);
  for (const auto& head : source.projected) visit(head.wq), visit(head.wk), visit(head.wv);
  visit(source.x);
  if (source.other) visit(*source.other);
  if (source.wo) visit(*source.wo);
  if (!source.parked) return;
  if (source.parked->other) visit(*source.parked->other);
  for (const auto& head : source.parked->heads) visit(head.wk), visit(head.wv);
}

}  // namespace

void rearrange(Scene& scene, Axis axis, const Arrangement& from) {
  const Shapes s = shapesOf(scene);
  const Step step = {axis, from, countOf(s, axis), s.heads, s.valueWidth};
  const std::uint64_t seed = nextSeed(scene);
  rearrangeSource(scene.source, step, seed);
  rearrangeDependants(scene, step, seed);
}

void fitToSource(Scene& scene, const Shapes& before) {
  const Shapes after = shapesOf(scene);
  Shapes now = before;
  const auto fit = [&](Axis axis, Index Shapes::*count) {
    if (now.*count == after.*count) return;
    const Arrangement from = resized(now.*count, after.*count);
    rearrangeDependants(scene, {axis, from, now.*count, now.heads, now.valueWidth}, nextSeed(scene));
    now.*count = after.*count;
  };
  fit(Axis::queries, &Shapes::queries);
  fit(Axis::keys, &Shapes::keys);
  fit(Axis::heads, &Shapes::heads);
  fit(Axis::valueWidth, &Shapes::valueWidth);
  const bool isSelf = scene.source.kind == SourceOf<float>::Kind::projected && !scene.source.other;
  if (isSelf) scene.keyLabels = scene.queryLabels;
}

std::uint64_t nextSeed(const Scene& scene) {
  std::uint64_t largest = 0;
  const auto see = [&](const InputOf<float>& input) { largest = std::max(largest, input.fill.seed); };
  forEachFill(scene.source, see);
  for (const auto& bias : scene.bias) see(bias);
  return largest + 1;
}

void changeChecked(Scene& scene, const std::function<void(Scene&)>& change) {
  Scene changed = scene;
  change(changed);
  check(changed);
  scene = std::move(changed);
}

}  // namespace attn
