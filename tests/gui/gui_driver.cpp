#include "tests/gui/gui_driver.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "app/input_order.h"

/// What the leak sanitizer asks for: fontconfig keeps what it has read of the system's fonts until the
/// process ends, which is no leak of ours.
extern "C" const char* __lsan_default_suppressions();
extern "C" const char* __lsan_default_suppressions() {
  return "leak:libfontconfig";
}

namespace attn {

GuiDriver::GuiDriver(SharedScene scene, Screen screen, int width, int height, Desktop desktop)
    : app_(std::make_unique<Application>(std::move(scene), std::move(desktop))),
      size_(static_cast<float>(width), static_cast<float>(height)) {
  app_->recordItems(true);
  if (screen == Screen::offscreen) window_ = std::make_unique<OffscreenWindow>(*app_, width, height);
  frames(3);
}

GuiDriver::~GuiDriver() = default;

const Results& GuiDriver::results() {
  app_->settle();
  return app_->evaluations().current()->results;
}

void GuiDriver::frame() {
  if (window_) return window_->frame();
  ImGuiIO& io = ImGui::GetIO();
  io.DisplaySize = size_;
  io.DeltaTime = 1.0f / 60;
  if (app_->prepare()) io.Fonts->SetTexID(reinterpret_cast<ImTextureID>(1));
  newFrameInOrder();
  app_->frame();
  ImGui::Render();
}

void GuiDriver::resize(int width, int height) {
  size_ = {static_cast<float>(width), static_cast<float>(height)};
  frame();
}

std::string GuiDriver::withoutPlace() const {
  std::string panels;
  const ImDrawData* data = ImGui::GetDrawData();
  if (!data) return panels;
  for (const ImDrawList* list : data->CmdLists)
    if (std::any_of(list->VtxBuffer.begin(), list->VtxBuffer.end(), [](const ImDrawVert& vertex) {
          return !std::isfinite(vertex.pos.x) || !std::isfinite(vertex.pos.y);
        }))
      panels += std::string(list->_OwnerName) + '\n';
  return panels;
}

void GuiDriver::frames(int count) {
  for (int i = 0; i < count; ++i) frame();
}

ItemRect GuiDriver::rect(std::string_view path) const {
  if (const auto found = app_->items().find(path)) return *found;
  std::string known;
  for (const auto& item : app_->items().items()) known += "\n  " + item.first;
  throw std::runtime_error("no item " + std::string(path) + " among" + known);
}

void GuiDriver::moveTo(ImVec2 place) {
  ImGui::GetIO().AddMousePosEvent(place.x, place.y);
  frame();
}

void GuiDriver::hover(std::string_view path) {
  moveTo(rect(path).centre());
  frames(2);
}

void GuiDriver::setButton(int button, bool isDown) {
  ImGui::GetIO().AddMouseButtonEvent(button, isDown);
  frame();
}

void GuiDriver::clickAt(ImVec2 place, int button) {
  moveTo(place);
  setButton(button, true);
  setButton(button, false);
  frame();
}

void GuiDriver::click(std::string_view path, int button) {
  clickAt(rect(path).centre(), button);
}

void GuiDriver::doubleClick(std::string_view path) {
  click(path);
  click(path);
}

void GuiDriver::dragFrom(ImVec2 from, ImVec2 by) {
  constexpr int kSteps = 8;
  moveTo(from);
  setButton(0, true);
  for (int i = 1; i <= kSteps; ++i) {
    const float share = static_cast<float>(i) / kSteps;
    moveTo({from.x + by.x * share, from.y + by.y * share});
  }
  setButton(0, false);
  frame();
}

void GuiDriver::drag(std::string_view path, ImVec2 by) {
  dragFrom(rect(path).centre(), by);
}

void GuiDriver::wheel(float steps) {
  ImGui::GetIO().AddMouseWheelEvent(0, steps);
  frames(2);
}

void GuiDriver::press(ImGuiKeyChord chord) {
  ImGuiIO& io = ImGui::GetIO();
  const auto send = [&](bool isDown) {
    for (const ImGuiKey modifier : {ImGuiMod_Ctrl, ImGuiMod_Shift, ImGuiMod_Alt})
      if (chord & modifier) io.AddKeyEvent(modifier, isDown);
    io.AddKeyEvent(static_cast<ImGuiKey>(chord & ~ImGuiMod_Mask_), isDown);
    frames(2);
  };
  send(true);
  send(false);
}

void GuiDriver::type(std::string_view text) {
  ImGui::GetIO().AddInputCharactersUTF8(std::string(text).c_str());
  frames(2);
}

void GuiDriver::menu(std::string_view menu, std::string_view item) {
  click("MainMenuBar/" + std::string(menu));
  frames(2);
  click("//" + std::string(item));
}

}  // namespace attn
