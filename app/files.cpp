#include "app/files.h"

#include "app/embedded.h"
#include "core/error.h"
#include "core/io/atomic_file.h"
#include "core/io/scene_json.h"
#include "core/io/scene_npz.h"

namespace attn {

SharedScene defaultScene() {
  const char* const name = "scenes/it_and_cat.json";
  return std::make_shared<const Scene>(narrow(readSceneJson(embedded(name), name)));
}

SharedScene openScene(const std::filesystem::path& file) {
  const PreciseScene scene = readScene(file);
  try {
    check(scene);
    return std::make_shared<const Scene>(narrow(scene));
  } catch (const Error& error) {
    throw Error(file.string() + ": " + error.what());
  }
}

void saveScene(const Scene& scene, const std::filesystem::path& file) {
  writeFileAtomically(file, writeSceneJson(scene));
}

}  // namespace attn
