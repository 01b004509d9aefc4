#include <algorithm>
#include <cmath>

#include "core/edits/step.h"
#include "core/fill.h"

namespace attn {
namespace {

void rearrangeGiven(SourceOf<float>& source, const Step& step) {
  const bool inUse = source.kind == SourceOf<float>::Kind::given;
  for (GivenHeadOf<float>& head : source.given) {
    if (step.ofQueries()) step.rows(head.q);
    if (step.ofKeys()) step.rows(head.k), step.rows(head.v);
    if (step.axis == Axis::keyWidth && inUse) step.cols(head.q), step.cols(head.k);
    if (step.axis == Axis::valueWidth) step.cols(head.v);
  }
}

void rearrangeProjected(SourceOf<float>& source, const Step& step) {
  const bool cross = source.other.has_value();
  const bool inUse = source.kind == SourceOf<float>::Kind::projected;
  // X is queries and keys at once where there is no other sequence: it cannot follow one of them alone.
  if (step.axis == Axis::tokens || (step.axis == Axis::queries && cross)) step.rows(source.x);
  if (step.ofKeys() && cross) step.rows(*source.other);
  if (step.axis == Axis::modelWidth) step.cols(source.x);
  if (step.axis == Axis::otherWidth && cross) step.cols(*source.other);
  const bool keyRows = step.axis == (cross ? Axis::otherWidth : Axis::modelWidth);
  for (ProjectedHeadOf<float>& head : source.projected) {
    if (step.axis == Axis::modelWidth) step.rows(head.wq);
    if (keyRows) step.rows(head.wk), step.rows(head.wv);
    if (step.axis == Axis::keyWidth && inUse) step.cols(head.wq), step.cols(head.wk);
    if (step.axis == Axis::valueWidth) step.cols(head.wv);
  }
}

void rearrangeParked(ParkedKeysOf<float>& parked, bool inUse, const Step& step) {
  for (KeyProjectionsOf<float>& head : parked.heads) {
    if (step.axis == Axis::modelWidth && !parked.other) step.rows(head.wk), step.rows(head.wv);
    if (step.axis == Axis::keyWidth && inUse) step.cols(head.wk);
    if (step.axis == Axis::valueWidth) step.cols(head.wv);
  }
}

/// Projections of noise that keep the size of what they project: deviation 1/√width.
InputOf<float> projectionLike(const InputOf<float>& input, std::uint64_t seed) {
  const Index rows = input.values.rows();
  return noiseInput(rows, input.values.cols(), 1 / std::sqrt(static_cast<double>(rows)), seed);
}

GivenHeadOf<float> freshLike(const GivenHeadOf<float>& head, std::uint64_t seed) {
  const auto like = [](const InputOf<float>& input, std::uint64_t drawn) {
    return noiseInput(input.values.rows(), input.values.cols(), 1, drawn);
  };
  return {like(head.q, seed), like(head.k, seed + 1), like(head.v, seed + 2)};
}

ProjectedHeadOf<float> freshLike(const ProjectedHeadOf<float>& head, std::uint64_t seed) {
  return {projectionLike(head.wq, seed), projectionLike(head.wk, seed + 1),
          projectionLike(head.wv, seed + 2)};
}

KeyProjectionsOf<float> freshLike(const KeyProjectionsOf<float>& head, std::uint64_t seed) {
  return {projectionLike(head.wk, seed + 1), projectionLike(head.wv, seed + 2)};
}

/// New heads are noise in the shape of the others.
template <class Head>
void rearrangeHeads(std::vector<Head>& heads, const Step& step, std::uint64_t seed) {
  if (heads.empty() || static_cast<Index>(heads.size()) != step.before) return;
  const Head like = heads.front();
  heads = rearranged(heads, step.from, like);
  for (std::size_t h = 0; h < heads.size(); ++h) {
    if (step.from[h] != kNewPlace) continue;
    heads[h] = freshLike(like, seed);
    seed += 3;
  }
}

}  // namespace

InputOf<float> noiseInput(Index rows, Index cols, double deviation, std::uint64_t seed) {
  const Fill fill = {.kind = Fill::Kind::normal, .deviation = deviation, .seed = seed};
  return {filled(fill, rows, cols).cast<float>(), fill};
}

void rearrangeSource(SourceOf<float>& source, const Step& step, std::uint64_t seed) {
  if (step.axis == Axis::heads) {
    rearrangeHeads(source.given, step, seed);
    rearrangeHeads(source.projected, step, seed);
    if (source.parked) rearrangeHeads(source.parked->heads, step, seed);
    return;
  }
  rearrangeGiven(source, step);
  rearrangeProjected(source, step);
  if (source.parked) rearrangeParked(*source.parked, source.kind == SourceOf<float>::Kind::projected, step);
}

}  // namespace attn
