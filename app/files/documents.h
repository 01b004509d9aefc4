#pragma once
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/editor.h"
#include "app/files/file_dialog.h"
#include "app/files/scene_loader.h"
#include "app/session/document.h"

namespace attn {

/// New, open, save and quit: which file the scene belongs to, and the one question that comes before unsaved
/// changes would be lost.
class Documents {
 public:
  Documents(Editor& editor, std::filesystem::path home);

  /// These ask first where there are unsaved changes, and do it once that is settled.
  void startNew();
  /// A scene that has no file.
  void startWith(SharedScene scene);
  void chooseFile();
  void open(const std::filesystem::path& file);
  void quit();

  /// Opens without a question: for the file of the command line.
  void openAtOnce(const std::filesystem::path& file);
  /// Takes over a scene that a crash left behind; it counts as unsaved.
  void restore(SharedScene scene, const std::filesystem::path& file);

  /// Asks for a name where the scene has no file that can be written.
  void save();
  void saveAs();

  bool isModified() const { return document_.isModified(editor_.kept()); }
  bool isQuitting() const { return isQuitting_; }
  bool isAsking() const { return pending_ && !dialog_.isOpen(); }
  /// Whether a question, a dialog or a file on its way has the window for itself.
  bool isBusy() const { return pending_ || dialog_.isOpen() || loader_.isBusy(); }
  bool isLoading() const { return loader_.isBusy(); }
  const Document& document() const { return document_; }
  const SharedScene& scene() const { return editor_.kept(); }
  FileDialog& dialog() { return dialog_; }

  /// Newest first.
  std::vector<std::string>& recent() { return recent_; }
  const std::vector<std::string>& recent() const { return recent_; }

  /// Another number for every scene that was taken over.
  int generation() const { return generation_; }
  /// One line for the person, once; else empty.
  std::string takeReport();

  /// Answers of the question. Saving may ask for a name first.
  void answerSave();
  void answerDiscard();
  void answerCancel();

  /// Takes over what has been read. Once a frame.
  void poll();
  /// Waits for the file that is being read.
  void settle();
  /// The question, the file dialog, and the sign that a file is being read. Once a frame.
  void draw(const Theme& theme);

 private:
  /// Does it now, or once unsaved changes are dealt with.
  void afterQuestion(std::function<void()> step);
  void load(const std::filesystem::path& file);
  void takeOver(SharedScene scene);
  bool write(const std::filesystem::path& file);
  void writeAndGoOn(const std::filesystem::path& file);
  void drawQuestion(const Theme& theme);
  void drawLoading();

  Editor& editor_;
  Document document_;
  FileDialog dialog_;
  SceneLoader loader_;
  std::vector<std::string> recent_;
  std::function<void()> pending_;  // what comes after the question
  std::string report_;
  int generation_ = 0;
  bool isQuitting_ = false;
};

}  // namespace attn
