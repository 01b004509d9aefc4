#pragma once
#include <imgui.h>

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace attn {

struct ItemRect {
  ImVec2 min, max;
  ImVec2 centre() const { return {(min.x + max.x) / 2, (min.y + max.y) / 2}; }
  ImVec2 size() const { return {max.x - min.x, max.y - min.y}; }
};

/// What the last frame had to point at. It always knows the name of the item that the mouse or the keyboard
/// is on, which is what tooltips are told by. On request it knows of every item where it lay:
/// "Scale/Temperature" → rectangle. Filled by the hooks that Dear ImGui calls. The first part is the title of
/// the window (a popup's or menu's items have its internal name too, but are found by "//Label" as well); the
/// second the label, without its "##".
class ItemRegistry {
 public:
  /// Whether all items are noted, or only the one that is pointed at.
  void setComplete(bool isComplete) { isComplete_ = isComplete; }
  /// Notes where the item with this path lies, whatever else is noted. Empty: none.
  void watch(const std::string& path) { watched_ = path; }

  /// Begins a frame: what was gathered becomes what can be asked for.
  void turnPage();

  /// The paths of this frame's item under the mouse, and of the one that has the keyboard; empty for none.
  const std::string& pointedAt() const { return pointedAt_; }
  const std::string& focused() const { return focused_; }

  std::optional<ItemRect> find(std::string_view path) const;
  /// All paths of the last frame, for messages and for checks.
  const std::unordered_map<std::string, ItemRect>& items() const { return last_; }

  void add(ImGuiID id, const ItemRect& rect);
  void label(ImGuiID id, std::string_view window, std::string_view label);
  void point(std::string path) { pointedAt_ = std::move(path); }
  void focus(std::string path) { focused_ = std::move(path); }

 private:
  bool isComplete_ = false;
  std::string watched_;
  std::string pointedAt_, focused_;
  std::unordered_map<ImGuiID, ItemRect> rects_;
  std::unordered_map<std::string, ItemRect> gathered_, last_;
};

/// Makes the hooks of the current context write into the registry, or into nothing with null.
void attachItems(ItemRegistry* registry);

/// Gives a name to a rectangle that is no item of ImGui's own: "<current window>/<label>".
void nameRect(std::string_view label, ImVec2 min, ImVec2 max);

}  // namespace attn
