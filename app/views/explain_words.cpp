#include "app/views/explain_words.h"

#include "app/views/labels.h"

namespace attn {
namespace {

enum class Place { pair, query, key, weights };

Place placeOf(Stage stage) {
  switch (stage) {
    case Stage::rawScores:
    case Stage::scaledScores:
    case Stage::cappedScores:
    case Stage::scores:
    case Stage::probs:
    case Stage::dProbs:
    case Stage::dScores:
    case Stage::dScaledScores:
    case Stage::dRawScores:
      return Place::pair;
    case Stage::k:
    case Stage::v:
    case Stage::unitK:
    case Stage::dK:
    case Stage::dV:
    case Stage::dOther:
      return Place::key;
    case Stage::dWq:
    case Stage::dWk:
    case Stage::dWv:
    case Stage::dWo:
      return Place::weights;
    default:
      return Place::query;
  }
}

}  // namespace

const char* stageWords(Stage stage) {
  // In the order of the enumeration.
  constexpr const char* kWords[kStageCount] = {"Query",
                                               "Key",
                                               "Value",
                                               "Query of length 1",
                                               "Key of length 1",
                                               "Product q·k",
                                               "Scaled score",
                                               "Capped score",
                                               "Score",
                                               "Weight",
                                               "Output of the head",
                                               "Output",
                                               "Gradient of the output",
                                               "Gradient of the head's output",
                                               "Gradient of the weight",
                                               "Gradient of the score",
                                               "Gradient of the scaled score",
                                               "Gradient of the product q·k",
                                               "Gradient of the query",
                                               "Gradient of the key",
                                               "Gradient of the value",
                                               "Gradient of X",
                                               "Gradient of Y",
                                               "Gradient of W_Q",
                                               "Gradient of W_K",
                                               "Gradient of W_V",
                                               "Gradient of W_O"};
  return kWords[static_cast<std::size_t>(stage)];
}

std::string cellWords(const Notation& notation, const Scene& scene, const Cell& cell) {
  std::string place;
  switch (placeOf(cell.stage)) {
    case Place::pair:
      place = queryLabel(notation, scene, cell.row) + " → " + keyLabel(notation, scene, cell.col);
      break;
    case Place::query:
      place = queryLabel(notation, scene, cell.row) + ", dimension " + dimensionLabel(notation, cell.col);
      break;
    case Place::key:
      place = keyLabel(notation, scene, cell.row) + ", dimension " + dimensionLabel(notation, cell.col);
      break;
    case Place::weights:
      place = "row " + dimensionLabel(notation, cell.row) + ", column " + dimensionLabel(notation, cell.col);
      break;
  }
  const bool isOfHead = stageShape(scene, cell.stage).heads > 1;
  const std::string head = isOfHead ? ", head " + std::to_string(cell.head + 1) : "";
  return stageWords(cell.stage) + (", " + place) + head;
}

}  // namespace attn
