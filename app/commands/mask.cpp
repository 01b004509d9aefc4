#include <algorithm>

#include "app/application.h"
#include "app/commands.h"
#include "core/edits/mask_rules.h"
#include "core/edits/new_rule.h"

namespace attn {
namespace {

bool isCausal(const MaskRule& rule) {
  return std::holds_alternative<CausalRule>(rule);
}

bool hasCausal(const Application& app) {
  const auto& masks = app.editor().scene().masks;
  return std::any_of(masks.begin(), masks.end(), isCausal);
}

void toggleCausal(Application& app) {
  const bool isOn = hasCausal(app);
  app.editor().change([=](Scene& scene) {
    if (isOn)
      std::erase_if(scene.masks, isCausal);
    else
      scene.masks.push_back(CausalRule{});
  });
}

template <RuleKind kind>
void add(Application& app) {
  app.editor().change([](Scene& scene) { addRule(scene, newRule(kind, scene)); });
}

template <MaskPreset preset>
void apply(Application& app) {
  app.editor().change([](Scene& scene) { applyPreset(scene, preset); });
}

constexpr Command kCommands[] = {
    {"mask.causal", "Causal", "Mask", ImGuiMod_Ctrl | ImGuiKey_M, toggleCausal, nullptr, hasCausal},
    {"mask.clear", "No mask", "Mask", 0,
     [](Application& app) { app.editor().change([](Scene& scene) { scene.masks.clear(); }); },
     [](const Application& app) { return !app.editor().scene().masks.empty(); }},
    {"mask.addPaddingLength", "Add padding by length", "Mask", 0, add<RuleKind::paddingLength>, nullptr,
     nullptr, true},
    {"mask.addPaddingFlags", "Add padding by ticks", "Mask", 0, add<RuleKind::paddingFlags>},
    {"mask.addWindow", "Add window", "Mask", 0, add<RuleKind::window>},
    {"mask.addPrefix", "Add prefix", "Mask", 0, add<RuleKind::prefix>},
    {"mask.addDocuments", "Add documents", "Mask", 0, add<RuleKind::documents>},
    {"mask.presetBert", "BERT encoder", "Mask", 0, apply<MaskPreset::bertEncoder>, nullptr, nullptr, true},
    {"mask.presetGpt", "GPT decoder", "Mask", 0, apply<MaskPreset::gptDecoder>},
    {"mask.presetT5Encoder", "T5 encoder self", "Mask", 0, apply<MaskPreset::t5EncoderSelf>},
    {"mask.presetT5Decoder", "T5 decoder self", "Mask", 0, apply<MaskPreset::t5DecoderSelf>},
    {"mask.presetT5Cross", "T5 cross", "Mask", 0, apply<MaskPreset::t5Cross>},
};

}  // namespace

std::span<const Command> maskCommands() {
  return kCommands;
}

}  // namespace attn
