#pragma once
#include <string>

#include "app/formula/notation.h"
#include "core/explain/explain.h"

namespace attn {

/// Letters that stand for an index, where a formula speaks of all of them: Σ_j p[0,j]·v[j,2].
struct IndexLetters {
  const char* row = nullptr;
  const char* col = nullptr;
};

/// The name of an operand, as explain() gives it, with heads apart and indices counted as the notation says:
/// "q[2,1]", "q⁽¹⁾[2,1]" of head 1, "(1 − p[0,1])", "√d_k".
std::string nameText(const Operand& operand, const Notation& notation, const IndexLetters& letters = {});
/// The same as LaTeX: q^{(1)}_{2,1}, \left(1 - p_{0,1}\right), \sqrt{d_k}.
std::string nameLatex(const Operand& operand, const Notation& notation, const IndexLetters& letters = {});

}  // namespace attn
