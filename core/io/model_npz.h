#pragma once
#include <filesystem>
#include <string>

#include "core/seq2seq/parameters.h"

namespace attn {

/// What was learned, and the letters that its symbols stand for.
struct TrainedModel {
  Seq2seqShape shape;
  std::string alphabet;  // shape.letters different printable ASCII characters
  Seq2seqParameters<float> parameters{shape};
};

/// Throws Error unless the letters are different printable ASCII characters, at least one and no blank.
void checkAlphabet(const std::string& alphabet);

/// An archive of the parameters by name; "seq2seq" holds version, attention, embedding and hidden size, and
/// "alphabet" the codes of the letters.
void writeModel(TrainedModel& model, const std::filesystem::path& file);
/// Throws Error with one line that names the file and the array.
TrainedModel readModel(const std::filesystem::path& file);

}  // namespace attn
