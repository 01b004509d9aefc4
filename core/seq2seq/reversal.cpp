#include "core/seq2seq/reversal.h"

#include <numeric>

#include "core/random.h"

namespace attn {
namespace {

/// One of 0 … count − 1.
Index choose(const Random& random, std::uint64_t i, Index count) {
  const std::uint64_t word = random.block(i)[0];
  return static_cast<Index>(word * static_cast<std::uint64_t>(count) >> 32);
}

}  // namespace

StringPairs drawReversals(const ReversalTask& task, Index first, Index count) {
  const Random random(task.seed);
  StringPairs pairs;
  for (Index i = first; i < first + count; ++i) {
    auto at = static_cast<std::uint64_t>(i * (task.longest + 1));
    const Index length = task.shortest + choose(random, at++, task.longest - task.shortest + 1);
    std::vector<Index> source;
    for (Index t = 0; t < length; ++t) source.push_back(choose(random, at++, task.letters));
    std::vector<Index> target(source.rbegin(), source.rend());
    target.push_back(task.letters);
    pairs.sources.push_back(std::move(source));
    pairs.targets.push_back(std::move(target));
  }
  return pairs;
}

StringPairs pick(const StringPairs& all, const std::vector<Index>& numbers) {
  StringPairs picked;
  for (const Index number : numbers) {
    picked.sources.push_back(all.sources[static_cast<std::size_t>(number)]);
    picked.targets.push_back(all.targets[static_cast<std::size_t>(number)]);
  }
  return picked;
}

std::vector<Index> shuffled(Index count, std::uint64_t seed) {
  const Random random(seed);
  std::vector<Index> order(static_cast<std::size_t>(count));
  std::iota(order.begin(), order.end(), Index{0});
  for (Index i = count - 1; i > 0; --i)
    std::swap(order[static_cast<std::size_t>(i)],
              order[static_cast<std::size_t>(choose(random, static_cast<std::uint64_t>(i), i + 1))]);
  return order;
}

}  // namespace attn
