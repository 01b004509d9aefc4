#include "app/fonts.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string_view>
#include <utility>

#include "app/embedded.h"
#include "app/theme.h"

namespace attn {
namespace {

// From Inter: Latin, Greek, Cyrillic, punctuation. From DejaVu: letters above and below the line, signs,
// arrows, operators, shapes.
constexpr ImWchar kWords[] = {0x20, 0x17f, 0x218, 0x21b, 0x370, 0x3ff, 0x400, 0x45f, 0x2010, 0x2027, 0};
constexpr ImWchar kSigns[] = {0x1d2c, 0x1d6a, 0x2030, 0x209f, 0x2100, 0x214f, 0x2190,
                              0x22ff, 0x2308, 0x230b, 0x2501, 0x2501, 0x25a0, 0x25ff,
                              0x2699, 0x2699, 0x2713, 0x2717, 0x27e8, 0x27e9, 0};
constexpr ImWchar kHeadings[] = {0x20, 0x17f, 0x370, 0x3ff, 0x2010, 0x2027, 0};
constexpr ImWchar kHeadingSigns[] = {0x2070, 0x209f, 0x2190, 0x22ff, 0x25b2, 0x25c2, 0};
constexpr ImWchar kNumbers[] = {0x20, 0xff, 0x370, 0x3ff, 0x2010, 0x2027, 0x2070, 0x209f, 0x2200, 0x22ff, 0};

// Only what the number in a large cell is made of: + , − . digits, "NaN", powers of ten, ∞.
constexpr ImWchar kLargeDigits[] = {0x2b, 0x39, 'N', 'N', 'a', 'a', 0xb2, 0xb3, 0xb7, 0xb9, 0};
constexpr ImWchar kLargeSigns[] = {0x2070, 0x207b, 0x2212, 0x2212, 0x221e, 0x221e, 0};

// Only what formulas are made of, and the numbers in cells: letters, Greek, operators, powers.
constexpr ImWchar kFormulaLetters[] = {0x20, 0x7e, 0xb0, 0xd7, 0x391, 0x3d6, 0};
constexpr ImWchar kFormulaSigns[] = {0x2016, 0x2016, 0x2026, 0x2026, 0x2032, 0x2032, 0x2070, 0x207b, 0x2190,
                                     0x2193, 0x2200, 0x2265, 0x22a4, 0x22a5, 0x22c5, 0x22ef, 0};

ImFont* addFont(ImFontAtlas& atlas, std::string_view name, float size, const ImWchar* ranges, bool isMerged) {
  const std::string_view bytes = embedded(name);
  ImFontConfig config;
  config.FontDataOwnedByAtlas = false;
  config.MergeMode = isMerged;
  config.OversampleH = 2;
  config.PixelSnapH = false;
  return atlas.AddFontFromMemoryTTF(const_cast<char*>(bytes.data()), static_cast<int>(bytes.size()), size,
                                    &config, ranges);
}

void addFormulaFonts(Fonts& fonts) {
  for (std::size_t i = 0; i < std::size(Theme::kFormulaSizes); ++i) {
    const float size = std::max(1.0f, std::round(Theme::kFormulaSizes[i] * fonts.scale));
    const float signs = std::max(1.0f, std::round(size * 0.9f));
    fonts.formula[i] = addFont(fonts.atlas, "fonts/Inter-Regular.otf", size, kFormulaLetters, false);
    addFont(fonts.atlas, "fonts/DejaVuSans.ttf", signs, kFormulaSigns, true);
    fonts.formulaItalic[i] = addFont(fonts.atlas, "fonts/Inter-Italic.otf", size, kFormulaLetters, false);
    addFont(fonts.atlas, "fonts/DejaVuSans.ttf", signs, kFormulaSigns, true);
  }
}

}  // namespace

std::unique_ptr<Fonts> makeFonts(float scale) {
  auto fonts = std::make_unique<Fonts>();
  ImFontAtlas& atlas = fonts->atlas;
  const auto size = [&](float pixels) { return std::max(1.0f, std::round(pixels * scale)); };
  fonts->scale = scale;
  fonts->words = addFont(atlas, "fonts/Inter-Regular.otf", size(16), kWords, false);
  addFont(atlas, "fonts/DejaVuSans.ttf", size(14), kSigns, true);
  fonts->heading = addFont(atlas, "fonts/Inter-SemiBold.otf", size(16), kHeadings, false);
  addFont(atlas, "fonts/DejaVuSans.ttf", size(14), kHeadingSigns, true);
  fonts->numbers = addFont(atlas, "fonts/DejaVuSansMono.ttf", size(13), kNumbers, false);
  fonts->small = addFont(atlas, "fonts/Inter-Regular.otf", size(14), kWords, false);
  addFont(atlas, "fonts/DejaVuSans.ttf", size(12), kSigns, true);
  fonts->cells = addFont(atlas, "fonts/Inter-Regular.otf", size(12.5f), kWords, false);
  addFont(atlas, "fonts/DejaVuSans.ttf", size(11), kSigns, true);
  fonts->large = addFont(atlas, "fonts/Inter-Regular.otf", size(26), kLargeDigits, false);
  addFont(atlas, "fonts/DejaVuSans.ttf", size(23), kLargeSigns, true);
  addFormulaFonts(*fonts);
  unsigned char* pixels = nullptr;
  int width = 0, height = 0;
  atlas.GetTexDataAsRGBA32(&pixels, &width, &height);  // builds it, and keeps what the graphics card gets
  return fonts;
}

void FontMaker::start(float scale) {
  made_ = std::async(std::launch::async, makeFonts, scale);
}

std::unique_ptr<Fonts> FontMaker::take(float scale) {
  std::unique_ptr<Fonts> made = made_.valid() ? made_.get() : nullptr;
  return made && made->scale == scale ? std::move(made) : makeFonts(scale);
}

void useFonts(Fonts& fonts, Theme& theme) {
  ImGui::GetIO().Fonts = &fonts.atlas;
  theme.words = fonts.words;
  theme.heading = fonts.heading;
  theme.numbers = fonts.numbers;
  theme.small = fonts.small;
  theme.cells = fonts.cells;
  theme.large = fonts.large;
  std::copy(std::begin(fonts.formula), std::end(fonts.formula), theme.formula);
  std::copy(std::begin(fonts.formulaItalic), std::end(fonts.formulaItalic), theme.formulaItalic);
}

}  // namespace attn
