#include "app/editor.h"

#include <gtest/gtest.h>

#include "app/files.h"

namespace attn {
namespace {

void setTemperature(Editor& editor, double value) {
  editor.change([=](Scene& scene) { scene.scale.temperature = value; });
}

TEST(Editor, ChangesWithinAGestureAreOneStep) {
  Editor editor(defaultScene());
  setTemperature(editor, 2);
  setTemperature(editor, 3);
  editor.endGesture();
  setTemperature(editor, 4);
  editor.endGesture();
  EXPECT_EQ(editor.steps(), 2u);
  editor.undo();
  EXPECT_EQ(editor.scene().scale.temperature, 3);
  editor.undo();
  EXPECT_EQ(editor.scene().scale.temperature, 1);
  editor.redo();
  EXPECT_EQ(editor.scene().scale.temperature, 3);
}

TEST(Editor, AChangeThatDoesNotFitLeavesTheSceneAsItWas) {
  Editor editor(defaultScene());
  const SharedScene before = editor.shared();
  EXPECT_FALSE(editor.change([](Scene& scene) { scene.source.given[1].q.values.resize(3, 4); }));
  EXPECT_EQ(editor.shared(), before);
  EXPECT_NE(editor.refusal().find("heads[1].q"), std::string::npos) << editor.refusal();
  EXPECT_FALSE(editor.canUndo());
  setTemperature(editor, 2);
  EXPECT_TRUE(editor.refusal().empty());
}

TEST(Editor, ANewChangeForgetsWhatWasUndone) {
  Editor editor(defaultScene());
  setTemperature(editor, 2);
  editor.undo();
  setTemperature(editor, 5);
  EXPECT_FALSE(editor.canRedo());
}

TEST(Editor, ReturnsToASceneAsIfNothingHadBeenDoneSince) {
  Editor editor(defaultScene());
  const auto heat = [&](float temperature) {
    editor.change([&](Scene& scene) { scene.scale.temperature = temperature; });
    editor.endGesture();
    return editor.kept();
  };
  const SharedScene first = heat(2), second = heat(3);
  heat(4), heat(5);
  editor.undo();
  editor.returnTo(second);
  EXPECT_EQ(editor.kept(), second);
  EXPECT_FALSE(editor.canRedo());
  editor.undo();
  EXPECT_EQ(editor.kept(), first);
  const auto stranger = std::make_shared<const Scene>(*first);
  editor.returnTo(stranger);
  EXPECT_EQ(editor.kept(), stranger);
  EXPECT_FALSE(editor.canUndo());
}

TEST(Editor, LooksAtAnotherSceneWithoutAStep) {
  Editor editor(defaultScene());
  const SharedScene present = editor.shared();
  auto other = std::make_shared<Scene>(editor.scene());
  other->scale.temperature = 5;
  editor.look(other);
  EXPECT_EQ(editor.scene().scale.temperature, 5);
  EXPECT_EQ(editor.kept(), present);
  EXPECT_FALSE(editor.canUndo());
  editor.look(nullptr);
  EXPECT_EQ(editor.shared(), present);
}

TEST(Editor, AChangeBeginsFromWhatIsLookedAt) {
  Editor editor(defaultScene());
  auto other = std::make_shared<Scene>(editor.scene());
  other->scale.temperature = 5;
  editor.look(other);
  EXPECT_FALSE(editor.change([](Scene& scene) { scene.cap = -1; }));
  EXPECT_TRUE(editor.isLooking());
  EXPECT_TRUE(editor.change([](Scene& scene) { scene.cap = 3; }));
  EXPECT_FALSE(editor.isLooking());
  EXPECT_EQ(editor.scene().scale.temperature, 5);
  EXPECT_EQ(editor.steps(), 1u);
  editor.undo();
  EXPECT_EQ(editor.scene().scale.temperature, 1);
  editor.look(other);
  editor.keepLooked();
  EXPECT_EQ(editor.kept()->scale.temperature, 5);
  editor.undo();
  EXPECT_EQ(editor.scene().scale.temperature, 1);
}

}  // namespace
}  // namespace attn
