#include "core/labs/mask_cases.h"

#include <algorithm>

#include "core/fill.h"

namespace attn {
namespace {

using Stack = MaskLab::Stack;
constexpr const char* kPadding = "<pad>";
constexpr Index kLongest = 8;

constexpr const char* kSource[MaskLab::kSentences][kLongest] = {
    {"the", "cat", "sat", "on", "it", "all", "day", "long"},
    {"it", "rains", "here", "when", "we", "have", "no", "coat"},
    {"dogs", "bark", "if", "they", "hear", "a", "door", "open"}};
constexpr const char* kTarget[MaskLab::kSentences][kLongest] = {
    {"die", "Katze", "sitzt", "den", "ganzen", "Tag", "lang", "darauf"},
    {"es", "regnet", "hier", "wenn", "wir", "keinen", "Mantel", "haben"},
    {"Hunde", "bellen", "wenn", "drinnen", "eine", "Klinke", "laut", "knarrt"}};

std::vector<std::string> padded(const char* const (&words)[kLongest], Index count, Index length,
                                bool padsLeft) {
  std::vector<std::string> tokens(static_cast<std::size_t>(length), kPadding);
  for (Index i = 0; i < count; ++i)
    tokens[static_cast<std::size_t>(padsLeft ? length - count + i : i)] = words[i];
  return tokens;
}

Index longest(const std::array<Index, MaskLab::kSentences>& lengths) {
  return *std::max_element(lengths.begin(), lengths.end());
}

InputOf<float> drawn(Index rows, Index cols, std::uint64_t seed) {
  InputOf<float> input{Matrix(rows, cols), {.kind = Fill::Kind::normal, .seed = seed}};
  refill(input);
  return input;
}

}  // namespace

std::vector<MaskModule> modulesOf(Stack stack) {
  if (stack == Stack::encoder) return {MaskModule::encoderSelf};
  if (stack == Stack::decoder) return {MaskModule::decoderSelf};
  return {MaskModule::encoderSelf, MaskModule::decoderSelf, MaskModule::cross};
}

bool hasModule(Stack stack, MaskModule module) {
  const std::vector<MaskModule> modules = modulesOf(stack);
  return std::find(modules.begin(), modules.end(), module) != modules.end();
}

bool MaskCase::sees(Index query, Index key) const {
  if (isCausal && key > query) return false;
  return !usesPadding || !isKeyPadding(key);
}

Index MaskCase::leaks() const {
  MaskCase without = *this;
  without.usesPadding = false;
  Index count = 0;
  for (Index query = 0; query < queries; ++query)
    for (Index key = 0; key < keys; ++key)
      count += !isQueryPadding(query) && isKeyPadding(key) && without.sees(query, key);
  return count;
}

Index MaskCase::blindQueries() const {
  Index count = 0;
  for (Index query = 0; query < queries; ++query) {
    bool isBlind = true;
    for (Index key = 0; key < keys; ++key) isBlind &= !sees(query, key);
    count += isBlind;
  }
  return count;
}

MaskCase caseOf(const MaskLab& lab, MaskModule module, Index sentence) {
  const auto at = static_cast<std::size_t>(sentence);
  const auto& ofQueries = module == MaskModule::encoderSelf ? lab.source : lab.target;
  const auto& ofKeys = module == MaskModule::decoderSelf ? lab.target : lab.source;
  return {longest(ofQueries), longest(ofKeys), ofQueries[at],
          ofKeys[at],         lab.padsLeft,    module == MaskModule::decoderSelf,
          lab.usesPadding};
}

Index leaksOfBatch(const MaskLab& lab, MaskModule module) {
  Index leaks = 0;
  for (Index sentence = 0; sentence < static_cast<Index>(MaskLab::kSentences); ++sentence)
    leaks += caseOf(lab, module, sentence).leaks();
  return leaks;
}

std::vector<std::string> sourceWords(const MaskLab& lab, Index sentence) {
  const auto at = static_cast<std::size_t>(sentence);
  return padded(kSource[at], lab.source[at], longest(lab.source), lab.padsLeft);
}

std::vector<std::string> targetWords(const MaskLab& lab, Index sentence) {
  const auto at = static_cast<std::size_t>(sentence);
  return padded(kTarget[at], lab.target[at], longest(lab.target), lab.padsLeft);
}

Scene sceneOf(const MaskLab& lab) {
  const MaskCase chosen = caseOf(lab, lab.module, lab.sentence);
  constexpr const char* kNames[] = {"Encoder self-attention", "Decoder self-attention", "Cross-attention"};
  Scene scene;
  scene.title =
      std::string(kNames[static_cast<int>(lab.module)]) + ", sentence " + std::to_string(lab.sentence + 1);
  auto& head = scene.source.given.emplace_back();
  head = {drawn(chosen.queries, 4, 1), drawn(chosen.keys, 4, 2), drawn(chosen.keys, 4, 3)};
  scene.queryLabels =
      lab.module == MaskModule::encoderSelf ? sourceWords(lab, lab.sentence) : targetWords(lab, lab.sentence);
  scene.keyLabels =
      lab.module == MaskModule::decoderSelf ? targetWords(lab, lab.sentence) : sourceWords(lab, lab.sentence);
  if (chosen.isCausal) scene.masks.emplace_back(CausalRule{});
  if (!lab.usesPadding) return scene;
  std::vector<bool> isPadding;
  for (Index key = 0; key < chosen.keys; ++key) isPadding.push_back(chosen.isKeyPadding(key));
  scene.masks.emplace_back(PaddingFlagsRule{isPadding});
  return scene;
}

}  // namespace attn
