#pragma once
#include <imgui.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "app/application.h"
#include "app/files.h"
#include "app/image.h"
#include "app/platform/window_offscreen.h"

namespace attn {

/// The whole application without a window, driven like a person would: every event gets a frame of its own.
/// Items go by "Panel/Label", as in "Scale/Temperature"; those of menus and popups also by "//Label".
class GuiDriver {
 public:
  enum class Screen { none, offscreen };  // offscreen draws real pixels, on EGL

  explicit GuiDriver(SharedScene scene = defaultScene(), Screen screen = Screen::none, int width = 1280,
                     int height = 720, Desktop desktop = {});
  ~GuiDriver();

  Application& app() { return *app_; }
  const Scene& scene() const { return app_->editor().scene(); }
  ViewState& state() { return app_->state(); }
  /// The results of the scene as it is; waits for them.
  const Results& results();

  void frame();
  void frames(int count);

  bool has(std::string_view path) const { return app_->items().find(path).has_value(); }
  /// Throws with the paths that there are if there is no such item.
  ItemRect rect(std::string_view path) const;

  void moveTo(ImVec2 place);
  void hover(std::string_view path);
  void clickAt(ImVec2 place, int button = 0);
  void click(std::string_view path, int button = 0);
  void doubleClick(std::string_view path);
  void dragFrom(ImVec2 from, ImVec2 by);
  void drag(std::string_view path, ImVec2 by);
  void wheel(float steps);
  /// A key with its modifiers: ImGuiMod_Ctrl | ImGuiKey_Z.
  void press(ImGuiKeyChord chord);
  void type(std::string_view text);
  /// Opens the menu and clicks its item.
  void menu(std::string_view menu, std::string_view item);

  /// Another size of the window; without a screen only.
  void resize(int width, int height);

  /// The panels of the last frame in which a vertex has no place: an infinity or a NaN got into them.
  std::string withoutPlace() const;

  /// What the last frame drew; only with Screen::offscreen.
  Image picture() const { return window_->picture(); }

 private:
  void setButton(int button, bool isDown);

  std::unique_ptr<Application> app_;
  std::unique_ptr<OffscreenWindow> window_;
  ImVec2 size_;
};

}  // namespace attn
