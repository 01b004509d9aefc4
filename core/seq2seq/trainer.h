#pragma once
#include <string>

#include "core/seq2seq/adam.h"
#include "core/seq2seq/model.h"
#include "core/seq2seq/reversal.h"

namespace attn {

/// An experiment: the same setup and seed give the same bits, whatever the number of threads.
struct TrainingSetup {
  Seq2seqShape shape;
  Index shortest = 5, longest = 15;  // strings
  Index strings = 5000, validationStrings = 1000;
  Index epochs = 30, batch = 64;
  double rate = 3e-3;
  double clip = 5;  // the largest norm of a gradient
  std::uint64_t seed = 1;
};
/// Throws Error that names what was found and what was expected.
void check(const TrainingSetup& setup);

/// Of strings that were not trained on, decoded greedily: the shares of right symbols of the targets, their
/// ends included, and of strings in which all are right.
struct Accuracy {
  double symbols = 0, strings = 0;
};
Accuracy accuracyOf(Seq2seqModel<float>& model, const StringPairs& pairs);

struct EpochReport {
  Index epoch = 0;          // from 1
  double loss = 0;          // mean over the batches, each before its step
  double gradientNorm = 0;  // mean, before clipping
  Accuracy validation;
};

/// Trains on random strings to reverse them, batch by batch.
class Trainer {
 public:
  explicit Trainer(const TrainingSetup& setup, int threads = 1);

  const TrainingSetup& setup() const { return setup_; }
  Seq2seqModel<float>& model() { return model_; }
  const StringPairs& validation() const { return validation_; }
  Index batchesAnEpoch() const { return (setup_.strings + setup_.batch - 1) / setup_.batch; }
  Index batchesDone() const { return done_; }
  bool isComplete() const { return done_ == setup_.epochs * batchesAnEpoch(); }

  /// One step. Throws Error where training diverges: the loss is no number, or far above that of guessing.
  void trainBatch();
  /// Of the epoch whose last batch was the last one trained.
  EpochReport report();

 private:
  std::vector<Index> nextBatch();
  void expectConverging(double loss, double norm) const;

  TrainingSetup setup_;
  Seq2seqModel<float> model_;
  Adam<float> adam_;
  StringPairs training_, validation_;
  std::vector<Index> order_;
  Index done_ = 0;
  double lossSum_ = 0, normSum_ = 0;  // of this epoch
};

}  // namespace attn
