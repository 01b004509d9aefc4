#include "app/comparison.h"

#include <algorithm>
#include <utility>

#include "core/edits/blend.h"
#include "core/measures/difference.h"

namespace attn {
namespace {

/// Serials tell pictures apart: those of A and of differences are never those of B.
constexpr std::uint64_t kPinned = std::uint64_t{1} << 30, kDifferences = std::uint64_t{1} << 31;

}  // namespace

Comparison::Comparison() : evaluations_(kPinned) {}

void Comparison::follow(Editor& editor, CompareState& state) {
  const SharedScene& present = editor.kept();
  if (from_ != state.pinned || to_ != present) {
    from_ = state.pinned, to_ = present;
    state.position = 1;
    obstacle_ = from_ ? whyNotBlendable(*from_, *to_) : "";
    switching_ = from_ && obstacle_.empty() ? whatSwitches(*from_, *to_) : "";
  }
  if (!from_) state.showing = Showing::present;
  state.position = from_ && obstacle_.empty() ? std::clamp(state.position, 0.0, 1.0) : 1.0;
  if (state.position == 1) {
    if (between_ && editor.shared() == between_) editor.look(nullptr);
    return between_.reset();
  }
  if (!between_ || share_ != state.position)
    between_ = std::make_shared<const Scene>(blend(*from_, *to_, state.position));
  share_ = state.position;
  editor.look(between_);
}

void Comparison::request(const CompareState& state, const Wanted& wanted) {
  if (state.pinned) evaluations_.request(state.pinned, wanted);
}

void Comparison::adopt(const Comparison& other) {
  if (other.evaluations_.current()) evaluations_.adopt(other.evaluations_.current());
}

std::shared_ptr<const Evaluation> Comparison::pinned(const CompareState& state) const {
  const auto& current = evaluations_.current();
  return state.pinned && current && current->scene == state.pinned ? current : nullptr;
}

std::shared_ptr<const Evaluation> Comparison::difference(const std::shared_ptr<const Evaluation>& a,
                                                         const std::shared_ptr<const Evaluation>& b) {
  if (difference_ && ofA_ == a->serial && ofB_ == b->serial) return difference_;
  difference_ = std::make_shared<Evaluation>();
  ofA_ = a->serial, ofB_ = b->serial;
  difference_->scene = b->scene;
  difference_->wanted = b->wanted;
  difference_->serial = kDifferences + ++made_;
  takeDifference(a->results, b->results, difference_->results);
  const Shapes &x = a->results.shapes, &y = b->results.shapes;
  const bool areAlike = x.heads == y.heads && x.queries == y.queries && x.keys == y.keys;
  if (areAlike && a->hidesPairs && b->hidesPairs) {  // a pair that one of them sees can be told of
    difference_->visibility.unite(a->visibility, b->visibility, y);
    difference_->hidesPairs = true;
  }
  return difference_;
}

}  // namespace attn
