#pragma once
#include <string>

namespace attn {

struct Theme;

struct ChipClick {
  bool isOpened = false, isRemoved = false;
};

/// A rule or the like in a rounded frame with a cross at its end: two items, "<name>" and "remove <name>".
/// Goes on the current line if it fits, else on the next; a text wider than the panel is wrapped, not cut.
ChipClick chip(const Theme& theme, const std::string& name, const std::string& text);

}  // namespace attn
