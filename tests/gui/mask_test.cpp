#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

#include "core/edits/mask_rules.h"
#include "core/edits/new_rule.h"
#include "tests/gui/gui_driver.h"

namespace attn {
namespace {

/// The painter of an n × n scene.
class MaskTest : public testing::Test {
 protected:
  GuiDriver gui{defaultScene(), GuiDriver::Screen::none, 1920, 1080};
  Index count = 8;

  ImVec2 centre(Index query, Index key) const {
    const ItemRect painter = gui.rect("Mask/painter");
    const auto share = [&](Index i) { return (static_cast<float>(i) + 0.5f) / static_cast<float>(count); };
    return {painter.min.x + painter.size().x * share(key), painter.min.y + painter.size().y * share(query)};
  }
  void click(Index query, Index key) { gui.clickAt(centre(query, key)); }
  void drag(Pair from, Pair to) {
    const ImVec2 a = centre(from.query, from.key), b = centre(to.query, to.key);
    gui.dragFrom(a, {b.x - a.x, b.y - a.y});
    gui.frames(30);  // or a second press at the same place would be a double click
  }
  void hold(ImGuiKey modifier, bool isDown) {
    ImGui::GetIO().AddKeyEvent(modifier, isDown);
    gui.frames(2);
  }
  bool sees(Index query, Index key, Index head = 0) const {
    return hiddenBy(gui.scene(), head, query, key).isVisible();
  }
  Index hiddenPairs(Index head = 0) const {
    Index hidden = 0;
    for (Index i = 0; i < count; ++i)
      for (Index j = 0; j < count; ++j) hidden += !sees(i, j, head);
    return hidden;
  }
  /// Whether the line beneath the painter says this somewhere.
  bool says(std::string_view words) {
    for (const auto& item : gui.app().items().items())
      if (item.first.starts_with("Mask/status: ") && item.first.find(words) != std::string::npos) return true;
    return false;
  }
};

TEST_F(MaskTest, AClickHidesAPairAndASecondShowsIt) {
  click(2, 5);
  EXPECT_FALSE(sees(2, 5));
  EXPECT_EQ(hiddenPairs(), 1);
  EXPECT_EQ(gui.results().probs.at(0, 2, 5), 0);
  gui.frames(30);
  click(2, 5);
  EXPECT_EQ(hiddenPairs(), 0);
}

TEST_F(MaskTest, AStrokePaintsWhatItsFirstCellWasNot) {
  click(0, 3);
  gui.frames(30);
  drag({0, 1}, {0, 6});  // begins on a visible pair: hides, also what is hidden already
  EXPECT_EQ(hiddenPairs(), 6);
  EXPECT_EQ(gui.app().editor().steps(), 2u);
  drag({0, 2}, {0, 4});
  EXPECT_EQ(hiddenPairs(), 3);
  EXPECT_TRUE(sees(0, 3));
  gui.press(ImGuiMod_Ctrl | ImGuiKey_Z);
  EXPECT_EQ(hiddenPairs(), 6);
}

TEST_F(MaskTest, AFastStrokeLeavesNoGap) {
  gui.moveTo(centre(0, 0));
  ImGui::GetIO().AddMouseButtonEvent(0, true);
  gui.frame();
  gui.moveTo(centre(7, 7));
  ImGui::GetIO().AddMouseButtonEvent(0, false);
  gui.frames(2);
  for (Index i = 0; i < count; ++i) EXPECT_FALSE(sees(i, i)) << i;
  EXPECT_EQ(hiddenPairs(), 8);
}

TEST_F(MaskTest, CtrlDragsARectangle) {
  hold(ImGuiMod_Ctrl, true);
  drag({5, 6}, {2, 3});
  hold(ImGuiMod_Ctrl, false);
  EXPECT_EQ(hiddenPairs(), 16);
  EXPECT_FALSE(sees(2, 3));
  EXPECT_FALSE(sees(5, 6));
  EXPECT_EQ(gui.app().editor().steps(), 1u);
}

TEST_F(MaskTest, ShiftTakesTheRowAndWithCtrlTheColumn) {
  hold(ImGuiMod_Shift, true);
  click(3, 3);
  EXPECT_EQ(hiddenPairs(), 8);
  hold(ImGuiMod_Ctrl, true);
  gui.frames(30);
  click(0, 5);
  hold(ImGuiMod_Ctrl, false);
  hold(ImGuiMod_Shift, false);
  EXPECT_EQ(hiddenPairs(), 15);
  EXPECT_FALSE(sees(7, 5));
}

TEST_F(MaskTest, KeysAreNamedAboveTheirColumns) {
  for (Index key = 0; key < count; ++key) {
    const std::string name = "Mask/key name[" + std::to_string(key) + "]";
    ASSERT_TRUE(gui.has(name)) << name;
    EXPECT_NEAR(gui.rect(name).centre().x, centre(0, key).x, 2) << name;
    EXPECT_LE(gui.rect(name).max.y, gui.rect("Mask/painter").min.y) << name;
  }
  gui.resize(1280, 720);  // where long names would take half of the painter
  gui.frames(3);
  EXPECT_FALSE(gui.has("Mask/key name[0]"));
}

TEST_F(MaskTest, ARowWithoutKeysSaysSo) {
  EXPECT_FALSE(gui.has("Mask/no key[3]"));
  hold(ImGuiMod_Shift, true);
  click(3, 3);
  hold(ImGuiMod_Shift, false);
  gui.frames(2);
  EXPECT_TRUE(gui.has("Mask/no key[3]"));
  gui.frames(3);
  EXPECT_TRUE(says("this row sees no key"));
  gui.moveTo({5, 500});
  gui.frames(2);
  EXPECT_TRUE(says("down sees no key"));
}

TEST_F(MaskTest, ShowingAPairThatAnotherRuleHidesSaysWhich) {
  gui.menu("Mask", "Causal");
  click(2, 5);
  gui.frames(2);
  EXPECT_TRUE(says("stays hidden by causal, top-left"));
  EXPECT_EQ(gui.scene().masks.size(), 1u);  // no paint that does nothing
  gui.moveTo(centre(1, 1));
  gui.frames(3);
  EXPECT_FALSE(says("stays hidden"));
  EXPECT_TRUE(says("cat → cat: visible"));
}

TEST_F(MaskTest, PaintCanBeOfOneHead) {
  gui.click("Mask/this head only");
  click(2, 5);
  EXPECT_FALSE(sees(2, 5, 0));
  EXPECT_TRUE(sees(2, 5, 1));
}

/// Where the rules lie above the painter, the first stroke brings a chip; it must not move what is painted.
TEST_F(MaskTest, ThePainterStaysUnderThePointer) {
  gui.resize(1280, 720);
  gui.frames(8);
  const ItemRect before = gui.rect("Mask/painter");
  const auto isWhereItWas = [&] {
    const ItemRect now = gui.rect("Mask/painter");
    return now.min.x == before.min.x && now.min.y == before.min.y && now.max.y == before.max.y;
  };
  click(2, 5);
  gui.frames(5);
  EXPECT_TRUE(isWhereItWas());
  drag({4, 1}, {4, 6});
  EXPECT_TRUE(isWhereItWas());
  EXPECT_EQ(hiddenPairs(), 7);
  gui.moveTo({5, 5});
  gui.frames(4);
  EXPECT_FALSE(isWhereItWas());  // now the chip has its room
  EXPECT_LE(gui.rect("Mask/rule[0]").max.y, gui.rect("Mask/painter").min.y);
}

TEST_F(MaskTest, TheKeyboardPaints) {
  click(0, 0);  // focuses the painter; what follows is typed
  gui.moveTo({5, 500});
  gui.press(ImGuiKey_Space);
  EXPECT_EQ(hiddenPairs(), 0);
  gui.press(ImGuiKey_RightArrow);
  gui.press(ImGuiKey_DownArrow);
  gui.press(ImGuiKey_DownArrow);
  gui.press(ImGuiKey_Space);
  EXPECT_FALSE(sees(2, 1));
  EXPECT_EQ(hiddenPairs(), 1);
  gui.press(ImGuiMod_Shift | ImGuiKey_Space);
  EXPECT_EQ(hiddenPairs(), 0);  // the row is shown, as its cell was hidden
  gui.press(ImGuiMod_Ctrl | ImGuiKey_Space);
  gui.press(ImGuiKey_DownArrow);
  gui.press(ImGuiKey_RightArrow);
  gui.press(ImGuiKey_RightArrow);
  gui.press(ImGuiKey_Space);
  EXPECT_EQ(hiddenPairs(), 6);
  EXPECT_FALSE(sees(3, 3));
}

TEST_F(MaskTest, ChipsAddEditAndRemoveRules) {
  gui.click("Mask/+ rule");
  gui.frames(2);
  gui.click("//window: keys near the query");
  ASSERT_EQ(gui.scene().masks.size(), 1u);
  EXPECT_EQ(std::get<WindowRule>(gui.scene().masks[0]).width, 2);
  gui.frames(2);
  gui.click("Mask/rule[0]");
  gui.frames(3);
  gui.drag("//width", {60, 0});
  EXPECT_GT(std::get<WindowRule>(gui.scene().masks[0]).width, 2);
  gui.press(ImGuiKey_Escape);
  gui.frames(2);
  gui.click("Mask/remove rule[0]");
  EXPECT_TRUE(gui.scene().masks.empty());
}

TEST_F(MaskTest, TheEditorOfEachRuleChangesIt) {
  const auto edit = [&](const MaskRule& rule, std::string_view item, ImVec2 by) -> const MaskRule& {
    gui.app().editor().change([&](Scene& scene) { scene.masks = {rule}; });
    gui.frames(30);
    gui.click("Mask/rule[0]");
    gui.frames(3);
    by.x == 0 ? gui.click(item) : gui.drag(item, by);
    gui.press(ImGuiKey_Escape);
    gui.frames(2);
    return gui.scene().masks[0];
  };
  EXPECT_EQ(std::get<CausalRule>(edit(CausalRule{}, "//bottom-right: the last query sees the last key", {}))
                .alignment,
            Alignment::bottomRight);
  EXPECT_LT(std::get<PaddingLengthRule>(edit(PaddingLengthRule{6}, "//keys that count", {-40, 0})).length, 6);
  const auto flags = std::get<PaddingFlagsRule>(edit(PaddingLengthRule{6}, "//Tick keys instead", {}));
  EXPECT_EQ(std::count(flags.isPadding.begin(), flags.isPadding.end(), true), 2);
  EXPECT_TRUE(std::get<PaddingFlagsRule>(edit(PaddingFlagsRule{std::vector<bool>(8)}, "//padding[2]", {}))
                  .isPadding[2]);
  EXPECT_GT(std::get<PrefixRule>(edit(PrefixRule{2}, "//length", {40, 0})).length, 2);
  const std::vector<int> one(8, 0);
  const auto documents = std::get<DocumentsRule>(edit(DocumentsRule{one, one}, "//query[2]", {60, 0}));
  EXPECT_GT(documents.ofQuery[2], 0);
  EXPECT_EQ(documents.ofKey, documents.ofQuery);
  const auto inverted = std::get<PaintedRule>(edit(PaintedRule{{Bytes::Ones(8, 8)}}, "//Invert", {}));
  EXPECT_EQ(inverted.mayAttend[0].cast<int>().sum(), 0);
}

TEST_F(MaskTest, PresetsReplaceTheRules) {
  for (const MaskPreset preset : kMaskPresets) {
    gui.frames(2);
    gui.click("Mask/preset");
    gui.frames(2);
    gui.click("//" + presetText(preset));
    const auto expected = presetRules(gui.scene(), preset);
    ASSERT_EQ(gui.scene().masks.size(), expected.size());
    EXPECT_EQ(gui.scene().masks[0].index(), expected[0].index()) << presetText(preset);
  }
}

TEST_F(MaskTest, RulesCombine) {
  gui.app().editor().change([](Scene& scene) { scene.masks = {CausalRule{}, WindowRule{2}}; });
  gui.frames(4);  // the painter moves down as the rules take a second line
  EXPECT_TRUE(gui.has("Mask/rule[1]"));
  EXPECT_EQ(hiddenPairs(), 64 - 15);
  gui.moveTo(centre(0, 7));
  gui.frames(3);
  EXPECT_TRUE(says("hidden by causal, top-left and window 2"));
}

/// In the smallest window, many rules scroll in whole rows and leave the painter its half.
TEST(MaskOfManyRules, ScrollsInWholeRows) {
  GuiDriver gui;
  gui.app().editor().change([](Scene& scene) {
    for (Index width = 2; width < 9; ++width) scene.masks.push_back(WindowRule{width});
  });
  gui.frames(4);
  const ImGuiWindow* rules = nullptr;
  for (const ImGuiWindow* window : ImGui::GetCurrentContext()->Windows)
    if (std::string_view(window->Name).find("/rules_") != std::string_view::npos) rules = window;
  ASSERT_TRUE(rules);
  const ImRect inside = rules->InnerRect;
  int whole = 0;
  for (int i = 0; i < 7; ++i) {
    const std::string name = "Mask/rule[" + std::to_string(i) + "]";
    if (!gui.has(name)) continue;
    const ItemRect chip = gui.rect(name);
    EXPECT_TRUE(chip.max.y <= inside.Max.y + 1 || chip.min.y >= inside.Max.y - 1) << name;
    whole += chip.max.y <= inside.Max.y + 1;
  }
  EXPECT_GE(whole, 3);
  EXPECT_GE(gui.rect("Mask/painter").size().y, 0.35f * gui.rect("Mask/title").size().x);
  EXPECT_TRUE(gui.has("Mask/+ rule"));
}

TEST(MaskOfManyRules, LeavesRoomForThePainter) {
  GuiDriver gui;
  gui.app().editor().change([](Scene& scene) { scene.masks.assign(12, WindowRule{3}); });
  gui.frames(4);
  const ItemRect painter = gui.rect("Mask/painter");
  EXPECT_GT(painter.size().y, 60);
  EXPECT_LT(painter.max.y, 720);
}

TEST_F(MaskTest, TheWheelZoomsAboutThePointer) {
  gui.moveTo(centre(7, 7));
  gui.wheel(3);
  EXPECT_GT(gui.state().mask.zoom, 1.2f);
  gui.clickAt(centre(7, 7));  // the same place is still the same cell
  EXPECT_FALSE(sees(7, 7));
}

TEST_F(MaskTest, CommandsAddRulesAndApplyPresets) {
  const auto kindAfter = [&](std::string_view command) {
    EXPECT_TRUE(runCommand(gui.app(), command)) << command;
    gui.frames(2);
    return kindOf(gui.scene().masks.back());
  };
  EXPECT_EQ(kindAfter("mask.addPaddingLength"), RuleKind::paddingLength);
  EXPECT_EQ(kindAfter("mask.addPaddingFlags"), RuleKind::paddingFlags);
  EXPECT_EQ(kindAfter("mask.addWindow"), RuleKind::window);
  EXPECT_EQ(kindAfter("mask.addPrefix"), RuleKind::prefix);
  EXPECT_EQ(kindAfter("mask.addDocuments"), RuleKind::documents);
  EXPECT_EQ(gui.scene().masks.size(), 5u);
  EXPECT_EQ(kindAfter("mask.presetGpt"), RuleKind::causal);
  EXPECT_EQ(gui.scene().masks.size(), 1u);
  EXPECT_EQ(kindAfter("mask.presetBert"), RuleKind::paddingFlags);
  EXPECT_EQ(kindAfter("mask.presetT5Decoder"), RuleKind::causal);
  EXPECT_EQ(kindAfter("mask.presetT5Encoder"), RuleKind::paddingFlags);
  EXPECT_EQ(kindAfter("mask.presetT5Decoder"), RuleKind::causal);
  EXPECT_EQ(kindAfter("mask.presetT5Cross"), RuleKind::paddingFlags);
  EXPECT_TRUE(runCommand(gui.app(), "mask.clear"));
  EXPECT_TRUE(gui.scene().masks.empty());
  EXPECT_FALSE(runCommand(gui.app(), "mask.clear"));  // nothing left to clear
}

/// Every pair that is hidden is hatched in the painter as well.
TEST(MaskPixels, HiddenPairsAreHatchedInThePainter) {
  GuiDriver gui(defaultScene(), GuiDriver::Screen::offscreen, 1920, 1080);
  gui.press(ImGuiMod_Ctrl | ImGuiKey_M);
  gui.frames(3);
  const Image image = gui.picture();
  const ItemRect painter = gui.rect("Mask/painter");
  const auto coloursIn = [&](Index query, Index key) {
    const float width = painter.size().x / 8, height = painter.size().y / 8;
    const ImVec2 corner(painter.min.x + width * static_cast<float>(key),
                        painter.min.y + height * static_cast<float>(query));
    std::set<std::tuple<int, int, int>> colours;
    for (float across = 0.2f; across < 0.8f; across += 0.02f) {
      const std::uint8_t* pixel =
          image.at(static_cast<int>(corner.x + width * across), static_cast<int>(corner.y + height / 2));
      colours.insert({pixel[0], pixel[1], pixel[2]});
    }
    return colours.size();
  };
  EXPECT_EQ(coloursIn(0, 7), 2u);  // paper and ink
  EXPECT_EQ(coloursIn(7, 0), 1u);
}

TEST(MaskPixels, DraggingANumberUploadsNoMask) {
  GuiDriver gui(defaultScene(), GuiDriver::Screen::offscreen, 1280, 720);
  gui.state().layout.maximised = "Mask";
  gui.frames(3);
  const auto uploads = gui.app().heatmaps().uploads();
  gui.app().editor().change([](Scene& scene) { scene.source.given[0].q.values(0, 0) = 9; });
  gui.frames(3);
  EXPECT_EQ(gui.app().heatmaps().uploads(), uploads);
  gui.app().editor().change([](Scene& scene) { scene.masks = {CausalRule{}}; });
  gui.frames(3);
  EXPECT_EQ(gui.app().heatmaps().uploads(), uploads + 1);
}

/// 512 tokens with an evaluation that takes longer than a frame: the painter does not wait for it.
TEST(MaskOfManyTokens, IsPaintedWithoutWaiting) {
  auto scene = std::make_shared<Scene>();
  scene->source.given.resize(2);
  for (auto& head : scene->source.given)
    head.q.values = head.k.values = head.v.values = Matrix::Random(512, 16);
  GuiDriver gui(scene, GuiDriver::Screen::none, 1920, 1080);
  gui.app().settle();  // the first picture; the stroke does not wait for its own
  gui.frames(3);
  const ItemRect painter = gui.rect("Mask/painter");
  const float middle = std::floor(painter.centre().y);  // the pointer stands on whole pixels
  const auto query = static_cast<Index>((middle - painter.min.y) / painter.size().y * 512);
  gui.dragFrom({painter.min.x + 1, middle}, {painter.size().x - 2, 0});
  Index hidden = 0;
  for (Index j = 0; j < 512; ++j) hidden += !hiddenBy(gui.scene(), 0, query, j).isVisible();
  EXPECT_GT(hidden, 500);  // though the chip of the new rule comes up during the stroke
  EXPECT_EQ(gui.app().editor().steps(), 1u);
}

}  // namespace
}  // namespace attn
