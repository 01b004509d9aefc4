// Someone who knows nothing and hits everything: random mouse, keys, text, files and window sizes. Nothing
// may crash or leak (the sanitizers look), no vertex may be other than finite, no scene may be lost.
// ATTNSCOPE_MONKEY_SECONDS says how long, ATTNSCOPE_MONKEY_SEED how.
#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <random>

#include "core/same_scene.h"
#include "tests/core/io/temporary_directory.h"
#include "tests/gui/gui_driver.h"

namespace attn {
namespace {

namespace fs = std::filesystem;

double fromEnvironment(const char* name, double otherwise) {
  const char* text = std::getenv(name);
  return text && *text ? std::atof(text) : otherwise;
}

constexpr const char* kTexts[] = {
    "nan",    "1e999", "-inf", "1,5",      "0x10",          "\xff\xfe\x80",   "\xc3",
    "√∂×",    "",      "-",    "3.4e38",   "ключ",          "1\t2\n3\t4",     "[[1, 2], [3",
    "\\frac", "%s%n",  "   ",  "a/b.json", "1e-46 2;3 nan", "0.000000000001", "+",
    "++=",    "0"};
constexpr ImGuiKey kKeys[] = {ImGuiKey_Enter,     ImGuiKey_Escape,    ImGuiKey_Tab,       ImGuiKey_Space,
                              ImGuiKey_LeftArrow, ImGuiKey_UpArrow,   ImGuiKey_DownArrow, ImGuiKey_RightArrow,
                              ImGuiKey_Delete,    ImGuiKey_Home,      ImGuiKey_End,       ImGuiKey_PageUp,
                              ImGuiKey_PageDown,  ImGuiKey_A,         ImGuiKey_C,         ImGuiKey_V,
                              ImGuiKey_X,         ImGuiKey_Backspace, ImGuiKey_F6,        ImGuiKey_Menu};
constexpr std::pair<int, int> kSizes[] = {{1280, 720}, {1280, 720}, {1280, 720}, {1920, 1080}, {0, 0},
                                          {1, 1},      {40, 900},   {16384, 90}, {320, 200},   {16384, 1200}};

class Monkey : public TemporaryDirectory {
 protected:
  Monkey() : before_(fs::current_path()) {
    fs::current_path(directory_);  // what it saves stays here
    saveScene(in("good.json"), *defaultScene());
    write(in("bad.json"), "{\"title\": [1e999, \xff");
    Desktop desktop;
    desktop.environment = [home =
                               directory_.string()](const std::string& name) -> std::optional<std::string> {
      if (name == "HOME") return home;
      return std::nullopt;
    };
    gui_ = std::make_unique<GuiDriver>(defaultScene(), GuiDriver::Screen::none, 1280, 720, desktop);
    gui_->app().remember({in("config"), in("state"), in("data")});
    takeNote();
  }
  ~Monkey() override { fs::current_path(before_); }

  int below(std::size_t count) { return static_cast<int>(random_() % count); }
  template <class T, std::size_t n>
  const T& any(const T (&list)[n]) {
    return list[static_cast<std::size_t>(below(n))];
  }
  bool happens(int inHundred) { return below(100) < inHundred; }

  /// Mostly on something; sometimes anywhere, outside included.
  ImVec2 place() {
    const auto& items = gui_->app().items().items();
    if (!items.empty() && happens(85)) {
      auto item = items.begin();
      std::advance(item, below(items.size()));
      const ItemRect& rect = item->second;
      const float share = static_cast<float>(below(100)) / 100;
      return {rect.min.x + rect.size().x * share, rect.min.y + rect.size().y * share};
    }
    return {static_cast<float>(below(1500)) - 100, static_cast<float>(below(900)) - 100};
  }

  void press() {
    ImGuiKeyChord chord = any(kKeys);
    const auto& commands = gui_->app().commands();
    if (happens(50)) chord = commands[static_cast<std::size_t>(below(commands.size()))].shortcut;
    if (happens(10)) chord |= ImGuiMod_Ctrl;
    if (happens(10)) chord |= ImGuiMod_Shift;
    if (happens(5)) chord |= ImGuiMod_Alt;
    if (chord & ~ImGuiMod_Mask_) gui_->press(chord);
  }

  void runAny() {
    const auto& commands = gui_->app().commands();
    const Command& command = commands[static_cast<std::size_t>(below(commands.size()))];
    if (!gui_->app().documents().isBusy()) runCommand(gui_->app(), command.id);
    gui_->frames(2);
  }

  void step() {
    switch (below(14)) {
      case 0:
      case 1:
      case 2:
        return gui_->clickAt(place(), happens(80) ? 0 : below(3));
      case 3:
      case 4:
        return gui_->dragFrom(place(),
                              {static_cast<float>(below(400)) - 200, static_cast<float>(below(200)) - 100});
      case 5: {
        const ImVec2 at = place();
        gui_->clickAt(at);
        return gui_->clickAt(at);
      }
      case 6:
        gui_->moveTo(place());
        return gui_->wheel(static_cast<float>(below(9)) - 4);
      case 7:
      case 8:
        return press();
      case 9:
      case 10:
        return gui_->type(any(kTexts));
      case 11:
        if (happens(50)) ImGui::SetClipboardText(any(kTexts));
        return runAny();
      case 12:
        if (happens(20)) gui_->app().documents().open(in(happens(50) ? "good.json" : "bad.json"));
        return gui_->press(ImGuiMod_Ctrl | ImGuiKey_Z);
      default:
        if (!happens(20)) return gui_->frames(2);
        const auto [width, height] = any(kSizes);
        return gui_->resize(width, height);
    }
  }

  /// It may save anything, but here.
  void stayInside() {
    FileDialog& dialog = gui_->app().documents().dialog();
    if (dialog.isOpen() && !dialog.folder().string().starts_with(directory_.string()))
      dialog.enter(directory_);
  }

  void takeNote() {
    generation_ = gui_->app().documents().generation();
    first_ = gui_->app().editor().kept();
  }

  /// Another document: from here undo leads back to this one.
  void noteDocument() {
    if (gui_->app().documents().generation() != generation_) takeNote();
    if (gui_->app().editor().steps() == 0) first_ = gui_->app().editor().kept();
  }

  void checkNothingIsLost() {
    Editor& editor = gui_->app().editor();
    saveScene(in("last.json"), *editor.kept());
    EXPECT_TRUE(sameScene(*openScene(in("last.json")), *editor.kept()));
    const SharedScene last = editor.kept();
    int undone = 0;
    for (; editor.canUndo(); ++undone) editor.undo();
    EXPECT_TRUE(sameScene(*editor.kept(), *first_));
    for (; undone > 0; --undone) editor.redo();
    EXPECT_EQ(editor.kept(), last);
  }

  fs::path before_;
  std::unique_ptr<GuiDriver> gui_;
  std::mt19937_64 random_;
  SharedScene first_;
  int generation_ = 0;
};

TEST_F(Monkey, BreaksNothing) {
  const double seconds = fromEnvironment("ATTNSCOPE_MONKEY_SECONDS", ATTNSCOPE_MONKEY_SECONDS);
  // One seed unless asked, so that what fails can be looked at again.
  const auto seed = static_cast<std::uint64_t>(fromEnvironment("ATTNSCOPE_MONKEY_SEED", 1));
  random_.seed(seed);
  std::cout << "seed " << seed << ", " << seconds << " s" << std::endl;
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  int steps = 0;
  for (; std::chrono::steady_clock::now() < end && !HasFatalFailure(); ++steps) {
    step();
    stayInside();
    noteDocument();
    ASSERT_EQ(gui_->withoutPlace(), "");
    if (steps % 500 == 499) checkNothingIsLost();
    constexpr std::size_t kNearTheLimit = 900;
    if (gui_->app().editor().steps() > kNearTheLimit) {
      gui_->app().editor().open(gui_->app().editor().kept());
      takeNote();
    }
  }
  gui_->resize(1280, 720);
  gui_->frames(3);
  gui_->app().settle();
  checkNothingIsLost();
  std::cout << steps << " steps" << std::endl;
  EXPECT_GT(steps, 10);
}

}  // namespace
}  // namespace attn
