#pragma once
#include <string>
#include <string_view>

#include "app/formula/formula.h"

namespace attn {

/// A formula from a small part of LaTeX: \frac, \sqrt, ^ and _, \sum, \prod, \left … \right with ( [ \{ | \|,
/// bmatrix, pmatrix, vmatrix, matrix; \mathrm, \text, \operatorname, \hat; Greek letters, the usual signs
/// and names of functions; \, \; \quad for space. \part{3}{…} makes what it holds part 3.
/// Throws Error that names the position (bytes from 1), what was found and what was expected.
Formula parseLatex(std::string_view text);

/// The same text without its \part{…}, for people to copy.
std::string withoutParts(std::string_view text);

}  // namespace attn
