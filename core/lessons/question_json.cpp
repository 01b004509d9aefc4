#include "core/lessons/question_json.h"

#include "core/attention/visibility.h"
#include "core/error.h"
#include "core/io/scene_json.h"
#include "core/lessons/lesson_words.h"

namespace attn {
namespace {

std::optional<Index> optionalIndex(const JsonReader& place, std::string_view key) {
  if (!place.has(key)) return std::nullopt;
  return place.at(key).whole<Index>(0);
}

Index indexOr0(const JsonReader& place, std::string_view key) {
  return optionalIndex(place, key).value_or(0);
}

CellsOf readCells(const JsonReader& place, const PreciseScene& scene) {
  const std::string name = place.at("stage").text();
  const Stage stage = readStage(place.at("stage"), scene);
  const StageShape shape = stageShape(scene, stage);
  const CellsOf cells = {stage, indexOr0(place, "head"), optionalIndex(place, "row"),
                         optionalIndex(place, "col")};
  if (cells.head >= shape.heads || cells.row.value_or(0) >= shape.rows || cells.col.value_or(0) >= shape.cols)
    place.refuse("a place outside " + name,
                 std::to_string(shape.heads) + " heads of shape " + shapeText(shape.rows, shape.cols));
  return cells;
}

ProductOf readProduct(const JsonReader& place) {
  ProductOf product;
  for (std::size_t i = 0; i < place.lengthOfSome("lengths"); ++i)
    product.lengths.push_back(place[i].oneOf(kLengthWords));
  return product;
}

Wish readWhat(const JsonReader& place, const PreciseScene& scene) {
  if (place.has("measure")) {
    place.allow({"measure", "head", "row", "with"});
    return MeasureOf{place.at("measure").oneOf(kMeasureWords), indexOr0(place, "head"),
                     indexOr0(place, "row")};
  }
  if (place.has("norm")) {
    place.allow({"norm", "with"});
    return NormOf{place.at("norm").oneOf(kNormWords)};
  }
  if (place.has("count")) {
    place.allow({"count", "stage", "with"});
    return CountOf{place.at("count").oneOf(kOperationWords),
                   place.has("stage") ? place.at("stage").text() : ""};
  }
  if (place.has("length")) {
    place.allow({"length", "with"});
    return LengthOf{place.at("length").oneOf(kLengthWords)};
  }
  if (place.has("divisor")) {
    place.allow({"divisor", "with"});
    return Divisor{};
  }
  if (place.has("product")) {
    place.allow({"product", "with"});
    return readProduct(place.at("product"));
  }
  if (place.has("jacobian_bound")) {
    place.allow({"jacobian_bound", "head", "row", "with"});
    return JacobianBound{indexOr0(place, "head"), indexOr0(place, "row")};
  }
  place.allow({"stage", "head", "row", "col", "measure", "norm", "count", "length", "divisor", "product",
               "jacobian_bound", "with"});
  return readCells(place, scene);
}

Quantity readQuantity(const JsonReader& place, const SceneDocument& scene) {
  const auto of = place.has("with") ? scene.changed(place.at("with")).scene : scene.scene;
  return {of, readWhat(place, *of)};
}

std::vector<double> readNumbers(const JsonReader& place) {
  if (!place.isList()) return {place.number()};
  std::vector<double> numbers(place.lengthOfSome("numbers"));
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = place.numberAt(i);
  return numbers;
}

NumbersQuestion readNumbersQuestion(const JsonReader& place, const SceneDocument& scene) {
  place.allow({"printed", "of", "tolerance"});
  NumbersQuestion question = {readNumbers(place.at("printed")), std::nullopt, place.at("tolerance").number()};
  if (!(question.tolerance >= 0)) place.at("tolerance").refuse("a number of at least 0");
  if (place.has("of")) question.of = readQuantity(place.at("of"), scene);
  return question;
}

CellQuestion readCellQuestion(const JsonReader& place, const SceneDocument& scene) {
  place.allow({"of", "which", "row", "col"});
  const JsonReader of = place.at("of");
  CellQuestion question = {readQuantity(of, scene), place.at("which").oneOf(kWhichWords),
                           place.at("row").whole<Index>(0), place.at("col").whole<Index>(0)};
  const CellsOf* cells = std::get_if<CellsOf>(&question.of.what);
  if (!cells || cells->col) of.refuse("no map of cells", "a stage with its head and perhaps a row");
  const StageShape shape = stageShape(*question.of.scene, cells->stage);
  if (question.row >= shape.rows || question.col >= shape.cols ||
      cells->row.value_or(question.row) != question.row)
    place.refuse("the cell (" + std::to_string(question.row) + ", " + std::to_string(question.col) + ")",
                 "one of those to choose from, of shape " + shapeText(shape.rows, shape.cols));
  return question;
}

Fact readFact(const JsonReader& place, const SceneDocument& scene) {
  Fact fact = {readQuantity(place.at("of"), scene), place.at("is").oneOf(kRelationWords), 0.0,
               place.numberOr("tolerance", 0)};
  const JsonReader than = place.at("than");
  if (than.isObject())
    fact.than = readQuantity(than, scene);
  else
    fact.than = than.number();
  return fact;
}

ChoiceQuestion readChoice(const JsonReader& place, const SceneDocument& scene) {
  place.allow({"options", "facts"});
  ChoiceQuestion question;
  const JsonReader options = place.at("options");
  std::size_t right = 0;
  for (std::size_t i = 0; i < options.lengthOfSome("options"); ++i) {
    const JsonReader option = options[i];
    option.allow({"text", "right", "means"});
    question.options.push_back({option.at("text").text(), option.has("right") && option.at("right").flag(),
                                option.has("means") ? option.at("means").text() : ""});
    right += question.options.back().right;
  }
  if (right == 0 || question.options.size() == right)
    options.refuse(
        std::to_string(right) + " right of " + std::to_string(question.options.size()) + " options",
        "some that are right and some that are not");
  if (place.has("facts")) {
    const JsonReader facts = place.at("facts");
    for (std::size_t i = 0; i < facts.length("facts"); ++i) {
      facts[i].allow({"of", "is", "than", "tolerance"});
      question.facts.push_back(readFact(facts[i], scene));
    }
  }
  return question;
}

OrderQuestion readOrder(const JsonReader& place) {
  OrderQuestion question;
  for (std::size_t i = 0; i < place.length("texts, in the right order"); ++i)
    question.items.push_back(place[i].text());
  if (question.items.size() < 2) place.refuse("at least two texts, in the right order");
  return question;
}

/// The rules are read as those of the scene, so that they are checked like them.
MaskQuestion readMaskQuestion(const JsonReader& place, const SceneDocument& scene) {
  place.allow({"may_attend", "masks"});
  nlohmann::json document = scene.document;
  document["masks"] = place.at("masks").node();
  MaskQuestion question;
  const auto ruled = SceneDocument::read(std::move(document), place.at("masks")).scene;
  question.rules = ruled->masks;
  const Shapes shapes = shapesOf(*ruled);
  const JsonReader rows = place.at("may_attend");
  if (static_cast<Index>(rows.length("rows")) != shapes.queries)
    rows.refuse("a row for each of the " + std::to_string(shapes.queries) + " queries");
  question.mayAttend.resize(shapes.queries, shapes.keys);
  for (Index i = 0; i < shapes.queries; ++i) {
    const JsonReader row = rows[static_cast<std::size_t>(i)];
    if (static_cast<Index>(row.length("flags")) != shapes.keys)
      row.refuse("a flag for each of the " + std::to_string(shapes.keys) + " keys");
    for (Index j = 0; j < shapes.keys; ++j)
      question.mayAttend(i, j) = row[static_cast<std::size_t>(j)].flag() ? 1 : 0;
  }
  return question;
}

CommonMistake readMistake(const JsonReader& place, const SceneDocument& scene, std::size_t count) {
  place.allow({"numbers", "of", "means"});
  if (place.has("numbers") == place.has("of"))
    place.refuse(place.has("of") ? "both numbers and of" : "no numbers and no of", "one of them");
  CommonMistake mistake = {std::vector<double>{}, place.at("means").text()};
  if (place.has("of")) {
    mistake.numbers = readQuantity(place.at("of"), scene);
    return mistake;
  }
  std::vector<double> numbers = readNumbers(place.at("numbers"));
  if (numbers.size() != count)
    place.at("numbers").refuse(std::to_string(numbers.size()) + " numbers",
                               std::to_string(count) + " as asked for");
  mistake.numbers = std::move(numbers);
  return mistake;
}

QuestionKind readKind(const JsonReader& place, const SceneDocument& scene) {
  if (place.has("numbers")) return readNumbersQuestion(place.at("numbers"), scene);
  if (place.has("cell")) return readCellQuestion(place.at("cell"), scene);
  if (place.has("choice")) return readChoice(place.at("choice"), scene);
  if (place.has("order")) return readOrder(place.at("order"));
  if (place.has("mask")) return readMaskQuestion(place.at("mask"), scene);
  place.refuse("no kind of answer", "one of numbers, cell, choice, order, mask");
}

/// A meter is read in the scene that there is, not in one of its own.
void refuseWith(const JsonReader& of) {
  if (of.isObject() && of.has("with")) of.at("with").refuse("with", "a quantity of the scene as it is");
}

}  // namespace

Stage readStage(const JsonReader& place, const PreciseScene& scene) {
  const std::string name = place.text();
  const std::optional<Stage> stage = stageNamed(name);
  if (!stage) place.refuse("the name of a stage, such as scores, probs, head_out, d_q");
  if (stageShape(scene, *stage).rows == 0) place.refuse("stage " + name, "one that the scene has");
  return *stage;
}

std::vector<Meter> readMeters(const JsonReader& place, const SceneDocument& scene) {
  std::vector<Meter> meters;
  for (std::size_t i = 0; i < place.lengthOfSome("meters"); ++i) {
    const JsonReader meter = place[i];
    meter.allow({"text", "of", "is", "than", "than_text", "tolerance"});
    refuseWith(meter.at("of"));
    refuseWith(meter.at("than"));
    meters.push_back({meter.at("text").text(), meter.at("than_text").text(), readFact(meter, scene)});
  }
  return meters;
}

SceneDocument SceneDocument::read(nlohmann::json document, const JsonReader& place) {
  auto scene = std::make_shared<const PreciseScene>(readSceneJson(document.dump(), place.where()));
  return {std::move(document), std::move(scene)};
}

SceneDocument SceneDocument::changed(const JsonReader& change) const {
  if (!change.isObject()) change.refuse("an object with what changes in the scene");
  nlohmann::json next = document;
  next.merge_patch(change.node());
  return read(std::move(next), change);
}

Question readQuestion(const JsonReader& place, const SceneDocument& scene) {
  place.allow({"ask", "numbers", "cell", "choice", "order", "mask", "mistakes", "hints", "reveal"});
  int kinds = 0;
  for (const char* kind : {"numbers", "cell", "choice", "order", "mask"}) kinds += place.has(kind);
  if (kinds > 1)
    place.refuse(std::to_string(kinds) + " kinds of answer", "one of numbers, cell, choice, order, mask");
  Question question = {place.at("ask").text(), readKind(place, scene), {}, {}, ""};
  if (place.has("mistakes")) {
    const auto* numbers = std::get_if<NumbersQuestion>(&question.kind);
    if (!numbers) place.at("mistakes").refuse("mistakes", "them only where numbers are asked for");
    const JsonReader mistakes = place.at("mistakes");
    for (std::size_t i = 0; i < mistakes.length("mistakes"); ++i)
      question.mistakes.push_back(readMistake(mistakes[i], scene, numbers->printed.size()));
  }
  if (place.has("hints")) {
    const JsonReader hints = place.at("hints");
    for (std::size_t i = 0; i < hints.length("strings"); ++i) question.hints.push_back(hints[i].text());
  }
  question.reveal = place.at("reveal").text();
  return question;
}

}  // namespace attn
