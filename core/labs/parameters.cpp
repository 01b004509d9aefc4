#include "core/labs/parameters.h"

#include <bit>
#include <sstream>
#include <string>

#include "core/error.h"
#include "core/labs/members.h"

namespace attn {
namespace {

template <class Number>
std::string textOf(Number value) {
  std::ostringstream text;
  text << value;
  return text.str();
}

/// Refuses numbers beyond their bounds; the rest of a lab has none.
struct BoundsCheck {
  const char* lab;

  template <class Number>
  void operator()(const char* key, const Number& value, Number least, Number most) {
    if (!(value >= least && value <= most))
      throw Error(std::string("labs.") + lab + "." + key + ": " + textOf(value) + ", expected " +
                  textOf(least) + " to " + textOf(most));
  }
  template <std::size_t count>
  void operator()(const char* key, const std::array<Index, count>& values, Index least, Index most) {
    for (const Index value : values) (*this)(key, value, least, most);
  }
  template <class... Rest>
  void operator()(const char*, const Rest&...) {}
};

void expectBelow(const char* key, Index found, const char* what, Index most) {
  if (found >= most)
    throw Error(std::string("labs.") + key + ": " + std::to_string(found) + ", expected less than the " +
                std::to_string(most) + " " + what);
}

void checkQuery(const QueryLab& lab) {
  if (lab.width < lab.keys)
    throw Error("labs.query.width: " + std::to_string(lab.width) + ", expected at least the " +
                std::to_string(lab.keys) + " keys, which are orthogonal");
  expectBelow("query.first", lab.first, "keys", lab.keys);
  expectBelow("query.second", lab.second, "keys", lab.keys);
  expectBelow("query.stretched", lab.stretched, "keys", lab.keys);
  if (lab.first == lab.second)
    throw Error("labs.query.second: " + std::to_string(lab.second) + ", expected another key than the first");
}

}  // namespace

void check(const Labs& labs) {
  visitLabs(labs, [](const char* key, const auto& lab) {
    BoundsCheck bounds{key};
    visitMembers(lab, bounds);
  });
  if (!std::has_single_bit(static_cast<std::uint64_t>(labs.scaling.keyWidth)))
    throw Error("labs.scaling.d_k: " + std::to_string(labs.scaling.keyWidth) + ", expected a power of two");
  checkQuery(labs.query);
  if (labs.cost.modelWidth % labs.cost.heads != 0)
    throw Error("labs.cost.heads: " + std::to_string(labs.cost.heads) +
                ", expected a divisor of the model width " + std::to_string(labs.cost.modelWidth));
  expectBelow("receptive_field.node", labs.receptive.node, "tokens", labs.receptive.tokens);
  expectBelow("normalisation.row", labs.norm.row, "rows of the batch", labs.norm.batch);
  expectBelow("normalisation.col", labs.norm.col, "columns", labs.norm.width);
}

}  // namespace attn
