#pragma once
#include <cstdint>
#include <filesystem>
#include <iosfwd>
#include <string>
#include <variant>
#include <vector>

#include "core/measures/cost.h"
#include "core/results.h"

namespace attn {

/// One array of the results as NumPy would hold it; the data is that of the results.
struct ResultArray {
  std::string name;
  std::vector<std::size_t> shape;
  std::variant<const float*, const double*, const std::uint8_t*> data;
};

/// The norms of the gradients that were made, by the names of their arrays.
struct NamedNorms {
  std::string name;
  const GradientNorms* norms;
};
std::vector<NamedNorms> normsOf(const AllGradientNorms& norms);

/// What `attnscope eval` gives out, head axis first, in the order of the pipeline. Docs: docs/eval.md.
template <class T>
std::vector<ResultArray> arraysOf(const ResultsOf<T>& results);

void writeNpz(const std::vector<ResultArray>& arrays, const std::filesystem::path& target);
/// One JSON object: a key an array, nested lists; numbers that are not finite are "nan", "inf" and "-inf".
/// Behind them `gradient_norms` and `operations`.
void writeJson(std::ostream& out, const std::vector<ResultArray>& arrays, const std::string& kernels,
               const std::vector<NamedNorms>& norms, const std::vector<StageCost>& operations);

}  // namespace attn
