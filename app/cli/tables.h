#pragma once
#include <iosfwd>
#include <string>

#include "core/results.h"

namespace attn {

/// Scores, weights and outputs of every head as tables with token labels, then the measures of every row
/// and the norms of the gradients. Long tables show their first and last rows and columns.
template <class T>
void printTables(std::ostream& out, const SceneOf<T>& scene, const ResultsOf<T>& results,
                 const std::string& kernels);

}  // namespace attn
