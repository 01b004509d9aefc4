#pragma once
#include <cstdint>
#include <memory>

#include "app/comparison.h"
#include "core/measures/score_distribution.h"

namespace attn {

struct ViewContext;
struct ViewState;
struct Wanted;

struct SaturationState {
  enum class Page { rows, jacobian, scores };
  Page page = Page::rows;
  bool showsScores = false;  // the histogram was drawn in the last frame: its scores are wanted

  /// The Jacobian of one row, made again for another row or evaluation.
  struct Jacobian {
    std::uint64_t serial = 0;
    Index head = 0, query = 0;
    Showing showing = Showing::present;
    std::shared_ptr<const Matrix> values;  // keys × keys
  };
  Jacobian jacobian;

  struct Scores {
    std::uint64_t serial = 0;
    Index head = 0;
    ScoreHistogram histogram;
    Moments theory;
  };
  Scores scores;
};

void drawSaturation(ViewContext& context);
void wantSaturation(const ViewState& state, Wanted& wanted);

}  // namespace attn
