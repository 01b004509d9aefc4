#include "app/norm_history.h"

#include <algorithm>

namespace attn {

const char* gradientText(GradientName name) {
  constexpr const char* kTexts[kGradientNames] = {"dWeights", "dScores", "dQ",   "dK",   "dV",  "dX",
                                                  "dY",       "dW_Q",    "dW_K", "dW_V", "dW_O"};
  return kTexts[static_cast<std::size_t>(name)];
}

const GradientNorms& normsOf(const AllGradientNorms& norms, GradientName name) {
  const GradientNorms* const all[kGradientNames] = {&norms.probs, &norms.scores, &norms.q,     &norms.k,
                                                    &norms.v,     &norms.x,      &norms.other, &norms.wq,
                                                    &norms.wk,    &norms.wv,     &norms.wo};
  return *all[static_cast<std::size_t>(name)];
}

double normOfHead(const GradientNorms& norms, Index head) {
  const auto place = static_cast<std::size_t>(head);
  return norms.ofHead.size() > 1 && place < norms.ofHead.size() ? norms.ofHead[place] : norms.all;
}

bool NormHistory::record(const std::shared_ptr<const Scene>& scene, const Results& results, double time) {
  if (scene == last_ || !results.made.backward) return false;
  last_ = scene;
  NormSample sample{time, 0, {}};
  for (Index h = 0; h < std::min(results.shapes.heads, kKeptHeads); ++h) {
    auto& norms = sample.ofHead.emplace_back();
    for (std::size_t i = 0; i < kGradientNames; ++i)
      norms[i] = static_cast<float>(normOfHead(normsOf(results.norms, static_cast<GradientName>(i)), h));
  }
  push(std::move(sample));
  return true;
}

void NormHistory::push(NormSample sample) {
  if (!samples_.empty()) {
    const std::size_t count = samples_.size();
    NormSample& newest = samples_[(first_ + count - 1) % count];
    sample.place = newest.place + std::clamp(sample.time - newest.time, 0.0, kLongestPause);
    // The first sample of all, and the last before a quick edit, stay: the edit's effect is what follows.
    const bool isQuick = count > 1 && sample.time - (*this)[count - 2].time < kShortest;
    if (isQuick) {
      newest = std::move(sample);
      return;
    }
  }
  if (samples_.size() < kCapacity) {
    samples_.push_back(std::move(sample));
    return;
  }
  samples_[first_] = std::move(sample);
  first_ = (first_ + 1) % kCapacity;
}

void NormHistory::clear() {
  *this = NormHistory();
}

bool NormHistory::isAfterPause(std::size_t i) const {
  return i > 0 && (*this)[i].time - (*this)[i - 1].time > kLongestPause;
}

}  // namespace attn
