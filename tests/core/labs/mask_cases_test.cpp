#include "core/labs/mask_cases.h"

#include <gtest/gtest.h>

#include "core/evaluate.h"

namespace attn {
namespace {

constexpr MaskModule kModules[] = {MaskModule::encoderSelf, MaskModule::decoderSelf, MaskModule::cross};

/// By hand: n words and p padding tokens. At the right and causally, no word looks ahead at padding; else
/// each word sees all of it.
TEST(MaskCases, ThePaddingMaskIsNeededWhereTheSheetSaysSo) {
  MaskLab lab;
  for (const bool padsLeft : {false, true})
    for (Index sentence = 0; sentence < 3; ++sentence) {
      lab.padsLeft = padsLeft;
      const auto at = static_cast<std::size_t>(sentence);
      const Index sourcePads = 5 - lab.source[at], targetPads = 5 - lab.target[at];
      EXPECT_EQ(caseOf(lab, MaskModule::encoderSelf, sentence).leaks(), lab.source[at] * sourcePads);
      EXPECT_EQ(caseOf(lab, MaskModule::cross, sentence).leaks(), lab.target[at] * sourcePads);
      EXPECT_EQ(caseOf(lab, MaskModule::decoderSelf, sentence).leaks(),
                padsLeft ? lab.target[at] * targetPads : 0);
    }
}

/// The engine's own visibility, pair by pair, of every attention, sentence and side.
TEST(MaskCases, TheSceneHidesWhatTheLabHides) {
  MaskLab lab;
  lab.source = {4, 1, 7}, lab.target = {2, 8, 5};
  for (const MaskModule module : kModules)
    for (lab.sentence = 0; lab.sentence < 3; ++lab.sentence)
      for (const bool padsLeft : {false, true})
        for (const bool usesPadding : {false, true}) {
          lab.module = module, lab.padsLeft = padsLeft, lab.usesPadding = usesPadding;
          const Scene scene = sceneOf(lab);
          check(scene);
          const Results results = evaluate(scene);
          const MaskCase chosen = caseOf(lab, module, lab.sentence);
          Index blind = 0, leaks = 0;
          for (Index i = 0; i < chosen.queries; ++i) {
            bool isBlind = true;
            for (Index j = 0; j < chosen.keys; ++j) {
              const bool isSeen = results.probs.at(0, i, j) > 0;
              EXPECT_EQ(isSeen, chosen.sees(i, j)) << i << ", " << j;
              isBlind &= !isSeen;
              leaks += isSeen && scene.queryLabels[static_cast<std::size_t>(i)] != "<pad>" &&
                       scene.keyLabels[static_cast<std::size_t>(j)] == "<pad>";
            }
            blind += isBlind;
          }
          EXPECT_EQ(blind, chosen.blindQueries());
          EXPECT_EQ(leaks, usesPadding ? 0 : chosen.leaks());
          EXPECT_EQ(leaks > 0, chosen.leaksNow());
        }
}

TEST(MaskCases, WordsStandAtTheSideThatIsNotPadded) {
  MaskLab lab;
  EXPECT_EQ(sourceWords(lab, 2), (std::vector<std::string>{"dogs", "bark", "<pad>", "<pad>", "<pad>"}));
  lab.padsLeft = true;
  EXPECT_EQ(targetWords(lab, 0), (std::vector<std::string>{"<pad>", "<pad>", "die", "Katze", "sitzt"}));
}

TEST(MaskCases, StacksHaveTheirModules) {
  EXPECT_TRUE(hasModule(MaskLab::Stack::encoder, MaskModule::encoderSelf));
  EXPECT_FALSE(hasModule(MaskLab::Stack::decoder, MaskModule::cross));
  EXPECT_EQ(modulesOf(MaskLab::Stack::encoderDecoder).size(), 3u);
}

}  // namespace
}  // namespace attn
