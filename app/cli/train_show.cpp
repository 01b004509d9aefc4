#include "app/cli/train_show.h"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <iostream>
#include <memory>
#include <sstream>

#include "app/gpu/colormap.h"
#include "app/image.h"
#include "core/error.h"
#include "core/io/atomic_file.h"
#include "core/io/interruption.h"
#include "core/io/model_npz.h"
#include "core/io/npz.h"
#include "core/io/number_text.h"
#include "core/seq2seq/model.h"

namespace attn {
namespace {

struct ShowOptions {
  std::string model, text, output;
};

/// What a model made of a text.
struct Shown {
  std::string text, reversed, predicted;
  Matrix weights;  // (predicted letters, letters of the text)

  /// Rows whose largest weight is where the letter to be written stands.
  Index antiDiagonalRows() const {
    Index count = 0;
    for (Index row = 0; row < std::min(weights.rows(), weights.cols()); ++row) {
      Index column = 0;
      weights.row(row).maxCoeff(&column);
      count += column == weights.cols() - 1 - row;
    }
    return count;
  }
};

Shown answer(TrainedModel& model, const std::string& text) {
  std::vector<Index> source;
  for (const char letter : text) {
    const std::size_t symbol = model.alphabet.find(letter);
    if (symbol == std::string::npos)
      throw Error("--text: found '" + printable(text) + "', expected letters of " + model.alphabet);
    source.push_back(static_cast<Index>(symbol));
  }
  constexpr std::size_t kMost = 1024;
  if (source.empty() || source.size() > kMost) throw Error("--text: expected 1 to 1024 letters");
  Seq2seqModel<float> seq2seq(model.shape, model.parameters);
  const Decoded decoded = seq2seq.decode({source}, static_cast<Index>(2 * source.size() + 1))[0];
  Shown shown = {text, {text.rbegin(), text.rend()}, {}, decoded.weights};
  for (const Index symbol : decoded.symbols)
    shown.predicted += model.alphabet[static_cast<std::size_t>(symbol)];
  return shown;
}

void print(const Shown& shown) {
  std::cout << "text       " << shown.text << "\nright      " << shown.reversed << "\npredicted  "
            << shown.predicted << "  " << (shown.predicted == shown.reversed ? "right" : "wrong") << '\n';
  if (shown.weights.size() == 0) return;
  std::cout << "\nweights: rows are the letters written, columns those of the text\n  ";
  for (const char letter : shown.text) std::cout << "     " << letter;
  std::cout << '\n';
  for (Index row = 0; row < shown.weights.rows(); ++row) {
    std::cout << ' ' << shown.predicted[static_cast<std::size_t>(row)];
    for (Index column = 0; column < shown.weights.cols(); ++column) {
      char number[16];
      std::snprintf(number, sizeof number, "%6.2f", static_cast<double>(shown.weights(row, column)));
      std::cout << number;
    }
    std::cout << '\n';
  }
  std::cout << "\nlargest weight on the anti-diagonal: " << shown.antiDiagonalRows() << " of "
            << shown.text.size() << " rows\n";
}

std::string csvOf(const Shown& shown) {
  std::ostringstream csv;
  csv << "written";
  for (const char letter : shown.text) csv << ",\"" << letter << (letter == '"' ? "\"\"" : "\"");
  csv << '\n';
  for (Index row = 0; row < shown.weights.rows(); ++row) {
    const char letter = shown.predicted[static_cast<std::size_t>(row)];
    csv << '"' << letter << (letter == '"' ? "\"\"" : "\"");
    for (Index column = 0; column < shown.weights.cols(); ++column)
      csv << ',' << numberText(shown.weights(row, column));
    csv << '\n';
  }
  return csv.str();
}

/// Squares in viridis from 0 to 1.
Image imageOf(const Matrix& weights) {
  const int cell = static_cast<int>(std::max(Index{1}, 512 / weights.cols()));
  const ColormapTable table = tableOf(Colormap::viridis);
  Image image = {cell * static_cast<int>(weights.cols()), cell * static_cast<int>(weights.rows()), {}};
  for (int y = 0; y < image.height; ++y)
    for (int x = 0; x < image.width; ++x) {
      const Rgb colour = colourAt(table, weights(y / cell, x / cell));
      image.rgba.insert(image.rgba.end(), {colour.r, colour.g, colour.b, 255});
    }
  return image;
}

void save(const Shown& shown, const std::filesystem::path& file) {
  const InterruptionGuard guard;
  const Matrix& w = shown.weights;
  if (file.extension() == ".csv") return writeFileAtomically(file, csvOf(shown));
  if (file.extension() == ".png") return writePng(imageOf(w), file);
  NpzWriter writer(file);
  writer.add("weights", {static_cast<std::size_t>(w.rows()), static_cast<std::size_t>(w.cols())}, w.data());
  writer.commit();
}

std::string checkOutput(const std::string& file) {
  const std::string extension = std::filesystem::path(file).extension();
  const bool isKnown = extension == ".csv" || extension == ".npz" || extension == ".png";
  return isKnown ? "" : "found " + file + ", expected a name that ends in .csv, .npz or .png";
}

void run(const ShowOptions& options) {
  TrainedModel model = readModel(options.model);
  const Shown shown = answer(model, options.text);
  if (!options.output.empty()) {
    if (!model.shape.attends()) throw Error(options.model + ": has no attention, so there is no map to save");
    if (shown.weights.size() == 0)
      throw Error(options.model + ": wrote no letter, so there is no map to save");
    save(shown, options.output);
  }
  print(shown);
  if (!options.output.empty())
    std::cout << options.output << ": " << shown.weights.rows() << " × " << shown.weights.cols()
              << " weights\n";
  std::cout.flush();
  if (!std::cout) throw Error("standard output: cannot write");
}

}  // namespace

void addTrainShow(CLI::App& train) {
  CLI::App* verb = train.add_subcommand("show", "What a trained model answers, and where it looks");
  auto options = std::make_shared<ShowOptions>();
  verb->add_option("MODEL", options->model, "What train reversal -o saved")->required();
  verb->add_option("--text", options->text, "A string of the model's letters")->required();
  verb->add_option("-o,--output", options->output, "Save the attention map: .csv, .npz or .png")
      ->check(CLI::Validator(checkOutput, "FILE"));
  verb->callback([options] { run(*options); });
}

}  // namespace attn
