#include "app/cli/eval_options.h"

#include <CLI/CLI.hpp>
#include <charconv>
#include <cmath>

#include "core/io/scene_words.h"
#include "core/kernels/kernels.h"

namespace attn {
namespace {

/// All of the text as one finite number.
std::optional<double> numberOf(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

template <class Words>
std::string listOf(const Words& words) {
  std::string text;
  for (const auto& each : words) text += (text.empty() ? "" : "|") + std::string(each.word);
  return text;
}

std::string scaleProblem(const std::string& text) {
  for (const auto& each : kScaleWords)
    if (each.meaning != Scale::Rule::number && each.word == text) return {};
  const auto value = numberOf(text);
  return value && *value > 0 ? "" : "found '" + text + "', expected none, sqrt, dk or a number above 0";
}

std::string causalProblem(const std::string& text) {
  for (const auto& each : kAlignmentWords)
    if (each.word == text) return {};
  return "found '" + text + "', expected top-left or bottom-right";
}

/// "sink=0.5" → the kind and its logit.
std::optional<Normaliser> normaliserOf(const std::string& text) {
  const std::size_t equals = text.find('=');
  for (const auto& each : kNormaliserWords) {
    if (each.word != std::string_view(text).substr(0, equals)) continue;
    if (equals == std::string::npos) return Normaliser{each.meaning, 0};
    const bool takesLogit =
        each.meaning == Normaliser::Kind::sink || each.meaning == Normaliser::Kind::sigmoid;
    const auto logit = numberOf(std::string_view(text).substr(equals + 1));
    if (takesLogit && logit) return Normaliser{each.meaning, *logit};
  }
  return std::nullopt;
}

std::string normaliseProblem(const std::string& text) {
  return normaliserOf(text)
             ? ""
             : "found '" + text + "', expected softmax, sink[=B], sparsemax, entmax15 or sigmoid[=B]";
}

std::string emptyProblem(const std::string& text) {
  return text.empty() ? "found nothing, expected the name of a file" : "";
}

std::string positiveProblem(const std::string& text) {
  const auto value = numberOf(text);
  return value && *value > 0 ? "" : "found '" + text + "', expected a number above 0";
}

std::string numberProblem(const std::string& text) {
  return numberOf(text) ? "" : "found '" + text + "', expected a number";
}

/// Whole numbers from `least` on.
CLI::Validator wholeFrom(Index least, Index most = 1'000'000'000) {
  const auto problem = [=](const std::string& text) -> std::string {
    Index value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error == std::errc() && end == text.data() + text.size() && value >= least && value <= most)
      return {};
    return "found '" + text + "', expected a whole number from " + std::to_string(least) + " to " +
           std::to_string(most);
  };
  return CLI::Validator(problem, "");
}

bool sameName(std::string_view a, std::string_view b) {
  return CLI::detail::to_lower(std::string(a)) == CLI::detail::to_lower(std::string(b));
}

std::string knownTargets() {
  std::string text = "reference";
  for (const std::string& name : simdTargets()) text += ", " + name;
  return text;
}

/// Names are taken in any case and stored as the kernels spell them.
std::string resolveTarget(std::string& text) {
  std::vector<std::string> names = simdTargets();
  names.emplace_back("reference");
  for (const std::string& name : names)
    if (sameName(name, text)) return text = name, std::string();
  return "found '" + text + "', expected one of " + knownTargets();
}

}  // namespace

void declare(EvalOptions& o, CLI::App& verb) {
  const auto with = [](auto problem) { return CLI::Validator(problem, ""); };
  verb.add_option("INPUT", o.input, "A scene file (JSON) or an .npz archive with q, k, v or x, w_q, w_k, w_v")
      ->required()
      ->check(with(emptyProblem));
  verb.add_option("-o,--output", o.output, "Write all arrays to this .npz archive")
      ->type_name("OUT.npz")
      ->check(with(emptyProblem));
  verb.add_flag("--json", o.json, "Print all arrays as JSON");
  verb.add_option("--scale", o.scale, "What scores are divided by (default sqrt: √d_k; none with --qk-norm)")
      ->type_name("none|sqrt|dk|NUMBER")
      ->check(with(scaleProblem));
  verb.add_option("--temperature", o.temperature, "Divides the scores once more")
      ->type_name("T")
      ->check(with(positiveProblem));
  verb.add_option("--qk-norm", o.qkNorm, "Scores are GAIN·cos(q, k)")
      ->type_name("GAIN")
      ->check(with(numberProblem));
  verb.add_option("--cap", o.cap, "Bend scores into (−C, C): C·tanh(s/C)")
      ->type_name("C")
      ->check(with(positiveProblem));
  verb.add_option("--causal", o.causal, "Hide later keys; =bottom-right lets the last query see the last key")
      ->type_name("[=top-left|bottom-right]")
      ->check(with(causalProblem));
  verb.add_option("--window", o.window, "Only pairs with |i−j| < W")->type_name("W")->check(wholeFrom(1));
  verb.add_option("--prefix", o.prefix, "Every query sees the first P keys, and the others causally")
      ->type_name("P")
      ->check(wholeFrom(0));
  verb.add_flag("--alibi", o.alibi, "Subtract m·|i−j| with m = 2^(−8h/H) for head h of H");
  verb.add_option("--normalise", o.normalise, "How scores become weights (B: a logit, 0 unless given)")
      ->type_name("softmax|sink[=B]|sparsemax|entmax15|sigmoid[=B]")
      ->check(with(normaliseProblem));
  verb.add_option("--threads", o.threads, "Default: one a processor")
      ->type_name("N")
      ->check(wholeFrom(1, 1024));
  verb.add_option("--target", o.target,
                  "Kernels to use: " + knownTargets() + " (reference computes in double)")
      ->type_name("NAME")
      ->transform(CLI::Validator(resolveTarget, ""));
}

void apply(const EvalOptions& o, PreciseScene& scene) {
  // "Cosine with a gain": without a word on the scale, QK-norm takes the place of √d_k.
  if (o.qkNorm) {
    scene.scale.qkNormGain = *o.qkNorm;
    scene.scale.rule = Scale::Rule::none;
  }
  if (o.scale) {
    scene.scale.rule = Scale::Rule::number;
    for (const auto& each : kScaleWords)
      if (each.word == *o.scale) scene.scale.rule = each.meaning;
    if (scene.scale.rule == Scale::Rule::number) scene.scale.number = numberOf(*o.scale).value_or(1);
  }
  if (o.temperature) scene.scale.temperature = *o.temperature;
  if (o.cap) scene.cap = *o.cap;
  if (o.causal) {
    CausalRule rule;
    for (const auto& each : kAlignmentWords)
      if (each.word == *o.causal) rule.alignment = each.meaning;
    scene.masks.push_back(rule);
  }
  if (o.window) scene.masks.push_back(WindowRule{*o.window});
  if (o.prefix) scene.masks.push_back(PrefixRule{*o.prefix});
  if (o.alibi) scene.alibi = Alibi{};
  if (o.normalise) scene.normaliser = normaliserOf(*o.normalise).value_or(scene.normaliser);
}

}  // namespace attn
