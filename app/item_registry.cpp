#include "app/item_registry.h"

#include <imgui_internal.h>

namespace attn {
namespace {

std::string_view visibleName(std::string_view label) {
  const std::size_t mark = label.find("##");
  if (mark == std::string_view::npos) return label;
  return mark == 0 ? label.substr(2) : label.substr(0, mark);
}

std::string pathOf(std::string_view window, std::string_view label) {
  return std::string(window) + "/" + std::string(visibleName(label));
}

ItemRegistry* registryOf(ImGuiContext* context) {
  return static_cast<ItemRegistry*>(context->TestEngine);
}

std::string_view windowName(ImGuiContext* context) {
  const ImGuiWindow* window = context->CurrentWindow;
  return window ? visibleName(window->RootWindow->Name) : std::string_view{};
}

void noteIfPointedAt(ImGuiContext* context, ImGuiID id, std::string_view label) {
  if (id == 0) return;
  if (id == context->HoveredId) registryOf(context)->point(pathOf(windowName(context), label));
  if (id == context->NavId) registryOf(context)->focus(pathOf(windowName(context), label));
}

}  // namespace

void ItemRegistry::turnPage() {
  last_.swap(gathered_);
  gathered_.clear();
  pointedAt_.clear();
  focused_.clear();
  rects_.clear();
}

std::optional<ItemRect> ItemRegistry::find(std::string_view path) const {
  const auto found = last_.find(std::string(path));
  if (found == last_.end()) return std::nullopt;
  return found->second;
}

void ItemRegistry::add(ImGuiID id, const ItemRect& rect) {
  if (isComplete_ || !watched_.empty()) rects_[id] = rect;
}

void ItemRegistry::label(ImGuiID id, std::string_view window, std::string_view label) {
  const auto rect = rects_.find(id);
  if (rect == rects_.end()) return;
  if (!isComplete_ && pathOf(window, label) != watched_) return;
  const std::string_view name = visibleName(label);
  gathered_[std::string(window) + "/" + std::string(name)] = rect->second;
  gathered_["//" + std::string(name)] = rect->second;
}

void attachItems(ItemRegistry* registry) {
  ImGuiContext* context = ImGui::GetCurrentContext();
  context->TestEngine = registry;
  context->TestEngineHookItems = registry != nullptr;
}

void nameRect(std::string_view label, ImVec2 min, ImVec2 max) {
  ImGuiContext* context = ImGui::GetCurrentContext();
  if (!context->TestEngineHookItems) return;
  const ImGuiID id = ImGui::GetID(label.data(), label.data() + label.size());
  registryOf(context)->add(id, {min, max});
  registryOf(context)->label(id, windowName(context), label);
  // The item before may be meant, under a name that stays the same whatever is written on it.
  const ImGuiLastItemData& last = context->LastItemData;
  const bool isLast = last.ID != 0 && last.Rect.Min.x == min.x && last.Rect.Min.y == min.y;
  noteIfPointedAt(context, isLast ? last.ID : id, label);
}

}  // namespace attn

void ImGuiTestEngineHook_ItemAdd(ImGuiContext* context, ImGuiID id, const ImRect& box,
                                 const ImGuiLastItemData*) {
  attn::registryOf(context)->add(id, {box.Min, box.Max});
}

void ImGuiTestEngineHook_ItemInfo(ImGuiContext* context, ImGuiID id, const char* label,
                                  ImGuiItemStatusFlags) {
  attn::registryOf(context)->label(id, attn::windowName(context), label);
  attn::noteIfPointedAt(context, id, label);
}

void ImGuiTestEngineHook_Log(ImGuiContext*, const char*, ...) {}

const char* ImGuiTestEngine_FindItemDebugLabel(ImGuiContext*, ImGuiID) {
  return nullptr;
}
