#pragma once
#include <string>
#include <vector>

#include "core/matrix.h"
#include "core/scene.h"

namespace attn::bench {

struct Shape {
  std::string name;
  Index heads, n, d;
  bool causal = false;
};

/// A … F, from a scene of a lecture to one long sequence.
std::vector<Shape> allShapes();
/// Those whose names begin with one of these letters or words; throws Error that lists what there is.
std::vector<Shape> shapesNamed(const std::vector<std::string>& names);

/// Forward alone, or forward and backward.
enum class Pass { forward, both };
constexpr Pass kPasses[] = {Pass::forward, Pass::both};
inline const char* nameOf(Pass pass) {
  return pass == Pass::forward ? "forward" : "both";
}
/// Multiplications and additions: two products of h·n²·d multiply-adds forward, four more back. A causal
/// mask is not taken into account.
double operationsOf(const Shape& shape, Pass pass);

/// One attention problem with its memory: what every peer is given, and where it writes.
struct Problem {
  Index heads, n, d;
  bool causal;
  StackOf<float> q, k, v, dOut;    // (heads, n, d)
  StackOf<float> probs, dScores;   // (heads, n, n)
  StackOf<float> out, dQ, dK, dV;  // (heads, n, d)

  explicit Problem(const Shape& shape);
};

/// The same numbers as a scene.
Scene sceneOf(const Shape& shape);

}  // namespace attn::bench
