#include <new>

#include "core/error.h"
#include "core/io/json_parse.h"
#include "core/io/json_reader.h"
#include "core/io/labs_json.h"
#include "core/io/matrix_json.h"
#include "core/io/scene_json.h"
#include "core/io/scene_words.h"
#include "core/io/slide_json.h"

namespace attn {
namespace {

constexpr int kVersion = 1;

template <class Element, class Read>
std::vector<Element> listOf(const JsonReader& place, std::string_view elements, Read read) {
  std::vector<Element> list;
  const std::size_t count = place.length(elements);
  list.reserve(count);
  for (std::size_t i = 0; i < count; ++i) list.push_back(read(place[i]));
  return list;
}

std::vector<std::string> readTexts(const JsonReader& place) {
  return listOf<std::string>(place, "strings", [](const JsonReader& element) { return element.text(); });
}

void checkVersion(const JsonReader& root) {
  const int version = root.at("attnscope").whole<int>();
  if (version != kVersion)
    root.at("attnscope").refuse("version " + std::to_string(version), "version " + std::to_string(kVersion));
}

void readTokens(const JsonReader& tokens, PreciseScene& scene) {
  if (tokens.isList()) {
    scene.queryLabels = scene.keyLabels = readTexts(tokens);
    return;
  }
  tokens.allow({"queries", "keys"});
  if (tokens.has("queries")) scene.queryLabels = readTexts(tokens.at("queries"));
  if (tokens.has("keys")) scene.keyLabels = readTexts(tokens.at("keys"));
}

void readHead(const JsonReader& head, std::size_t index, MatrixReader& matrices, SourceOf<double>& source) {
  head.allow({"q", "k", "v", "w_q", "w_k", "w_v"});
  const bool hasGiven = head.has("q") || head.has("k") || head.has("v");
  const bool hasProjected = head.has("w_q") || head.has("w_k") || head.has("w_v");
  if (!hasGiven && !hasProjected) head.refuse("no matrix", "q, k, v or w_q, w_k, w_v");
  // The heads of a kind are the first ones: a gap would make two heads of the list one head of that kind.
  if ((hasGiven && source.given.size() < index) || (hasProjected && source.projected.size() < index))
    head.refuse("matrices that an earlier head does not have", "them in the first heads");
  if (hasGiven)
    source.given.push_back(
        {matrices.input(head.at("q")), matrices.input(head.at("k")), matrices.input(head.at("v"))});
  if (hasProjected)
    source.projected.push_back(
        {matrices.input(head.at("w_q")), matrices.input(head.at("w_k")), matrices.input(head.at("w_v"))});
}

ParkedKeysOf<double> readParked(const JsonReader& place, MatrixReader& matrices) {
  place.allow({"x_kv", "tokens", "heads"});
  ParkedKeysOf<double> parked;
  if (place.has("x_kv")) parked.other = matrices.input(place.at("x_kv"));
  if (place.has("tokens")) parked.labels = readTexts(place.at("tokens"));
  parked.heads = listOf<KeyProjectionsOf<double>>(place.at("heads"), "heads", [&](const JsonReader& head) {
    head.allow({"w_k", "w_v"});
    return KeyProjectionsOf<double>{matrices.input(head.at("w_k")), matrices.input(head.at("w_v"))};
  });
  return parked;
}

SourceOf<double> readSource(const JsonReader& root, MatrixReader& matrices) {
  using Kind = SourceOf<double>::Kind;
  SourceOf<double> source;
  const JsonReader heads = root.at("heads");
  const std::size_t count = heads.lengthOfSome("heads");
  for (std::size_t h = 0; h < count; ++h) readHead(heads[h], h, matrices, source);
  if (root.has("source"))
    source.kind = root.at("source").oneOf(kSourceWords<double>);
  else if (source.given.empty())
    source.kind = Kind::projected;
  else if (!source.projected.empty())
    root.refuse("heads with both q, k, v and w_q, w_k, w_v", "a \"source\", given or projected");
  if (root.has("x") || source.kind == Kind::projected) source.x = matrices.input(root.at("x"));
  if (root.has("x_kv")) source.other = matrices.input(root.at("x_kv"));
  if (root.has("w_o")) source.wo = matrices.input(root.at("w_o"));
  if (root.has("parked")) source.parked = readParked(root.at("parked"), matrices);
  return source;
}

Scale readScale(const JsonReader& place) {
  place.allow({"rule", "number", "temperature", "qk_norm"});
  Scale scale;
  // "Cosine with a gain": without a word on the rule, QK-norm takes the place of √d_k.
  if (place.has("qk_norm")) scale.rule = Scale::Rule::none;
  if (place.has("rule")) scale.rule = place.at("rule").oneOf(kScaleWords);
  if (place.has("number") || scale.rule == Scale::Rule::number) scale.number = place.at("number").number();
  scale.temperature = place.numberOr("temperature", scale.temperature);
  if (place.has("qk_norm")) scale.qkNormGain = place.at("qk_norm").number();
  return scale;
}

std::optional<Alibi> readAlibi(const JsonReader& place) {
  if (place.isFlag()) return place.flag() ? std::optional(Alibi{}) : std::nullopt;
  if (!place.isList()) place.refuse("true or a list of slopes");
  place.lengthOfSome("slopes");
  return Alibi{listOf<double>(place, "slopes", [](const JsonReader& slope) { return slope.number(); })};
}

Alignment readAlignment(const JsonReader& rule) {
  return rule.has("align") ? rule.at("align").oneOf(kAlignmentWords) : Alignment::topLeft;
}

MaskRule readPadding(const JsonReader& rule) {
  rule.allow({"rule", "length", "flags"});
  if (rule.has("length") == rule.has("flags"))
    rule.refuse(rule.has("length") ? "both length and flags" : "no length and no flags", "one of them");
  if (rule.has("length")) return PaddingLengthRule{rule.at("length").whole<Index>(0)};
  return PaddingFlagsRule{
      listOf<bool>(rule.at("flags"), "flags", [](const JsonReader& flag) { return flag.flag(); })};
}

MaskRule readDocuments(const JsonReader& rule) {
  const auto ids = [](const JsonReader& list) {
    return listOf<int>(list, "whole numbers", [](const JsonReader& id) { return id.whole<int>(); });
  };
  if (!rule.has("ids")) {
    rule.allow({"rule", "ids", "queries", "keys"});
    return DocumentsRule{ids(rule.at("queries")), ids(rule.at("keys"))};
  }
  rule.allow({"rule", "ids"});
  return DocumentsRule{ids(rule.at("ids")), ids(rule.at("ids"))};
}

MaskRule readMask(const JsonReader& rule, MatrixReader& matrices) {
  enum class Kind { causal, padding, window, prefix, documents, painted };
  constexpr Word<Kind> kRules[] = {{"causal", Kind::causal},       {"padding", Kind::padding},
                                   {"window", Kind::window},       {"prefix", Kind::prefix},
                                   {"documents", Kind::documents}, {"painted", Kind::painted}};
  switch (rule.at("rule").oneOf(kRules)) {
    case Kind::causal:
      rule.allow({"rule", "align"});
      return CausalRule{readAlignment(rule)};
    case Kind::padding:
      return readPadding(rule);
    case Kind::window:
      rule.allow({"rule", "width"});
      return WindowRule{rule.at("width").whole<Index>(1)};
    case Kind::prefix:
      rule.allow({"rule", "length", "align"});
      return PrefixRule{rule.at("length").whole<Index>(0), readAlignment(rule)};
    case Kind::documents:
      return readDocuments(rule);
    case Kind::painted:
      break;
  }
  rule.allow({"rule", "may_attend"});
  return PaintedRule{matrices.flags(rule.at("may_attend"))};
}

Normaliser readNormaliser(const JsonReader& place) {
  if (place.isText()) return {.kind = place.oneOf(kNormaliserWords)};
  place.allow({"kind", "logit"});
  return {place.at("kind").oneOf(kNormaliserWords), place.numberOr("logit", 0)};
}

UpstreamOf<double> readUpstream(const JsonReader& place, MatrixReader& matrices) {
  using Kind = UpstreamOf<double>::Kind;
  UpstreamOf<double> upstream;
  if (place.isText()) {
    if (place.text() != "ones") place.refuse("ones or an object with cell, given or target");
    return upstream;
  }
  place.allow({"kind", "cell", "given", "target"});
  const int parts = int{place.has("cell")} + int{place.has("given")} + int{place.has("target")};
  if (place.has("given") && place.has("target")) place.refuse("both given and target", "one of them");
  if (parts != 1 && !place.has("kind"))
    place.refuse("no \"kind\"", "this key, or one of cell, given, target");
  if (place.has("cell")) {
    const JsonReader cell = place.at("cell");
    if (!cell.isList() || cell.length("numbers") != 2) cell.refuse("[row, column]");
    upstream = {Kind::cell, cell[0].whole<Index>(0), cell[1].whole<Index>(0), {}};
  }
  for (const auto& [word, kind] : {kUpstreamWords<double>[2], kUpstreamWords<double>[3]}) {
    if (!place.has(word)) continue;
    upstream.kind = kind;
    upstream.matrix = matrices.input(place.at(word)).values;
  }
  if (place.has("kind")) upstream.kind = place.at("kind").oneOf(kUpstreamWords<double>);
  return upstream;
}

Story readStory(const JsonReader& place) {
  place.allow(
      {"title", "of", "matrix", "head", "cell", "rule", "from", "to", "seconds", "easing", "repeat"});
  Story story;
  if (place.has("title")) story.title = place.at("title").text();
  StoryTarget& target = story.target;
  target.kind = place.at("of").oneOf(kTargetWords);
  if (isOfMatrix(target.kind)) target.input.name = place.at("matrix").oneOf(kInputWords);
  if (isOfHead(target.kind) && place.has("head")) target.input.head = place.at("head").whole<Index>(0);
  if (target.kind == StoryTarget::Kind::ruleLength) target.rule = place.at("rule").whole<std::size_t>(0);
  if (isOfCell(target.kind)) {
    const JsonReader cell = place.at("cell");
    if (!cell.isList() || cell.length("numbers") != 2) cell.refuse("[row, column]");
    target.row = cell[0].whole<Index>(0), target.col = cell[1].whole<Index>(0);
  }
  story.from = place.at("from").number(), story.to = place.at("to").number();
  story.seconds = place.numberOr("seconds", story.seconds);
  if (place.has("easing")) story.easing = place.at("easing").oneOf(kEasingWords);
  if (place.has("repeat")) story.repeat = place.at("repeat").oneOf(kRepeatWords);
  return story;
}

PreciseScene readScene(const JsonReader& root, MatrixReader& matrices) {
  checkVersion(root);
  root.allow({"attnscope",
              "title",
              "tokens",
              "source",
              "x",
              "x_kv",
              "heads",
              "w_o",
              "parked",
              "scale",
              "cap",
              "alibi",
              "bias",
              "masks",
              "normalise",
              "upstream",
              "saturation_threshold",
              "slides",
              "stories",
              "labs"});
  PreciseScene scene;
  if (root.has("title")) scene.title = root.at("title").text();
  if (root.has("tokens")) readTokens(root.at("tokens"), scene);
  scene.source = readSource(root, matrices);
  if (root.has("scale")) scene.scale = readScale(root.at("scale"));
  if (root.has("cap")) scene.cap = root.at("cap").number();
  if (root.has("alibi")) scene.alibi = readAlibi(root.at("alibi"));
  if (root.has("bias")) scene.bias = matrices.inputs(root.at("bias"));
  if (root.has("masks"))
    scene.masks = listOf<MaskRule>(root.at("masks"), "masks",
                                   [&](const JsonReader& rule) { return readMask(rule, matrices); });
  if (root.has("normalise")) scene.normaliser = readNormaliser(root.at("normalise"));
  if (root.has("upstream")) scene.upstream = readUpstream(root.at("upstream"), matrices);
  if (root.has("stories")) scene.stories = listOf<Story>(root.at("stories"), "stories", readStory);
  if (root.has("labs")) scene.labs = readLabs(root.at("labs"));
  scene.saturationThreshold = root.numberOr("saturation_threshold", scene.saturationThreshold);
  if (root.has("slides")) scene.slides = readSlides(root.at("slides"));
  return scene;
}

void checkNamed(const PreciseScene& scene, const std::string& where) {
  try {
    check(scene);
  } catch (const Error& error) {
    throw Error(where + ": " + error.what());
  }
}

}  // namespace

PreciseScene readSceneJson(std::string_view text, const std::string& where, std::uint64_t memoryLimit) {
  try {
    const nlohmann::json document = parseJson(text, where, memoryLimit);
    MatrixReader matrices(memoryLimit);
    PreciseScene scene = readScene(JsonReader(document, where), matrices);
    checkNamed(scene, where);
    return scene;
  } catch (const std::bad_alloc&) {
    throw Error(where + ": not enough memory for the scene");
  }
}

}  // namespace attn
