#pragma once
#include "core/edits/rearrange.h"

namespace attn {

/// One rearrangement of one axis, applied to a scene part by part.
struct Step {
  Axis axis;
  const Arrangement& from;
  Index before;             // the count of the axis
  Index heads, valueWidth;  // of the scene, before

  bool ofQueries() const { return axis == Axis::queries || axis == Axis::tokens; }
  bool ofKeys() const { return axis == Axis::keys || axis == Axis::tokens; }
  Index after() const { return static_cast<Index>(from.size()); }
  void rows(InputOf<float>& input) const { rearrangeRows(input, before, from); }
  void cols(InputOf<float>& input) const { rearrangeCols(input, before, from); }
};

/// Q, K, V, X, the projections, also those that are not in use. `seed` is for noise in new heads.
void rearrangeSource(SourceOf<float>& source, const Step& step, std::uint64_t seed);

/// Everything else: labels, masks, biases, slopes, W_O, the upstream gradient.
void rearrangeDependants(Scene& scene, const Step& step, std::uint64_t seed);

/// Cells of N(0, deviation²), with their fill.
InputOf<float> noiseInput(Index rows, Index cols, double deviation, std::uint64_t seed);

}  // namespace attn
