#include "app/cli/train.h"

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <map>
#include <memory>

#include "app/cli/train_show.h"
#include "core/error.h"
#include "core/io/atomic_file.h"
#include "core/io/interruption.h"
#include "core/io/model_npz.h"
#include "core/io/number_text.h"
#include "core/seq2seq/trainer.h"

namespace attn {
namespace {

const std::map<std::string, DecoderAttention> kAttentions = {{"none", DecoderAttention::none},
                                                             {"dot", DecoderAttention::dot},
                                                             {"scaled", DecoderAttention::scaledDot},
                                                             {"general", DecoderAttention::general},
                                                             {"additive", DecoderAttention::additive}};

struct TrainOptions {
  TrainingSetup setup;
  std::string attention = "dot", alphabet = "abcd", lengths, output, curve;
  int threads = 1;
};

/// "5:15"
void readLengths(const std::string& text, TrainingSetup& setup) {
  char rest = 0;
  if (std::sscanf(text.c_str(), "%td:%td%c", &setup.shortest, &setup.longest, &rest) != 2)
    throw CLI::ValidationError("--lengths", "found '" + text + "', expected SHORTEST:LONGEST, like 5:15");
}

std::string percent(double share) {
  char text[16];
  std::snprintf(text, sizeof text, "%6.2f %%", 100 * share);
  return text;
}

std::string lineOf(const EpochReport& report) {
  char text[64];
  std::snprintf(text, sizeof text, "epoch %3d  loss %.4f", static_cast<int>(report.epoch), report.loss);
  return text + std::string("  validation: symbols ") + percent(report.validation.symbols) + ", strings " +
         percent(report.validation.strings);
}

std::string csvLine(const EpochReport& r) {
  std::string line = std::to_string(r.epoch);
  for (const double value : {r.loss, r.gradientNorm, r.validation.symbols, r.validation.strings})
    line += ',' + numberText(value);
  return line + '\n';
}

/// A bar with the time left, drawn over itself; only where a person watches.
class Progress {
 public:
  explicit Progress(Index batches) : batches_(batches), isShown_(isatty(STDOUT_FILENO) == 1) {}

  void show(Index done) {
    if (!isShown_ || done * kSteps / batches_ == drawn_) return;
    drawn_ = done * kSteps / batches_;
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - begin_;
    const auto left =
        static_cast<int>(passed.count() * static_cast<double>(batches_ - done) / static_cast<double>(done));
    const auto full = static_cast<std::size_t>(drawn_ * kWidth / kSteps);
    std::cout << '\r' << '[' << std::string(full, '#') << std::string(kWidth - full, '.') << "] "
              << drawn_ * 100 / kSteps << " %, " << left << " s left " << std::flush;
  }
  void clear() const {
    if (isShown_) std::cout << "\r\033[K";
  }

 private:
  static constexpr Index kSteps = 200, kWidth = 40;
  Index batches_, drawn_ = -1;
  bool isShown_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

/// Said before the training, not after it.
void expectFolder(const std::string& file) {
  if (!file.empty() && !std::filesystem::is_directory(std::filesystem::absolute(file).parent_path()))
    throw Error(file + ": found no such folder, expected one to write to");
}

void run(TrainOptions& options) {
  checkAlphabet(options.alphabet);
  expectFolder(options.output);
  expectFolder(options.curve);
  options.setup.shape.letters = static_cast<Index>(options.alphabet.size());
  Trainer trainer(options.setup, options.threads);
  Progress progress(options.setup.epochs * trainer.batchesAnEpoch());
  std::string curve = "epoch,loss,gradient_norm,symbol_accuracy,string_accuracy\n";
  while (!trainer.isComplete()) {
    trainer.trainBatch();
    progress.show(trainer.batchesDone());
    if (trainer.batchesDone() % trainer.batchesAnEpoch() != 0) continue;
    const EpochReport report = trainer.report();
    progress.clear();
    std::cout << lineOf(report) << std::endl;
    curve += csvLine(report);
  }
  if (!options.curve.empty()) {
    const InterruptionGuard guard;
    writeFileAtomically(options.curve, curve);
    std::cout << options.curve << ": " << options.setup.epochs << " epochs\n";
  }
  if (!options.output.empty()) {
    TrainedModel model = {options.setup.shape, options.alphabet, trainer.model().parameters()};
    writeModel(model, options.output);
    std::cout << options.output << ": " << model.parameters.all().size() << " matrices\n";
  }
  std::cout.flush();
  if (!std::cout) throw Error("standard output: cannot write");
}

void addReversal(CLI::App& train) {
  CLI::App* verb = train.add_subcommand("reversal", "Train an LSTM to reverse random strings");
  auto options = std::make_shared<TrainOptions>();
  TrainOptions& o = *options;
  TrainingSetup& s = o.setup;
  o.lengths = std::to_string(s.shortest) + ":" + std::to_string(s.longest);
  verb->add_option("--attention", o.attention, "none, dot, scaled, general or additive")
      ->check(CLI::IsMember(kAttentions))
      ->capture_default_str();
  verb->add_option("--epochs", s.epochs, "How often each string is seen")->capture_default_str();
  verb->add_option("--seed", s.seed, "Where the random numbers begin")->capture_default_str();
  verb->add_option("--hidden", s.shape.hidden, "Width of the LSTM's states")->capture_default_str();
  verb->add_option("--embedding", s.shape.embedding, "Width of the letters' vectors")->capture_default_str();
  verb->add_option("--batch", s.batch, "Strings a step")->capture_default_str();
  verb->add_option("--rate", s.rate, "Learning rate of Adam")->capture_default_str();
  verb->add_option("--clip", s.clip, "The largest norm of a gradient")->capture_default_str();
  verb->add_option("--strings", s.strings, "To train on")->capture_default_str();
  verb->add_option("--validation", s.validationStrings, "Strings to validate on")->capture_default_str();
  verb->add_option("--lengths", o.lengths, "Of the strings: SHORTEST:LONGEST")->capture_default_str();
  verb->add_option("--alphabet", o.alphabet, "The letters")->capture_default_str();
  verb->add_option("--threads", o.threads, "Changes no result")
      ->check(CLI::Range(1, 1024))
      ->capture_default_str();
  verb->add_option("-o,--output", o.output, "Save the model here, as an .npz archive");
  verb->add_option("--curve", o.curve, "Write loss and accuracy of each epoch here, as CSV");
  verb->callback([options] {
    options->setup.shape.attention = kAttentions.at(options->attention);
    readLengths(options->lengths, options->setup);
    run(*options);
  });
}

}  // namespace

void addTrain(CLI::App& program) {
  CLI::App* verb = program.add_subcommand("train", "A model learns to attend, from nothing");
  verb->require_subcommand(1);
  addReversal(*verb);
  addTrainShow(*verb);
}

}  // namespace attn
