#pragma once
#include <optional>
#include <string>

#include "core/scene.h"

namespace CLI {
class App;
}

namespace attn {

/// The options of `attnscope eval`, as typed.
struct EvalOptions {
  std::string input, output;
  bool json = false;
  std::optional<std::string> scale, causal, normalise;
  std::optional<double> temperature, qkNorm, cap;
  std::optional<Index> window, prefix;
  bool alibi = false;
  int threads = 0;
  std::string target;
};

/// Declares them; wrong words and numbers are then usage errors.
void declare(EvalOptions& options, CLI::App& verb);

/// Changes the scene as the options say. Masks are added to those that the scene has.
void apply(const EvalOptions& options, PreciseScene& scene);

}  // namespace attn
