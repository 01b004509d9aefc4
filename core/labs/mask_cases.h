#pragma once
#include <string>
#include <vector>

#include "core/scene.h"

namespace attn {

/// Which masks belong to which attention, on a batch of sentences that are padded to the length of the
/// longest.
using MaskModule = MaskLab::Module;
std::vector<MaskModule> modulesOf(MaskLab::Stack stack);
bool hasModule(MaskLab::Stack stack, MaskModule module);

/// One attention and one sentence of the batch.
struct MaskCase {
  Index queries = 0, keys = 0;          // the batch's longest
  Index realQueries = 0, realKeys = 0;  // words of this sentence
  bool padsLeft = false, isCausal = false, usesPadding = false;

  bool isQueryPadding(Index query) const { return isPadding(query, queries, realQueries); }
  bool isKeyPadding(Index key) const { return isPadding(key, keys, realKeys); }
  /// Whether the masks in use let the query see the key.
  bool sees(Index query, Index key) const;
  /// Pairs of a word and a padding key that are visible without the padding mask: 0 where it is not needed.
  Index leaks() const;
  /// Words that see a padding key with the masks in use.
  bool leaksNow() const { return !usesPadding && leaks() > 0; }
  /// Queries that see no key at all; with padding at the left, padding queries.
  Index blindQueries() const;

 private:
  bool isPadding(Index token, Index length, Index words) const {
    return padsLeft ? token < length - words : token >= words;
  }
};
MaskCase caseOf(const MaskLab& lab, MaskModule module, Index sentence);
/// The leaks of all sentences of the batch.
Index leaksOfBatch(const MaskLab& lab, MaskModule module);

/// The words of a sentence as they lie in the batch, with padding.
std::vector<std::string> sourceWords(const MaskLab& lab, Index sentence);
std::vector<std::string> targetWords(const MaskLab& lab, Index sentence);

/// The chosen attention of the chosen sentence: its masks, its words, and random queries, keys and values.
Scene sceneOf(const MaskLab& lab);

}  // namespace attn
