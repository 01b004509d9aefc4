// Rows and columns of the inputs as what they stand for: tokens and dimensions.
#include <algorithm>
#include <sstream>

#include "app/view_state.h"
#include "app/views/input_actions.h"
#include "core/error.h"

namespace attn {
namespace {

Tokens meant(const Scene& scene, const InputsState& state, Tokens side) {
  return state.editsBothSides && isOneSequence(scene) ? Tokens::both : tokensMeant(scene, side);
}

LineMeaning ofTokens(const Scene& scene, const InputsState& state, Tokens side) {
  return {.tokens = meant(scene, state, side)};
}

LineMeaning ofDimension(Dimension dimension, Index period = 0) {
  return {.tokens = std::nullopt, .dimension = dimension, .period = period};
}

LineMeaning rowMeaning(const Scene& scene, const InputsState& state, InputName grid) {
  if (const auto side = rowTokens(scene, grid)) return ofTokens(scene, state, *side);
  if (grid == InputName::wo) return ofDimension(Dimension::value, shapesOf(scene).valueWidth);
  const bool isOfOther = scene.source.other && grid != InputName::wq;
  return ofDimension(isOfOther ? Dimension::other : Dimension::model);
}

LineMeaning columnMeaning(const Scene& scene, const InputsState& state, InputName grid) {
  switch (grid) {
    case InputName::v:
    case InputName::wv:
      return ofDimension(Dimension::value);
    case InputName::x:
      return ofDimension(Dimension::model);
    case InputName::other:
      return ofDimension(Dimension::other);
    case InputName::wo:
      return ofDimension(Dimension::out);
    case InputName::bias:
      return ofTokens(scene, state, Tokens::keys);
    default:
      return ofDimension(Dimension::key);
  }
}

/// The place on the axis of a row or column. Rows of W_O repeat the value dimensions head by head.
Index placeOf(const LineMeaning& line, Index at) {
  return line.period > 0 ? at % line.period : at;
}

void add(Scene& scene, const LineMeaning& line, Index at) {
  if (line.tokens)
    addToken(scene, *line.tokens, at);
  else
    addDimension(scene, line.dimension, at);
}

void remove(Scene& scene, const LineMeaning& line, Index at) {
  if (line.tokens)
    removeToken(scene, *line.tokens, at);
  else
    removeDimension(scene, line.dimension, at);
}

void duplicate(Scene& scene, const LineMeaning& line, Index at) {
  if (line.tokens)
    duplicateToken(scene, *line.tokens, at);
  else
    duplicateDimension(scene, line.dimension, at);
}

void move(Scene& scene, const LineMeaning& line, Index from, Index to) {
  if (line.tokens)
    moveToken(scene, *line.tokens, from, to);
  else
    moveDimension(scene, line.dimension, from, to);
}

Index& placeIn(CellPlace& cell, Line line) {
  return line == Line::row ? cell.row : cell.col;
}

LineMeaning activeMeaning(const Scene& scene, const ViewState& state, Line line) {
  return meaningOf(scene, state.inputs, state.inputs.grid, line);
}

void shiftSelection(InputsState& inputs, Line line, Index by) {
  placeIn(inputs.anchor, line) += by;
  placeIn(inputs.cursor, line) += by;
  inputs.scrollsToCursor = true;
}

std::vector<std::string> wordsOf(const std::string& sentence) {
  std::istringstream stream(sentence);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

}  // namespace

std::optional<Tokens> rowTokens(const Scene& scene, InputName grid) {
  switch (grid) {
    case InputName::q:
    case InputName::bias:
      return Tokens::queries;
    case InputName::x:
      return scene.source.other ? Tokens::queries : Tokens::both;
    case InputName::k:
    case InputName::v:
    case InputName::other:
      return Tokens::keys;
    default:
      return std::nullopt;
  }
}

LineMeaning meaningOf(const Scene& scene, const InputsState& state, InputName grid, Line line) {
  return line == Line::row ? rowMeaning(scene, state, grid) : columnMeaning(scene, state, grid);
}

void addLine(Editor& editor, ViewState& state, Line line, bool isAfter) {
  InputsState& inputs = state.inputs;
  const LineMeaning meaning = activeMeaning(editor.scene(), state, line);
  const Index at = placeOf(meaning, placeIn(inputs.cursor, line)) + (isAfter ? 1 : 0);
  if (!editor.change([&](Scene& scene) { add(scene, meaning, at); })) return;
  if (isAfter) shiftSelection(inputs, line, 1);
  inputs.anchor = inputs.cursor;
}

void duplicateLine(Editor& editor, ViewState& state, Line line) {
  const LineMeaning meaning = activeMeaning(editor.scene(), state, line);
  const Index at = placeOf(meaning, placeIn(state.inputs.cursor, line));
  if (editor.change([&](Scene& scene) { duplicate(scene, meaning, at); }))
    shiftSelection(state.inputs, line, 1);
}

void removeLines(Editor& editor, ViewState& state, Line line) {
  const LineMeaning meaning = activeMeaning(editor.scene(), state, line);
  const CellBlock block = selectedBlock(state.inputs);
  const Index first = line == Line::row ? block.row : block.col;
  const Index count = line == Line::row ? block.rows : block.cols;
  const bool isRemoved = editor.change([&](Scene& scene) {
    for (Index i = count; i-- > 0;) remove(scene, meaning, placeOf(meaning, first + i));
  });
  if (!isRemoved) return;
  placeIn(state.inputs.anchor, line) = placeIn(state.inputs.cursor, line) = first;
  clampCursor(editor.scene(), state);
}

void moveLine(Editor& editor, ViewState& state, Line line, Index from, Index to) {
  const LineMeaning meaning = activeMeaning(editor.scene(), state, line);
  const Index place = placeOf(meaning, from), target = place + to - from;
  if (from == to) return;
  if (editor.change([&](Scene& scene) { move(scene, meaning, place, target); }))
    shiftSelection(state.inputs, line, to - from);
}

void shiftLine(Editor& editor, ViewState& state, Line line, Index by) {
  const Index from = placeIn(state.inputs.cursor, line);
  moveLine(editor, state, line, from, from + by);
}

void setSentence(Editor& editor, ViewState& state, const std::string& sentence) {
  const std::vector<std::string> words = wordsOf(sentence);
  const auto side = rowTokens(editor.scene(), state.inputs.grid);
  const Tokens tokens = meant(editor.scene(), state.inputs, side.value_or(Tokens::queries));
  editor.change([&](Scene& scene) {
    if (words.empty()) throw Error("tokens: found no word, expected at least one");
    const auto count = [&] {
      const Shapes shapes = shapesOf(scene);
      return tokens == Tokens::keys ? shapes.keys : shapes.queries;
    };
    const auto wanted = static_cast<Index>(words.size());
    while (count() < wanted) addToken(scene, tokens, count());
    while (count() > wanted) removeToken(scene, tokens, count() - 1);
    setTokenLabels(scene, tokens, words);
  });
}

void renameRow(Editor& editor, const ViewState& state, const std::string& label) {
  const LineMeaning meaning = activeMeaning(editor.scene(), state, Line::row);
  if (!meaning.tokens) return;
  editor.change([&](Scene& scene) { renameToken(scene, *meaning.tokens, state.inputs.cursor.row, label); });
}

}  // namespace attn
