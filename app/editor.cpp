#include "app/editor.h"

#include <utility>

#include "core/error.h"
#include "core/same_scene.h"

namespace attn {
namespace {

constexpr std::size_t kMostSteps = 1000;
constexpr std::size_t kMostBytes = std::size_t{512} << 20;

/// About what a scene takes: its matrices, as the rest is small.
std::size_t bytesOf(const Scene& scene) {
  Index numbers = scene.source.x.values.size() + scene.upstream.matrix.size();
  for (const auto& head : scene.source.given)
    numbers += head.q.values.size() + head.k.values.size() + head.v.values.size();
  for (const auto& head : scene.source.projected)
    numbers += head.wq.values.size() + head.wk.values.size() + head.wv.values.size();
  if (scene.source.other) numbers += scene.source.other->values.size();
  if (scene.source.wo) numbers += scene.source.wo->values.size();
  for (const auto& bias : scene.bias) numbers += bias.values.size();
  return static_cast<std::size_t>(numbers) * sizeof(float);
}

}  // namespace

Editor::Editor(SharedScene scene) : scene_(std::move(scene)) {}

bool Editor::change(const std::function<void(Scene&)>& edit) {
  auto next = std::make_shared<Scene>(scene());
  try {
    edit(*next);
    check(*next);
  } catch (const Error& error) {
    refusal_ = error.what();
    return false;
  }
  refusal_.clear();
  if (sameScene(*next, scene()))
    return true;  // a step back from nothing would puzzle, and redo be lost for it
  publish(std::move(next));
  return true;
}

void Editor::publish(SharedScene next) {
  if (!isGestureOpen_) past_.push_back(scene_);
  isGestureOpen_ = true;
  future_.clear();
  scene_ = std::move(next);
  looked_.reset();
  forgetOldest();
}

void Editor::keepLooked() {
  if (looked_ && !sameScene(*looked_, *scene_)) publish(looked_);
  looked_.reset();
}

void Editor::undo() {
  looked_.reset();
  if (past_.empty()) return;
  future_.push_back(std::exchange(scene_, past_.back()));
  past_.pop_back();
  isGestureOpen_ = false;
  refusal_.clear();
}

void Editor::redo() {
  looked_.reset();
  if (future_.empty()) return;
  past_.push_back(std::exchange(scene_, future_.back()));
  future_.pop_back();
  isGestureOpen_ = false;
  refusal_.clear();
}

void Editor::returnTo(const SharedScene& scene) {
  looked_.reset();
  future_.clear();
  isGestureOpen_ = false;
  refusal_.clear();
  while (scene_ != scene && !past_.empty()) {
    scene_ = past_.back();
    past_.pop_back();
  }
  scene_ = scene;  // so old that it was forgotten
}

void Editor::open(SharedScene scene) {
  *this = Editor(std::move(scene));
}

void Editor::forgetOldest() {
  const std::size_t affordable = kMostBytes / (bytesOf(*scene_) + 1);
  while (past_.size() > kMostSteps || (past_.size() > 1 && past_.size() > affordable)) past_.pop_front();
}

}  // namespace attn
