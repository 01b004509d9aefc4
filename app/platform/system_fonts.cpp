#include "app/platform/system_fonts.h"

#include <fontconfig/fontconfig.h>

#include <memory>
#include <optional>

namespace attn {
namespace {

template <auto free>
struct Freed {
  template <class T>
  void operator()(T* object) const {
    free(object);
  }
};
using Pattern = std::unique_ptr<FcPattern, Freed<FcPatternDestroy>>;
using CharSet = std::unique_ptr<FcCharSet, Freed<FcCharSetDestroy>>;

/// What fontconfig thinks fits best, with or without the letter.
Pattern bestFor(char32_t letter) {
  const Pattern wanted(FcPatternCreate());
  const CharSet letters(FcCharSetCreate());
  FcCharSetAddChar(letters.get(), letter);
  FcPatternAddCharSet(wanted.get(), FC_CHARSET, letters.get());
  FcPatternAddString(wanted.get(), FC_FAMILY, reinterpret_cast<const FcChar8*>("sans-serif"));
  FcPatternAddBool(wanted.get(), FC_OUTLINE, FcTrue);
  FcPatternAddBool(wanted.get(), FC_COLOR, FcFalse);
  FcConfigSubstitute(nullptr, wanted.get(), FcMatchPattern);
  FcDefaultSubstitute(wanted.get());
  FcResult result = FcResultNoMatch;
  return Pattern(FcFontMatch(nullptr, wanted.get(), &result));
}

/// Outlines only: what consists of pixels or layers of colour cannot be drawn.
bool canBeDrawn(FcPattern* font) {
  FcBool isOutline = FcFalse, isColour = FcFalse;
  FcPatternGetBool(font, FC_OUTLINE, 0, &isOutline);
  FcPatternGetBool(font, FC_COLOR, 0, &isColour);
  return isOutline && !isColour;
}

std::optional<FontFile> fileOf(FcPattern* font) {
  FcChar8* file = nullptr;
  int index = 0;
  if (FcPatternGetString(font, FC_FILE, 0, &file) != FcResultMatch) return std::nullopt;
  FcPatternGetInteger(font, FC_INDEX, 0, &index);
  return FontFile{reinterpret_cast<const char*>(file), index & 0xffff};  // above: a variant of the same font
}

}  // namespace

std::vector<FontFile> systemFontsFor(Letters letters) {
  std::vector<FontFile> fonts;
  if (!FcInit()) return fonts;
  while (!letters.empty()) {
    const char32_t letter = *letters.begin();
    letters.erase(letters.begin());
    const Pattern font = bestFor(letter);
    FcCharSet* has = nullptr;
    if (!font || !canBeDrawn(font.get()) ||
        FcPatternGetCharSet(font.get(), FC_CHARSET, 0, &has) != FcResultMatch ||
        !FcCharSetHasChar(has, letter))
      continue;
    if (const auto file = fileOf(font.get())) fonts.push_back(*file);
    std::erase_if(letters, [&](char32_t other) { return FcCharSetHasChar(has, other); });
  }
  return fonts;
}

}  // namespace attn
