#include "app/cli/window.h"

#include <iostream>

#include "app/application.h"
#include "app/cli/shot.h"
#include "app/files.h"
#include "app/platform/desktop.h"
#include "app/platform/window_glfw.h"

namespace attn {

namespace {

/// What a person gets who starts the program where there is no screen.
void drawInstead(const std::string& scene, const std::string& trouble) {
  ShotOptions options;
  options.scene = scene;
  options.output = "attnscope.png";
  options.width = 1920, options.height = 1080;
  takeShot(options);
  std::cout << "attnscope: no window: " << trouble << "; a picture of it is in " << options.output << '\n';
}

}  // namespace

void openWindow(const std::string& scene) {
  Application app(defaultScene(), {processEnvironment(), openWithDesktop});
  app.remember(foldersOf(processEnvironment()));
  if (!scene.empty()) app.documents().openAtOnce(scene);
  try {
    runWindow(app);
  } catch (const NoDisplay& trouble) {
    drawInstead(scene, trouble.what());
  }
}

}  // namespace attn
