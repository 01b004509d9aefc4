#include "app/session/settings.h"
#include "core/error.h"
#include "core/io/json_parse.h"
#include "core/io/json_reader.h"
#include "core/io/json_writer.h"
#include "core/io/number_text.h"
#include "core/io/scene_words.h"

namespace attn {
namespace {

constexpr Word<Settings::Theme> kThemes[] = {
    {"system", Settings::Theme::system}, {"dark", Settings::Theme::dark}, {"light", Settings::Theme::light}};

/// Reads members that are there; a bad one is noted and leaves its default.
class TolerantReader {
 public:
  TolerantReader(const JsonReader& root, std::vector<std::string>& faults) : root_(root), faults_(faults) {}

  template <class Read>
  void member(std::string_view key, Read read) {
    if (!root_.has(key)) return;
    try {
      read(root_.at(key));
    } catch (const Error& error) {
      faults_.push_back(error.what());
    }
  }
  void flag(std::string_view key, bool& value) {
    member(key, [&](const JsonReader& place) { value = place.flag(); });
  }
  void text(std::string_view key, std::string& value) {
    member(key, [&](const JsonReader& place) { value = place.text(); });
  }
  void number(std::string_view key, double& value, double least, double most) {
    member(key, [&](const JsonReader& place) {
      const double found = place.number();
      if (!(found >= least && found <= most))
        place.refuse("a number from " + numberText(least) + " to " + numberText(most));
      value = found;
    });
  }
  void whole(std::string_view key, int& value, int least, int most) {
    member(key, [&](const JsonReader& place) {
      const int found = place.whole<int>(least);
      if (found > most) place.refuse("a whole number of at most " + std::to_string(most));
      value = found;
    });
  }
  void texts(std::string_view key, std::vector<std::string>& list) {
    member(key, [&](const JsonReader& place) {
      std::vector<std::string> found;
      const std::size_t count = place.length("strings");
      for (std::size_t i = 0; i < count; ++i) found.push_back(place[i].text());
      list = std::move(found);
    });
  }

 private:
  const JsonReader& root_;
  std::vector<std::string>& faults_;
};

void writeTexts(JsonWriter& out, std::string_view key, const std::vector<std::string>& list) {
  out.key(key).open('[', JsonWriter::Layout::lines);
  for (const std::string& text : list) out.text(text);
  out.close();
}

void readMembers(TolerantReader& reader, Settings& settings) {
  reader.member("theme", [&](const JsonReader& place) { settings.theme = place.oneOf(kThemes); });
  reader.number("ui_scale", settings.uiScale, 0.5, 4);
  reader.text("colormap", settings.colormap);
  reader.text("signed_colormap", settings.signedColormap);
  reader.text("layout", settings.layout);
  reader.texts("hidden_panels", settings.hiddenPanels);
  reader.texts("recent_files", settings.recentFiles);
  reader.whole("window_width", settings.windowWidth, 1, 100000);
  reader.whole("window_height", settings.windowHeight, 1, 100000);
  reader.flag("query_as_column", settings.queryAsColumn);
  reader.whole("first_token", settings.firstToken, 0, 1);
  reader.whole("digits", settings.digits, -1, 9);
  reader.flag("decimal_comma", settings.decimalComma);
  reader.flag("shows_formula", settings.showsFormula);
  reader.texts("hints_done", settings.hintsDone);
  reader.texts("lessons_solved", settings.lessonsSolved);
  reader.text("lesson_last", settings.lessonLast);
}

}  // namespace

Settings readSettings(const std::string& text, const std::string& where, std::vector<std::string>& faults) {
  constexpr std::uint64_t kMemory = std::uint64_t{1} << 28;
  Settings settings;
  try {
    const nlohmann::json document = parseJson(text, where, kMemory);
    const JsonReader root(document, where);
    if (!root.isObject()) root.refuse("an object with settings");
    TolerantReader reader(root, faults);
    readMembers(reader, settings);
  } catch (const Error& error) {
    faults.push_back(error.what());
  }
  return settings;
}

std::string writeSettings(const Settings& settings) {
  JsonWriter out;
  out.open('{', JsonWriter::Layout::lines);
  out.key("theme").text(wordFor(kThemes, settings.theme));
  out.key("ui_scale").number(settings.uiScale);
  out.key("colormap").text(settings.colormap);
  out.key("signed_colormap").text(settings.signedColormap);
  out.key("layout").text(settings.layout);
  writeTexts(out, "hidden_panels", settings.hiddenPanels);
  writeTexts(out, "recent_files", settings.recentFiles);
  out.key("window_width").whole(settings.windowWidth);
  out.key("window_height").whole(settings.windowHeight);
  out.key("query_as_column").flag(settings.queryAsColumn);
  out.key("first_token").whole(settings.firstToken);
  out.key("digits").whole(settings.digits);
  out.key("decimal_comma").flag(settings.decimalComma);
  out.key("shows_formula").flag(settings.showsFormula);
  writeTexts(out, "hints_done", settings.hintsDone);
  writeTexts(out, "lessons_solved", settings.lessonsSolved);
  out.key("lesson_last").text(settings.lessonLast);
  out.close();
  return out.finished();
}

}  // namespace attn
