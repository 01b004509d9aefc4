#include "core/scene.h"

#include <cmath>
#include <sstream>
#include <type_traits>

#include "core/attention/scale.h"
#include "core/error.h"
#include "core/precise_scene.h"

namespace attn {
namespace {

/// Kept out of the way of what is checked in every frame.
template <class Line>
[[noreturn, gnu::noinline, gnu::cold]] void fail(const Line& line) {
  throw Error(line());
}

/// `line` makes the message: only when it is needed, since scenes are checked in every frame.
template <class Line>
[[gnu::always_inline]] inline void expect(bool holds, const Line& line) {
  if (!holds) fail(line);
}

/// Throws unless `found` has the shape that the rest of the scene asks for.
template <class Name, class M>
void expectShape(const Name& name, const M& found, Index rows, Index cols) {
  expect(found.rows() == rows && found.cols() == cols, [&] {
    return std::string(name) + ": shape " + shapeText(found.rows(), found.cols()) + ", expected " +
           shapeText(rows, cols);
  });
}

template <class T>
void expectNotEmpty(const char* name, const MatrixOf<T>& found) {
  expect(found.size() > 0, [&] {
    return std::string(name) + ": shape " + shapeText(found.rows(), found.cols()) +
           ", expected at least one row and one column";
  });
}

/// The name of a head's matrix, as text only when it is needed: scenes are checked in every frame.
struct HeadName {
  const char* name;
  std::size_t head, heads;
  operator std::string() const { return heads == 1 ? name : "heads[" + std::to_string(head) + "]." + name; }
};

std::string number(double value) {
  std::ostringstream text;
  text << value;
  return text.str();
}

void checkHeads(std::size_t heads) {
  expect(heads > 0 && heads <= static_cast<std::size_t>(kMostHeads),
         [&] { return "heads: " + std::to_string(heads) + ", expected 1 to " + std::to_string(kMostHeads); });
}

template <class T>
void checkGiven(const SourceOf<T>& source) {
  const std::size_t heads = source.given.size();
  checkHeads(heads);
  const auto& first = source.given[0];
  expectNotEmpty("q", first.q.values);
  expectNotEmpty("k", first.k.values);
  expectNotEmpty("v", first.v.values);
  for (std::size_t h = 0; h < heads; ++h) {
    const auto& head = source.given[h];
    expectShape(HeadName{"q", h, heads}, head.q.values, first.q.values.rows(), first.q.values.cols());
    expectShape(HeadName{"k", h, heads}, head.k.values, first.k.values.rows(), first.q.values.cols());
    expectShape(HeadName{"v", h, heads}, head.v.values, first.k.values.rows(), first.v.values.cols());
  }
}

template <class T>
void checkProjected(const SourceOf<T>& source) {
  const std::size_t heads = source.projected.size();
  checkHeads(heads);
  expectNotEmpty("x", source.x.values);
  if (source.other) expectNotEmpty("x_kv", source.other->values);
  const auto& first = source.projected[0];
  expectNotEmpty("w_q", first.wq.values);
  expectNotEmpty("w_v", first.wv.values);
  const Index modelWidth = source.x.values.cols();
  const Index otherWidth = source.other ? source.other->values.cols() : modelWidth;
  for (std::size_t h = 0; h < heads; ++h) {
    const auto& head = source.projected[h];
    expectShape(HeadName{"w_q", h, heads}, head.wq.values, modelWidth, first.wq.values.cols());
    expectShape(HeadName{"w_k", h, heads}, head.wk.values, otherWidth, first.wq.values.cols());
    expectShape(HeadName{"w_v", h, heads}, head.wv.values, otherWidth, first.wv.values.cols());
  }
}

void checkLength(const char* name, std::size_t found, Index expected) {
  expect(static_cast<Index>(found) == expected, [&] {
    return std::string(name) + ": length " + std::to_string(found) + ", expected " + std::to_string(expected);
  });
}

void checkMask(const MaskRule& rule, const Shapes& s) {
  if (const auto* padding = std::get_if<PaddingLengthRule>(&rule)) {
    expect(padding->length >= 0 && padding->length <= s.keys, [&] {
      return "length: " + std::to_string(padding->length) + ", expected 0 to " + std::to_string(s.keys);
    });
  } else if (const auto* flags = std::get_if<PaddingFlagsRule>(&rule)) {
    checkLength("flags", flags->isPadding.size(), s.keys);
  } else if (const auto* window = std::get_if<WindowRule>(&rule)) {
    expect(window->width >= 1,
           [&] { return "width: " + std::to_string(window->width) + ", expected at least 1"; });
  } else if (const auto* prefix = std::get_if<PrefixRule>(&rule)) {
    expect(prefix->length >= 0,
           [&] { return "length: " + std::to_string(prefix->length) + ", expected at least 0"; });
  } else if (const auto* documents = std::get_if<DocumentsRule>(&rule)) {
    checkLength("queries", documents->ofQuery.size(), s.queries);
    checkLength("keys", documents->ofKey.size(), s.keys);
  } else if (const auto* painted = std::get_if<PaintedRule>(&rule)) {
    const std::size_t count = painted->mayAttend.size();
    expect(count == 1 || static_cast<Index>(count) == s.heads, [&] {
      return "may_attend: " + std::to_string(count) + " matrices, expected 1 or one a head (" +
             std::to_string(s.heads) + ")";
    });
    for (const Bytes& cells : painted->mayAttend) expectShape("may_attend", cells, s.queries, s.keys);
  }
}

/// A parameter must stay what it is when it is computed with: 1e-50 is 0 as a float.
template <class T>
bool isPositive(double value) {
  return std::isfinite(static_cast<T>(value)) && static_cast<T>(value) > 0;
}

template <class T>
void expectPositive(const char* name, double value) {
  expect(isPositive<T>(value), [&] {
    const bool rounded = value > 0 && std::isfinite(value);
    const char* expected =
        rounded ? ", expected a number that float32 can hold" : ", expected a number above 0";
    return name + (": " + number(value)) + expected;
  });
}

template <class T>
void expectFinite(const char* name, double value) {
  expect(std::isfinite(static_cast<T>(value)),
         [&] { return name + (": " + number(value)) + ", expected a finite number"; });
}

template <class T>
void checkScores(const SceneOf<T>& scene, const Shapes& s) {
  const Scale& scale = scene.scale;
  expectPositive<T>("scale.number", scale.number);
  expectPositive<T>("scale.temperature", scale.temperature);
  expectFinite<T>("scale.qk_norm", scale.qkNormGain.value_or(0));
  const double divisor = std::abs(divisorOf(scale, s.keyWidth));
  expect(isPositive<T>(divisor) || scale.qkNormGain == 0.0, [&] {
    return "scale: scores would be divided by " + number(divisor) +
           ", expected a number that is neither 0 nor infinite";
  });
  if (scene.cap) expectPositive<T>("cap", *scene.cap);
  if (scene.alibi && !scene.alibi->slopes.empty()) {
    checkLength("alibi", scene.alibi->slopes.size(), s.heads);
    for (const double slope : scene.alibi->slopes) expectFinite<T>("alibi", slope);
  }
  const std::size_t count = scene.bias.size();
  expect(count <= 1 || static_cast<Index>(count) == s.heads, [&] {
    return "bias: " + std::to_string(count) + " matrices, expected none, 1 or one a head (" +
           std::to_string(s.heads) + ")";
  });
  for (std::size_t h = 0; h < count; ++h)
    expectShape(HeadName{"bias", h, count}, scene.bias[h].values, s.queries, s.keys);
  expectFinite<T>("normalise.logit", scene.normaliser.logit);
  expect(scene.saturationThreshold > 0 && scene.saturationThreshold <= 1, [&] {
    return "saturation_threshold: " + number(scene.saturationThreshold) +
           ", expected a number above 0, at most 1";
  });
  check(scene.slides);
}

template <class T>
void checkUpstream(const UpstreamOf<T>& upstream, const Shapes& s) {
  using Kind = typename UpstreamOf<T>::Kind;
  if (upstream.kind == Kind::cell)
    expect(upstream.row >= 0 && upstream.row < s.queries && upstream.col >= 0 && upstream.col < s.outWidth,
           [&] {
             return "upstream.cell: " + shapeText(upstream.row, upstream.col) + ", expected one inside " +
                    shapeText(s.queries, s.outWidth);
           });
  if (upstream.kind == Kind::given) expectShape("upstream.given", upstream.matrix, s.queries, s.outWidth);
  if (upstream.kind == Kind::target) expectShape("upstream.target", upstream.matrix, s.queries, s.outWidth);
}

void checkStory(const Story& story) {
  expect(std::isfinite(story.from) && std::isfinite(story.to), [&] {
    return "stories: from " + number(story.from) + " to " + number(story.to) + ", expected finite numbers";
  });
  expect(story.seconds > 0 && story.seconds <= kLongestStory, [&] {
    return "stories: seconds " + number(story.seconds) + ", expected a number above 0, at most " +
           number(kLongestStory);
  });
}

template <class To, class From>
MatrixOf<To> converted(const std::string& name, const MatrixOf<From>& from) {
  MatrixOf<To> to = from.template cast<To>();
  if constexpr (std::is_same_v<To, float>) {
    for (Index i = 0; i < from.size(); ++i)
      if (std::isfinite(from.data()[i]) && !std::isfinite(to.data()[i]))
        throw Error(name + "[" + std::to_string(i / from.cols()) + ", " + std::to_string(i % from.cols()) +
                    "]: " + number(from.data()[i]) +
                    ", expected a number within ±3.4e38, the range of float32");
  }
  return to;
}

template <class To, class From>
InputOf<To> converted(const std::string& name, const InputOf<From>& from) {
  return {converted<To>(name, from.values), from.fill};
}

template <class To, class From>
ParkedKeysOf<To> converted(const ParkedKeysOf<From>& from) {
  ParkedKeysOf<To> to;
  if (from.other) to.other = converted<To>("parked.x_kv", *from.other);
  to.labels = from.labels;
  for (std::size_t h = 0; h < from.heads.size(); ++h) {
    const std::string place = "parked.heads[" + std::to_string(h) + "].";
    to.heads.push_back(
        {converted<To>(place + "w_k", from.heads[h].wk), converted<To>(place + "w_v", from.heads[h].wv)});
  }
  return to;
}

template <class To, class From>
SceneOf<To> convertedScene(const SceneOf<From>& from) {
  SceneOf<To> to;
  to.title = from.title;
  to.queryLabels = from.queryLabels;
  to.keyLabels = from.keyLabels;
  to.source.kind = static_cast<typename SourceOf<To>::Kind>(from.source.kind);
  const auto named = [](const char* name, const auto& heads, std::size_t h) {
    return HeadName{name, h, heads.size()};
  };
  for (std::size_t h = 0; h < from.source.given.size(); ++h) {
    const auto& heads = from.source.given;
    to.source.given.push_back({converted<To>(named("q", heads, h), heads[h].q),
                               converted<To>(named("k", heads, h), heads[h].k),
                               converted<To>(named("v", heads, h), heads[h].v)});
  }
  to.source.x = converted<To>("x", from.source.x);
  if (from.source.other) to.source.other = converted<To>("x_kv", *from.source.other);
  for (std::size_t h = 0; h < from.source.projected.size(); ++h) {
    const auto& heads = from.source.projected;
    to.source.projected.push_back({converted<To>(named("w_q", heads, h), heads[h].wq),
                                   converted<To>(named("w_k", heads, h), heads[h].wk),
                                   converted<To>(named("w_v", heads, h), heads[h].wv)});
  }
  if (from.source.wo) to.source.wo = converted<To>("w_o", *from.source.wo);
  if (from.source.parked) to.source.parked = converted<To>(*from.source.parked);
  to.scale = from.scale;
  to.cap = from.cap;
  to.alibi = from.alibi;
  for (const auto& bias : from.bias) to.bias.push_back(converted<To>("bias", bias));
  to.masks = from.masks;
  to.normaliser = from.normaliser;
  to.upstream.kind = static_cast<typename UpstreamOf<To>::Kind>(from.upstream.kind);
  to.upstream.row = from.upstream.row;
  to.upstream.col = from.upstream.col;
  const bool target = from.upstream.kind == UpstreamOf<From>::Kind::target;
  to.upstream.matrix = converted<To>(target ? "upstream.target" : "upstream.given", from.upstream.matrix);
  to.saturationThreshold = from.saturationThreshold;
  to.slides = from.slides;
  to.stories = from.stories;
  to.labs = from.labs;
  return to;
}

}  // namespace

template <class T>
Shapes shapesOf(const SceneOf<T>& scene) {
  const SourceOf<T>& source = scene.source;
  Shapes s;
  if (source.kind == SourceOf<T>::Kind::given) {
    s.heads = static_cast<Index>(source.given.size());
    s.queries = source.given[0].q.values.rows();
    s.keys = source.given[0].k.values.rows();
    s.keyWidth = source.given[0].q.values.cols();
    s.valueWidth = source.given[0].v.values.cols();
  } else {
    s.heads = static_cast<Index>(source.projected.size());
    s.queries = source.x.values.rows();
    s.keys = source.other ? source.other->values.rows() : s.queries;
    s.keyWidth = source.projected[0].wq.values.cols();
    s.valueWidth = source.projected[0].wv.values.cols();
    s.modelWidth = source.x.values.cols();
    s.otherWidth = source.other ? source.other->values.cols() : s.modelWidth;
  }
  s.outWidth = source.wo ? source.wo->values.cols() : s.heads * s.valueWidth;
  return s;
}

template <class T>
void check(const SceneOf<T>& scene) {
  if (scene.source.kind == SourceOf<T>::Kind::given)
    checkGiven(scene.source);
  else
    checkProjected(scene.source);
  const Shapes s = shapesOf(scene);
  if (scene.source.wo) {
    expectNotEmpty("w_o", scene.source.wo->values);
    expectShape("w_o", scene.source.wo->values, s.heads * s.valueWidth, s.outWidth);
  }
  if (!scene.queryLabels.empty()) checkLength("tokens of queries", scene.queryLabels.size(), s.queries);
  if (!scene.keyLabels.empty()) checkLength("tokens of keys", scene.keyLabels.size(), s.keys);
  checkScores(scene, s);
  for (std::size_t i = 0; i < scene.masks.size(); ++i) try {
      checkMask(scene.masks[i], s);
    } catch (const Error& error) {
      throw Error("masks[" + std::to_string(i) + "]." + error.what());
    }
  checkUpstream(scene.upstream, s);
  for (const Story& story : scene.stories) checkStory(story);
  check(scene.labs);
}

Scene narrow(const PreciseScene& scene) {
  return convertedScene<float>(scene);
}

PreciseScene widen(const Scene& scene) {
  return convertedScene<double>(scene);
}

double alibiSlope(const std::optional<Alibi>& alibi, Index head, Index heads) {
  if (!alibi) return 0;
  if (!alibi->slopes.empty()) return alibi->slopes[static_cast<std::size_t>(head)];
  return std::exp2(-8.0 * static_cast<double>(head + 1) / static_cast<double>(heads));
}

std::string tokenLabel(const std::vector<std::string>& labels, char letter, Index token) {
  const auto i = static_cast<std::size_t>(token);
  return i < labels.size() && !labels[i].empty() ? labels[i] : letter + std::to_string(token);
}

std::string shapeText(Index rows, Index cols) {
  return "(" + std::to_string(rows) + ", " + std::to_string(cols) + ")";
}

template Shapes shapesOf(const Scene&);
template Shapes shapesOf(const PreciseScene&);
template void check(const Scene&);
template void check(const PreciseScene&);

}  // namespace attn
