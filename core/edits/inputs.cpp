#include "core/edits/inputs.h"

#include <cmath>

#include "core/error.h"
#include "core/fill.h"

namespace attn {
namespace {

/// const or not, as the scene is.
template <class AnyScene>
auto inputOf(AnyScene& scene, const InputRef& ref) -> decltype(&scene.source.x) {
  auto& source = scene.source;
  const auto at = [&](auto& heads, auto member) -> decltype(&scene.source.x) {
    const bool isThere = ref.head >= 0 && static_cast<std::size_t>(ref.head) < heads.size();
    return isThere ? &(heads[static_cast<std::size_t>(ref.head)].*member) : nullptr;
  };
  using Given = GivenHeadOf<float>;
  using Projected = ProjectedHeadOf<float>;
  switch (ref.name) {
    case InputName::q:
      return at(source.given, &Given::q);
    case InputName::k:
      return at(source.given, &Given::k);
    case InputName::v:
      return at(source.given, &Given::v);
    case InputName::wq:
      return at(source.projected, &Projected::wq);
    case InputName::wk:
      return at(source.projected, &Projected::wk);
    case InputName::wv:
      return at(source.projected, &Projected::wv);
    case InputName::x:
      return source.x.values.size() > 0 ? &source.x : nullptr;
    case InputName::other:
      return source.other ? &*source.other : nullptr;
    case InputName::wo:
      return source.wo ? &*source.wo : nullptr;
    case InputName::bias:
      break;
  }
  if (scene.bias.size() == 1) return &scene.bias[0];
  const bool isThere = ref.head >= 0 && static_cast<std::size_t>(ref.head) < scene.bias.size();
  return isThere ? &scene.bias[static_cast<std::size_t>(ref.head)] : nullptr;
}

template <class AnyScene>
auto& expectedInput(AnyScene& scene, const InputRef& ref) {
  auto* input = inputOf(scene, ref);
  if (!input) throw Error(inputText(scene, ref) + ": not in this scene, expected a matrix that it has");
  return *input;
}

void expectInside(const Scene& scene, const InputRef& ref, Index row, Index col, Index rows, Index cols) {
  const Matrix& m = expectedInput(scene, ref).values;
  if (rows >= 0 && cols >= 0 && row >= 0 && col >= 0 && rows <= m.rows() - row && cols <= m.cols() - col)
    return;
  throw Error(inputText(scene, ref) + ": a block of shape " + shapeText(rows, cols) + " at " +
              shapeText(row, col) + ", expected one inside " + shapeText(m.rows(), m.cols()));
}

void checkFill(const std::string& name, const Fill& fill) {
  if (!std::isfinite(fill.mean) || !std::isfinite(fill.deviation) || fill.deviation < 0)
    throw Error(name + ": a fill of mean " + std::to_string(fill.mean) + " and deviation " +
                std::to_string(fill.deviation) + ", expected finite numbers, the second at least 0");
  if (!std::isfinite(fill.low) || !std::isfinite(fill.high) || fill.low > fill.high)
    throw Error(name + ": a fill from " + std::to_string(fill.low) + " to " + std::to_string(fill.high) +
                ", expected finite numbers, the first at most the second");
}

/// Only what the kind uses: two fills that give the same numbers are then the same.
Fill plainFill(const Fill& fill) {
  switch (fill.kind) {
    case Fill::Kind::normal:
      return {.kind = fill.kind, .mean = fill.mean, .deviation = fill.deviation, .seed = fill.seed};
    case Fill::Kind::uniform:
      return {.kind = fill.kind, .low = fill.low, .high = fill.high, .seed = fill.seed};
    case Fill::Kind::orthonormal:
      return {.kind = fill.kind, .seed = fill.seed};
    default:
      return {.kind = fill.kind};
  }
}

}  // namespace

std::string inputText(const Scene& scene, const InputRef& ref) {
  constexpr const char* kNames[] = {"q", "k", "v", "x", "x_kv", "w_q", "w_k", "w_v", "w_o", "bias"};
  const std::string name = kNames[static_cast<std::size_t>(ref.name)];
  const bool isShared = ref.name == InputName::x || ref.name == InputName::other ||
                        ref.name == InputName::wo || (ref.name == InputName::bias && scene.bias.size() <= 1);
  const bool isGiven = ref.name == InputName::q || ref.name == InputName::k || ref.name == InputName::v;
  const std::size_t heads = isGiven ? scene.source.given.size() : scene.source.projected.size();
  return isShared || (heads == 1 && ref.head == 0) ? name : name + " of head " + std::to_string(ref.head + 1);
}

const InputOf<float>* findInput(const Scene& scene, const InputRef& ref) {
  return inputOf(scene, ref);
}

void setCell(Scene& scene, const InputRef& ref, Index row, Index col, float value) {
  expectInside(scene, ref, row, col, 1, 1);
  InputOf<float>& input = *inputOf(scene, ref);
  input.values(row, col) = value;
  input.fill = {};
}

void setBlock(Scene& scene, const InputRef& ref, Index row, Index col, const Matrix& block) {
  expectInside(scene, ref, row, col, block.rows(), block.cols());
  InputOf<float>& input = *inputOf(scene, ref);
  input.values.block(row, col, block.rows(), block.cols()) = block;
  input.fill = {};
}

void fillInput(Scene& scene, const InputRef& ref, const Fill& fill) {
  InputOf<float>& input = expectedInput(scene, ref);
  checkFill(inputText(scene, ref), fill);
  if (fill.kind == Fill::Kind::typed) {
    input.fill = {};
    return;
  }
  const Matrix values = filled(fill, input.values.rows(), input.values.cols()).cast<float>();
  if (!values.allFinite())
    throw Error(inputText(scene, ref) +
                ": a fill with numbers beyond ±3.4e38, expected the range of float32");
  input = {values, plainFill(fill)};
}

Matrix blockOf(const Scene& scene, const InputRef& ref, Index row, Index col, Index rows, Index cols) {
  expectInside(scene, ref, row, col, rows, cols);
  return inputOf(scene, ref)->values.block(row, col, rows, cols);
}

}  // namespace attn
