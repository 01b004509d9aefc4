#include "app/views/labs.h"

#include <algorithm>

#include "app/views/view.h"

namespace attn {

void LabsState::poll() const {
  for (const auto& lab : memory)
    if (lab) lab->poll();
}

bool LabsState::isBusy() const {
  return std::any_of(memory.begin(), memory.end(), [](const auto& lab) { return lab && lab->isBusy(); });
}

void LabsState::settle() const {
  for (const auto& lab : memory)
    if (lab) lab->settle();
}

void sendToWindow(ViewContext& context, Scene scene) {
  const bool isSent = context.editor.change([&](Scene& s) {
    scene.slides = s.slides;
    scene.stories = s.stories;
    scene.labs = s.labs;
    s = std::move(scene);
  });
  if (!isSent) return;
  context.state.selection = {};
  Layout& layout = context.state.layout;
  if (const std::string covering = layout.maximised; !covering.empty()) layout.show(covering, false);
  context.state.status = "Sent to the window: " + context.editor.scene().title +
                         ". Ctrl+Z brings back what was there, the menu Labs the lab.";
}

}  // namespace attn
