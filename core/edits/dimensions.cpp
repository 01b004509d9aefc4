#include "core/edits/dimensions.h"

#include "core/edits/rearrange.h"
#include "core/error.h"

namespace attn {
namespace {

Axis axisOf(Dimension dimension) {
  switch (dimension) {
    case Dimension::key:
      return Axis::keyWidth;
    case Dimension::value:
      return Axis::valueWidth;
    case Dimension::model:
      return Axis::modelWidth;
    case Dimension::other:
      return Axis::otherWidth;
    case Dimension::out:
      break;
  }
  return Axis::outWidth;
}

const char* nameOf(Dimension dimension) {
  switch (dimension) {
    case Dimension::key:
      return "d_k";
    case Dimension::value:
      return "d_v";
    case Dimension::model:
      return "d_model";
    case Dimension::other:
      return "width of x_kv";
    case Dimension::out:
      break;
  }
  return "columns of w_o";
}

Index expectedWidth(const Scene& scene, Dimension dimension) {
  const Index width = widthOf(scene, dimension);
  if (width > 0) return width;
  const char* expected = dimension == Dimension::out     ? "a scene with w_o"
                         : dimension == Dimension::other ? "a scene with a second sequence"
                                                         : "a scene with projections";
  throw Error(std::string(nameOf(dimension)) + ": not in this scene, expected " + expected);
}

template <class Arrange>
void change(Scene& scene, Dimension dimension, Arrange arrange) {
  const Arrangement from = arrange(nameOf(dimension), expectedWidth(scene, dimension));
  changeChecked(scene, [&](Scene& changed) { rearrange(changed, axisOf(dimension), from); });
}

}  // namespace

Index widthOf(const Scene& scene, Dimension dimension) {
  const Shapes s = shapesOf(scene);
  switch (dimension) {
    case Dimension::key:
      return s.keyWidth;
    case Dimension::value:
      return s.valueWidth;
    case Dimension::model:
      return s.modelWidth;
    case Dimension::other:
      return scene.source.other ? s.otherWidth : 0;
    case Dimension::out:
      break;
  }
  return scene.source.wo ? s.outWidth : 0;
}

void addDimension(Scene& scene, Dimension dimension, Index at) {
  change(scene, dimension, [=](const char* name, Index width) { return withAdded(name, width, at); });
}

void removeDimension(Scene& scene, Dimension dimension, Index at) {
  change(scene, dimension, [=](const char* name, Index width) { return withRemoved(name, width, at); });
}

void duplicateDimension(Scene& scene, Dimension dimension, Index at) {
  change(scene, dimension, [=](const char* name, Index width) { return withDuplicated(name, width, at); });
}

void moveDimension(Scene& scene, Dimension dimension, Index from, Index to) {
  change(scene, dimension, [=](const char* name, Index width) { return withMoved(name, width, from, to); });
}

}  // namespace attn
