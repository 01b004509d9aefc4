#include <algorithm>
#include <string_view>

#include "app/application.h"
#include "app/commands.h"
#include "app/views/view.h"
#include "app/views/widgets.h"

namespace attn {
namespace {

constexpr const char* kBackward[] = {"dX", "dQ", "dK", "dV", "dScores", "dWeights"};

/// There is no dX where Q, K and V are given themselves.
bool isOfScene(const Application& app, std::string_view panel) {
  return panel != "dX" || app.editor().scene().source.kind != SourceOf<float>::Kind::given;
}

bool showsBackward(const Application& app) {
  return std::none_of(std::begin(kBackward), std::end(kBackward), [&](const char* panel) {
    return isOfScene(app, panel) && app.state().layout.isHidden(panel);
  });
}

constexpr const char* kForward[] = {"Scores", "Raw scores", "Weights", "Output"};

bool isInMap(const Application& app) {
  const auto isFocused = [&](const char* panel) { return app.state().panels.focused == panel; };
  return std::any_of(std::begin(kForward), std::end(kForward), isFocused) ||
         std::any_of(std::begin(kBackward), std::end(kBackward), isFocused);
}

void openOptions(Application& app) {
  app.state().maps.opensOptions = app.state().panels.focused;
  keyboardTakesOver();
}

MapOptions optionsOf(const Application& app, const char* panel) {
  const auto& options = app.state().maps.options;
  const auto found = options.find(panel);
  return found == options.end() ? MapOptions{} : found->second;
}

bool isTransposed(const Application& app) {
  return app.state().notation.queriesAreColumns;
}

bool isLogarithmic(const Application& app) {
  return optionsOf(app, "Weights").isLogarithmic;
}

bool showsAllHeads(const Application& app) {
  return optionsOf(app, "Weights").showsAllHeads;
}

/// The maps that one command turns are turned all alike.
void transposeAll(Application& app) {
  const bool isWanted = !isTransposed(app);
  app.state().notation.queriesAreColumns = isWanted;
  for (const View& view : allViews()) app.state().maps.options[view.title].isTransposed = isWanted;
}

constexpr Command kCommands[] = {
    {"maps.backward", "Backward maps", "Maps", ImGuiMod_Ctrl | ImGuiKey_B,
     [](Application& app) {
       const bool isWanted = !showsBackward(app);
       for (const char* panel : kBackward) app.state().layout.show(panel, isWanted && isOfScene(app, panel));
     },
     nullptr, showsBackward},
    {"maps.lines", "Lines from token to token", "Maps", ImGuiMod_Ctrl | ImGuiMod_Shift | ImGuiKey_T,
     [](Application& app) { app.state().layout.show("Lines", app.state().layout.isHidden("Lines")); },
     nullptr, [](const Application& app) { return !app.state().layout.isHidden("Lines"); }},
    {"maps.allTokens", "Lines of all tokens at once", "Maps", 0,
     [](Application& app) { app.state().lines.isWhole = !app.state().lines.isWhole; },
     [](const Application& app) { return !app.state().layout.isHidden("Lines"); },
     [](const Application& app) { return app.state().lines.isWhole; }},
    {"maps.transpose", "Queries as columns", "Maps", ImGuiMod_Ctrl | ImGuiKey_T, transposeAll, nullptr,
     isTransposed, true},
    {"maps.numbers", "Numbers in the cells", "Maps", 0,
     [](Application& app) { app.state().maps.showsNumbers = !app.state().maps.showsNumbers; }, nullptr,
     [](const Application& app) { return app.state().maps.showsNumbers; }},
    {"maps.logarithmic", "Weights by their logarithm", "Maps", ImGuiMod_Ctrl | ImGuiKey_L,
     [](Application& app) { app.state().maps.options["Weights"].isLogarithmic = !isLogarithmic(app); },
     nullptr, isLogarithmic},
    {"maps.allHeads", "Weights of all heads", "Maps", ImGuiMod_Ctrl | ImGuiMod_Shift | ImGuiKey_A,
     [](Application& app) { app.state().maps.options["Weights"].showsAllHeads = !showsAllHeads(app); },
     nullptr, showsAllHeads},
    {"maps.options",
     "Options of this map",
     "Maps",
     ImGuiMod_Ctrl | ImGuiMod_Shift | ImGuiKey_O,
     openOptions,
     {isInMap, "Go to a panel with a map first"},
     nullptr,
     true},
    {"maps.whole", "Show whole maps", "Maps", ImGuiMod_Ctrl | ImGuiKey_Home,
     [](Application& app) { app.state().maps.zooms.clear(); }},
};

}  // namespace

std::span<const Command> mapCommands() {
  return kCommands;
}

}  // namespace attn
