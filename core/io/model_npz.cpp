#include "core/io/model_npz.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "core/error.h"
#include "core/io/interruption.h"
#include "core/io/npz.h"

namespace attn {
namespace {

constexpr double kVersion = 1;
constexpr const char *kShapeName = "seq2seq", *kAlphabetName = "alphabet";

std::vector<std::size_t> shapeOf(const Matrix& m) {
  return {static_cast<std::size_t>(m.rows()), static_cast<std::size_t>(m.cols())};
}

/// The arrays of one file, with errors that name the file and the array.
struct Reader {
  const std::map<std::string, NpyArray>& arrays;
  const std::string& where;

  const NpyArray& numbers(const std::string& name, std::size_t rank) const {
    const auto found = arrays.find(name);
    if (found == arrays.end())
      throw Error(where + ": no array '" + name + "', expected a model that attnscope train wrote");
    if (found->second.shape.size() != rank || found->second.type == ElementType::boolean)
      throw Error(where + ": array '" + name + "' is not what attnscope train writes, expected " +
                  std::to_string(rank) + (rank == 1 ? " axis" : " axes") + " of floats");
    return found->second;
  }

  Seq2seqShape shape() const {
    const NpyArray& array = numbers(kShapeName, 1);
    if (array.count() != 4 || array.at(0) != kVersion)
      throw Error(where + ": array 'seq2seq': an unknown version, expected 4 numbers, the first of them 1");
    const auto at = [&](std::size_t i, double least, double most) {
      const double value = array.at(i);
      if (!(value >= least && value <= most) || value != std::floor(value))
        throw Error(where + ": array 'seq2seq': number " + std::to_string(i) +
                    " is out of range, expected a whole one from " + std::to_string(static_cast<int>(least)) +
                    " to " + std::to_string(static_cast<int>(most)));
      return static_cast<Index>(value);
    };
    Seq2seqShape shape;
    shape.attention = static_cast<DecoderAttention>(at(1, 0, 4));
    shape.embedding = at(2, 1, 1024), shape.hidden = at(3, 1, 1024);
    return shape;
  }

  std::string alphabet() const {
    const NpyArray& array = numbers(kAlphabetName, 1);
    std::string letters;
    for (std::size_t i = 0; i < array.count(); ++i) {
      const double code = array.at(i);
      letters += code > 32 && code < 127 ? static_cast<char>(code) : ' ';
    }
    try {
      checkAlphabet(letters);
    } catch (const Error& error) {
      throw Error(where + ": array 'alphabet': " + error.what());
    }
    return letters;
  }

  void fill(const std::string& name, Matrix& matrix) const {
    const NpyArray& array = numbers(name, 2);
    if (array.shape != shapeOf(matrix))
      throw Error(where + ": array '" + name + "': " + std::to_string(array.shape[0]) + " × " +
                  std::to_string(array.shape[1]) + " numbers, expected " + std::to_string(matrix.rows()) +
                  " × " + std::to_string(matrix.cols()));
    for (Index i = 0; i < matrix.size(); ++i)
      matrix.data()[i] = static_cast<float>(array.at(static_cast<std::size_t>(i)));
    if (!matrix.allFinite()) throw Error(where + ": array '" + name + "': expected only finite numbers");
  }
};

}  // namespace

void checkAlphabet(const std::string& alphabet) {
  const std::set<char> letters(alphabet.begin(), alphabet.end());
  const bool printable =
      std::all_of(letters.begin(), letters.end(), [](char c) { return c > 32 && c < 127; });
  if (alphabet.empty() || letters.size() != alphabet.size() || !printable)
    throw Error("alphabet: expected different printable ASCII characters, like abcd");
}

void writeModel(TrainedModel& model, const std::filesystem::path& file) {
  const InterruptionGuard guard;
  const Seq2seqShape& s = model.shape;
  const std::vector<double> shape = {kVersion, static_cast<double>(s.attention),
                                     static_cast<double>(s.embedding), static_cast<double>(s.hidden)};
  const std::vector<double> codes(model.alphabet.begin(), model.alphabet.end());
  NpzWriter writer(file);
  writer.add(kShapeName, {shape.size()}, shape.data());
  writer.add(kAlphabetName, {codes.size()}, codes.data());
  for (const auto& each : model.parameters.all())
    writer.add(each.name, shapeOf(*each.matrix), each.matrix->data());
  writer.commit();
}

TrainedModel readModel(const std::filesystem::path& file) {
  const std::string where = printable(file.string(), 4096);
  const std::map<std::string, NpyArray> arrays = readNpz(file);
  const Reader reader = {arrays, where};
  TrainedModel model;
  model.shape = reader.shape();
  model.alphabet = reader.alphabet();
  model.shape.letters = static_cast<Index>(model.alphabet.size());
  model.parameters = Seq2seqParameters<float>(model.shape);
  for (const auto& each : model.parameters.all()) reader.fill(each.name, *each.matrix);
  return model;
}

}  // namespace attn
