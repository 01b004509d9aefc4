#pragma once
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/scene.h"

namespace attn {

using SharedScene = std::shared_ptr<const Scene>;

/// The only way to change the scene. A published scene never changes: undo keeps pointers to old ones.
class Editor {
 public:
  explicit Editor(SharedScene scene);

  const Scene& scene() const { return *scene_; }
  const SharedScene& shared() const { return scene_; }

  /// Changes a copy and publishes it if it fits together; else the scene stays and refusal() says why.
  /// Changes up to the next endGesture() are one step of undo.
  bool change(const std::function<void(Scene&)>& edit);

  /// Closes the step that is open. The application calls it in every frame in which nothing is held or typed.
  void endGesture() { isGestureOpen_ = false; }

  bool canUndo() const { return !past_.empty(); }
  bool canRedo() const { return !future_.empty(); }
  void undo();
  void redo();

  /// Another document: the history starts anew.
  void open(SharedScene scene);

  /// One line on why the last change was refused; empty after one that was not.
  const std::string& refusal() const { return refusal_; }
  std::size_t steps() const { return past_.size(); }

 private:
  void forgetOldest();

  SharedScene scene_;
  std::deque<SharedScene> past_;
  std::vector<SharedScene> future_;
  bool isGestureOpen_ = false;
  std::string refusal_;
};

}  // namespace attn
