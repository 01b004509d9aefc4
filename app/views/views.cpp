#include "app/views/backward.h"
#include "app/views/cost_lab.h"
#include "app/views/explain.h"
#include "app/views/gradients.h"
#include "app/views/heads.h"
#include "app/views/inputs.h"
#include "app/views/lesson.h"
#include "app/views/lines.h"
#include "app/views/mask.h"
#include "app/views/mask_lab.h"
#include "app/views/norm_lab.h"
#include "app/views/output.h"
#include "app/views/panel_text.h"
#include "app/views/query_lab.h"
#include "app/views/receptive_lab.h"
#include "app/views/saturation.h"
#include "app/views/scale.h"
#include "app/views/scaling_lab.h"
#include "app/views/scores.h"
#include "app/views/view.h"
#include "app/views/weights.h"

namespace attn {
namespace {

constexpr View kViews[] = {
    {"Inputs", drawInputs, nullptr},
    {"Raw scores", drawRawScores, wantRawScores, nullptr, true},
    {"Scores", drawScores, wantScores, scoresText, true},
    {"Weights", drawWeights, wantWeights, weightsText, true},
    {"Lines", drawLines, wantLines, weightsText, true},
    {"Output", drawOutput, wantOutput, outputText, true},
    {"dWeights", drawWeightGradients, wantWeightGradients, nullptr, true},
    {"dScores", drawScoreGradients, wantScoreGradients, nullptr, true},
    {"dQ", drawQueryGradients, wantInputGradients, nullptr, true},
    {"dK", drawKeyGradients, wantInputGradients, nullptr, true},
    {"dV", drawValueGradients, wantInputGradients, nullptr, true},
    {"dX", drawSequenceGradients, wantInputGradients, nullptr, true},
    {"Heads", drawHeads, wantHeads, nullptr, true},
    {"Mask", drawMask, nullptr},
    {"Scale", drawScale, nullptr},
    {"Saturation", drawSaturation, wantSaturation},
    {"Gradients", drawGradients, wantGradients},
    {"Explain", drawExplain, wantExplain, explanationText},
    {"Lesson", drawLesson, nullptr, lessonText},
    {.title = "Scaling lab",
     .draw = drawScalingLab,
     .want = nullptr,
     .follow = followScalingLab,
     .isLab = true},
    {.title = "Query lab", .draw = drawQueryLab, .want = nullptr, .isLab = true},
    {.title = "Cost lab", .draw = drawCostLab, .want = nullptr, .isLab = true},
    {.title = "Normalisation lab", .draw = drawNormLab, .want = nullptr, .isLab = true},
    {.title = "Receptive field lab", .draw = drawReceptiveLab, .want = wantReceptiveLab, .isLab = true},
    {.title = "Mask lab", .draw = drawMaskLab, .want = nullptr, .isLab = true},
};

}  // namespace

std::span<const View> allViews() {
  return kViews;
}

}  // namespace attn
