#include "core/edits/arrangement.h"

#include <algorithm>
#include <numeric>

#include "core/error.h"
#include "core/fill.h"

namespace attn {
namespace {

Arrangement unchanged(Index count) {
  Arrangement from(static_cast<std::size_t>(count));
  std::iota(from.begin(), from.end(), Index{0});
  return from;
}

void expectPlace(const std::string& axis, Index count, Index at) {
  if (at < 0 || at >= count)
    throw Error(axis + ": place " + std::to_string(at) + ", expected 0 to " + std::to_string(count - 1));
}

bool isNoise(const Fill& fill) {
  return fill.kind == Fill::Kind::normal || fill.kind == Fill::Kind::uniform;
}

}  // namespace

Arrangement withAdded(const std::string& axis, Index count, Index at) {
  expectPlace(axis, count + 1, at);
  Arrangement from = unchanged(count);
  from.insert(from.begin() + at, kNewPlace);
  return from;
}

Arrangement withRemoved(const std::string& axis, Index count, Index at) {
  expectPlace(axis, count, at);
  if (count == 1) throw Error(axis + ": found only one, expected at least two to remove one");
  Arrangement from = unchanged(count);
  from.erase(from.begin() + at);
  return from;
}

Arrangement withDuplicated(const std::string& axis, Index count, Index at) {
  expectPlace(axis, count, at);
  Arrangement from = unchanged(count);
  from.insert(from.begin() + at, at);
  return from;
}

Arrangement withMoved(const std::string& axis, Index count, Index from, Index to) {
  expectPlace(axis, count, from);
  expectPlace(axis, count, to);
  Arrangement order = unchanged(count);
  order.erase(order.begin() + from);
  order.insert(order.begin() + to, from);
  return order;
}

Arrangement resized(Index before, Index after) {
  Arrangement from = unchanged(std::min(before, after));
  from.resize(static_cast<std::size_t>(after), kNewPlace);
  return from;
}

bool isResize(const Arrangement& from, Index before) {
  return from == resized(before, static_cast<Index>(from.size()));
}

Index placeAfter(const Arrangement& from, Index before, Index place) {
  if (place < 0 || place >= before) return place;
  const auto found = std::find(from.begin(), from.end(), place);
  if (found != from.end()) return found - from.begin();
  return std::min(place, static_cast<Index>(from.size()) - 1);
}

void rearrangeRows(InputOf<float>& input, Index before, const Arrangement& from) {
  if (input.values.rows() != before || from == unchanged(before)) return;
  const Index cols = input.values.cols();
  const bool noise = isNoise(input.fill);
  const auto fresh = std::count(from.begin(), from.end(), kNewPlace);
  if ((noise || input.fill.kind == Fill::Kind::identity) && isResize(from, before)) {
    input.values = filled(input.fill, static_cast<Index>(from.size()), cols).cast<float>();
    return;
  }
  Matrix result = rowsRearranged(input.values, from, 0.0f);
  if (noise && fresh > 0) {
    const Matrix drawn = filled(input.fill, before + fresh, cols).cast<float>();
    Index next = before;
    for (Index i = 0; i < result.rows(); ++i)
      if (from[static_cast<std::size_t>(i)] == kNewPlace) result.row(i) = drawn.row(next++);
  }
  input = {std::move(result), {}};
}

void rearrangeCols(InputOf<float>& input, Index before, const Arrangement& from) {
  if (input.values.cols() != before || from == unchanged(before)) return;
  if (input.fill.kind == Fill::Kind::identity && isResize(from, before)) {
    input.values = filled(input.fill, input.values.rows(), static_cast<Index>(from.size())).cast<float>();
    return;
  }
  input = {colsRearranged(input.values, from, 0.0f), {}};
}

}  // namespace attn
