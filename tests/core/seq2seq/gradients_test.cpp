#include <gtest/gtest.h>

#include <cmath>

#include "core/random.h"
#include "core/seq2seq/reversal.h"

namespace attn {
namespace {

constexpr DecoderAttention kKinds[] = {DecoderAttention::none, DecoderAttention::dot,
                                       DecoderAttention::scaledDot, DecoderAttention::general,
                                       DecoderAttention::additive};

Seq2seqShape smallShape(DecoderAttention kind) {
  return {.attention = kind, .letters = 3, .embedding = 3, .hidden = 4};
}

/// Nothing of them is 0.
template <class T>
Seq2seqParameters<T> someParameters(const Seq2seqShape& shape) {
  Seq2seqParameters<T> parameters = initialParameters<T>(shape, 3);
  MatrixOf<T>& letters = parameters.targetEmbedding;
  for (Index i = 0; i < letters.size(); ++i)
    letters.data()[i] = static_cast<T>(Random(4).normal(static_cast<std::uint64_t>(i)));
  return parameters;
}

/// Central differences of two steps, extrapolated: their error is of the fourth order of the step.
double slope(const auto& lossAt, double& value) {
  const double kept = value, step = 1e-3;
  const auto difference = [&](double h) {
    value = kept + h;
    const double above = lossAt();
    value = kept - h;
    const double below = lossAt();
    value = kept;
    return (above - below) / (2 * h);
  };
  return (4 * difference(step / 2) - difference(step)) / 3;
}

class Seq2seqGradients : public testing::TestWithParam<DecoderAttention> {};

TEST_P(Seq2seqGradients, EveryParameterAgainstCentralDifferences) {
  const Seq2seqShape shape = smallShape(GetParam());
  Seq2seqModel<double> model(shape, someParameters<double>(shape));
  const StringPairs pairs = drawReversals({3, 15, 20, 5}, 0, 3);
  const StringPairs longest = drawReversals({3, 20, 20, 6}, 0, 1);  // T = 20 in any case
  StringPairs all = pairs;
  all.sources.push_back(longest.sources[0]), all.targets.push_back(longest.targets[0]);
  model.loss(all);
  model.backward();
  Seq2seqParameters<double> gradient = model.gradient();
  const auto named = model.parameters().all(), slopes = gradient.all();
  for (std::size_t n = 0; n < named.size(); ++n) {
    double largest = 0;
    for (Index i = 0; i < named[n].matrix->size(); ++i) {
      const double right = slope([&] { return model.loss(all); }, named[n].matrix->data()[i]);
      const double found = slopes[n].matrix->data()[i];
      EXPECT_NEAR(found, right, 1e-8 + 1e-6 * std::abs(right)) << named[n].name << " " << i;
      largest = std::max(largest, std::abs(found));
    }
    EXPECT_GT(largest, 1e-6) << named[n].name << " has no gradient to compare";
  }
}

TEST_P(Seq2seqGradients, PaddingChangesNothing) {
  const Seq2seqShape shape = smallShape(GetParam());
  const StringPairs pairs = drawReversals({3, 1, 9, 5}, 0, 6);
  Seq2seqModel<double> model(shape, someParameters<double>(shape));
  const double together = model.loss(pairs);
  model.backward();
  Seq2seqParameters<double> gradient = model.gradient();
  Seq2seqParameters<double> sum(shape);
  double apart = 0, count = 0;
  for (Index i = 0; i < pairs.count(); ++i) {
    const StringPairs one = pick(pairs, {i});
    const auto weight = static_cast<double>(one.targets[0].size());
    apart += weight * model.loss(one), count += weight;
    model.backward();
    const auto to = sum.all(), from = model.gradient().all();
    for (std::size_t n = 0; n < to.size(); ++n) *to[n].matrix += weight * *from[n].matrix;
  }
  EXPECT_NEAR(together, apart / count, 1e-14);
  const auto whole = gradient.all(), parts = sum.all();
  for (std::size_t n = 0; n < whole.size(); ++n)
    EXPECT_LT((*whole[n].matrix - *parts[n].matrix / count).norm(), 1e-14) << whole[n].name;

  const std::vector<Decoded> decoded = model.decode(pairs.sources, 10);
  for (Index i = 0; i < pairs.count(); ++i) {
    const Decoded alone = model.decode(pick(pairs, {i}).sources, 10)[0];
    const Decoded& beside = decoded[static_cast<std::size_t>(i)];
    EXPECT_EQ(alone.symbols, beside.symbols);
    ASSERT_EQ(alone.weights.cols(), beside.weights.cols());
    EXPECT_LT((alone.weights - beside.weights).norm(), 1e-6f);
  }
}

/// The same sums in another order and precision.
TEST_P(Seq2seqGradients, FloatIsNearDouble) {
  const Seq2seqShape shape = {.attention = GetParam(), .letters = 4, .embedding = 13, .hidden = 37};
  const StringPairs pairs = drawReversals({4, 1, 15, 5}, 0, 19);
  Seq2seqModel<double> exact(shape, someParameters<double>(shape));
  const double right = exact.loss(pairs);
  exact.backward();
  for (const int threads : {1, 2}) {
    Seq2seqModel<float> model(shape, someParameters<float>(shape), threads);
    EXPECT_NEAR(model.loss(pairs), right, 1e-5);
    model.backward();
    const auto found = model.gradient().all();
    const auto wanted = exact.gradient().all();
    for (std::size_t n = 0; n < found.size(); ++n)
      EXPECT_LT((found[n].matrix->cast<double>() - *wanted[n].matrix).norm(),
                1e-5 * wanted[n].matrix->norm() + 1e-7)
          << found[n].name;
  }
}

INSTANTIATE_TEST_SUITE_P(Kinds, Seq2seqGradients, testing::ValuesIn(kKinds));

}  // namespace
}  // namespace attn
