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
  /// Shows a scene that belongs to nobody's file, such as a lesson's, as one step of undo. The person's own
  /// is put aside, with its file and whatever is not saved of it.
  void lend(SharedScene scene);
  /// Whether such a scene is shown. Undoing it brings the own one back, too.
  bool isLent() const { return aside_.has_value(); }
  /// The own scene again, as one step of undo.
  void takeBack();

  /// Files that are no scenes go to whoever says that they are theirs.
  void setOthers(std::function<bool(const std::filesystem::path&)> takes) { othersTake_ = std::move(takes); }

  /// Takes over a scene that a crash left behind; it counts as unsaved.
  void restore(SharedScene scene, const std::filesystem::path& file);

  /// Asks for a name where the scene has no file that can be written.
  void save();
  void saveAs();

  /// What is lent is nobody's work, unless it was given a file.
  bool isModified() const {
    return !(isLent() && document_.file().empty()) && document_.isModified(editor_.kept());
  }
  bool isQuitting() const { return isQuitting_; }
  bool isAsking() const { return pending_ && !dialog_.isOpen(); }
  /// Whether a question, a dialog or a file on its way has the window for itself.
  bool isBusy() const { return pending_ || dialog_.isOpen() || loader_.isBusy(); }
  bool isLoading() const { return loader_.isBusy(); }
  const Document& document() const { return document_; }
  /// The person's own scene with its file, also while another one is lent: what must not be lost.
  const SharedScene& ownScene() const { return aside_ ? aside_->scene : editor_.kept(); }
  const Document& ownDocument() const { return aside_ ? aside_->document : document_; }
  bool isOwnModified() const { return ownDocument().isModified(ownScene()); }
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

  struct Aside {
    SharedScene scene;
    Document document;
    bool isAway = false;  // another scene has been seen since
  };
  void noticeUndo();

  Editor& editor_;
  Document document_;
  std::optional<Aside> aside_;
  std::function<bool(const std::filesystem::path&)> othersTake_;
  FileDialog dialog_;
  SceneLoader loader_;
  std::vector<std::string> recent_;
  std::function<void()> pending_;  // what comes after the question
  std::string report_;
  int generation_ = 0;
  bool isQuitting_ = false;
};

}  // namespace attn
