// Pictures and numbers that leave the window.
#include <imgui.h>

#include <algorithm>
#include <utility>

#include "app/application.h"
#include "app/views/view.h"
#include "core/error.h"

namespace attn {
namespace fs = std::filesystem;

void Application::requestPicture(std::string panel, int factor) {
  picture_ = PictureRequest{std::move(panel), factor};
}

std::optional<PictureRequest> Application::takePictureRequest() {
  return std::exchange(picture_, std::nullopt);
}

fs::path Application::folderOfPictures() const {
  return lastPicture_.empty() ? pictureFolder(desktop_.environment) : lastPicture_.parent_path();
}

std::vector<fs::path> Application::foldersForPictures() const {
  std::error_code ignored;
  return {pictureFolder(desktop_.environment), documents_.document().file().parent_path(),
          fs::current_path(ignored), fs::temp_directory_path(ignored)};
}

void Application::keepPicture(const Image& image, const PictureRequest& request) {
  if (request.isOfStory) return keepFrame(image);
  try {
    lastPicture_ = attn::keepPicture(image, request.panel, foldersForPictures());
    report("Picture of " + std::to_string(image.width) + " × " + std::to_string(image.height) + " in " +
           lastPicture_.string());
  } catch (const Error& error) {
    report(std::string("No picture was saved: ") + error.what());
  }
}

void Application::openOnDesktop(const fs::path& path) {
  const std::string trouble =
      desktop_.open ? desktop_.open(path) : "There is no desktop to open " + path.string() + " with";
  report(trouble.empty() ? "Opening " + path.string() : trouble);
}

void Application::copyPanel(const std::string& panel) {
  if (!evaluations_.current()) return;
  for (const View& view : allViews()) {
    if (view.title != panel || !view.text) continue;
    ImGui::SetClipboardText(view.text(contextFor(view, viewContext())).c_str());
    return report(panel + " copied as text");
  }
}

}  // namespace attn
