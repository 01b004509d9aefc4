#pragma once
#include <imgui.h>

#include <future>
#include <memory>

namespace attn {

struct Theme;

/// The type of the interface at one scale: drawn for it, so that it is crisp at any.
struct Fonts {
  ImFontAtlas atlas;
  float scale = 1;
  ImFont* words = nullptr;
  ImFont* heading = nullptr;
  ImFont* numbers = nullptr;
  ImFont* small = nullptr;
  ImFont* cells = nullptr;
  ImFont* large = nullptr;
  ImFont* formula[4] = {};  // see Theme::kFormulaSizes
  ImFont* formulaItalic[4] = {};
};

/// Draws all letters. Takes a while, and needs no context: it may be done beside other things.
std::unique_ptr<Fonts> makeFonts(float scale);

/// Has the fonts made beside other things, for a scale that will be asked for.
class FontMaker {
 public:
  void start(float scale);
  /// Those that were started if they have this scale; else made now.
  std::unique_ptr<Fonts> take(float scale);

 private:
  std::future<std::unique_ptr<Fonts>> made_;
};

/// Makes the current context and the theme use these. Not within a frame.
void useFonts(Fonts& fonts, Theme& theme);

}  // namespace attn
