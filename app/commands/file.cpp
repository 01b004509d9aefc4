#include "app/application.h"
#include "app/commands.h"
#include "app/lessons/lesson_player.h"

namespace attn {
namespace {

constexpr Command kCommands[] = {
    {"file.new", "New", "File", ImGuiMod_Ctrl | ImGuiKey_N,
     [](Application& app) { app.documents().startNew(); }},
    {"file.open", "Open…", "File", ImGuiMod_Ctrl | ImGuiKey_O,
     [](Application& app) { app.documents().chooseFile(); }},
    {"file.openLesson", "Open lesson…", "File", 0, chooseLessonFile},
    {"file.save", "Save", "File", ImGuiMod_Ctrl | ImGuiKey_S,
     [](Application& app) { app.documents().save(); }, nullptr, nullptr, true},
    {"file.saveAs", "Save as…", "File", ImGuiMod_Ctrl | ImGuiMod_Shift | ImGuiKey_S,
     [](Application& app) { app.documents().saveAs(); }},
    {"file.picture", "Save picture of the window", "File", ImGuiKey_F12,
     [](Application& app) { app.requestPicture("", 1); }, nullptr, nullptr, true},
    {"file.picture2", "Save picture at 2×", "File", ImGuiMod_Shift | ImGuiKey_F12,
     [](Application& app) { app.requestPicture("", 2); }},
    {"file.picture4", "Save picture at 4×", "File", ImGuiMod_Ctrl | ImGuiMod_Shift | ImGuiKey_F12,
     [](Application& app) { app.requestPicture("", 4); }},
    {"file.pictures", "Open the folder of pictures", "File", 0,
     [](Application& app) { app.openOnDesktop(app.folderOfPictures()); }},
    {"file.quit", "Quit", "File", ImGuiMod_Ctrl | ImGuiKey_Q, [](Application& app) { app.quit(); }, nullptr,
     nullptr, true},
};

}  // namespace

std::span<const Command> fileCommands() {
  return kCommands;
}

}  // namespace attn
