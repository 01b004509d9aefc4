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

}  // namespace
}  // namespace attn
