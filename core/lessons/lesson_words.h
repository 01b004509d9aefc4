#pragma once
#include "core/io/scene_words.h"
#include "core/lessons/lesson.h"

namespace attn {

inline constexpr Word<PerRowOf<double> MeasuresOf<double>::*> kMeasureWords[] = {
    {"largest", &MeasuresOf<double>::largestWeight},
    {"entropy", &MeasuresOf<double>::entropy},
    {"entropy_share", &MeasuresOf<double>::entropyShare},
    {"effective_keys", &MeasuresOf<double>::effectiveKeys},
    {"jacobian_norm", &MeasuresOf<double>::jacobianNorm},
    {"jacobian_eigenvalue", &MeasuresOf<double>::jacobianEigenvalue},
};

inline constexpr Word<GradientNorms AllGradientNorms::*> kNormWords[] = {
    {"d_out", &AllGradientNorms::out},     {"d_head_out", &AllGradientNorms::headOut},
    {"d_probs", &AllGradientNorms::probs}, {"d_scores", &AllGradientNorms::scores},
    {"d_q", &AllGradientNorms::q},         {"d_k", &AllGradientNorms::k},
    {"d_v", &AllGradientNorms::v},         {"d_x", &AllGradientNorms::x},
    {"d_x_kv", &AllGradientNorms::other},  {"d_w_q", &AllGradientNorms::wq},
    {"d_w_k", &AllGradientNorms::wk},      {"d_w_v", &AllGradientNorms::wv},
    {"d_w_o", &AllGradientNorms::wo},
};

inline constexpr Word<std::uint64_t OperationCount::*> kOperationWords[] = {
    {"multiplications", &OperationCount::multiplications},
    {"additions", &OperationCount::additions},
    {"divisions", &OperationCount::divisions},
    {"exponentials", &OperationCount::exponentials},
    {"comparisons", &OperationCount::comparisons},
    {"square_roots", &OperationCount::squareRoots},
};

inline constexpr Word<Index Shapes::*> kLengthWords[] = {
    {"heads", &Shapes::heads},    {"n_q", &Shapes::queries},    {"n_k", &Shapes::keys},
    {"d_k", &Shapes::keyWidth},   {"d_v", &Shapes::valueWidth}, {"d_model", &Shapes::modelWidth},
    {"d_out", &Shapes::outWidth},
};

inline constexpr Word<Fact::Relation> kRelationWords[] = {
    {"below", Fact::Relation::below},
    {"above", Fact::Relation::above},
    {"about", Fact::Relation::about},
};

inline constexpr Word<bool> kWhichWords[] = {{"largest", true}, {"smallest", false}};

}  // namespace attn
