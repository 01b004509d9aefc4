#pragma once
#include <filesystem>
#include <string>
#include <vector>

namespace attn {

/// What a person has set up and finds again at the next start. Nothing of it belongs to a scene.
struct Settings {
  enum class Theme { system, dark, light };
  Theme theme = Theme::system;
  double uiScale = 1;  // 0.5 to 4
  std::string colormap = "viridis";
  std::string signedColormap = "coolwarm";
  std::string layout;                     // of the panels, as the window keeps it
  std::vector<std::string> hiddenPanels;  // by title
  std::vector<std::string> recentFiles;   // newest first, absolute
  int windowWidth = 1600, windowHeight = 900;
  bool queryAsColumn = false;
  int firstToken = 0;  // 0 or 1
  int digits = -1;     // 0 to 9; −1: as many as suit the numbers
  bool decimalComma = false;
  bool showsFormula = true;
  std::vector<std::string> hintsDone;      // by id
  std::vector<std::string> lessonsSolved;  // "lesson > step"
  std::string lessonLast;                  // the one that was open last

  bool operator==(const Settings&) const = default;
};

/// The settings in a text, read with forgiveness: what is not understood keeps its default and adds a line to
/// `faults`. Keys that are not known are no fault: a newer version may have written them.
Settings readSettings(const std::string& text, const std::string& where, std::vector<std::string>& faults);
std::string writeSettings(const Settings& settings);

/// The settings file of the program. A file that cannot be understood is kept beside the new one, as
/// "settings.json.bad", before anything is written over it.
class SettingsFile {
 public:
  /// Reads the file; one that is not there gives the defaults. An empty path is a file that is never there.
  explicit SettingsFile(std::filesystem::path file);

  const Settings& loaded() const { return saved_; }
  /// One line for the person, empty where all is well.
  const std::string& warning() const { return warning_; }

  /// Writes the settings where they have changed. One line where that failed, else empty; the same failure is
  /// told once.
  std::string save(const Settings& settings);

 private:
  void load();
  void keepAside(const std::string& text);
  std::string tellOnce(const std::string& line);

  std::filesystem::path file_;
  Settings saved_;
  std::string warning_, lastFailure_;
  bool mayOverwrite_ = true;
};

/// Puts a file at the top of the list, which then holds it once and at most `most` files.
void rememberRecent(std::vector<std::string>& list, const std::filesystem::path& file, std::size_t most = 12);
void forgetRecent(std::vector<std::string>& list, const std::filesystem::path& file);

}  // namespace attn
