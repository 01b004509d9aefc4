#include "core/edits/new_rule.h"

#include <gtest/gtest.h>

#include "core/edits/mask_rules.h"

namespace attn {
namespace {

Scene sceneOf(Index queries, Index keys) {
  Scene scene;
  scene.source.given.resize(1);
  scene.source.given[0].q.values = Matrix::Ones(queries, 2);
  scene.source.given[0].k.values = Matrix::Ones(keys, 2);
  scene.source.given[0].v.values = Matrix::Ones(keys, 2);
  return scene;
}

TEST(NewRule, FitsEveryShapeAndIsOfItsKind) {
  for (const Index queries : {1, 2, 5})
    for (const Index keys : {1, 2, 7})
      for (const RuleKind kind : kRuleKinds) {
        Scene scene = sceneOf(queries, keys);
        const MaskRule rule = newRule(kind, scene);
        EXPECT_EQ(kindOf(rule), kind);
        EXPECT_NO_THROW(addRule(scene, rule)) << kindText(kind);
        EXPECT_TRUE(rowsWithoutKeys(scene, 0).size() < static_cast<std::size_t>(queries)) << kindText(kind);
      }
}

TEST(NewRule, HidesSomethingButForPaint) {
  for (const RuleKind kind : kRuleKinds) {
    Scene scene = sceneOf(6, 6);
    addRule(scene, newRule(kind, scene));
    int hidden = 0;
    for (Index i = 0; i < 6; ++i)
      for (Index j = 0; j < 6; ++j) hidden += !hiddenBy(scene, 0, i, j).isVisible();
    EXPECT_EQ(hidden > 0, kind != RuleKind::painted) << kindText(kind);
  }
}

}  // namespace
}  // namespace attn
