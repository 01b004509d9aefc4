#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "app/image.h"
#include "app/session/folders.h"

namespace attn {

/// A picture that a person asked for.
struct PictureRequest {
  std::string panel;       // empty: the whole window
  int factor = 1;          // how many pixels become of one on the screen, each way
  bool isOfStory = false;  // the next frame of what is being recorded
};

/// Where pictures go: the folder that the desktop names for them, else Pictures or the home itself. Empty
/// where there is no home.
std::filesystem::path pictureFolder(const Environment& environment);

/// Writes "attnscope-weights-2026-11-18-061203.png" into the first of the folders that takes it; a name that
/// is taken gets a number. Returns the file; throws Error with one line where no folder takes it.
std::filesystem::path keepPicture(const Image& image, const std::string& panel,
                                  const std::vector<std::filesystem::path>& folders);
/// The same of a file that is already made.
std::filesystem::path keepPicture(const std::string& bytes, const std::string& panel,
                                  const std::vector<std::filesystem::path>& folders);

}  // namespace attn
