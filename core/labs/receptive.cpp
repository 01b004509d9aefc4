#include "core/labs/receptive.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "core/error.h"
#include "core/random.h"

namespace attn {

HardAttention drawnAttention(const ReceptiveLab& lab) {
  HardAttention attention{lab.layers, lab.heads, lab.tokens, {}};
  const Random random(lab.seed);
  std::uint64_t at = 0;
  for (Index row = 0; row < lab.layers * lab.heads; ++row)
    for (Index token = 0; token < lab.tokens; ++token) {
      const Index choices = lab.isCausal ? token + 1 : lab.tokens;
      const double place = (1 - static_cast<double>(random.uniform(at++))) * static_cast<double>(choices);
      attention.targets.push_back(std::min(static_cast<Index>(place), choices - 1));
    }
  return attention;
}

HardAttention attentionOf(const StackOf<float>& weights, Index layers) {
  if (weights.rows() != weights.cols())
    throw Error("receptive field: found " + std::to_string(weights.rows()) + " queries and " +
                std::to_string(weights.cols()) + " keys, expected the same tokens");
  if (weights.rows() > kMostTokensOfAField)
    throw Error("receptive field: found " + std::to_string(weights.rows()) + " tokens, expected at most " +
                std::to_string(kMostTokensOfAField));
  HardAttention attention{layers, weights.heads(), weights.rows(), {}};
  for (Index layer = 0; layer < layers; ++layer)
    for (Index head = 0; head < weights.heads(); ++head)
      for (Index token = 0; token < weights.rows(); ++token) {
        const float* row = weights.row(head, token);
        attention.targets.push_back(std::max_element(row, row + weights.cols()) - row);
      }
  return attention;
}

Index Field::size(Index level) const {
  const auto& flags = sees[static_cast<std::size_t>(level)];
  return std::count(flags.begin(), flags.end(), 1);
}

Field fieldOf(const HardAttention& attention, Index node) {
  Field field;
  field.sees.assign(static_cast<std::size_t>(attention.layers + 1),
                    std::vector<std::uint8_t>(static_cast<std::size_t>(attention.tokens), 0));
  field.sees[0][static_cast<std::size_t>(node)] = 1;
  for (Index level = 0; level < attention.layers; ++level) {
    const auto& here = field.sees[static_cast<std::size_t>(level)];
    auto& beneath = field.sees[static_cast<std::size_t>(level + 1)];
    beneath = here;
    const Index layer = attention.layers - 1 - level;
    for (Index token = 0; token < attention.tokens; ++token)
      for (Index head = 0; here[static_cast<std::size_t>(token)] && head < attention.heads; ++head)
        beneath[static_cast<std::size_t>(attention.target(layer, head, token))] = 1;
  }
  return field;
}

Index mostSeen(Index heads, Index layers) {
  constexpr Index kMost = Index{1} << 62;
  Index most = 1;
  for (Index layer = 0; layer < layers; ++layer) {
    if (most > kMost / (heads + 1)) return kMost;
    most *= heads + 1;
  }
  return most;
}

std::vector<double> meanSizes(const HardAttention& attention) {
  std::vector<double> means(static_cast<std::size_t>(attention.layers + 1), 0);
  for (Index node = 0; node < attention.tokens; ++node) {
    const Field field = fieldOf(attention, node);
    for (Index level = 0; level <= attention.layers; ++level)
      means[static_cast<std::size_t>(level)] +=
          static_cast<double>(field.size(level)) / static_cast<double>(attention.tokens);
  }
  return means;
}

/// With a score of s at the target and 0 elsewhere, the target's weight is eˢ/(eˢ + n − 1).
Scene sceneOf(const HardAttention& attention, Index layer) {
  const Index n = attention.tokens;
  const auto score =
      static_cast<float>(std::log(999.0 * static_cast<double>(std::max<Index>(1, n - 1))) + 0.01);
  Scene scene;
  scene.title = "Hard attention of layer " + std::to_string(layer + 1);
  scene.scale.rule = Scale::Rule::none;
  for (Index head = 0; head < attention.heads; ++head) {
    auto& made = scene.source.given.emplace_back();
    made.k.values = made.v.values = Matrix::Identity(n, n);
    made.k.fill = made.v.fill = {.kind = Fill::Kind::identity};
    made.q.values = Matrix::Zero(n, n);
    for (Index token = 0; token < n; ++token)
      made.q.values(token, attention.target(layer, head, token)) = score;
  }
  return scene;
}

}  // namespace attn
