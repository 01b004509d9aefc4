#pragma once
#include <vector>

#include "core/key_range.h"
#include "core/scene.h"

namespace attn {

/// Which keys each query may see: all mask rules of a scene, and its biases of −∞, taken together.
/// Rules that leave one run of keys (causal, window, length) only narrow the row's range; the others
/// are written out cell by cell, for all heads at once or, where heads differ, for each.
class Visibility {
 public:
  template <class T>
  void build(const SceneOf<T>& scene, const Shapes& shapes);

  /// Pairs that either of two scenes of these shapes sees.
  void unite(const Visibility& a, const Visibility& b, const Shapes& shapes);

  bool sees(Index head, Index query, Index key) const {
    const KeyRange range = ranges_[static_cast<std::size_t>(query)];
    if (key < range.begin || key >= range.end) return false;
    const std::uint8_t* cells = cellsOf(head);
    return !cells || cells[query * keys_ + key];
  }
  /// Whether every query sees every key.
  bool hidesNothing() const { return hidesNothing_; }
  /// One range a query; keys outside are hidden.
  const std::vector<KeyRange>& ranges() const { return ranges_; }
  /// queries × keys flags, or null where the ranges say it all.
  const std::uint8_t* cellsOf(Index head) const {
    if (cells_.empty()) return nullptr;
    return cells_.head(cells_.heads() == 1 ? 0 : head);
  }
  Index countOf(Index head, Index query) const;

 private:
  void narrowRange(const MaskRule& rule, const Shapes& shapes);
  void hideCells(const MaskRule& rule, const Shapes& shapes);

  Index keys_ = 0;
  bool hidesNothing_ = false;
  std::vector<KeyRange> ranges_;
  StackOf<std::uint8_t> cells_;
};

/// Whether one rule allows the pair: what `Visibility` must agree with.
bool allows(const MaskRule& rule, const Shapes& shapes, Index head, Index query, Index key);

}  // namespace attn
