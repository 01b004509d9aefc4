#pragma once
#include <string>
#include <vector>

namespace attn {

/// Variables are italic; numbers, signs and names of functions are upright.
enum class FontStyle { upright, italic };

/// A formula as a tree. Build it with the functions below or from LaTeX (latex.h), lay it out with layout.h.
struct Formula {
  enum class Kind {
    run,       // text
    sign,      // text with space around it: + − = ·
    space,     // `width` of an em
    row,       // children side by side; none at all is "nothing"
    fraction,  // above, below
    root,      // inside
    scripts,   // base, subscript, superscript; either may be nothing
    limits,    // a large sign, what stands below it, what stands above it
    fenced,    // inside, between the signs `open` and `close`, as high as it
    matrix,    // cells row by row, `columns` of them in a row
    hat,       // base with a hat
  };
  Kind kind = Kind::row;
  std::string text;
  FontStyle style = FontStyle::upright;
  std::vector<Formula> children;
  std::string open, close;
  int columns = 0;
  double width = 0;
  int part = -1;  // what a click on it means; −1: whatever surrounds it means

  bool isNothing() const { return kind == Kind::row && children.empty(); }
};

Formula textRun(std::string text, FontStyle style = FontStyle::upright);
Formula variable(std::string text);
Formula sign(std::string text);
Formula spaceOf(double em);
/// Neighbouring runs of the same style become one.
Formula rowOf(std::vector<Formula> children);
Formula fraction(Formula above, Formula below);
Formula root(Formula inside);
Formula withScripts(Formula base, Formula subscript, Formula superscript);
Formula withLimits(Formula largeSign, Formula below, Formula above);
/// Signs: ( ) [ ] { } | ‖ or nothing.
Formula fenced(std::string open, Formula inside, std::string close);
Formula matrixOf(int columns, std::vector<Formula> cells);
Formula withHat(Formula base);
Formula asPart(int part, Formula formula);

}  // namespace attn
