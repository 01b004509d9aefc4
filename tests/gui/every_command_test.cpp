// Each command of the table is run, by its key where it has one, in a window of its own. What it is there for
// must be false before and true after: a command that does nothing fails, and so does a look that sees
// nothing. A command that takes more than that to see is run by a test of its own, or it fails here too.
#include <gtest/gtest.h>
#include <imgui_internal.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>

#include "app/lessons/lesson_player.h"
#include "app/views/input_actions.h"
#include "core/edits/mask_rules.h"
#include "core/io/block_text.h"
#include "tests/gui/gui_driver.h"

namespace attn {
namespace {

namespace fs = std::filesystem;

/// A window, and what was in it before the command.
struct Stage {
  fs::path opened;  // with the desktop's own program
  GuiDriver gui{defaultScene(), GuiDriver::Screen::none, 1280, 900, desktop()};
  ItemRect weights, scale;

  Desktop desktop() {
    return {[](const std::string& name) -> std::optional<std::string> {
              if (name == "HOME") return fs::temp_directory_path().string();
              return std::nullopt;
            },
            [this](const fs::path& path) {
              opened = path;
              return std::string();
            }};
  }
  void run(const char* command) {
    runCommand(gui.app(), command);
    gui.frames(3);
  }
  void change(const std::function<void(Scene&)>& edit) {
    gui.app().editor().change(edit);
    gui.frames(2);
  }
  void setTemperature(double value) {
    change([=](Scene& scene) { scene.scale.temperature = value; });
  }
  const Scene& scene() { return gui.scene(); }
  ViewState& state() { return gui.state(); }
  const Matrix& q(std::size_t head = 0) { return gui.scene().source.given[head].q.values; }
  const MapOptions& ofWeights() { return state().maps.options["Weights"]; }
  ImVec2 growth() {
    return {gui.rect("Weights/title").size().x - weights.size().x,
            gui.rect("Scale/title").min.y - scale.min.y};
  }
  std::string clipboard() { return ImGui::GetClipboardText(); }
  bool asksForPicture(const std::string& panel, int factor) {
    const auto request = gui.app().takePictureRequest();
    return request && request->panel == panel && request->factor == factor;
  }
};

const Matrix& firstQ(std::size_t head = 0) {
  static const SharedScene first = defaultScene();
  return first->source.given[head].q.values;
}

fs::path savedFile() {
  return fs::temp_directory_path() / ("attnscope_" + std::to_string(getpid()) + ".json");
}

/// Of two, presented.
void toFirstSlide(Stage& s) {
  const Tile weights{Tile::Kind::panel, "Weights", {}, 1}, output{Tile::Kind::panel, "Output", {}, 1};
  s.change([=](Scene& scene) { scene.slides = {{1, weights, 0, 0, false}, {4, output, 0, 0, false}}; });
  s.run("present.start");
}

bool isPopupOpen() {
  return ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel);
}

void nothing(Stage&) {}
void intoQ(Stage& s) {
  s.gui.click("Inputs/Q[1][1]");
}
void intoWeights(Stage& s) {
  s.gui.click("Weights/title");
}
void toSecondHead(Stage& s) {
  s.run("heads.next");
}
void toProjections(Stage& s) {
  s.run("inputs.projections");
}
/// A has a temperature of 1, B of 3.
void toPinned(Stage& s) {
  s.run("compare.pin");
  s.setTemperature(3);
}
void toBetween(Stage& s) {
  toPinned(s);
  s.state().compare.position = 0.5;
  s.gui.frames(2);
}
void toLesson(Stage& s) {
  openLesson(s.gui.app(), "000-1-dot-product", 1);
  s.gui.frames(3);
}
StepWork& lessonWork(Stage& s) {
  return s.state().lesson.open->presentWork();
}
void toStory(Stage& s) {
  s.run("story.temperature");
}

template <Showing showing>
bool shows(Stage& s) {
  return s.state().compare.pinned && s.state().compare.showing == showing;
}
template <StoryTarget::Kind kind>
bool animates(Stage& s) {
  const auto& stories = s.gui.app().editor().kept()->stories;
  return stories.size() == 1 && stories[0].target.kind == kind && s.gui.has("Story/Play");
}

template <class Rule>
bool endsWith(Stage& s) {
  return !s.scene().masks.empty() && std::holds_alternative<Rule>(s.scene().masks.back());
}
template <MaskPreset preset>
bool hasPreset(Stage& s) {
  const auto wanted = presetRules(s.scene(), preset);
  const auto& masks = s.scene().masks;
  const Shapes shapes = shapesOf(s.scene());
  return !masks.empty() && std::equal(masks.begin(), masks.end(), wanted.begin(), wanted.end(),
                                      [&](const MaskRule& a, const MaskRule& b) {
                                        return ruleText(a, shapes) == ruleText(b, shapes);
                                      });
}

struct Case {
  const char* id;
  void (*prepare)(Stage&);
  bool (*isDone)(Stage&);
};

const Case kCases[] = {
    {"file.new",
     [](Stage& s) {
       s.gui.app().takeDropped({ATTNSCOPE_SOURCE_DIR "/assets/scenes/by_hand.json"});
       s.gui.app().settle();
       s.gui.frames(3);
     },
     [](Stage& s) {
       return s.scene().title == defaultScene()->title && s.gui.app().documents().document().file().empty();
     }},
    {"file.open", nothing, [](Stage& s) { return s.gui.app().documents().dialog().isOpen(); }},
    {"file.save",
     [](Stage& s) {
       s.run("file.saveAs");
       s.gui.app().documents().dialog().setTyped(savedFile().string());
       s.gui.app().documents().dialog().accept();
       s.gui.frames(3);
       s.setTemperature(3);
     },
     [](Stage&) { return openScene(savedFile())->scale.temperature == 3; }},
    {"file.saveAs", nothing, [](Stage& s) { return s.gui.app().documents().dialog().isOpen(); }},
    {"file.picture", nothing, [](Stage& s) { return s.asksForPicture("", 1); }},
    {"file.picture2", nothing, [](Stage& s) { return s.asksForPicture("", 2); }},
    {"file.picture4", nothing, [](Stage& s) { return s.asksForPicture("", 4); }},
    {"file.pictures", nothing,
     [](Stage& s) { return !s.opened.empty() && s.opened == s.gui.app().folderOfPictures(); }},
    {"file.quit", nothing, [](Stage& s) { return s.gui.app().isQuitting(); }},

    {"edit.undo", [](Stage& s) { s.setTemperature(3); },
     [](Stage& s) { return s.scene().scale.temperature == 1; }},
    {"edit.redo",
     [](Stage& s) {
       s.setTemperature(3);
       s.run("edit.undo");
     },
     [](Stage& s) { return s.scene().scale.temperature == 3; }},

    {"view.light", [](Stage& s) { s.run("view.dark"); },
     [](Stage& s) { return s.gui.app().theme().kind == ThemeKind::light; }},
    {"view.dark", [](Stage& s) { s.run("view.light"); },
     [](Stage& s) { return s.gui.app().theme().kind == ThemeKind::dark; }},
    {"view.systemTheme", [](Stage& s) { s.run("view.light"); },
     [](Stage& s) { return s.state().appearance.followsSystem; }},
    {"view.larger", nothing, [](Stage& s) { return s.gui.app().theme().scale > 1.05f; }},
    {"view.smaller", nothing, [](Stage& s) { return s.gui.app().theme().scale < 0.95f; }},
    {"view.normalSize", [](Stage& s) { s.state().appearance.scale = 2; },
     [](Stage& s) { return s.gui.app().theme().scale == 1; }},
    {"view.menus", nothing,
     [](Stage&) {
       const ImGuiContext& g = *ImGui::GetCurrentContext();
       return g.NavLayer == ImGuiNavLayer_Menu && g.NavWindow &&
              std::string_view(g.NavWindow->Name) == "##MainMenuBar";
     }},
    {"view.defaultLayout", [](Stage& s) { s.state().layout.show("Inputs", false); },
     [](Stage& s) { return s.gui.has("Inputs/title"); }},

    {"panel.next", intoWeights, [](Stage& s) { return s.state().panels.focused == "Output"; }},
    {"panel.previous", intoWeights, [](Stage& s) { return s.state().panels.focused == "Scores"; }},
    {"panel.menu", intoWeights, [](Stage& s) { return s.gui.has("//Hide"); }},
    {"panel.maximise", intoWeights,
     [](Stage& s) { return s.gui.has("Weights/title") && !s.gui.has("Scores/title"); }},
    {"panel.wider", intoWeights, [](Stage& s) { return s.growth().x > 5; }},
    {"panel.narrower", intoWeights, [](Stage& s) { return s.growth().x < -5; }},
    {"panel.taller", intoWeights, [](Stage& s) { return s.growth().y > 5; }},
    {"panel.shorter", intoWeights, [](Stage& s) { return s.growth().y < -5; }},
    {"panel.hide", intoWeights, [](Stage& s) { return !s.gui.has("Weights/title"); }},
    {"panel.picture", intoWeights, [](Stage& s) { return s.asksForPicture("Weights", 2); }},
    {"panel.copy", intoWeights,
     [](Stage& s) { return !s.clipboard().empty() && readBlock(s.clipboard()).rows() == 8; }},

    {"inputs.cut", intoQ,
     [](Stage& s) { return s.q()(1, 1) == 0 && readBlock(s.clipboard())(0, 0) == 1.5f; }},
    {"inputs.copy", intoQ,
     [](Stage& s) { return !s.clipboard().empty() && readBlock(s.clipboard())(0, 0) == 1.5f; }},
    {"inputs.copyNumpy", intoQ, [](Stage& s) { return s.clipboard().starts_with("array("); }},
    {"inputs.copyLatex", intoQ, [](Stage& s) { return s.clipboard().starts_with("\\begin{bmatrix}"); }},
    {"inputs.paste",
     [](Stage& s) {
       intoQ(s);
       ImGui::SetClipboardText("7\t8");
     },
     [](Stage& s) { return s.q()(1, 1) == 7 && s.q()(1, 2) == 8; }},
    {"inputs.zero", intoQ, [](Stage& s) { return s.q()(1, 1) == 0; }},
    {"inputs.selectAll", intoQ,
     [](Stage& s) {
       const CellBlock block = selectedBlock(s.state().inputs);
       return block.rows == 8 && block.cols == 4;
     }},
    {"inputs.focus", nothing, [](Stage& s) { return s.state().inputs.isFocused; }},
    {"inputs.fill", intoQ, [](Stage& s) { return s.gui.has("//orthonormal"); }},
    {"inputs.drawAnew", intoQ, [](Stage& s) { return s.q() != firstQ(); }},
    {"inputs.renameRow", intoQ,
     [](Stage& s) { return s.state().inputs.text.place == CellText::Place::label; }},
    {"inputs.sentence", nothing, [](Stage&) { return isPopupOpen(); }},
    {"inputs.addRow", intoQ, [](Stage& s) { return s.q().rows() == 9; }},
    {"inputs.duplicateRow", intoQ,
     [](Stage& s) { return s.q().rows() == 9 && s.q().row(2) == firstQ().row(1); }},
    {"inputs.removeRow", intoQ,
     [](Stage& s) { return s.q().rows() == 7 && s.q().row(1) == firstQ().row(2); }},
    {"inputs.rowUp", intoQ, [](Stage& s) { return s.q().row(0) == firstQ().row(1); }},
    {"inputs.rowDown", intoQ, [](Stage& s) { return s.q().row(2) == firstQ().row(1); }},
    {"inputs.addColumn", intoQ, [](Stage& s) { return s.q().cols() == 5; }},
    {"inputs.duplicateColumn", intoQ,
     [](Stage& s) { return s.q().cols() == 5 && s.q().col(2) == firstQ().col(1); }},
    {"inputs.removeColumn", intoQ,
     [](Stage& s) { return s.q().cols() == 3 && s.q().col(1) == firstQ().col(2); }},
    {"inputs.columnLeft", intoQ, [](Stage& s) { return s.q().col(0) == firstQ().col(1); }},
    {"inputs.columnRight", intoQ, [](Stage& s) { return s.q().col(2) == firstQ().col(1); }},
    {"inputs.given", toProjections,
     [](Stage& s) { return s.scene().source.kind == SourceOf<float>::Kind::given; }},
    {"inputs.projections", nothing,
     [](Stage& s) { return s.scene().source.kind == SourceOf<float>::Kind::projected; }},
    {"inputs.cross", toProjections, [](Stage& s) { return s.scene().source.other.has_value(); }},
    {"inputs.outputProjection", nothing, [](Stage& s) { return s.scene().source.wo.has_value(); }},
    {"inputs.bias", nothing, [](Stage& s) { return s.scene().bias.size() == 1; }},

    {"heads.next", nothing, [](Stage& s) { return s.state().selection.head == 1; }},
    {"heads.previous", toSecondHead, [](Stage& s) { return s.state().selection.head == 0; }},
    {"heads.one", [](Stage& s) { s.run("heads.average"); },
     [](Stage& s) { return s.state().heads.choice == HeadChoice::one; }},
    {"heads.average", nothing, [](Stage& s) { return s.state().heads.choice == HeadChoice::average; }},
    {"heads.maximum", nothing, [](Stage& s) { return s.state().heads.choice == HeadChoice::maximum; }},
    {"heads.solo", nothing, [](Stage& s) { return s.gui.has("Heads/solo") && !s.gui.has("Heads/Head 2"); }},
    {"heads.compare", nothing,
     [](Stage& s) { return s.gui.has("Heads/chosen") && s.gui.has("Heads/compared"); }},
    {"heads.difference", [](Stage& s) { s.run("heads.compare"); },
     [](Stage& s) { return s.gui.has("Heads/difference 1 − 2"); }},
    {"heads.add", nothing, [](Stage& s) { return s.scene().source.given.size() == 3; }},
    {"heads.duplicate", nothing,
     [](Stage& s) { return s.scene().source.given.size() == 3 && s.q(1) == firstQ(0); }},
    {"heads.remove", nothing,
     [](Stage& s) { return s.scene().source.given.size() == 1 && s.q() == firstQ(1); }},
    {"heads.earlier", toSecondHead, [](Stage& s) { return s.q(0) == firstQ(1); }},
    {"heads.later", nothing, [](Stage& s) { return s.q(1) == firstQ(0); }},

    {"maps.backward", nothing, [](Stage& s) { return s.gui.has("dQ/map") && s.gui.has("dWeights/map"); }},
    {"maps.lines", nothing, [](Stage& s) { return s.gui.has("Lines/title"); }},
    {"maps.allTokens", [](Stage& s) { s.run("maps.lines"); },
     [](Stage& s) { return s.state().lines.isWhole; }},
    {"maps.transpose", nothing,
     [](Stage& s) { return s.ofWeights().isTransposed && s.state().maps.options["Scores"].isTransposed; }},
    {"maps.numbers", nothing, [](Stage& s) { return !s.state().maps.showsNumbers; }},
    {"maps.logarithmic", nothing, [](Stage& s) { return s.ofWeights().isLogarithmic; }},
    {"maps.allHeads", nothing, [](Stage& s) { return s.ofWeights().showsAllHeads; }},
    {"maps.options", intoWeights, [](Stage& s) { return s.gui.has("//Logarithmic"); }},
    {"maps.whole", [](Stage& s) { s.state().maps.zooms["Weights/map"] = {1, 5, 1, 5, 8, 8}; },
     [](Stage& s) { return s.state().maps.zooms["Weights/map"].left != 1; }},

    {"maps.lines", nothing, [](Stage& s) { return s.gui.has("Lines/q 0"); }},
    {"maps.allTokens", [](Stage& s) { s.run("maps.lines"); },
     [](Stage& s) { return s.state().lines.isWhole; }},

    {"compare.pin", nothing, [](Stage& s) { return s.gui.has("Compare/B − A"); }},
    {"compare.unpin", toPinned, [](Stage& s) { return !s.gui.has("Compare/B − A"); }},
    {"compare.showA", toPinned, shows<Showing::pinned>},
    {"compare.showB",
     [](Stage& s) {
       toPinned(s);
       s.run("compare.showA");
     },
     shows<Showing::present>},
    {"compare.showDifference", toPinned, shows<Showing::difference>},
    {"compare.keep", toBetween, [](Stage& s) { return s.gui.app().editor().kept()->scale.temperature == 2; }},
    {"compare.back", toPinned, [](Stage& s) { return s.scene().scale.temperature == 1; }},

    {"story.play", toStory, [](Stage& s) { return s.scene().scale.temperature > 1; }},
    {"story.stop",
     [](Stage& s) {
       toStory(s);
       s.run("story.play");
     },
     [](Stage& s) { return s.scene().scale.temperature == 1 && !s.state().story.isPlaying; }},
    {"story.next",
     [](Stage& s) {
       s.run("story.cap");
       s.run("story.gain");
     },
     [](Stage& s) { return s.state().story.isOpen && s.state().story.chosen == 0; }},
    {"story.close", toStory, [](Stage& s) { return !s.gui.has("Story/Play"); }},
    {"story.keyWidth", nothing, [](Stage& s) { return s.state().story.isPlaying; }},
    {"story.valueWidth", nothing, animates<StoryTarget::Kind::valueWidth>},
    {"story.control", [](Stage& s) { s.state().story.touched = StoryTarget{StoryTarget::Kind::slope}; },
     animates<StoryTarget::Kind::slope>},
    {"story.cell", nothing, animates<StoryTarget::Kind::cell>},
    {"story.temperature", nothing, animates<StoryTarget::Kind::temperature>},
    {"story.divisor", nothing, animates<StoryTarget::Kind::divisor>},
    {"story.gain", nothing, animates<StoryTarget::Kind::gain>},
    {"story.cap", nothing, animates<StoryTarget::Kind::cap>},
    {"story.logit", nothing, animates<StoryTarget::Kind::logit>},
    {"story.threshold", nothing, animates<StoryTarget::Kind::threshold>},
    {"story.record", toStory,
     [](Stage& s) {
       const auto request = s.gui.app().takePictureRequest();
       return s.gui.app().isRecording() && request && request->isOfStory;
     }},
    {"story.recordPanel",
     [](Stage& s) {
       toStory(s);
       intoWeights(s);
     },
     [](Stage& s) { return s.gui.app().isRecording(); }},
    {"story.cancel",
     [](Stage& s) {
       toStory(s);
       s.run("story.record");
     },
     [](Stage& s) { return !s.gui.app().isRecording(); }},

    {"mask.causal", nothing, endsWith<CausalRule>},
    {"mask.clear", [](Stage& s) { s.run("mask.causal"); }, [](Stage& s) { return s.scene().masks.empty(); }},
    {"mask.addPaddingLength", nothing, endsWith<PaddingLengthRule>},
    {"mask.addPaddingFlags", nothing, endsWith<PaddingFlagsRule>},
    {"mask.addWindow", nothing, endsWith<WindowRule>},
    {"mask.addPrefix", nothing, endsWith<PrefixRule>},
    {"mask.addDocuments", nothing, endsWith<DocumentsRule>},
    {"mask.presetBert", nothing, hasPreset<MaskPreset::bertEncoder>},
    {"mask.presetGpt", nothing, hasPreset<MaskPreset::gptDecoder>},
    {"mask.presetT5Encoder", nothing, hasPreset<MaskPreset::t5EncoderSelf>},
    {"mask.presetT5Decoder", nothing, hasPreset<MaskPreset::t5DecoderSelf>},
    {"mask.presetT5Cross", nothing, hasPreset<MaskPreset::t5Cross>},

    {"present.start", nothing, [](Stage& s) { return s.state().presenter.isOn; }},
    {"present.audience", nothing, [](Stage& s) { return s.state().presenter.hasAudience; }},
    {"present.next", toFirstSlide, [](Stage& s) { return s.state().presenter.slide == 4; }},
    {"present.previous",
     [](Stage& s) {
       toFirstSlide(s);
       s.run("present.next");
     },
     [](Stage& s) { return s.state().presenter.slide == 1; }},
    {"present.black", toFirstSlide, [](Stage& s) { return s.state().presenter.isBlack; }},
    {"present.spotlight", toFirstSlide, [](Stage& s) { return s.state().presenter.hasSpotlight; }},
    {"present.laser", toFirstSlide, [](Stage& s) { return s.state().presenter.hasLaser; }},
    {"present.hide", toFirstSlide, [](Stage& s) { return s.state().presenter.hidesValues; }},
    {"present.hideColours", toFirstSlide, [](Stage& s) { return s.state().presenter.hidesColours; }},
    {"present.reveal",
     [](Stage& s) {
       toFirstSlide(s);
       s.run("present.hide");
     },
     [](Stage& s) { return !s.state().presenter.hidesValues; }},

    {"file.openLesson", nothing, [](Stage& s) { return s.gui.app().documents().dialog().isOpen(); }},
    {"lesson.browse", nothing, [](Stage& s) { return s.gui.has("Lesson/begin"); }},
    {"lesson.check", toLesson, [](Stage& s) { return lessonWork(s).verdict.has_value(); }},
    {"lesson.hint", toLesson, [](Stage& s) { return lessonWork(s).hints == 1; }},
    {"lesson.reveal", toLesson, [](Stage& s) { return lessonWork(s).isRevealed; }},
    {"lesson.restore",
     [](Stage& s) {
       toLesson(s);
       s.setTemperature(3);
     },
     [](Stage& s) { return s.scene().scale.temperature == 1; }},
    {"lesson.leave", toLesson,
     [](Stage& s) { return !s.state().lesson.open && s.scene().title == defaultScene()->title; }},
    {"lesson.hide", nothing, [](Stage& s) { return !s.state().lesson.hidesAsked; }},

    {"help.palette", nothing, [](Stage& s) { return s.gui.has("//palette search"); }},
    {"help.hints", nothing, [](Stage& s) { return s.gui.has("Status/Got it"); }},
    {"help.commands", nothing, [](Stage& s) { return s.gui.has("Help/search"); }},
};

/// Whether another file of these tests names the command, other than to say that it cannot be run.
bool isRunElsewhere(const std::string& id) {
  for (const auto& entry : fs::directory_iterator(ATTNSCOPE_SOURCE_DIR "/tests/gui")) {
    const fs::path& file = entry.path();
    if (file.extension() != ".cpp" || file.filename() == "every_command_test.cpp") continue;
    std::ifstream stream(file);
    for (std::string line; std::getline(stream, line);)
      if (line.find("EXPECT_FALSE") == std::string::npos && line.find('"' + id + '"') != std::string::npos)
        return true;
  }
  return false;
}

std::vector<std::string> allIds() {
  std::vector<std::string> ids;
  for (const Command& command : allCommands()) ids.push_back(command.id);
  return ids;
}

class EveryCommand : public testing::TestWithParam<std::string> {};

TEST_P(EveryCommand, DoesWhatItIsThereFor) {
  const std::string& id = GetParam();
  const auto found =
      std::find_if(std::begin(kCases), std::end(kCases), [&](const Case& c) { return c.id == id; });
  if (found == std::end(kCases)) {
    ASSERT_TRUE(isRunElsewhere(id)) << "what " << id << " does is to be added to the list above";
    return;
  }
  Stage stage;
  ImGui::SetClipboardText("");
  found->prepare(stage);
  stage.gui.frames(3);
  if (stage.gui.has("Weights/title")) stage.weights = stage.gui.rect("Weights/title");
  if (stage.gui.has("Scale/title")) stage.scale = stage.gui.rect("Scale/title");
  ASSERT_FALSE(found->isDone(stage)) << "before it was run";
  const auto& commands = stage.gui.app().commands();
  const auto command =
      std::find_if(commands.begin(), commands.end(), [&](const Command& c) { return c.id == id; });
  if (command->shortcut)
    stage.gui.press(command->shortcut);
  else
    ASSERT_TRUE(runCommand(stage.gui.app(), id)) << "is not enabled";
  stage.gui.frames(3);
  stage.gui.app().settle();
  stage.gui.frames(2);
  EXPECT_TRUE(found->isDone(stage));
  fs::remove(savedFile());
}

INSTANTIATE_TEST_SUITE_P(Table, EveryCommand, testing::ValuesIn(allIds()), [](const auto& info) {
  std::string name = info.param;
  std::replace(name.begin(), name.end(), '.', '_');
  return name;
});

}  // namespace
}  // namespace attn
