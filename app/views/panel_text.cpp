#include "app/views/panel_text.h"

#include "app/views/output.h"
#include "app/views/view.h"

namespace attn {
namespace {

/// As the panel's map lies.
std::string textOf(const ViewContext& context, const char* panel, const Matrix& values) {
  const auto& options = context.state.maps.options;
  const auto found = options.find(panel);
  const bool isTransposed = found != options.end() && found->second.isTransposed;
  return blockText(isTransposed ? Matrix(values.transpose()) : values, BlockFormat::spreadsheet,
                   context.state.notation);
}

std::string textOf(const ViewContext& context, const char* panel, const StackOf<float>& stack) {
  if (stack.empty()) return "";
  using Block = Eigen::Map<const Matrix>;
  return textOf(context, panel, Block(stack.head(context.state.selection.head), stack.rows(), stack.cols()));
}

}  // namespace

std::string blockText(const Matrix& block, BlockFormat format, const Notation& notation) {
  std::string text = writeBlock(block, format);
  if (!notation.decimalComma || format == BlockFormat::numpy) return text;
  if (format == BlockFormat::spreadsheet) return withMark(text, notation);
  for (std::size_t at = text.find('.'); at != std::string::npos; at = text.find('.', at))
    text.replace(at, 1, "{,}");
  return text;
}

std::string scoresText(const ViewContext& context) {
  const Results& results = context.results;
  const ScoreStage stage = context.state.maps.scores;
  return textOf(context, "Scores",
                stage == ScoreStage::raw      ? results.rawScores
                : stage == ScoreStage::scaled ? results.scaledScores
                                              : results.scores);
}

std::string weightsText(const ViewContext& context) {
  return textOf(context, "Weights", context.results.probs);
}

std::string outputText(const ViewContext& context) {
  if (showsProjectedOutput(context)) return textOf(context, "Output", context.results.out);
  return textOf(context, "Output", context.results.headOut);
}

}  // namespace attn
