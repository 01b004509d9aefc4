#include "core/edits/source.h"

#include "core/edits/rearrange.h"
#include "core/edits/tokens.h"
#include "core/error.h"
#include "core/evaluate.h"
#include "core/fill.h"
#include "core/same_scene.h"

namespace attn {
namespace {

using Kind = SourceOf<float>::Kind;

std::vector<GivenHeadOf<float>> projectedValues(const Scene& scene) {
  const Results results = evaluate(scene, Wanted::outputOnly());
  std::vector<GivenHeadOf<float>> heads;
  for (Index h = 0; h < results.shapes.heads; ++h)
    heads.push_back({{results.q[h], {}}, {results.k[h], {}}, {results.v[h], {}}});
  return heads;
}

/// A sequence made of blocks of columns; equal blocks are one.
class Columns {
 public:
  /// The first column of the block.
  Index add(const Matrix& block) {
    for (const auto& [first, known] : blocks_)
      if (sameBits(*known, block)) return first;
    blocks_.push_back({width_, &block});
    width_ += block.cols();
    return blocks_.back().first;
  }
  InputOf<float> sequence() const {
    InputOf<float> x;
    x.values.resize(blocks_.front().second->rows(), width_);
    for (const auto& [first, block] : blocks_) x.values.middleCols(first, block->cols()) = *block;
    return x;
  }
  /// The projection that gives `count` columns from `first` on.
  InputOf<float> picking(Index first, Index count) const {
    if (first == 0 && count == width_)
      return {Matrix::Identity(width_, count), {.kind = Fill::Kind::identity}};
    InputOf<float> w = {Matrix::Zero(width_, count), {}};
    w.values.middleRows(first, count).setIdentity();
    return w;
  }

 private:
  std::vector<std::pair<Index, const Matrix*>> blocks_;
  Index width_ = 0;
};

/// X, the other sequence where queries and keys are two, and projections that give back Q, K and V.
void makeProjections(Scene& scene) {
  SourceOf<float>& source = scene.source;
  Columns ofQueries, ofOther;
  const bool self = isOneSequence(scene);
  Columns& ofKeys = self ? ofQueries : ofOther;
  struct Starts {
    Index q, k, v;
  };
  std::vector<Starts> starts;
  for (const auto& head : source.given) {
    const Index q = ofQueries.add(head.q.values);
    const Index k = ofKeys.add(head.k.values);
    starts.push_back({q, k, ofKeys.add(head.v.values)});
  }
  for (std::size_t h = 0; h < starts.size(); ++h) {
    const auto& head = source.given[h];
    source.projected.push_back({ofQueries.picking(starts[h].q, head.q.values.cols()),
                                ofKeys.picking(starts[h].k, head.k.values.cols()),
                                ofKeys.picking(starts[h].v, head.v.values.cols())});
  }
  source.x = ofQueries.sequence();
  source.other.reset();
  if (!self) source.other = ofOther.sequence();
  source.parked.reset();
}

void fitRows(InputOf<float>& input, Index rows) {
  rearrangeRows(input, input.values.rows(), resized(input.values.rows(), rows));
}

void fitCols(InputOf<float>& input, Index cols) {
  rearrangeCols(input, input.values.cols(), resized(input.values.cols(), cols));
}

ParkedKeysOf<float> keysInUse(const Scene& scene) {
  ParkedKeysOf<float> keys;
  keys.other = scene.source.other;
  if (keys.other) keys.labels = scene.keyLabels;
  for (const auto& head : scene.source.projected) keys.heads.push_back({head.wk, head.wv});
  return keys;
}

/// The keys' side for the first switch: the same projections, for a copy of X or for X itself.
ParkedKeysOf<float> firstKeys(const Scene& scene, bool cross) {
  ParkedKeysOf<float> keys = keysInUse(scene);
  keys.other.reset();
  keys.labels.clear();
  if (cross) {
    keys.other = scene.source.x;
    keys.labels = scene.queryLabels;
  }
  return keys;
}

void putIntoUse(Scene& scene, ParkedKeysOf<float> keys) {
  SourceOf<float>& source = scene.source;
  source.other = std::move(keys.other);
  const Index width = source.other ? source.other->values.cols() : source.x.values.cols();
  for (std::size_t h = 0; h < source.projected.size(); ++h) {
    ProjectedHeadOf<float>& head = source.projected[h];
    const Index keyWidth = head.wq.values.cols(), valueWidth = head.wv.values.cols();
    if (h < keys.heads.size()) head.wk = keys.heads[h].wk, head.wv = keys.heads[h].wv;
    fitRows(head.wk, width), fitRows(head.wv, width);
    fitCols(head.wk, keyWidth), fitCols(head.wv, valueWidth);
  }
}

}  // namespace

void useGiven(Scene& scene) {
  if (scene.source.kind == Kind::given) return;
  changeChecked(scene, [](Scene& changed) {
    if (changed.source.given.empty()) changed.source.given = projectedValues(changed);
    const Shapes before = shapesOf(changed);
    changed.source.kind = Kind::given;
    fitToSource(changed, before);
  });
}

void useProjections(Scene& scene) {
  if (scene.source.kind == Kind::projected) return;
  changeChecked(scene, [](Scene& changed) {
    const Shapes before = shapesOf(changed);
    if (changed.source.projected.empty()) makeProjections(changed);
    changed.source.kind = Kind::projected;
    fitToSource(changed, before);
  });
}

void takeGivenFromProjections(Scene& scene) {
  if (scene.source.kind != Kind::projected)
    throw Error("source: Q, K and V are given, expected projections to take them from");
  scene.source.given = projectedValues(scene);
}

void setCrossAttention(Scene& scene, bool on) {
  if (scene.source.kind != Kind::projected)
    throw Error("cross-attention: Q, K and V are given, expected projections of X");
  if (scene.source.other.has_value() == on) return;
  changeChecked(scene, [on](Scene& changed) {
    const Shapes before = shapesOf(changed);
    SourceOf<float>& source = changed.source;
    const bool isKept = source.parked && source.parked->other.has_value() == on;
    ParkedKeysOf<float> next = isKept ? *source.parked : firstKeys(changed, on);
    const std::vector<std::string> labels = next.labels;
    source.parked = keysInUse(changed);
    putIntoUse(changed, std::move(next));
    fitToSource(changed, before);
    if (on) changed.keyLabels = labels;
    if (static_cast<Index>(changed.keyLabels.size()) != shapesOf(changed).keys) changed.keyLabels.clear();
  });
}

void addOutputProjection(Scene& scene) {
  if (scene.source.wo) return;
  const Index width = shapesOf(scene).outWidth;
  scene.source.wo = InputOf<float>{Matrix::Identity(width, width), {.kind = Fill::Kind::identity}};
}

void removeOutputProjection(Scene& scene) {
  if (!scene.source.wo) return;
  changeChecked(scene, [](Scene& changed) {
    const Shapes s = shapesOf(changed);
    rearrange(changed, Axis::outWidth, resized(s.outWidth, s.heads * s.valueWidth));
    changed.source.wo.reset();
  });
}

}  // namespace attn
