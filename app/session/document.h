#pragma once
#include <filesystem>
#include <memory>
#include <string>

#include "core/scene.h"

namespace attn {

using ScenePointer = std::shared_ptr<const Scene>;

/// Reads a scene file or an .npz archive, which has no words of its own: its name becomes the scene's title.
/// Throws Error with one line.
ScenePointer openScene(const std::filesystem::path& file);
/// Writes a scene file, whole or not at all. Throws Error with one line.
void saveScene(const std::filesystem::path& file, const Scene& scene);

/// The file that the scene belongs to, and whether there are changes that it does not hold.
class Document {
 public:
  /// A new scene that has no file, and nothing to lose.
  void startWith(ScenePointer scene);
  /// The scene is what the file holds: it was opened or saved.
  void isIn(std::filesystem::path file, ScenePointer scene);
  /// A scene that came from an autosave: nothing holds it yet. The file may be empty.
  void restored(std::filesystem::path file);

  /// By pointer where that settles it, else by content: undoing all changes makes the scene unmodified again.
  bool isModified(const ScenePointer& scene) const;

  const std::filesystem::path& file() const { return file_; }
  /// "cat.json", or "untitled".
  std::string name() const;

 private:
  std::filesystem::path file_;
  ScenePointer saved_;
  // The last answer by content: the question comes in every frame.
  mutable ScenePointer compared_;
  mutable bool differs_ = false;
};

}  // namespace attn
