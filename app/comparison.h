#pragma once
#include <memory>
#include <string>

#include "app/editor.h"
#include "app/evaluation.h"

namespace attn {

/// What maps show while a state is pinned: B, the present; A, the pinned one; or what changed from A to B.
enum class Showing { present, pinned, difference };

struct CompareState {
  SharedScene pinned;  // A; null: nothing is compared
  Showing showing = Showing::present;
  double position = 1;  // between A (0) and B (1)
};

/// Evaluates the pinned scene beside the present one, subtracts the two, and shows what lies between.
class Comparison {
 public:
  Comparison();

  /// Makes the editor show the scene between A and B that the position asks for. The present scene stays what
  /// it is; another present scene, or another A, puts the position back to B.
  void follow(Editor& editor, CompareState& state);
  /// Why nothing lies between A and B; empty where something does.
  const std::string& obstacle() const { return obstacle_; }
  /// What switches between them instead of going over; empty where nothing does.
  const std::string& switching() const { return switching_; }

  /// Asks for A with all that is wanted of B.
  void request(const CompareState& state, const Wanted& wanted);
  void poll() { evaluations_.poll(); }
  void settle() { evaluations_.settle(); }
  bool isBusy() const { return evaluations_.isBusy(); }
  /// Takes over what somebody else has evaluated of the same A.
  void adopt(const Comparison& other);

  /// Null while nothing is pinned, or A is on its way.
  std::shared_ptr<const Evaluation> pinned(const CompareState& state) const;
  /// B − A, made once for each pair of evaluations.
  std::shared_ptr<const Evaluation> difference(const std::shared_ptr<const Evaluation>& a,
                                               const std::shared_ptr<const Evaluation>& b);

 private:
  Evaluations evaluations_;
  SharedScene from_, to_;  // the pair that the words below are about
  std::string obstacle_, switching_;
  SharedScene between_;
  double share_ = 1;  // of what is between
  std::shared_ptr<Evaluation> difference_;
  std::uint64_t ofA_ = 0, ofB_ = 0, made_ = 0;
};

}  // namespace attn
