#include <algorithm>

#include "core/edits/mask_rules.h"
#include "core/edits/rearrange.h"

namespace attn {
namespace {

bool isPaddingRule(const MaskRule& rule) {
  return std::holds_alternative<PaddingLengthRule>(rule) || std::holds_alternative<PaddingFlagsRule>(rule);
}

bool isPaddingLabel(std::string label) {
  std::transform(label.begin(), label.end(), label.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return label == "[pad]" || label == "<pad>" || label == "<|pad|>" || label == "pad";
}

std::vector<MaskRule> paddingOf(const Scene& scene) {
  std::vector<MaskRule> rules;
  std::copy_if(scene.masks.begin(), scene.masks.end(), std::back_inserter(rules), isPaddingRule);
  if (!rules.empty()) return rules;
  PaddingFlagsRule flags;
  for (Index j = 0; j < shapesOf(scene).keys; ++j)
    flags.isPadding.push_back(isPaddingLabel(tokenLabel(scene.keyLabels, 'k', j)));
  return {flags};
}

}  // namespace

std::string presetText(MaskPreset preset) {
  switch (preset) {
    case MaskPreset::bertEncoder:
      return "BERT encoder: every token sees every token that is not padding";
    case MaskPreset::gptDecoder:
      return "GPT decoder: every token sees itself and the tokens before it";
    case MaskPreset::t5EncoderSelf:
      return "T5 encoder: every token sees every token that is not padding";
    case MaskPreset::t5DecoderSelf:
      return "T5 decoder: every token sees itself and the tokens before it";
    case MaskPreset::t5Cross:
      break;
  }
  return "T5 decoder to encoder: every token sees every encoder token that is not padding";
}

std::vector<MaskRule> presetRules(const Scene& scene, MaskPreset preset) {
  const bool causal = preset == MaskPreset::gptDecoder || preset == MaskPreset::t5DecoderSelf;
  if (causal) return {CausalRule{}};
  return paddingOf(scene);
}

void applyPreset(Scene& scene, MaskPreset preset) {
  scene.masks = presetRules(scene, preset);
}

}  // namespace attn
