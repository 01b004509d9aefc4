#include "app/session/document.h"

#include "core/error.h"
#include "core/io/atomic_file.h"
#include "core/io/scene_json.h"
#include "core/io/scene_npz.h"
#include "core/same_scene.h"

namespace attn {

ScenePointer openScene(const std::filesystem::path& file) {
  PreciseScene scene = readScene(file);
  if (scene.title.empty() && file.extension() == ".npz") scene.title = file.stem().string();
  try {
    check(scene);
    return std::make_shared<const Scene>(narrow(scene));
  } catch (const Error& error) {
    throw Error(file.string() + ": " + error.what());
  }
}

void saveScene(const std::filesystem::path& file, const Scene& scene) {
  writeFileAtomically(file, writeSceneJson(scene));
}

void Document::startWith(ScenePointer scene) {
  isIn({}, std::move(scene));
}

void Document::isIn(std::filesystem::path file, ScenePointer scene) {
  file_ = std::move(file);
  saved_ = std::move(scene);
  compared_.reset();
}

void Document::restored(std::filesystem::path file) {
  isIn(std::move(file), nullptr);
}

bool Document::isModified(const ScenePointer& scene) const {
  if (scene == saved_) return false;
  if (!scene || !saved_) return true;
  if (scene != compared_) {
    differs_ = !sameScene(*scene, *saved_);
    compared_ = scene;
  }
  return differs_;
}

std::string Document::name() const {
  return file_.empty() ? "untitled" : file_.filename().string();
}

}  // namespace attn
