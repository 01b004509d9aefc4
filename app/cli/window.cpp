#include "app/cli/window.h"

#include <filesystem>
#include <iostream>

#include "app/application.h"
#include "app/cli/shot.h"
#include "app/files.h"
#include "app/platform/desktop.h"
#include "app/platform/window_glfw.h"
#include "core/error.h"

namespace attn {

namespace {

namespace fs = std::filesystem;

/// Into the folder one is in, or where that takes no file into the one for passing things. Returns the file.
fs::path keepSomewhere(const Image& picture) {
  const fs::path name = "attnscope.png";
  try {
    writePng(picture, name);
    return name;
  } catch (const Error&) {
    const fs::path file = fs::temp_directory_path() / name;
    writePng(picture, file);
    return file;
  }
}

/// What a person gets who starts the program where there is no screen.
void drawInstead(const std::string& scene, const std::string& trouble) {
  ShotOptions options;
  options.scene = scene;
  options.width = 1920, options.height = 1080;
  const fs::path file = keepSomewhere(drawShot(options));
  std::cout << "attnscope: no window: " << trouble << "; a picture of it is in " << file.string() << '\n';
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
