#include <algorithm>
#include <cmath>

#include "core/edits/step.h"

namespace attn {
namespace {

void rearrangeLabels(std::vector<std::string>& labels, const Step& step) {
  if (static_cast<Index>(labels.size()) == step.before) labels = rearranged(labels, step.from, std::string());
  const auto isEmpty = [](const std::string& label) { return label.empty(); };
  if (std::all_of(labels.begin(), labels.end(), isEmpty)) labels.clear();
}

/// A length counts places from the start: it grows and shrinks with what is before it, and does not follow a
/// token that moves across it. A new place right at the edge is inside where `growsAtEdge` says so.
Index lengthAfter(const Step& step, Index length, bool growsAtEdge) {
  const auto isInside = [&](Index old) { return old != kNewPlace && old < length; };
  Index inside =
      std::count_if(step.from.begin(), step.from.end(), isInside) + std::max<Index>(0, length - step.before);
  for (Index i = 0; i < step.after(); ++i)
    if (step.from[static_cast<std::size_t>(i)] == kNewPlace && (growsAtEdge ? i <= inside : i < inside))
      ++inside;
  return inside;
}

/// A new token belongs to the document of the token before it, or after it where it is the first.
std::vector<int> documentsAfter(const std::vector<int>& ids, const Step& step) {
  std::vector<int> result = rearranged(ids, step.from, 0);
  for (std::size_t i = 0; i < result.size(); ++i) {
    if (step.from[i] != kNewPlace) continue;
    if (i > 0)
      result[i] = result[i - 1];
    else if (const auto old =
                 std::find_if(step.from.begin(), step.from.end(), [](Index f) { return f != kNewPlace; });
             old != step.from.end())
      result[i] = ids[static_cast<std::size_t>(*old)];
  }
  return result;
}

/// What each kind of mask rule does with the step.
struct MaskFollows {
  const Step& step;

  void operator()(CausalRule&) const {}
  void operator()(WindowRule&) const {}
  void operator()(PaddingLengthRule& rule) const {
    if (step.ofKeys()) rule.length = lengthAfter(step, rule.length, true);
  }
  void operator()(PaddingFlagsRule& rule) const {
    if (step.ofKeys()) rule.isPadding = rearranged(rule.isPadding, step.from, false);
  }
  void operator()(PrefixRule& rule) const {
    if (step.ofKeys()) rule.length = lengthAfter(step, rule.length, false);
  }
  void operator()(DocumentsRule& rule) const {
    if (step.ofQueries()) rule.ofQuery = documentsAfter(rule.ofQuery, step);
    if (step.ofKeys()) rule.ofKey = documentsAfter(rule.ofKey, step);
  }
  void operator()(PaintedRule& rule) const {
    constexpr std::uint8_t kMayAttend = 1;
    for (Bytes& cells : rule.mayAttend) {
      if (step.ofQueries()) cells = rowsRearranged(cells, step.from, kMayAttend);
      if (step.ofKeys()) cells = colsRearranged(cells, step.from, kMayAttend);
    }
    const auto first = rule.mayAttend.front();
    if (step.axis == Axis::heads && rule.mayAttend.size() > 1)
      rule.mayAttend = rearranged(rule.mayAttend, step.from, Bytes(Bytes::Ones(first.rows(), first.cols())));
  }
};

void rearrangeBias(std::vector<InputOf<float>>& bias, const Step& step) {
  for (InputOf<float>& input : bias) {
    if (step.ofQueries()) step.rows(input);
    if (step.ofKeys()) step.cols(input);
  }
  if (step.axis != Axis::heads || bias.size() < 2) return;
  const Matrix& first = bias.front().values;
  bias = rearranged(bias, step.from, InputOf<float>{Matrix::Zero(first.rows(), first.cols()), {}});
}

/// A new head gets the slope that is usual at its place.
void rearrangeSlopes(Alibi& alibi, const Step& step) {
  if (alibi.slopes.empty() || step.axis != Axis::heads) return;
  alibi.slopes = rearranged(alibi.slopes, step.from, 0.0);
  for (Index h = 0; h < step.after(); ++h)
    if (step.from[static_cast<std::size_t>(h)] == kNewPlace)
      alibi.slopes[static_cast<std::size_t>(h)] = alibiSlope(Alibi{}, h, step.after());
}

/// The same step on the joined heads, whose axis is heads × valueWidth.
Arrangement joined(const Step& step) {
  Arrangement from;
  if (step.axis == Axis::valueWidth) {
    for (Index h = 0; h < step.heads; ++h)
      for (const Index old : step.from)
        from.push_back(old == kNewPlace ? kNewPlace : h * step.valueWidth + old);
    return from;
  }
  for (const Index head : step.from)
    for (Index d = 0; d < step.valueWidth; ++d)
      from.push_back(head == kNewPlace ? kNewPlace : head * step.valueWidth + d);
  return from;
}

/// Rows of W_O for a new head: noise, since zeros would hide the head.
void drawNewRows(InputOf<float>& wo, const Arrangement& from, std::uint64_t seed) {
  if (std::count(from.begin(), from.end(), kNewPlace) == 0) return;
  const double deviation = 1 / std::sqrt(static_cast<double>(from.size()));
  const Matrix drawn = noiseInput(wo.values.rows(), wo.values.cols(), deviation, seed).values;
  for (Index i = 0; i < wo.values.rows(); ++i)
    if (from[static_cast<std::size_t>(i)] == kNewPlace) wo.values.row(i) = drawn.row(i);
  wo.fill = {};
}

void rearrangeOutput(UpstreamOf<float>& upstream, Index before, const Arrangement& from) {
  if (upstream.matrix.cols() == before) upstream.matrix = colsRearranged(upstream.matrix, from, 0.0f);
  upstream.col = placeAfter(from, before, upstream.col);
}

void rearrangeJoined(Scene& scene, const Step& step, std::uint64_t seed) {
  const Index before = step.heads * step.valueWidth;
  const Arrangement from = joined(step);
  if (!scene.source.wo) return rearrangeOutput(scene.upstream, before, from);
  InputOf<float>& wo = *scene.source.wo;
  const bool isNoise = wo.fill.kind == Fill::Kind::normal || wo.fill.kind == Fill::Kind::uniform;
  const bool draws = step.axis == Axis::heads && wo.values.rows() == before && !isNoise;
  rearrangeRows(wo, before, from);
  if (draws) drawNewRows(wo, from, seed + 64);
}

}  // namespace

void rearrangeDependants(Scene& scene, const Step& step, std::uint64_t seed) {
  if (step.ofQueries()) rearrangeLabels(scene.queryLabels, step);
  if (step.ofKeys()) rearrangeLabels(scene.keyLabels, step);
  for (MaskRule& rule : scene.masks) std::visit(MaskFollows{step}, rule);
  rearrangeBias(scene.bias, step);
  if (scene.alibi) rearrangeSlopes(*scene.alibi, step);
  if (step.axis == Axis::heads || step.axis == Axis::valueWidth) rearrangeJoined(scene, step, seed);
  if (step.axis == Axis::outWidth && scene.source.wo) {
    step.cols(*scene.source.wo);
    rearrangeOutput(scene.upstream, step.before, step.from);
  }
  if (!step.ofQueries()) return;
  if (scene.upstream.matrix.rows() == step.before)
    scene.upstream.matrix = rowsRearranged(scene.upstream.matrix, step.from, 0.0f);
  scene.upstream.row = placeAfter(step.from, step.before, scene.upstream.row);
}

}  // namespace attn
