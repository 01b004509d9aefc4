#pragma once
#include <concepts>
#include <type_traits>

#include "core/io/scene_words.h"
#include "core/labs/parameters.h"

namespace attn {

inline constexpr Word<ScalingLab::Rule> kScalingRuleWords[] = {
    {"none", ScalingLab::Rule::none},
    {"sqrt", ScalingLab::Rule::sqrtKeyWidth},
    {"dk", ScalingLab::Rule::keyWidth},
    {"number", ScalingLab::Rule::number},
};
inline constexpr Word<QueryLab::Keys> kQueryKeysWords[] = {
    {"orthonormal", QueryLab::Keys::orthonormal},
    {"drawn", QueryLab::Keys::drawn},
};
inline constexpr Word<CostLab::Over> kCostOverWords[] = {
    {"length", CostLab::Over::length},
    {"model_width", CostLab::Over::modelWidth},
};
inline constexpr Word<ReceptiveLab::Targets> kReceptiveTargetsWords[] = {
    {"drawn", ReceptiveLab::Targets::drawn},
    {"scene", ReceptiveLab::Targets::scene},
};
inline constexpr Word<MaskLab::Stack> kMaskStackWords[] = {
    {"encoder", MaskLab::Stack::encoder},
    {"decoder", MaskLab::Stack::decoder},
    {"encoder-decoder", MaskLab::Stack::encoderDecoder},
};
inline constexpr Word<MaskLab::Module> kMaskModuleWords[] = {
    {"encoder-self", MaskLab::Module::encoderSelf},
    {"decoder-self", MaskLab::Module::decoderSelf},
    {"cross", MaskLab::Module::cross},
};

template <class Lab, class Plain>
concept MaybeConst = std::same_as<std::remove_const_t<Lab>, Plain>;

/// visit(key, member), with the least and the most that a number may be, or the words of an enumeration.
/// Reading, writing and checking all follow these lists.
template <MaybeConst<ScalingLab> Lab, class Visit>
void visitMembers(Lab& lab, Visit& visit) {
  visit("mean", lab.mean, -10.0, 10.0);
  visit("std", lab.deviation, 0.01, 10.0);
  visit("d_k", lab.keyWidth, Index{1}, Index{4096});
  visit("keys", lab.keys, Index{2}, Index{1024});
  visit("trials", lab.trials, Index{1}, Index{1024});
  visit("number", lab.number, 0.001, 1e6);
  visit("rule", lab.rule, kScalingRuleWords);
  visit("seed", lab.seed);
}

template <MaybeConst<QueryLab> Lab, class Visit>
void visitMembers(Lab& lab, Visit& visit) {
  visit("kind", lab.kind, kQueryKeysWords);
  visit("keys", lab.keys, Index{3}, Index{32});
  visit("width", lab.width, Index{2}, Index{64});
  visit("first", lab.first, Index{0}, Index{31});
  visit("second", lab.second, Index{0}, Index{31});
  visit("along_first", lab.alongFirst, -100.0, 100.0);
  visit("along_second", lab.alongSecond, -100.0, 100.0);
  visit("variance", lab.variance, 0.0, 1.0);
  visit("is_stretched", lab.isStretched);
  visit("stretched", lab.stretched, Index{0}, Index{31});
  visit("stretch", lab.stretch, 0.0, 10.0);
  visit("two_heads", lab.hasTwoHeads);
  visit("samples", lab.samples, Index{1}, Index{2048});
  visit("first_basis", lab.firstBasis, Index{1}, Index{4});
  visit("second_basis", lab.secondBasis, Index{1}, Index{4});
  visit("seed", lab.seed);
}

template <MaybeConst<CostLab> Lab, class Visit>
void visitMembers(Lab& lab, Visit& visit) {
  visit("queries", lab.queries, Index{1}, Index{1} << 20);
  visit("keys", lab.keys, Index{1}, Index{1} << 20);
  visit("model_width", lab.modelWidth, Index{1}, Index{1} << 17);
  visit("heads", lab.heads, Index{1}, Index{1024});
  visit("over", lab.over, kCostOverWords);
}

template <MaybeConst<ReceptiveLab> Lab, class Visit>
void visitMembers(Lab& lab, Visit& visit) {
  visit("targets", lab.targets, kReceptiveTargetsWords);
  visit("tokens", lab.tokens, Index{2}, Index{64});
  visit("layers", lab.layers, Index{1}, Index{8});
  visit("heads", lab.heads, Index{1}, Index{8});
  visit("node", lab.node, Index{0}, Index{63});
  visit("causal", lab.isCausal);
  visit("seed", lab.seed);
}

template <MaybeConst<NormLab> Lab, class Visit>
void visitMembers(Lab& lab, Visit& visit) {
  visit("batch", lab.batch, Index{3}, Index{8});
  visit("width", lab.width, Index{3}, Index{12});
  visit("gain", lab.gain, -100.0, 100.0);
  visit("shift", lab.shift, -100.0, 100.0);
  visit("epsilon", lab.epsilon, 0.0, 10.0);
  visit("row", lab.row, Index{0}, Index{7});
  visit("col", lab.col, Index{0}, Index{11});
  visit("change", lab.change, -100.0, 100.0);
  visit("seed", lab.seed);
}

template <MaybeConst<MaskLab> Lab, class Visit>
void visitMembers(Lab& lab, Visit& visit) {
  visit("stack", lab.stack, kMaskStackWords);
  visit("module", lab.module, kMaskModuleWords);
  visit("source", lab.source, Index{1}, Index{8});
  visit("target", lab.target, Index{1}, Index{8});
  visit("sentence", lab.sentence, Index{0}, static_cast<Index>(MaskLab::kSentences) - 1);
  visit("pads_left", lab.padsLeft);
  visit("padding_mask", lab.usesPadding);
}

/// visit(key, lab)
template <MaybeConst<Labs> All, class Visit>
void visitLabs(All& labs, Visit&& visit) {
  visit("scaling", labs.scaling);
  visit("query", labs.query);
  visit("cost", labs.cost);
  visit("receptive_field", labs.receptive);
  visit("normalisation", labs.norm);
  visit("mask", labs.mask);
}

}  // namespace attn
