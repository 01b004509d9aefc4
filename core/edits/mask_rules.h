#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/scene.h"

namespace attn {

/// Edits of the list of mask rules. A pair is visible if all of them allow it. Each throws Error with one
/// line where the rule does not fit the scene, and then leaves the scene as it was.
void addRule(Scene& scene, MaskRule rule);
void removeRule(Scene& scene, std::size_t index);
void replaceRule(Scene& scene, std::size_t index, MaskRule rule);

/// A rectangle of pairs.
struct PairArea {
  Index firstQuery = 0, firstKey = 0;
  Index queries = 1, keys = 1;
};
PairArea onePair(Index query, Index key);
/// Between two corners, in any order, both inside.
PairArea rectangle(Index query, Index key, Index otherQuery, Index otherKey);
PairArea wholeRow(const Scene& scene, Index query);
PairArea wholeColumn(const Scene& scene, Index key);

/// Paints pairs into the last painted rule; makes one, in which all is allowed, where there is none. For one
/// head only, where one is named: the rule then gets a matrix a head. Other rules may still hide a pair that
/// is painted as allowed: see hiddenBy. Throws Error for an area outside.
void paint(Scene& scene, const PairArea& area, bool mayAttend, std::optional<Index> head = std::nullopt);

/// The masks of well-known models.
enum class MaskPreset { bertEncoder, gptDecoder, t5EncoderSelf, t5DecoderSelf, t5Cross };
constexpr MaskPreset kMaskPresets[] = {MaskPreset::bertEncoder, MaskPreset::gptDecoder,
                                       MaskPreset::t5EncoderSelf, MaskPreset::t5DecoderSelf,
                                       MaskPreset::t5Cross};
/// "BERT encoder: every token sees every token that is not padding"
std::string presetText(MaskPreset preset);
/// The rules of a preset for this scene. Padding is what the scene's padding rules say, or else keys with a
/// label like [PAD] or <pad>.
std::vector<MaskRule> presetRules(const Scene& scene, MaskPreset preset);
/// Replaces all rules of the scene.
void applyPreset(Scene& scene, MaskPreset preset);

/// A rule in a few words: "causal, top-left", "window 3", "padding: 2 keys".
std::string ruleText(const MaskRule& rule, const Shapes& shapes);

/// Why a pair is hidden: the rules that do not allow it, and whether a bias of −∞ does so too.
struct HiddenBy {
  std::vector<std::size_t> rules;
  bool bias = false;
  bool isVisible() const { return rules.empty() && !bias; }
};
HiddenBy hiddenBy(const Scene& scene, Index head, Index query, Index key);

/// The queries of a head that see no key at all.
std::vector<Index> rowsWithoutKeys(const Scene& scene, Index head);

}  // namespace attn
