#pragma once
#include <string>
#include <vector>

#include "core/scene.h"

namespace attn {

/// A new order of the places of an axis (tokens, dimensions, heads): for each new place, the old place that
/// its content comes from, or kNewPlace. Adding, removing, duplicating and moving are all of this form.
using Arrangement = std::vector<Index>;
constexpr Index kNewPlace = -1;

/// These throw Error, with the name of the axis, for a place that is not there and where nothing would be
/// left. `at` may be `count` for adding: at the end.
Arrangement withAdded(const std::string& axis, Index count, Index at);
Arrangement withRemoved(const std::string& axis, Index count, Index at);
Arrangement withDuplicated(const std::string& axis, Index count, Index at);
/// What was at `from` is at `to` afterwards.
Arrangement withMoved(const std::string& axis, Index count, Index from, Index to);
/// The first ones stay; new ones come, or the last ones go.
Arrangement resized(Index before, Index after);
bool isResize(const Arrangement& from, Index before);

/// The new place of what was at `place`. Where it is gone, the place that is nearest to the old one; a place
/// that is not on the axis stays.
Index placeAfter(const Arrangement& from, Index before, Index place);

/// A list in the new order.
template <class T>
std::vector<T> rearranged(const std::vector<T>& list, const Arrangement& from, const T& fresh) {
  std::vector<T> result;
  result.reserve(from.size());
  for (const Index old : from)
    result.push_back(old == kNewPlace ? fresh : list[static_cast<std::size_t>(old)]);
  return result;
}

/// A matrix with its rows, or its columns, in the new order.
template <class T>
MatrixOf<T> rowsRearranged(const MatrixOf<T>& m, const Arrangement& from, T fresh) {
  MatrixOf<T> result(static_cast<Index>(from.size()), m.cols());
  for (Index i = 0; i < result.rows(); ++i) {
    const Index old = from[static_cast<std::size_t>(i)];
    if (old == kNewPlace)
      result.row(i).setConstant(fresh);
    else
      result.row(i) = m.row(old);
  }
  return result;
}

template <class T>
MatrixOf<T> colsRearranged(const MatrixOf<T>& m, const Arrangement& from, T fresh) {
  MatrixOf<T> result(m.rows(), static_cast<Index>(from.size()));
  for (Index i = 0; i < m.rows(); ++i)
    for (Index j = 0; j < result.cols(); ++j) {
      const Index old = from[static_cast<std::size_t>(j)];
      result(i, j) = old == kNewPlace ? fresh : m(i, old);
    }
  return result;
}

/// The same for a matrix with a fill, if it has `before` rows (columns). What a fill still describes
/// afterwards stays filled: an identity that grows at its end, noise that grows or shrinks by its last rows.
/// New rows of noise are noise too, the rows that would come next; other new cells are 0.
void rearrangeRows(InputOf<float>& input, Index before, const Arrangement& from);
void rearrangeCols(InputOf<float>& input, Index before, const Arrangement& from);

}  // namespace attn
