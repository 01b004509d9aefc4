#pragma once
#include <string_view>

#include "core/scene.h"

namespace attn {

/// A word of a file format and what it stands for.
template <class Meaning>
struct Word {
  std::string_view word;
  Meaning meaning;
};

template <class Words, class Meaning>
constexpr std::string_view wordFor(const Words& words, Meaning meaning) {
  for (const auto& candidate : words)
    if (candidate.meaning == meaning) return candidate.word;
  return {};
}

template <class T>
inline constexpr Word<typename SourceOf<T>::Kind> kSourceWords[] = {
    {"given", SourceOf<T>::Kind::given},
    {"projected", SourceOf<T>::Kind::projected},
};

/// A matrix that was typed in has no word: it is a list of rows.
inline constexpr Word<Fill::Kind> kFillWords[] = {
    {"normal", Fill::Kind::normal},
    {"uniform", Fill::Kind::uniform},
    {"orthonormal", Fill::Kind::orthonormal},
    {"identity", Fill::Kind::identity},
};

inline constexpr Word<Scale::Rule> kScaleWords[] = {
    {"sqrt", Scale::Rule::sqrtKeyWidth},
    {"none", Scale::Rule::none},
    {"dk", Scale::Rule::keyWidth},
    {"number", Scale::Rule::number},
};

inline constexpr Word<Alignment> kAlignmentWords[] = {
    {"top-left", Alignment::topLeft},
    {"bottom-right", Alignment::bottomRight},
};

inline constexpr Word<Normaliser::Kind> kNormaliserWords[] = {
    {"softmax", Normaliser::Kind::softmax},     {"sink", Normaliser::Kind::sink},
    {"sparsemax", Normaliser::Kind::sparsemax}, {"entmax15", Normaliser::Kind::entmax15},
    {"sigmoid", Normaliser::Kind::sigmoid},
};

inline constexpr Word<StoryTarget::Kind> kTargetWords[] = {
    {"temperature", StoryTarget::Kind::temperature},
    {"divisor", StoryTarget::Kind::divisor},
    {"qk_norm", StoryTarget::Kind::gain},
    {"cap", StoryTarget::Kind::cap},
    {"logit", StoryTarget::Kind::logit},
    {"threshold", StoryTarget::Kind::threshold},
    {"d_k", StoryTarget::Kind::keyWidth},
    {"d_v", StoryTarget::Kind::valueWidth},
    {"cell", StoryTarget::Kind::cell},
    {"slope", StoryTarget::Kind::slope},
    {"length", StoryTarget::Kind::ruleLength},
    {"mean", StoryTarget::Kind::mean},
    {"std", StoryTarget::Kind::deviation},
    {"low", StoryTarget::Kind::low},
    {"high", StoryTarget::Kind::high},
    {"seed", StoryTarget::Kind::seed},
    {"matrix", StoryTarget::Kind::constant},
    {"upstream", StoryTarget::Kind::upstream},
};

inline constexpr Word<InputName> kInputWords[] = {
    {"q", InputName::q},        {"k", InputName::k},       {"v", InputName::v},    {"x", InputName::x},
    {"x_kv", InputName::other}, {"w_q", InputName::wq},    {"w_k", InputName::wk}, {"w_v", InputName::wv},
    {"w_o", InputName::wo},     {"bias", InputName::bias},
};

inline constexpr Word<Story::Easing> kEasingWords[] = {
    {"smooth", Story::Easing::smooth},
    {"linear", Story::Easing::linear},
};

inline constexpr Word<Story::Repeat> kRepeatWords[] = {
    {"once", Story::Repeat::once},
    {"loop", Story::Repeat::loop},
    {"back-and-forth", Story::Repeat::backAndForth},
};

template <class T>
inline constexpr Word<typename UpstreamOf<T>::Kind> kUpstreamWords[] = {
    {"ones", UpstreamOf<T>::Kind::ones},
    {"cell", UpstreamOf<T>::Kind::cell},
    {"given", UpstreamOf<T>::Kind::given},
    {"target", UpstreamOf<T>::Kind::target},
};

}  // namespace attn
