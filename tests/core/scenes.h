#pragma once
#include <initializer_list>
#include <vector>

#include "core/fill.h"
#include "core/scene.h"

namespace attn {

/// Scenes that tests share, in double; `narrow` gives the float ones.
inline MatrixOf<double> matrix(std::initializer_list<std::initializer_list<double>> rows) {
  MatrixOf<double> m(static_cast<Index>(rows.size()), static_cast<Index>(rows.begin()->size()));
  Index i = 0;
  for (const auto& row : rows) {
    Index j = 0;
    for (double value : row) m(i, j++) = value;
    ++i;
  }
  return m;
}

inline InputOf<double> input(MatrixOf<double> values) {
  return {std::move(values), {}};
}

inline InputOf<double> noise(Index rows, Index cols, std::uint64_t seed, double deviation = 1) {
  const Fill fill = {.kind = Fill::Kind::normal, .deviation = deviation, .seed = seed};
  // Rounded to float, so that float and double paths start from the same numbers.
  return {filled(fill, rows, cols).cast<float>().cast<double>(), {}};
}

inline PreciseScene givenScene(MatrixOf<double> q, MatrixOf<double> k, MatrixOf<double> v) {
  PreciseScene scene;
  scene.source.given.push_back({input(std::move(q)), input(std::move(k)), input(std::move(v))});
  return scene;
}

struct RandomShape {
  Index heads = 1, queries = 4, keys = 4, keyWidth = 3, valueWidth = 3;
};

inline PreciseScene randomScene(RandomShape s, std::uint64_t seed, double deviation = 1) {
  PreciseScene scene;
  for (Index h = 0; h < s.heads; ++h, seed += 3)
    scene.source.given.push_back({noise(s.queries, s.keyWidth, seed, deviation),
                                  noise(s.keys, s.keyWidth, seed + 1, deviation),
                                  noise(s.keys, s.valueWidth, seed + 2)});
  return scene;
}

/// X (and, for cross-attention, another sequence) with projections and W_O.
inline PreciseScene projectedScene(Index heads, Index queries, Index keys, bool cross, std::uint64_t seed) {
  PreciseScene scene;
  SourceOf<double>& source = scene.source;
  source.kind = SourceOf<double>::Kind::projected;
  source.x = noise(queries, 5, seed);
  if (cross) source.other = noise(keys, 4, seed + 1);
  const Index otherWidth = cross ? 4 : 5;
  for (Index h = 0; h < heads; ++h)
    source.projected.push_back({noise(5, 3, seed + 10 * static_cast<std::uint64_t>(h) + 2, 0.6),
                                noise(otherWidth, 3, seed + 10 * static_cast<std::uint64_t>(h) + 3, 0.6),
                                noise(otherWidth, 2, seed + 10 * static_cast<std::uint64_t>(h) + 4, 0.6)});
  source.wo = noise(heads * 2, 6, seed + 5, 0.5);
  return scene;
}

}  // namespace attn
