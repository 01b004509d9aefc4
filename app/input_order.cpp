#include "app/input_order.h"

#include <imgui.h>
#include <imgui_internal.h>

#include <algorithm>
#include <vector>

namespace attn {
namespace {

bool isModifier(const ImGuiInputEvent& event) {
  return event.Type == ImGuiInputEventType_Key && (event.Key.Key & ImGuiMod_Mask_) != 0;
}

/// Of a key that is no modifier itself.
bool isPress(const ImGuiInputEvent& event) {
  if (event.Type != ImGuiInputEventType_Key || isModifier(event) || !event.Key.Down) return false;
  return event.Key.Key < ImGuiKey_LeftCtrl || event.Key.Key > ImGuiKey_RightSuper;
}

}  // namespace

void newFrameInOrder() {
  ImVector<ImGuiInputEvent>& queue = ImGui::GetCurrentContext()->InputEventsQueue;
  const ImGuiInputEvent* press = std::find_if(queue.begin(), queue.end(), isPress);
  const ImGuiInputEvent* after =
      std::find_if(press, static_cast<const ImGuiInputEvent*>(queue.end()), isModifier);
  const std::vector<ImGuiInputEvent> held(after, static_cast<const ImGuiInputEvent*>(queue.end()));
  queue.resize(queue.Size - static_cast<int>(held.size()));
  ImGui::NewFrame();
  for (const ImGuiInputEvent& event : held) queue.push_back(event);
}

bool hasWaitingEvents() {
  return ImGui::GetCurrentContext()->InputEventsQueue.Size > 0;
}

}  // namespace attn
