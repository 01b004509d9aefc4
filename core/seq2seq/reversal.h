#pragma once
#include <cstdint>

#include "core/seq2seq/model.h"

namespace attn {

/// Random strings over the letters 0 … letters − 1; lengths are uniform from `shortest` to `longest`.
struct ReversalTask {
  Index letters = 4, shortest = 5, longest = 15;
  std::uint64_t seed = 1;
};

/// `count` strings from number `first` on, each with its reverse and the mark as target. String i depends on
/// the seed and i alone.
StringPairs drawReversals(const ReversalTask& task, Index first, Index count);

/// Those with these numbers.
StringPairs pick(const StringPairs& all, const std::vector<Index>& numbers);

/// A permutation of 0 … count − 1.
std::vector<Index> shuffled(Index count, std::uint64_t seed);

}  // namespace attn
