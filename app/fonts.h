#pragma once
#include <imgui.h>

#include <future>
#include <memory>

#include "app/letters.h"

namespace attn {

struct Theme;

/// The type of the interface at one scale: drawn for it, so that it is crisp at any.
struct Fonts {
  ImFontAtlas atlas;
  float scale = 1;
  Letters letters;  // that were asked for beyond the usual ones, whether some font has them or not
  ImFont* words = nullptr;
  ImFont* heading = nullptr;
  ImFont* numbers = nullptr;
  ImFont* small = nullptr;
  ImFont* cells = nullptr;
  ImFont* large = nullptr;
  ImFont* formula[4] = {};  // see Theme::kFormulaSizes
  ImFont* formulaItalic[4] = {};
};

/// Draws all letters: the usual ones, and those that are asked for, as far as the program's own fonts or
/// those of the system have them; others become U+FFFD, �. Takes a while, and needs no context: it may be
/// done beside other things.
std::unique_ptr<Fonts> makeFonts(float scale, const Letters& letters);

/// Has the fonts made beside other things, for a scale that will be asked for.
class FontMaker {
 public:
  void start(float scale, Letters letters);
  /// From start() until take().
  bool isBusy() const { return made_.valid(); }
  bool isReady() const;
  void settle() const;
  /// Those that were started if they have this scale; else made now.
  std::unique_ptr<Fonts> take(float scale, const Letters& letters);

 private:
  std::future<std::unique_ptr<Fonts>> made_;
};

/// Makes the current context and the theme use these. Not within a frame.
void useFonts(Fonts& fonts, Theme& theme);

}  // namespace attn
