#include <algorithm>

#include "app/application.h"
#include "app/commands.h"

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

constexpr Command kCommands[] = {
    {"mask.causal", "Causal", "Mask", ImGuiMod_Ctrl | ImGuiKey_M, toggleCausal, nullptr, hasCausal},
    {"mask.clear", "No mask", "Mask", 0,
     [](Application& app) { app.editor().change([](Scene& scene) { scene.masks.clear(); }); },
     [](const Application& app) { return !app.editor().scene().masks.empty(); }},
};

}  // namespace

std::span<const Command> maskCommands() {
  return kCommands;
}

}  // namespace attn
