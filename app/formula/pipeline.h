#pragma once
#include <string>

#include "app/formula/formula.h"
#include "core/scene.h"

namespace attn {

/// The stages that a formula of attention is made of; clicking one selects it.
enum class Stage { source, qkNorm, score, scale, cap, bias, mask, normalise, mix, output };
constexpr Stage kStages[] = {Stage::source, Stage::qkNorm, Stage::score,     Stage::scale, Stage::cap,
                             Stage::bias,   Stage::mask,   Stage::normalise, Stage::mix,   Stage::output};

/// Whether the scene makes use of a stage: a mask without rules does nothing.
bool usesStage(const Scene& scene, Stage stage);

/// The formula of the whole pipeline as the scene's switches make it. Its parts are stages as numbers.
Formula formulaOf(const Scene& scene);
/// The formula that one switch makes, with its numbers: s = q·k / √d_k, d_k = 8.
Formula formulaOf(const Scene& scene, Stage stage);

/// The same as LaTeX; the first one with \part{…} around each stage, see withoutParts.
std::string pipelineLatex(const Scene& scene);
std::string stageLatex(const Scene& scene, Stage stage);

}  // namespace attn
