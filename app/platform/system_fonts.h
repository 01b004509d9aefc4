#pragma once
#include <filesystem>
#include <vector>

#include "app/letters.h"

namespace attn {

struct FontFile {
  std::filesystem::path file;
  int index = 0;  // of the font within a collection
};

/// Fonts of the system that have these letters as outlines, as few as it takes. Letters that no font has are
/// left out.
std::vector<FontFile> systemFontsFor(Letters letters);

}  // namespace attn
