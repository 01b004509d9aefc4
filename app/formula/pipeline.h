#pragma once
#include <string>

#include "app/formula/formula.h"
#include "app/formula/notation.h"
#include "core/scene.h"

namespace attn {

/// The stages that a formula of attention is made of; clicking one selects it.
enum class PipelineStage { source, qkNorm, score, scale, cap, bias, mask, normalise, mix, output };
constexpr PipelineStage kPipelineStages[] = {
    PipelineStage::source, PipelineStage::qkNorm, PipelineStage::score, PipelineStage::scale,
    PipelineStage::cap,    PipelineStage::bias,   PipelineStage::mask,  PipelineStage::normalise,
    PipelineStage::mix,    PipelineStage::output};

/// Whether the scene makes use of a stage: a mask without rules does nothing.
bool usesStage(const Scene& scene, PipelineStage stage);

/// The formula of the whole pipeline as the scene's switches make it. Its parts are stages as numbers.
Formula formulaOf(const Scene& scene);
/// The formula that one switch makes, with its numbers: s = q·k / √d_k, d_k = 8.
Formula formulaOf(const Scene& scene, PipelineStage stage, const Notation& notation = {});

/// The same as LaTeX, with matrices as they lie: V p, and p_{ji}, where tokens are columns. The first one with \part{…}
/// around each stage, see withoutParts.
std::string pipelineLatex(const Scene& scene, const Notation& notation = {});
std::string stageLatex(const Scene& scene, PipelineStage stage, const Notation& notation = {});

}  // namespace attn
