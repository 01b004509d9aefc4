#include "app/fonts.h"

#include <imgui_internal.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/embedded.h"
#include "app/platform/system_fonts.h"
#include "app/theme.h"

namespace attn {
namespace {

// What the interface itself says, and little more, since every letter is drawn before the first frame: Latin,
// Greek and punctuation from Inter; letters above and below the line, signs, arrows, operators and shapes
// from DejaVu. All others are drawn when a text brings them along: see Letters.
constexpr ImWchar kWords[] = {0x20,  0x7e,  0xb0,  0xb3,  0xb7,   0xb7,   0xb9,  0xb9,  0xbc,  0xbe,
                              0xc4,  0xc4,  0xd6,  0xd7,  0xdc,   0xdc,   0xdf,  0xdf,  0xe4,  0xe4,
                              0xf6,  0xf7,  0xfb,  0xfc,  0x302,  0x303,  0x394, 0x394, 0x398, 0x398,
                              0x3a3, 0x3a3, 0x3b1, 0x3c9, 0x2010, 0x2027, 0};
constexpr ImWchar kSigns[] = {0x2e2,  0x2e2,  0x3d5,  0x3d5,  0x1d40, 0x1d40, 0x1d4f, 0x1d4f, 0x2032, 0x2033,
                              0x203a, 0x203a, 0x2070, 0x208e, 0x2113, 0x2113, 0x215b, 0x215b, 0x2190, 0x2193,
                              0x2200, 0x2208, 0x220f, 0x2212, 0x221a, 0x221e, 0x2248, 0x2248, 0x2260, 0x2265,
                              0x2299, 0x2299, 0x22a4, 0x22a5, 0x22c5, 0x22c5, 0x22ee, 0x22f1, 0x2308, 0x230b,
                              0x2500, 0x2501, 0x25a0, 0x25a0, 0x25b2, 0x25c6, 0x25cf, 0x25cf, 0x2699, 0x2699,
                              0x2713, 0x2713, 0x2717, 0x2717, 0xfffd, 0xfffd, 0};
constexpr ImWchar kNumbers[] = {
    0x20,   0x7e,   0xb1,   0xb3,   0xb7,   0xb7,   0xb9,   0xb9,   0xd7,   0xd7,   0x394,  0x394,  0x3a3,
    0x3a3,  0x3b1,  0x3c9,  0x2013, 0x2013, 0x2026, 0x2026, 0x2070, 0x208e, 0x2202, 0x2202, 0x2207, 0x2208,
    0x2211, 0x2212, 0x221a, 0x221e, 0x2248, 0x2248, 0x2260, 0x2265, 0xfffd, 0xfffd, 0};

// Only what the number in a large cell is made of: + , − . digits, "NaN", powers of ten, ∞; ? for a hidden
// one.
constexpr ImWchar kLargeDigits[] = {0x2b, 0x39, '?', '?', 'N', 'N', 'a', 'a', 0xb2, 0xb3, 0xb7, 0xb9, 0};
constexpr ImWchar kLargeSigns[] = {0x2070, 0x207b, 0x2212, 0x2212, 0x221e, 0x221e, 0};

// Only what formulas are made of, and the numbers in cells: letters, Greek, operators, powers.
constexpr ImWchar kFormulaLetters[] = {0x20,  0x7e,  0xb1,  0xb3,  0xb7,  0xb9,  0xd7,  0xd7, 0x394,
                                       0x394, 0x398, 0x398, 0x3a3, 0x3a3, 0x3b1, 0x3c9, 0};
constexpr ImWchar kFormulaSigns[] = {0x2016, 0x2016, 0x2026, 0x2026, 0x2032, 0x2032, 0x2070, 0x207b, 0x2113,
                                     0x2113, 0x2190, 0x2193, 0x2200, 0x2208, 0x220f, 0x2212, 0x221a, 0x221e,
                                     0x2248, 0x2248, 0x2260, 0x2265, 0x2299, 0x2299, 0x22a4, 0x22a5, 0x22c5,
                                     0x22c5, 0x22ee, 0x22f1, 0x2308, 0x230b, 0};
constexpr ImWchar kVariables[] = {' ', ' ', 'A', 'Z', 'a', 'z', 0x3b1, 0x3c9, 0};
constexpr ImWchar kVariableSigns[] = {0x2113, 0x2113, 0x2202, 0x2202, 0};

constexpr float kWordsSize = 16, kSmallSize = 14;

float sizeAt(float scale, float pixels) {
  return std::max(1.0f, std::round(pixels * scale));
}

ImFont* addBytes(ImFontAtlas& atlas, std::string_view bytes, int index, float size, const ImWchar* ranges,
                 bool isMerged) {
  ImFontConfig config;
  config.FontNo = index;
  config.MergeMode = isMerged;
  config.OversampleH = size < 20 ? 2 : 1;  // parts of a pixel are not seen in large type
  config.PixelSnapH = false;
  ImFont* font = atlas.AddFontFromMemoryTTF(const_cast<char*>(bytes.data()), static_cast<int>(bytes.size()),
                                            size, &config, ranges);
  // It would copy what it is not told to own, for every size once more, and must not free it either.
  atlas.ConfigData.back().FontDataOwnedByAtlas = false;
  return font;
}

ImFont* addFont(ImFontAtlas& atlas, std::string_view name, float size, const ImWchar* ranges, bool isMerged) {
  return addBytes(atlas, embedded(name), 0, size, ranges, isMerged);
}

/// Letters that were asked for, and the system's fonts that have what our own lack. Must be there until the
/// atlas is built.
struct RareLetters {
  std::vector<ImWchar> ranges;
  struct Font {
    std::string bytes;
    int index = 0;
  };
  std::vector<Font> fonts;

  explicit RareLetters(const Letters& letters, const std::vector<FontFile>& files = {}) {
    for (const char32_t letter : letters) ranges.insert(ranges.end(), 2, static_cast<ImWchar>(letter));
    ranges.push_back(0);
    for (const FontFile& file : files) {
      std::ifstream stream(file.file, std::ios::binary);
      fonts.push_back({{std::istreambuf_iterator<char>(stream), {}}, file.index});
      if (fonts.back().bytes.empty()) fonts.pop_back();
    }
  }
  /// To the font that was added last: from the same face, as far as that has them.
  void addTo(ImFontAtlas& atlas, std::string_view face, float size) const {
    if (ranges.size() == 1) return;
    addFont(atlas, face, size, ranges.data(), true);
    addFont(atlas, "fonts/DejaVuSans.ttf", std::round(0.9f * size), ranges.data(), true);
    for (const Font& font : fonts) addBytes(atlas, font.bytes, font.index, size, ranges.data(), true);
  }
};

/// Upright type of a size that the interface has anyway is drawn once.
void addFormulaFonts(Fonts& fonts) {
  const std::pair<float, ImFont*> others[] = {{sizeAt(fonts.scale, kWordsSize), fonts.words},
                                              {sizeAt(fonts.scale, kSmallSize), fonts.small}};
  for (std::size_t i = 0; i < std::size(Theme::kFormulaSizes); ++i) {
    const float size = sizeAt(fonts.scale, Theme::kFormulaSizes[i]), signs = sizeAt(0.9f, size);
    for (const auto& [otherSize, font] : others)
      if (otherSize == size) fonts.formula[i] = font;
    if (!fonts.formula[i]) {
      fonts.formula[i] = addFont(fonts.atlas, "fonts/Inter-Regular.otf", size, kFormulaLetters, false);
      addFont(fonts.atlas, "fonts/DejaVuSans.ttf", signs, kFormulaSigns, true);
    }
    fonts.formulaItalic[i] = addFont(fonts.atlas, "fonts/Inter-Italic.otf", size, kVariables, false);
    addFont(fonts.atlas, "fonts/DejaVuSans.ttf", signs, kVariableSigns, true);
  }
}

std::unique_ptr<Fonts> drawFonts(float scale, const RareLetters& rare) {
  auto fonts = std::make_unique<Fonts>();
  ImFontAtlas& atlas = fonts->atlas;
  const auto size = [&](float pixels) { return sizeAt(scale, pixels); };
  fonts->scale = scale;
  atlas.Flags |= ImFontAtlasFlags_NoPowerOfTwoHeight;  // what is empty would be sent to the graphics card too
  const char *regular = "fonts/Inter-Regular.otf", *strong = "fonts/Inter-SemiBold.otf";
  const char* mono = "fonts/DejaVuSansMono.ttf";
  fonts->words = addFont(atlas, regular, size(kWordsSize), kWords, false);
  addFont(atlas, "fonts/DejaVuSans.ttf", size(14), kSigns, true);
  rare.addTo(atlas, regular, size(kWordsSize));
  fonts->heading = addFont(atlas, strong, size(16), kWords, false);
  addFont(atlas, "fonts/DejaVuSans.ttf", size(14), kSigns, true);
  rare.addTo(atlas, strong, size(16));
  fonts->numbers = addFont(atlas, mono, size(13), kNumbers, false);
  rare.addTo(atlas, mono, size(13));
  fonts->small = addFont(atlas, regular, size(kSmallSize), kWords, false);
  addFont(atlas, "fonts/DejaVuSans.ttf", size(12), kSigns, true);
  rare.addTo(atlas, regular, size(kSmallSize));
  fonts->cells = addFont(atlas, regular, size(12.5f), kWords, false);
  addFont(atlas, "fonts/DejaVuSans.ttf", size(11), kSigns, true);
  rare.addTo(atlas, regular, size(12.5f));
  fonts->large = addFont(atlas, regular, size(26), kLargeDigits, false);
  addFont(atlas, "fonts/DejaVuSans.ttf", size(23), kLargeSigns, true);
  addFormulaFonts(*fonts);
  unsigned char* pixels = nullptr;
  int width = 0, height = 0;
  atlas.GetTexDataAsRGBA32(&pixels, &width, &height);  // builds it, and keeps what the graphics card gets
  atlas.ClearInputData();                              // what was read for the letters goes when we return
  return fonts;
}

bool isIn(const ImWchar* ranges, char32_t letter) {
  for (; ranges[0]; ranges += 2)
    if (letter >= ranges[0] && letter <= ranges[1]) return true;
  return false;
}

}  // namespace

void addLetters(std::string_view text, Letters& letters) {
  constexpr std::size_t kMost = 4096;  // more would not fit the texture
  for (const char *at = text.data(), *end = at + text.size(); at < end && letters.size() < kMost;) {
    unsigned letter = static_cast<unsigned char>(*at);
    if (letter < 0x80) {
      ++at;
      continue;
    }
    at += std::max(1, ImTextCharFromUtf8(&letter, at, end));
    if (!isIn(kWords, letter) && !isIn(kSigns, letter)) letters.insert(letter);
  }
}

std::unique_ptr<Fonts> makeFonts(float scale, const Letters& letters) {
  std::unique_ptr<Fonts> fonts = drawFonts(scale, RareLetters(letters));
  Letters lacking;
  for (const char32_t letter : letters)
    if (!fonts->words->FindGlyphNoFallback(static_cast<ImWchar>(letter))) lacking.insert(letter);
  const std::vector<FontFile> files = lacking.empty() ? std::vector<FontFile>() : systemFontsFor(lacking);
  if (!files.empty()) fonts = drawFonts(scale, RareLetters(letters, files));
  fonts->letters = letters;
  return fonts;
}

void FontMaker::start(float scale, Letters letters) {
  made_ = std::async(std::launch::async, makeFonts, scale, std::move(letters));
}

bool FontMaker::isReady() const {
  return isBusy() && made_.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
}

void FontMaker::settle() const {
  if (isBusy()) made_.wait();
}

std::unique_ptr<Fonts> FontMaker::take(float scale, const Letters& letters) {
  std::unique_ptr<Fonts> made = isBusy() ? made_.get() : nullptr;
  return made && made->scale == scale ? std::move(made) : makeFonts(scale, letters);
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
