#include "core/seq2seq/trainer.h"

#include <cmath>

#include "core/error.h"
#include "core/io/number_text.h"

namespace attn {
namespace {

/// Independent streams of random numbers of one seed.
enum class Stream : std::uint64_t { parameters = 1, training, validation, order };
std::uint64_t seedOf(std::uint64_t seed, Stream stream, Index epoch = 0) {
  return seed * 0x9E3779B97F4A7C15u + static_cast<std::uint64_t>(stream) * 0xD1B54A32D192ED03u +
         static_cast<std::uint64_t>(epoch) * 0xBF58476D1CE4E5B9u;
}

void expectWithin(const char* what, Index found, Index least, Index most) {
  if (found < least || found > most)
    throw Error(std::string(what) + ": found " + std::to_string(found) + ", expected " +
                std::to_string(least) + " to " + std::to_string(most));
}
void expectPositive(const char* what, double found) {
  if (!(found > 0) || !std::isfinite(found))
    throw Error(std::string(what) + ": found " + numberText(found) + ", expected a number above 0");
}

const TrainingSetup& checked(const TrainingSetup& setup) {
  check(setup);
  return setup;
}

StringPairs draw(const TrainingSetup& setup, Stream stream, Index count) {
  return drawReversals({setup.shape.letters, setup.shortest, setup.longest, seedOf(setup.seed, stream)}, 0,
                       count);
}

}  // namespace

void check(const TrainingSetup& setup) {
  check(setup.shape);
  expectWithin("shortest string", setup.shortest, 1, 256);
  expectWithin("longest string", setup.longest, setup.shortest, 256);
  expectWithin("strings", setup.strings, 1, 1000000);
  expectWithin("validation strings", setup.validationStrings, 1, 100000);
  expectWithin("epochs", setup.epochs, 1, 10000);
  expectWithin("batch", setup.batch, 1, 4096);
  expectPositive("rate", setup.rate);
  expectPositive("clip", setup.clip);
}

Accuracy accuracyOf(Seq2seqModel<float>& model, const StringPairs& pairs) {
  constexpr Index kBatch = 256;
  Index symbols = 0, rightSymbols = 0, rightStrings = 0;
  for (Index first = 0; first < pairs.count(); first += kBatch) {
    std::vector<Index> numbers;
    for (Index i = first; i < std::min(first + kBatch, pairs.count()); ++i) numbers.push_back(i);
    const StringPairs some = pick(pairs, numbers);
    std::size_t longest = 0;
    for (const auto& target : some.targets) longest = std::max(longest, target.size());
    const std::vector<Decoded> decoded = model.decode(some.sources, static_cast<Index>(longest));
    for (std::size_t b = 0; b < decoded.size(); ++b) {
      std::vector<Index> found = decoded[b].symbols;
      if (decoded[b].ended) found.push_back(model.shape().mark());
      const std::vector<Index>& target = some.targets[b];
      for (std::size_t t = 0; t < std::min(found.size(), target.size()); ++t)
        rightSymbols += found[t] == target[t];
      symbols += static_cast<Index>(target.size());
      rightStrings += found == target;
    }
  }
  return {static_cast<double>(rightSymbols) / static_cast<double>(symbols),
          static_cast<double>(rightStrings) / static_cast<double>(pairs.count())};
}

Trainer::Trainer(const TrainingSetup& setup, int threads)
    : setup_(checked(setup)),
      model_(setup.shape, initialParameters<float>(setup.shape, seedOf(setup.seed, Stream::parameters)),
             threads),
      adam_(setup.shape, setup.rate),
      training_(draw(setup, Stream::training, setup.strings)),
      validation_(draw(setup, Stream::validation, setup.validationStrings)) {}

std::vector<Index> Trainer::nextBatch() {
  const Index epoch = done_ / batchesAnEpoch(), inEpoch = done_ % batchesAnEpoch();
  if (inEpoch == 0) {
    order_ = shuffled(setup_.strings, seedOf(setup_.seed, Stream::order, epoch));
    lossSum_ = normSum_ = 0;
  }
  const Index first = inEpoch * setup_.batch, last = std::min(first + setup_.batch, setup_.strings);
  return {order_.begin() + first, order_.begin() + last};
}

void Trainer::expectConverging(double loss, double norm) const {
  // Clipping and tanh keep a run with a far too high rate finite; its loss still tells.
  const double guessing = std::log(static_cast<double>(setup_.shape.symbols()));
  if (std::isfinite(norm) && loss <= 10 * guessing) return;  // false for a NaN
  throw Error("training diverged in epoch " + std::to_string(done_ / batchesAnEpoch() + 1) + ": loss " +
              numberText(static_cast<float>(loss)) + ", where guessing has " +
              numberText(static_cast<float>(guessing)) + "; expected a lower rate than " +
              numberText(setup_.rate));
}

void Trainer::trainBatch() {
  const StringPairs pairs = pick(training_, nextBatch());
  const double loss = model_.loss(pairs);
  model_.backward();
  const double norm = normOf(model_.gradient());
  expectConverging(loss, norm);
  adam_.step(model_.parameters(), model_.gradient(), norm > setup_.clip ? setup_.clip / norm : 1.0);
  lossSum_ += loss, normSum_ += norm;
  ++done_;
}

EpochReport Trainer::report() {
  const auto batches = static_cast<double>(batchesAnEpoch());
  return {done_ / batchesAnEpoch(), lossSum_ / batches, normSum_ / batches, accuracyOf(model_, validation_)};
}

}  // namespace attn
