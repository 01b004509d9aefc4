#pragma once
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "app/palette/fuzzy.h"

namespace attn {

class Application;

/// Something that can be found and done by typing a few letters of its name.
struct PaletteEntry {
  std::string group;          // "Edit", "Panel", "Recent scene"
  std::string text;           // what is searched and shown
  std::string detail;         // what it means, in one line; may be empty
  std::string keys;           // its shortcut; may be empty
  bool isReady = true;        // whether it can be done now
  std::string obstacle = "";  // why not, where that is known
  std::function<void(Application&)> run = nullptr;
};

/// Adds what it knows of. A new kind of thing to find is a new function in the list of palette_providers.cpp.
using PaletteProvider = void (*)(const Application& app, std::vector<PaletteEntry>& entries);
std::span<const PaletteProvider> paletteProviders();

/// An entry that was found, and the letters that say why.
struct PaletteHit {
  std::size_t entry = 0;
  int score = 0;
  std::vector<TextRange> ranges;  // of its text
};

/// The entries in which every word of the search is found, best first. Without a search all of them: first
/// those that were used, the last one before the others, then in their own order. `used` holds texts.
std::vector<PaletteHit> rankEntries(std::span<const PaletteEntry> entries, const std::string& search,
                                    std::span<const std::string> used);

struct PaletteState {
  bool opens = false;   // in this frame
  bool isOpen = false;  // was, in the last frame
  std::string search;
  std::vector<PaletteEntry> entries;  // as they were when it opened: typing in it changes nothing about them
  std::vector<PaletteHit> hits;
  std::size_t chosen = 0;
  bool scrolls = false;           // the chosen one has to come into sight
  std::vector<std::string> used;  // texts, the last one first
};

/// Opens the palette in this frame, or closes it.
void togglePalette(Application& app);

/// The palette while it is open. Once a frame.
void drawPalette(Application& app);

}  // namespace attn
