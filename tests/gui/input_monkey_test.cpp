#include <gtest/gtest.h>

#include <random>

#include "core/error.h"
#include "tests/gui/gui_driver.h"

namespace attn {
namespace {

/// Random hands on the inputs and heads: whatever they do, the scene fits together and no cursor is outside.
class Monkey {
 public:
  Monkey(GuiDriver& gui, unsigned seed) : gui_(gui), random_(seed) {}

  void act() {
    switch (upTo(7)) {
      case 0:
        return gui_.clickAt(somewhere(), upTo(4) == 0 ? 1 : 0);
      case 1:
        return gui_.dragFrom(somewhere(), {float(upTo(200)) - 100, float(upTo(200)) - 100});
      case 2:
        return gui_.type(words());
      case 3:
        return ImGui::SetClipboardText(words());
      case 4: {
        const auto& commands = gui_.app().commands();
        const std::string id = commands[static_cast<std::size_t>(upTo(static_cast<int>(commands.size())))].id;
        if (id.starts_with("inputs.") || id.starts_with("heads.") || id.starts_with("edit."))
          runCommand(gui_.app(), id);
        return gui_.frame();
      }
      default:
        return gui_.press(key() | modifiers());
    }
  }

 private:
  int upTo(int count) { return std::uniform_int_distribution<int>(0, count - 1)(random_); }
  ImVec2 somewhere() {
    const ItemRect panel = gui_.rect(upTo(4) == 0 ? "Heads/title" : "Inputs/title");
    return {panel.min.x + float(upTo(static_cast<int>(panel.size().x))), panel.min.y + float(upTo(380))};
  }
  const char* words() {
    constexpr const char* kWords[] = {"1.5", "nan",        "1e999",   "-inf",   "abc",   "\xff\xc3(",
                                      "",    "1\t2\n3\t4", "[[1,2]]", "0.25 1", "Größe", "1e-40"};
    return kWords[upTo(12)];
  }
  ImGuiKeyChord key() {
    constexpr ImGuiKey kKeys[] = {
        ImGuiKey_UpArrow, ImGuiKey_DownArrow, ImGuiKey_LeftArrow, ImGuiKey_RightArrow, ImGuiKey_Enter,
        ImGuiKey_Tab,     ImGuiKey_Escape,    ImGuiKey_F2,        ImGuiKey_Delete,     ImGuiKey_Backspace,
        ImGuiKey_Insert,  ImGuiKey_Home,      ImGuiKey_End,       ImGuiKey_PageDown,   ImGuiKey_V,
        ImGuiKey_Z,       ImGuiKey_A,         ImGuiKey_L,         ImGuiKey_Menu,       ImGuiKey_Space};
    return kKeys[upTo(20)];
  }
  ImGuiKeyChord modifiers() {
    constexpr ImGuiKeyChord kModifiers[] = {0,
                                            0,
                                            0,
                                            ImGuiMod_Shift,
                                            ImGuiMod_Ctrl,
                                            ImGuiMod_Alt,
                                            ImGuiMod_Alt | ImGuiMod_Shift,
                                            ImGuiMod_Ctrl | ImGuiMod_Shift};
    return kModifiers[upTo(8)];
  }

  GuiDriver& gui_;
  std::mt19937 random_;
};

TEST(InputMonkey, LeavesAWholeScene) {
  for (unsigned seed = 1; seed <= 3; ++seed) {
    GuiDriver gui;
    Monkey monkey(gui, seed);
    for (int i = 0; i < 250; ++i) {
      monkey.act();
      ASSERT_NO_THROW(check(gui.scene())) << "seed " << seed << " step " << i;
    }
    gui.press(ImGuiKey_Escape);
    gui.frames(2);
    while (gui.app().editor().canUndo()) gui.app().editor().undo();
    gui.frames(2);
    EXPECT_EQ(gui.scene().source.given.size(), defaultScene()->source.given.size());
  }
}

}  // namespace
}  // namespace attn
