// What every normaliser, mask rule and stage costs beside plain softmax.
#include <cstdio>
#include <memory>

#include "tests/bench/reports.h"

namespace attn::bench {
namespace {

struct Variant {
  std::string name;
  void (*change)(Scene&);
};

constexpr Index n = 512;

/// Every normaliser, mask rule and stage.
std::vector<Variant> variants() {
  using Kind = Normaliser::Kind;
  return {
      {"softmax with a sink", [](Scene& s) { s.normaliser.kind = Kind::sink; }},
      {"sparsemax", [](Scene& s) { s.normaliser.kind = Kind::sparsemax; }},
      {"1.5-entmax", [](Scene& s) { s.normaliser.kind = Kind::entmax15; }},
      {"sigmoid", [](Scene& s) { s.normaliser.kind = Kind::sigmoid; }},
      {"causal", [](Scene& s) { s.masks = {CausalRule{}}; }},
      {"causal, bottom-right", [](Scene& s) { s.masks = {CausalRule{Alignment::bottomRight}}; }},
      {"padding from 500 on", [](Scene& s) { s.masks = {PaddingLengthRule{500}}; }},
      {"padding, every fifth key",
       [](Scene& s) {
         std::vector<bool> flags(n);
         for (std::size_t j = 0; j < flags.size(); j += 5) flags[j] = true;
         s.masks = {PaddingFlagsRule{flags}};
       }},
      {"window of 64", [](Scene& s) { s.masks = {WindowRule{64}}; }},
      {"prefix of 100", [](Scene& s) { s.masks = {PrefixRule{100}}; }},
      {"four documents",
       [](Scene& s) {
         std::vector<int> of(n);
         for (std::size_t i = 0; i < of.size(); ++i) of[i] = static_cast<int>(4 * i / of.size());
         s.masks = {DocumentsRule{of, of}};
       }},
      {"painted chequerboard",
       [](Scene& s) {
         Bytes cells(n, n);
         for (Index i = 0; i < n; ++i)
           for (Index j = 0; j < n; ++j) cells(i, j) = (i + j) % 2 == 0;
         s.masks = {PaintedRule{{cells}}};
       }},
      {"causal and sparsemax",
       [](Scene& s) { s.masks = {CausalRule{}}, s.normaliser.kind = Kind::sparsemax; }},
      {"temperature", [](Scene& s) { s.scale.temperature = 1.3; }},
      {"QK-norm", [](Scene& s) { s.scale.qkNormGain = 8; }},
      {"cap", [](Scene& s) { s.cap = 5; }},
      {"ALiBi", [](Scene& s) { s.alibi = Alibi{}; }},
      {"bias",
       [](Scene& s) {
         s.bias = {{Matrix::Constant(n, n, 0.5f), {}}};
       }},
  };
}

}  // namespace

void printRules(Effort effort) {
  say("normalisers, masks and stages");
  const Shape shape = {"D", 8, n, 64};
  const auto nameIn = [](const std::string& name, Pass pass) { return name + "/" + nameOf(pass); };
  // Plain softmax is measured beside each rule, and compared with the very one: the best of more runs would
  // be better wherever the machine is not quiet.
  const auto plainBeside = [](const std::string& name) { return "plain softmax beside " + name; };
  Runs runs(effort);
  for (const Pass pass : kPasses) {
    const Wanted wanted = {.measures = false, .backward = pass == Pass::both};
    const auto plain = std::make_shared<Repeated>(sceneOf(shape), wanted, 1);
    for (const Variant& variant : variants()) {
      Scene scene = sceneOf(shape);
      variant.change(scene);
      const auto changed = std::make_shared<Repeated>(std::move(scene), wanted, 1);
      runs.add(nameIn(plainBeside(variant.name), pass), [=] { (*plain)(); });
      runs.add(nameIn(variant.name, pass), [=] { (*changed)(); });
    }
  }
  runs.run();
  std::printf("\n8 heads, n = 512, d = 64, as multiples of plain softmax:\n\n");
  std::printf("| rule | forward | both |\n|---|---|---|\n");
  for (const Variant& variant : variants()) {
    std::printf("| %s |", variant.name.c_str());
    for (const Pass pass : kPasses) {
      const double ratio =
          runs.best(nameIn(variant.name, pass)) / runs.best(nameIn(plainBeside(variant.name), pass));
      std::printf(ratio > kCliff ? " **%.2f** |" : " %.2f |", ratio);
    }
    std::printf("\n");
  }
  std::fflush(stdout);
}

}  // namespace attn::bench
