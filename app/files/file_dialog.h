#pragma once
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "app/files/folder_listing.h"

namespace attn {

struct Theme;

/// Asks for a file, in the window itself. What is typed, chosen and shown is here; draw() puts it on screen.
class FileDialog {
 public:
  enum class Purpose { open, save };
  using Done = std::function<void(const std::filesystem::path&)>;

  explicit FileDialog(std::filesystem::path home = {}) : home_(std::move(home)) {}

  /// Starts at a folder, or at the folder of a file with its name typed in. `done` gets an absolute path: of
  /// a file that exists (open), or one that may be written over (save).
  void show(Purpose purpose, const std::filesystem::path& start, Done done);
  void cancel();
  bool isOpen() const { return isOpen_; }

  const std::filesystem::path& folder() const { return folder_; }
  const std::vector<FolderEntry>& entries() const { return entries_; }
  const std::string& error() const { return error_; }
  /// A file that is there already, and is written over when accept() is called once more.
  const std::filesystem::path& toReplace() const { return toReplace_; }

  void enter(const std::filesystem::path& folder);
  void setTyped(std::string typed);
  const std::string& typed() const { return typed_; }
  void complete() { setTyped(completePath(typed_, folder_, home_, rules_)); }
  /// Moves the choice in the list and types its name.
  void moveChoice(int by);
  /// Goes into a folder, or ends with a file; else error() says why not.
  void accept();

  /// Once a frame, whether it is open or not.
  void draw(const Theme& theme);

 private:
  void refresh();
  void choose(std::size_t index);
  void finish(const std::filesystem::path& file);
  void acceptOpen(const std::filesystem::path& path);
  void acceptSave(std::filesystem::path path);
  void drawPlaces();
  void drawList(const Theme& theme, float height);
  void drawEntry(std::size_t index);
  void drawPath();
  void drawFoot(const Theme& theme);

  std::filesystem::path home_, folder_, toReplace_;
  Purpose purpose_ = Purpose::open;
  Done done_;
  std::vector<FolderEntry> entries_;
  ListingRules rules_;
  std::string typed_, error_;
  int chosen_ = -1;
  bool isOpen_ = false, isNew_ = false, wantsFocus_ = false, scrollsToChoice_ = false;
};

}  // namespace attn
