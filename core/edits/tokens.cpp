#include "core/edits/tokens.h"

#include <algorithm>

#include "core/edits/rearrange.h"
#include "core/error.h"

namespace attn {
namespace {

Axis axisOf(Tokens tokens) {
  if (tokens == Tokens::both) return Axis::tokens;
  return tokens == Tokens::queries ? Axis::queries : Axis::keys;
}

/// The number of the tokens that an edit is about.
Index countOf(const Scene& scene, Tokens tokens) {
  const Shapes s = shapesOf(scene);
  if (tokens == Tokens::both && s.queries != s.keys)
    throw Error("tokens: " + std::to_string(s.queries) + " queries and " + std::to_string(s.keys) +
                " keys, expected as many of both to edit them together");
  return tokens == Tokens::keys ? s.keys : s.queries;
}

std::string nameOf(Tokens tokens) {
  if (tokens == Tokens::both) return "tokens";
  return tokens == Tokens::queries ? "queries" : "keys";
}

void setLabel(std::vector<std::string>& labels, Index count, Index at, const std::string& label) {
  labels.resize(static_cast<std::size_t>(count));
  labels[static_cast<std::size_t>(at)] = label;
  const auto isEmpty = [](const std::string& each) { return each.empty(); };
  if (std::all_of(labels.begin(), labels.end(), isEmpty)) labels.clear();
}

void rename(Scene& scene, Tokens tokens, Index at, const std::string& label) {
  const Shapes s = shapesOf(scene);
  if (tokens != Tokens::keys) setLabel(scene.queryLabels, s.queries, at, label);
  if (tokens != Tokens::queries) setLabel(scene.keyLabels, s.keys, at, label);
}

}  // namespace

bool isOneSequence(const Scene& scene) {
  if (scene.source.kind == SourceOf<float>::Kind::projected) return !scene.source.other;
  const Shapes s = shapesOf(scene);
  return s.queries == s.keys && scene.queryLabels == scene.keyLabels;
}

Tokens tokensMeant(const Scene& scene, Tokens asked) {
  const bool isSelf = scene.source.kind == SourceOf<float>::Kind::projected && !scene.source.other;
  return isSelf ? Tokens::both : asked;
}

void addToken(Scene& scene, Tokens tokens, Index at, const std::string& label) {
  tokens = tokensMeant(scene, tokens);
  const Arrangement from = withAdded(nameOf(tokens), countOf(scene, tokens), at);
  changeChecked(scene, [&](Scene& changed) {
    rearrange(changed, axisOf(tokens), from);
    if (!label.empty()) rename(changed, tokens, at, label);
  });
}

void removeToken(Scene& scene, Tokens tokens, Index at) {
  tokens = tokensMeant(scene, tokens);
  const Arrangement from = withRemoved(nameOf(tokens), countOf(scene, tokens), at);
  changeChecked(scene, [&](Scene& changed) { rearrange(changed, axisOf(tokens), from); });
}

void duplicateToken(Scene& scene, Tokens tokens, Index at) {
  tokens = tokensMeant(scene, tokens);
  const Arrangement from = withDuplicated(nameOf(tokens), countOf(scene, tokens), at);
  changeChecked(scene, [&](Scene& changed) { rearrange(changed, axisOf(tokens), from); });
}

void moveToken(Scene& scene, Tokens tokens, Index from, Index to) {
  tokens = tokensMeant(scene, tokens);
  const Arrangement order = withMoved(nameOf(tokens), countOf(scene, tokens), from, to);
  changeChecked(scene, [&](Scene& changed) { rearrange(changed, axisOf(tokens), order); });
}

void renameToken(Scene& scene, Tokens tokens, Index at, const std::string& label) {
  tokens = tokensMeant(scene, tokens);
  const Index count = countOf(scene, tokens);
  if (at < 0 || at >= count)
    throw Error(nameOf(tokens) + ": place " + std::to_string(at) + ", expected 0 to " +
                std::to_string(count - 1));
  rename(scene, tokens, at, label);
}

void setTokenLabels(Scene& scene, Tokens tokens, const std::vector<std::string>& labels) {
  tokens = tokensMeant(scene, tokens);
  const Index count = countOf(scene, tokens);
  if (!labels.empty() && static_cast<Index>(labels.size()) != count)
    throw Error(nameOf(tokens) + ": " + std::to_string(labels.size()) + " labels, expected " +
                std::to_string(count));
  if (tokens != Tokens::keys) scene.queryLabels = labels;
  if (tokens != Tokens::queries) scene.keyLabels = labels;
}

}  // namespace attn
