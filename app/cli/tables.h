#pragma once
#include <iosfwd>
#include <string>

#include "core/measures/cost.h"
#include "core/results.h"

namespace attn {

/// Scores, weights and outputs of every head as tables with token labels, with the measures of every row,
/// then the norms of the gradients and the operations that it all takes. Long tables show their first and
/// last rows and columns.
template <class T>
void printTables(std::ostream& out, const SceneOf<T>& scene, const ResultsOf<T>& results,
                 const std::vector<StageCost>& operations, const std::string& kernels);

}  // namespace attn
