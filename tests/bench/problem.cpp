#include "tests/bench/problem.h"

#include "core/error.h"
#include "core/kernels/kernels.h"

namespace attn::bench {
namespace {

enum Which : std::uint64_t { queries, keys, values, gradient };

/// Head h of an input: its own stretch of a seed's normals.
void draw(const Shape& shape, Which which, Index h, float* to) {
  const Index count = shape.n * shape.d;
  bestKernels().normals(which, static_cast<std::uint64_t>(h * count), to, count);
}

Matrix drawn(const Shape& shape, Which which, Index h) {
  Matrix m(shape.n, shape.d);
  draw(shape, which, h, m.data());
  return m;
}

}  // namespace

std::vector<Shape> allShapes() {
  return {{"A", 2, 4, 2},
          {"B", 8, 32, 64},
          {"C", 8, 128, 64},
          {"D", 8, 512, 64},
          {"D causal", 8, 512, 64, true},
          {"E", 8, 2048, 64},
          {"E causal", 8, 2048, 64, true},
          {"F", 1, 8192, 64}};
}

std::vector<Shape> shapesNamed(const std::vector<std::string>& names) {
  const std::vector<Shape> all = allShapes();
  std::vector<Shape> chosen;
  std::string known;
  for (const Shape& shape : all) known += (known.empty() ? "" : ", ") + shape.name;
  for (const std::string& name : names) {
    const auto before = chosen.size();
    for (const Shape& shape : all)
      if (shape.name == name || (name.size() == 1 && shape.name[0] == name[0])) chosen.push_back(shape);
    if (chosen.size() == before) throw Error("shape '" + name + "': expected some of " + known);
  }
  return names.empty() ? all : chosen;
}

double operationsOf(const Shape& shape, Pass pass) {
  const double square = static_cast<double>(shape.heads * shape.n * shape.n) * static_cast<double>(shape.d);
  return (pass == Pass::both ? 12 : 4) * square;
}

Problem::Problem(const Shape& shape) : heads(shape.heads), n(shape.n), d(shape.d), causal(shape.causal) {
  const std::pair<StackOf<float>*, Which> inputs[] = {
      {&q, queries}, {&k, keys}, {&v, values}, {&dOut, gradient}};
  for (const auto& [input, which] : inputs) {
    input->resize(heads, n, d);
    for (Index h = 0; h < heads; ++h) draw(shape, which, h, input->head(h));
  }
  for (StackOf<float>* map : {&probs, &dScores}) map->resize(heads, n, n);
  for (StackOf<float>* output : {&out, &dQ, &dK, &dV}) output->resize(heads, n, d);
}

Scene sceneOf(const Shape& shape) {
  Scene scene;
  scene.upstream.kind = UpstreamOf<float>::Kind::given;
  scene.upstream.matrix.resize(shape.n, shape.heads * shape.d);
  for (Index h = 0; h < shape.heads; ++h) {
    const auto input = [&](Which which) { return InputOf<float>{drawn(shape, which, h), {}}; };
    scene.source.given.push_back({input(queries), input(keys), input(values)});
    scene.upstream.matrix.middleCols(h * shape.d, shape.d) = drawn(shape, gradient, h);
  }
  if (shape.causal) scene.masks = {CausalRule{}};
  return scene;
}

}  // namespace attn::bench
