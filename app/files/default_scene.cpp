#include "app/embedded.h"
#include "app/files.h"
#include "core/io/scene_json.h"

namespace attn {

SharedScene defaultScene() {
  const char* const name = "scenes/it_and_cat.json";
  return std::make_shared<const Scene>(narrow(readSceneJson(embedded(name), name)));
}

}  // namespace attn
