#include "app/cli/window.h"

#include <iostream>

#include "app/application.h"
#include "app/cli/shot.h"
#include "app/files.h"
#include "app/platform/window_glfw.h"

namespace attn {

void openWindow(const std::string& scene) {
  if (!hasDisplay()) {
    ShotOptions options;
    options.scene = scene;
    options.output = "attnscope.png";
    options.width = 1920, options.height = 1080;
    takeShot(options);
    std::cout << "attnscope: there is no display to open a window on; a picture of it is in "
              << options.output << '\n';
    return;
  }
  Application app(defaultScene());
  if (!scene.empty()) app.open(scene);
  runWindow(app);
}

}  // namespace attn
