#include "app/help/tooltips.h"

#include <gtest/gtest.h>
#include <imgui_internal.h>

#include <algorithm>
#include <functional>
#include <set>

#include "app/lessons/lesson_player.h"
#include "app/views/view.h"
#include "core/edits/source.h"
#include "tests/gui/gui_driver.h"

namespace attn {
namespace {

constexpr int kPatience = 40;  // frames: two thirds of a second

bool hasTooltip() {
  const ImGuiWindow* window = ImGui::FindWindowByName("##Tooltip_00");
  return window && window->Active;
}

TEST(Tooltips, ComeAfterAMomentAndSayWhatTheTableSays) {
  GuiDriver gui;
  gui.moveTo(gui.rect("Scale/Temperature").centre());
  gui.frames(3);
  EXPECT_FALSE(hasTooltip());
  EXPECT_TRUE(gui.app().isAnimating());  // time alone brings it
  gui.frames(kPatience);
  EXPECT_TRUE(hasTooltip());
  EXPECT_EQ(gui.app().items().pointedAt(), "Scale/Temperature");
  EXPECT_NE(tooltipFor("Scale/Temperature").find("alike"), std::string_view::npos);
  EXPECT_FALSE(gui.app().isAnimating());
  gui.moveTo({2, 2});
  gui.frames(kPatience);
  EXPECT_FALSE(hasTooltip());
}

TEST(Tooltips, ComeToTheKeyboardToo) {
  GuiDriver gui;
  for (int i = 0; i < 20 && gui.state().panels.focused != "Scale"; ++i) gui.press(ImGuiKey_F6);
  gui.frames(kPatience);
  EXPECT_TRUE(hasTooltip());
  EXPECT_EQ(gui.app().items().focused().rfind("Scale/", 0), 0u) << gui.app().items().focused();
}

TEST(Tooltips, NamesMayHaveNumbersAndBeOfAnyWindow) {
  EXPECT_EQ(tooltipFor("Mask/rule[12]"), tooltipFor("Mask/rule[0]"));
  EXPECT_FALSE(tooltipFor("Mask/rule[12]").empty());
  EXPECT_EQ(tooltipFor("Menu_00/Undo"), tooltipFor("//Undo"));
  EXPECT_EQ(tooltipFor("Weights/tab Scores"), tooltipFor("Scores/title"));
  EXPECT_TRUE(tooltipFor("Nowhere/Nothing").empty());
  for (const View& view : allViews())
    EXPECT_FALSE(tooltipFor(std::string(view.title) + "/title").empty()) << view.title;
}

/// Words that need no explanation, as they stand there.
bool explainsItself(const std::string& path) {
  static const std::set<std::string> kPlain = {"copy", "paste", "all heads", "all"};
  // A menu is opened by its word; under the painter stands what the pair means.
  return path.starts_with("MainMenuBar/") || path == "Mask/painter" ||
         kPlain.contains(path.substr(path.find('/') + 1));
}

std::string withoutNumbers(std::string text) {
  text.erase(std::remove_if(text.begin(), text.end(), [](unsigned char c) { return std::isdigit(c); }),
             text.end());
  return text;
}

/// Points at every item of the frame, one of a kind, and gathers those that then say nothing.
std::set<std::string> silentItems(GuiDriver& gui, std::set<std::string>& seen) {
  std::set<std::string> silent;
  const auto items = gui.app().items().items();
  for (const auto& [path, rect] : items) {
    if (path.starts_with("//") || !seen.insert(withoutNumbers(path)).second) continue;
    if (!tooltipFor(path).empty() || explainsItself(path)) continue;
    gui.moveTo({2, 2});
    gui.moveTo(rect.centre());
    gui.frames(2);
    if (ImGui::GetCurrentContext()->HoveredId == 0) continue;  // a mark or a text, nothing to use
    const std::string name = gui.app().items().pointedAt();
    if (!name.empty() && (!tooltipFor(name).empty() || explainsItself(name))) continue;
    gui.frames(kPatience);
    if (!hasTooltip()) silent.insert(path + " (" + name + ")");
  }
  return silent;
}

SharedScene everythingOn() {
  Scene scene = *defaultScene();
  useProjections(scene);
  setCrossAttention(scene, true);
  addOutputProjection(scene);
  scene.scale.rule = Scale::Rule::number;
  scene.scale.qkNormGain = 5;
  scene.cap = 5;
  scene.alibi = Alibi{};
  scene.normaliser.kind = Normaliser::Kind::sink;
  scene.masks = {CausalRule{}, PaddingLengthRule{7}};
  return std::make_shared<const Scene>(scene);
}

/// Every control of every panel has a tooltip, in the plain scene and where everything is switched on.
TEST(Tooltips, EveryItemOfThePanelsIsExplained) {
  std::set<std::string> seen, silent;
  for (const SharedScene& scene : {defaultScene(), everythingOn()}) {
    GuiDriver gui(scene, GuiDriver::Screen::none, 1600, 900);
    silent.merge(silentItems(gui, seen));
    for (const View& view : allViews()) {
      gui.state().layout.maximised = view.title;
      gui.frames(3);
      silent.merge(silentItems(gui, seen));
    }
  }
  std::string lines;
  for (const std::string& path : silent) lines += "\n  " + path;
  EXPECT_TRUE(silent.empty()) << "no tooltip:" << lines;
}

/// The pages that are not in front, and what opens over the panels.
TEST(Tooltips, EveryItemOfPagesAndPopupsIsExplained) {
  std::set<std::string> seen, silent;
  GuiDriver gui(everythingOn(), GuiDriver::Screen::none, 1600, 900);
  const auto look = [&](const std::function<void()>& open) {
    gui.frames(3);
    open();
    gui.frames(3);
    silent.merge(silentItems(gui, seen));
    gui.press(ImGuiKey_Escape);
    gui.press(ImGuiKey_Escape);
  };
  for (const auto kind : {UpstreamOf<float>::Kind::cell, UpstreamOf<float>::Kind::target}) {
    gui.app().editor().change([=](Scene& scene) {
      scene.upstream.kind = kind;
      scene.upstream.matrix = Matrix::Zero(shapesOf(scene).queries, shapesOf(scene).outWidth);
    });
    look([&] { gui.state().gradients.page = GradientsState::Page::upstream; });
  }
  for (const auto page : {GradientsState::Page::heads, GradientsState::Page::rows})
    look([&] { gui.state().gradients.page = page; });
  look([&] { runCommand(gui.app(), "heads.solo"); });
  look([&] { gui.click("Weights/⚙"); });
  look([&] { gui.click("Mask/rule[0]"); });
  look([&] { gui.click("Mask/rule[1]"); });
  look([&] { gui.click("Inputs/Fill X"); });
  using Place = std::pair<const char*, std::size_t>;
  for (const auto& [lesson, step] : {Place("000-1-dot-product", 1),
                                     {"000-3-scaled-by-hand", 1},
                                     {"003-1a-a-distribution", 1},
                                     {"000-2d-the-mask", 3},
                                     {"bug-1-wrong-axis", 0},
                                     {"001-2.1-without-matrices", 0}})
    look([&] { openLesson(gui.app(), lesson, step); });
  std::string lines;
  for (const std::string& path : silent) lines += "\n  " + path;
  EXPECT_TRUE(silent.empty()) << "no tooltip:" << lines;
}

}  // namespace
}  // namespace attn
