#include "app/views/panel_text.h"

#include "app/views/output.h"
#include "app/views/view.h"
#include "core/io/block_text.h"

namespace attn {
namespace {

std::string textOf(const ViewContext& context, const StackOf<float>& stack) {
  if (stack.empty()) return "";
  using Block = Eigen::Map<const Matrix>;
  return writeBlock(Block(stack.head(context.state.selection.head), stack.rows(), stack.cols()),
                    BlockFormat::spreadsheet);
}

}  // namespace

std::string scoresText(const ViewContext& context) {
  const Results& results = context.results;
  const ScoreStage stage = context.state.maps.scores;
  return textOf(context, stage == ScoreStage::raw      ? results.rawScores
                         : stage == ScoreStage::scaled ? results.scaledScores
                                                       : results.scores);
}

std::string weightsText(const ViewContext& context) {
  return textOf(context, context.results.probs);
}

std::string outputText(const ViewContext& context) {
  if (showsProjectedOutput(context)) return writeBlock(context.results.out, BlockFormat::spreadsheet);
  return textOf(context, context.results.headOut);
}

}  // namespace attn
