#include <algorithm>
#include <array>

#include "core/io/json_writer.h"
#include "core/io/labs_json.h"
#include "core/io/scene_json.h"
#include "core/io/scene_words.h"
#include "core/io/slide_json.h"

namespace attn {
namespace {

void writeFill(JsonWriter& out, const Fill& fill, Index rows, Index cols) {
  out.open('{');
  out.key("fill").text(wordFor(kFillWords, fill.kind));
  out.key("rows").whole(rows);
  out.key("cols").whole(cols);
  if (fill.kind == Fill::Kind::normal) {
    out.key("mean").number(fill.mean);
    out.key("std").number(fill.deviation);
  } else if (fill.kind == Fill::Kind::uniform) {
    out.key("low").number(fill.low);
    out.key("high").number(fill.high);
  }
  if (fill.kind != Fill::Kind::identity) out.key("seed").whole(fill.seed);
  out.close();
}

void writeInput(JsonWriter& out, const InputOf<float>& input) {
  if (input.fill.kind == Fill::Kind::typed)
    out.rows(input.values);
  else
    writeFill(out, input.fill, input.values.rows(), input.values.cols());
}

/// One matrix as it is, several as {"heads": [...]}.
template <class Matrices, class Write>
void writeOneOrPerHead(JsonWriter& out, const Matrices& matrices, Write write) {
  if (matrices.size() == 1) return write(matrices[0]);
  out.open('{');
  out.key("heads").open('[', JsonWriter::Layout::lines);
  for (const auto& matrix : matrices) write(matrix);
  out.close();
  out.close();
}

template <class List>
void writeWholes(JsonWriter& out, const List& list) {
  out.open('[');
  for (const auto value : list) out.whole(value);
  out.close();
}

void writeTexts(JsonWriter& out, const std::vector<std::string>& texts) {
  out.open('[');
  for (const std::string& text : texts) out.text(text);
  out.close();
}

void writeTokens(JsonWriter& out, const Scene& scene) {
  if (scene.queryLabels.empty() && scene.keyLabels.empty()) return;
  out.key("tokens");
  if (scene.queryLabels == scene.keyLabels) return writeTexts(out, scene.queryLabels);
  out.open('{');
  if (!scene.queryLabels.empty()) writeTexts(out.key("queries"), scene.queryLabels);
  if (!scene.keyLabels.empty()) writeTexts(out.key("keys"), scene.keyLabels);
  out.close();
}

void writeParked(JsonWriter& out, const ParkedKeysOf<float>& parked) {
  out.key("parked").open('{', JsonWriter::Layout::lines);
  if (parked.other) writeInput(out.key("x_kv"), *parked.other);
  if (!parked.labels.empty()) writeTexts(out.key("tokens"), parked.labels);
  out.key("heads").open('[', JsonWriter::Layout::lines);
  for (const auto& head : parked.heads) {
    out.open('{', JsonWriter::Layout::lines);
    writeInput(out.key("w_k"), head.wk);
    writeInput(out.key("w_v"), head.wv);
    out.close();
  }
  out.close();
  out.close();
}

void writeSource(JsonWriter& out, const SourceOf<float>& source) {
  out.key("source").text(wordFor(kSourceWords<float>, source.kind));
  if (source.x.values.size() > 0) writeInput(out.key("x"), source.x);
  if (source.other) writeInput(out.key("x_kv"), *source.other);
  out.key("heads").open('[', JsonWriter::Layout::lines);
  for (std::size_t h = 0; h < std::max(source.given.size(), source.projected.size()); ++h) {
    out.open('{', JsonWriter::Layout::lines);
    if (h < source.given.size()) {
      writeInput(out.key("q"), source.given[h].q);
      writeInput(out.key("k"), source.given[h].k);
      writeInput(out.key("v"), source.given[h].v);
    }
    if (h < source.projected.size()) {
      writeInput(out.key("w_q"), source.projected[h].wq);
      writeInput(out.key("w_k"), source.projected[h].wk);
      writeInput(out.key("w_v"), source.projected[h].wv);
    }
    out.close();
  }
  out.close();
  if (source.wo) writeInput(out.key("w_o"), *source.wo);
  if (source.parked) writeParked(out, *source.parked);
}

void writeScale(JsonWriter& out, const Scale& scale) {
  const Scale standard;
  out.key("scale").open('{');
  out.key("rule").text(wordFor(kScaleWords, scale.rule));
  if (scale.rule == Scale::Rule::number || scale.number != standard.number)
    out.key("number").number(scale.number);
  if (scale.temperature != standard.temperature) out.key("temperature").number(scale.temperature);
  if (scale.qkNormGain) out.key("qk_norm").number(*scale.qkNormGain);
  out.close();
}

void writeAlibi(JsonWriter& out, const Alibi& alibi) {
  out.key("alibi");
  if (alibi.slopes.empty()) return out.flag(true);
  out.open('[');
  for (const double slope : alibi.slopes) out.number(slope);
  out.close();
}

/// The members of a mask rule, one function a kind.
struct MaskWriter {
  JsonWriter& out;

  void operator()(const CausalRule& rule) {
    out.key("rule").text("causal");
    out.key("align").text(wordFor(kAlignmentWords, rule.alignment));
  }
  void operator()(const PaddingLengthRule& rule) {
    out.key("rule").text("padding");
    out.key("length").whole(rule.length);
  }
  void operator()(const PaddingFlagsRule& rule) {
    out.key("rule").text("padding");
    out.key("flags").open('[');
    for (const bool flag : rule.isPadding) out.flag(flag);
    out.close();
  }
  void operator()(const WindowRule& rule) {
    out.key("rule").text("window");
    out.key("width").whole(rule.width);
  }
  void operator()(const PrefixRule& rule) {
    out.key("rule").text("prefix");
    out.key("length").whole(rule.length);
    out.key("align").text(wordFor(kAlignmentWords, rule.alignment));
  }
  void operator()(const DocumentsRule& rule) {
    out.key("rule").text("documents");
    if (rule.ofQuery == rule.ofKey) return writeWholes(out.key("ids"), rule.ofQuery);
    writeWholes(out.key("queries"), rule.ofQuery);
    writeWholes(out.key("keys"), rule.ofKey);
  }
  void operator()(const PaintedRule& rule) {
    out.key("rule").text("painted");
    out.key("may_attend");
    writeOneOrPerHead(out, rule.mayAttend, [this](const Bytes& cells) { out.rows(cells); });
  }
};

void writeMasks(JsonWriter& out, const std::vector<MaskRule>& masks) {
  out.key("masks").open('[', JsonWriter::Layout::lines);
  for (const MaskRule& rule : masks) {
    out.open('{');
    std::visit(MaskWriter{out}, rule);
    out.close();
  }
  out.close();
}

void writeNormaliser(JsonWriter& out, const Normaliser& normaliser) {
  out.key("normalise");
  const std::string_view kind = wordFor(kNormaliserWords, normaliser.kind);
  if (normaliser.logit == 0) return out.text(kind);
  out.open('{');
  out.key("kind").text(kind);
  out.key("logit").number(normaliser.logit);
  out.close();
}

/// A cell or a matrix that is not in use is kept too; "kind" then says what is.
void writeUpstream(JsonWriter& out, const UpstreamOf<float>& upstream) {
  using Kind = UpstreamOf<float>::Kind;
  const bool hasCell = upstream.kind == Kind::cell || upstream.row != 0 || upstream.col != 0;
  const bool hasMatrix = upstream.matrix.size() > 0;
  if (upstream.kind == Kind::ones && !hasCell && !hasMatrix) return;
  out.key("upstream").open('{');
  if (upstream.kind == Kind::ones || (hasCell && hasMatrix))
    out.key("kind").text(wordFor(kUpstreamWords<float>, upstream.kind));
  if (hasCell) writeWholes(out.key("cell"), std::array{upstream.row, upstream.col});
  if (hasMatrix) out.key(upstream.kind == Kind::target ? "target" : "given").rows(upstream.matrix);
  out.close();
}

void writeStories(JsonWriter& out, const std::vector<Story>& stories) {
  out.key("stories").open('[', JsonWriter::Layout::lines);
  for (const Story& story : stories) {
    const StoryTarget& target = story.target;
    out.open('{');
    if (!story.title.empty()) out.key("title").text(story.title);
    out.key("of").text(wordFor(kTargetWords, target.kind));
    if (isOfMatrix(target.kind)) out.key("matrix").text(wordFor(kInputWords, target.input.name));
    if (isOfHead(target.kind)) out.key("head").whole(target.input.head);
    if (target.kind == StoryTarget::Kind::ruleLength) out.key("rule").whole(target.rule);
    if (isOfCell(target.kind)) writeWholes(out.key("cell"), std::array{target.row, target.col});
    out.key("from").number(story.from);
    out.key("to").number(story.to);
    out.key("seconds").number(story.seconds);
    out.key("easing").text(wordFor(kEasingWords, story.easing));
    out.key("repeat").text(wordFor(kRepeatWords, story.repeat));
    out.close();
  }
  out.close();
}

}  // namespace

std::string writeSceneJson(const Scene& scene) {
  JsonWriter out;
  out.open('{', JsonWriter::Layout::lines);
  out.key("attnscope").whole(1);
  if (!scene.title.empty()) out.key("title").text(scene.title);
  writeTokens(out, scene);
  writeSource(out, scene.source);
  writeScale(out, scene.scale);
  if (scene.cap) out.key("cap").number(*scene.cap);
  if (scene.alibi) writeAlibi(out, *scene.alibi);
  if (!scene.bias.empty()) {
    out.key("bias");
    writeOneOrPerHead(out, scene.bias, [&](const InputOf<float>& bias) { writeInput(out, bias); });
  }
  if (!scene.masks.empty()) writeMasks(out, scene.masks);
  writeNormaliser(out, scene.normaliser);
  writeUpstream(out, scene.upstream);
  if (scene.saturationThreshold != Scene{}.saturationThreshold)
    out.key("saturation_threshold").number(scene.saturationThreshold);
  if (!scene.slides.empty()) writeSlides(out, scene.slides);
  if (!scene.stories.empty()) writeStories(out, scene.stories);
  if (scene.labs != Labs{}) writeLabs(out.key("labs"), scene.labs);
  out.close();
  return out.finished();
}

}  // namespace attn
