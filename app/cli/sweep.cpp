#include "app/cli/sweep.h"

#include <CLI/CLI.hpp>
#include <charconv>
#include <cmath>
#include <iostream>
#include <memory>
#include <sstream>

#include "core/attention/scale.h"
#include "core/error.h"
#include "core/io/atomic_file.h"
#include "core/io/interruption.h"
#include "core/io/number_text.h"
#include "core/io/scene_words.h"
#include "core/labs/scaling.h"

namespace attn {
namespace {

struct SweepOptions {
  ScalingSetup setup = defaultScaling();
  std::string widths = "1:4096", scales = "none,sqrt,dk", output;
  int threads = 0;
};

template <class Number>
Number numberOf(const std::string& text, const char* option, const char* expected) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size())
    throw CLI::ValidationError(option, "found '" + text + "', expected " + expected);
  return value;
}

/// "1:4096" doubles from the first to the last, "8,64,100" is a list; both may be mixed.
std::vector<Index> widthsOf(const std::string& text) {
  constexpr const char* kOption = "--dk";
  constexpr const char* kExpected = "numbers like 1:4096 (doubling) or 8,64,100";
  std::vector<Index> widths;
  for (const std::string& part : CLI::detail::split(text, ',')) {
    const std::size_t colon = part.find(':');
    const Index first = numberOf<Index>(part.substr(0, colon), kOption, kExpected);
    const Index last =
        colon == std::string::npos ? first : numberOf<Index>(part.substr(colon + 1), kOption, kExpected);
    if (first < 1 || last < first || last > Index{1} << 20)
      throw CLI::ValidationError(kOption, "found '" + part + "', expected widths from 1 to 1048576, rising");
    for (Index width = first; width <= last; width *= 2) widths.push_back(width);
  }
  return widths;
}

std::vector<Scale> scalesOf(const std::string& text) {
  constexpr const char* kExpected = "none, sqrt, dk or a number above 0";
  std::vector<Scale> scales;
  for (const std::string& part : CLI::detail::split(text, ',')) {
    Scale scale = {.rule = Scale::Rule::number};
    for (const auto& each : kScaleWords)
      if (each.word == part && each.meaning != Scale::Rule::number) scale.rule = each.meaning;
    if (scale.rule == Scale::Rule::number) scale.number = numberOf<double>(part, "--scales", kExpected);
    if (!(scale.number > 0) || !std::isfinite(scale.number))
      throw CLI::ValidationError("--scales", "found '" + part + "', expected " + kExpected);
    scales.push_back(scale);
  }
  return scales;
}

std::string wordOf(const Scale& scale) {
  if (scale.rule == Scale::Rule::number) return numberText(scale.number);
  return std::string(wordFor(kScaleWords, scale.rule));
}

struct Column {
  const char* name;
  ScalingMeasure measure;
};
constexpr Column kColumns[] = {{"score_variance", ScalingMeasure::scoreVariance},
                               {"max_prob", ScalingMeasure::largestWeight},
                               {"entropy", ScalingMeasure::entropy},
                               {"jacobian_norm", ScalingMeasure::jacobianNorm},
                               {"d_q_norm", ScalingMeasure::queryGradient},
                               {"d_k_norm", ScalingMeasure::keyGradient}};

/// A line a width and scale: what theory says of the variance, then each measure's mean over the trials and
/// the band in which four of five trials lie.
std::string csvOf(const ScalingSweep& sweep) {
  std::ostringstream csv;
  csv << "dk,scale,trials,score_variance_theory";
  for (const Column& column : kColumns)
    csv << ',' << column.name << ',' << column.name << "_low," << column.name << "_high";
  csv << '\n';
  const ScalingSetup& setup = sweep.setup();
  for (std::size_t w = 0; w < setup.widths.size(); ++w)
    for (std::size_t r = 0; r < setup.scales.size(); ++r) {
      const Index width = setup.widths[w];
      const double divisor = plainDivisor(setup.scales[r], width);
      csv << numberText(static_cast<double>(width)) << ',' << wordOf(setup.scales[r]) << ','
          << numberText(static_cast<double>(sweep.done())) << ','
          << numberText(dotProductVariance(setup, width) / (divisor * divisor));
      for (const Column& column : kColumns) {
        const Band band = sweep.band(column.measure, w, r);
        csv << ',' << numberText(band.mean) << ',' << numberText(band.low) << ',' << numberText(band.high);
      }
      csv << '\n';
    }
  return csv.str();
}

void run(const SweepOptions& options) {
  ScalingSweep sweep(options.setup, options.threads);
  sweep.advance(options.setup.trials);
  const std::string csv = csvOf(sweep);
  if (options.output.empty()) {
    std::cout << csv << std::flush;
    if (!std::cout) throw Error("standard output: cannot write");
    return;
  }
  const InterruptionGuard guard;
  writeFileAtomically(options.output, csv);
  std::cout << options.output << ": " << options.setup.widths.size() * options.setup.scales.size()
            << " lines\n";
}

}  // namespace

void addSweep(CLI::App& program) {
  CLI::App* verb = program.add_subcommand(
      "sweep", "Why √d_k: random queries and keys of growing width under several scales, as CSV");
  auto options = std::make_shared<SweepOptions>();
  SweepOptions& o = *options;
  verb->add_option("--dk", o.widths, "Widths: FIRST:LAST doubles, A,B,C is a list")->capture_default_str();
  verb->add_option("--scales", o.scales, "What scores are divided by: none, sqrt, dk or numbers")
      ->capture_default_str();
  verb->add_option("--n", o.setup.keys, "Keys that a query attends to")->capture_default_str();
  verb->add_option("--trials", o.setup.trials, "Draws at each width")->capture_default_str();
  verb->add_option("--seed", o.setup.seed, "Where the random numbers begin")->capture_default_str();
  verb->add_option("--mean", o.setup.mean, "Of the numbers of q and k")->capture_default_str();
  verb->add_option("--deviation", o.setup.deviation, "Of the numbers of q and k")->capture_default_str();
  verb->add_option("--threads", o.threads, "Default: one a processor")->check(CLI::Range(1, 1024));
  verb->add_option("-o,--output", o.output, "Write to this file instead of standard output");
  verb->callback([options] {
    options->setup.widths = widthsOf(options->widths);
    options->setup.scales = scalesOf(options->scales);
    run(*options);
  });
}

}  // namespace attn
