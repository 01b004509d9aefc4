#include "app/views/backward.h"
#include "app/views/explain.h"
#include "app/views/gradients.h"
#include "app/views/heads.h"
#include "app/views/inputs.h"
#include "app/views/lines.h"
#include "app/views/mask.h"
#include "app/views/output.h"
#include "app/views/panel_text.h"
#include "app/views/saturation.h"
#include "app/views/scale.h"
#include "app/views/scores.h"
#include "app/views/view.h"
#include "app/views/weights.h"

namespace attn {
namespace {

constexpr View kViews[] = {
    {"Inputs", drawInputs, nullptr},
    {"Raw scores", drawRawScores, wantRawScores},
    {"Scores", drawScores, wantScores, scoresText},
    {"Weights", drawWeights, wantWeights, weightsText},
    {"Lines", drawLines, wantLines, weightsText},
    {"Output", drawOutput, wantOutput, outputText},
    {"dWeights", drawWeightGradients, wantWeightGradients},
    {"dScores", drawScoreGradients, wantScoreGradients},
    {"dQ", drawQueryGradients, wantInputGradients},
    {"dK", drawKeyGradients, wantInputGradients},
    {"dV", drawValueGradients, wantInputGradients},
    {"dX", drawSequenceGradients, wantInputGradients},
    {"Heads", drawHeads, wantHeads},
    {"Mask", drawMask, nullptr},
    {"Scale", drawScale, nullptr},
    {"Saturation", drawSaturation, wantSaturation},
    {"Gradients", drawGradients, wantGradients},
    {"Explain", drawExplain, wantExplain, explanationText},
};

}  // namespace

std::span<const View> allViews() {
  return kViews;
}

}  // namespace attn
