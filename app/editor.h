#pragma once
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/scene.h"

namespace attn {

using SharedScene = std::shared_ptr<const Scene>;

/// The only way to change the scene. A published scene never changes: undo keeps pointers to old ones.
class Editor {
 public:
  explicit Editor(SharedScene scene);

  /// The scene that is seen: the present one, unless another one is looked at.
  const Scene& scene() const { return *shared(); }
  const SharedScene& shared() const { return looked_ ? looked_ : scene_; }
  /// The present scene, whatever is looked at: what is saved and what undo keeps.
  const SharedScene& kept() const { return scene_; }

  /// Shows another scene in place of the present one, which stays: a state between two, a moment of a story.
  /// A change begins from what is seen; undo and redo go from the present one. Null: the present one again.
  void look(SharedScene scene) { looked_ = std::move(scene); }
  bool isLooking() const { return looked_ != nullptr; }
  /// Makes the scene that is looked at the present one, as one step.
  void keepLooked();

  /// Changes a copy and publishes it if it fits together; else the scene stays and refusal() says why.
  /// Changes up to the next endGesture() are one step of undo.
  bool change(const std::function<void(Scene&)>& edit);

  /// Closes the step that is open. The application calls it in every frame in which nothing is held or typed.
  void endGesture() { isGestureOpen_ = false; }

  bool canUndo() const { return !past_.empty(); }
  bool canRedo() const { return !future_.empty(); }
  void undo();
  void redo();

  /// Back at a scene of before, as if nothing had been done since: neither undo nor redo leads there again.
  void returnTo(const SharedScene& scene);

  /// Another document: the history starts anew.
  void open(SharedScene scene);

  /// One line on why the last change was refused; empty after one that was not.
  const std::string& refusal() const { return refusal_; }
  std::size_t steps() const { return past_.size(); }

 private:
  void forgetOldest();

  void publish(SharedScene next);

  SharedScene scene_, looked_;
  std::deque<SharedScene> past_;
  std::vector<SharedScene> future_;
  bool isGestureOpen_ = false;
  std::string refusal_;
};

}  // namespace attn
