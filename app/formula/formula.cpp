#include "app/formula/formula.h"

#include <utility>

namespace attn {
namespace {

Formula of(Formula::Kind kind, std::vector<Formula> children) {
  Formula formula;
  formula.kind = kind;
  formula.children = std::move(children);
  return formula;
}

bool joins(const Formula& left, const Formula& right) {
  return left.kind == Formula::Kind::run && right.kind == Formula::Kind::run && left.style == right.style &&
         left.part == right.part;
}

}  // namespace

Formula textRun(std::string text, FontStyle style) {
  Formula formula;
  formula.kind = Formula::Kind::run;
  formula.text = std::move(text);
  formula.style = style;
  return formula;
}

Formula variable(std::string text) {
  return textRun(std::move(text), FontStyle::italic);
}

Formula sign(std::string text) {
  Formula formula = textRun(std::move(text));
  formula.kind = Formula::Kind::sign;
  return formula;
}

Formula spaceOf(double em) {
  Formula formula;
  formula.kind = Formula::Kind::space;
  formula.width = em;
  return formula;
}

Formula rowOf(std::vector<Formula> children) {
  std::vector<Formula> joined;
  for (Formula& child : children) {
    if (child.isNothing()) continue;
    if (!joined.empty() && joins(joined.back(), child))
      joined.back().text += child.text;
    else
      joined.push_back(std::move(child));
  }
  if (joined.size() == 1) return std::move(joined.front());
  return of(Formula::Kind::row, std::move(joined));
}

Formula fraction(Formula above, Formula below) {
  return of(Formula::Kind::fraction, {std::move(above), std::move(below)});
}

Formula root(Formula inside) {
  return of(Formula::Kind::root, {std::move(inside)});
}

Formula withScripts(Formula base, Formula subscript, Formula superscript) {
  return of(Formula::Kind::scripts, {std::move(base), std::move(subscript), std::move(superscript)});
}

Formula withLimits(Formula largeSign, Formula below, Formula above) {
  return of(Formula::Kind::limits, {std::move(largeSign), std::move(below), std::move(above)});
}

Formula fenced(std::string open, Formula inside, std::string close) {
  Formula formula = of(Formula::Kind::fenced, {std::move(inside)});
  formula.open = std::move(open);
  formula.close = std::move(close);
  return formula;
}

Formula matrixOf(int columns, std::vector<Formula> cells) {
  Formula formula = of(Formula::Kind::matrix, std::move(cells));
  formula.columns = columns;
  return formula;
}

Formula withHat(Formula base) {
  return of(Formula::Kind::hat, {std::move(base)});
}

Formula asPart(int part, Formula formula) {
  // A row of its own, so that a part inside keeps its number.
  if (formula.part >= 0) formula = of(Formula::Kind::row, {std::move(formula)});
  formula.part = part;
  return formula;
}

}  // namespace attn
