#include "app/files/documents.h"

#include <utility>

#include "app/files.h"
#include "app/session/settings.h"
#include "core/error.h"

namespace attn {
namespace fs = std::filesystem;

Documents::Documents(Editor& editor, fs::path home) : editor_(editor), dialog_(std::move(home)) {
  document_.startWith(editor_.kept());
}

void Documents::afterQuestion(std::function<void()> step) {
  dialog_.cancel();
  pending_ = nullptr;
  if (aside_ && isOwnModified()) takeBack();  // what is asked about has to be in sight
  if (isModified())
    pending_ = std::move(step);
  else
    step();
}

void Documents::startNew() {
  startWith(defaultScene());
}

void Documents::startWith(SharedScene scene) {
  afterQuestion([this, scene = std::move(scene)] {
    loader_.cancel();
    takeOver(scene);
    document_.startWith(editor_.kept());
  });
}

void Documents::chooseFile() {
  afterQuestion([this] {
    const fs::path near =
        document_.file().empty() && !recent_.empty() ? fs::path(recent_.front()) : document_.file();
    dialog_.show(FileDialog::Purpose::open, near.parent_path(), [this](const fs::path& file) { load(file); });
  });
}

void Documents::open(const fs::path& file) {
  afterQuestion([this, file] { load(file); });
}

void Documents::quit() {
  afterQuestion([this] { isQuitting_ = true; });
}

void Documents::openAtOnce(const fs::path& file) {
  load(file);
}

/// Small files are there before the next frame; large ones come when they come.
void Documents::load(const fs::path& file) {
  if (othersTake_ && othersTake_(file)) return;
  constexpr std::chrono::milliseconds kPatience(20);
  loader_.start(file);
  loader_.waitFor(kPatience);
  poll();
}

void Documents::poll() {
  noticeUndo();
  const std::optional<SceneLoader::Loaded> loaded = loader_.take();
  if (!loaded) return;
  if (!loaded->scene) {
    forgetRecent(recent_, loaded->file);
    report_ = loaded->error;
    return;
  }
  takeOver(loaded->scene);
  document_.isIn(loaded->file, editor_.kept());
  rememberRecent(recent_, loaded->file);
  report_ = "Opened " + loaded->file.string();
}

void Documents::settle() {
  while (loader_.isBusy()) {
    loader_.waitFor(std::chrono::milliseconds(1000));
    poll();
  }
}

void Documents::lend(SharedScene scene) {
  if (!aside_) aside_ = Aside{editor_.kept(), document_};
  editor_.endGesture();
  editor_.look(nullptr);
  editor_.change([&](Scene& present) { present = *scene; });
  editor_.endGesture();
  document_.startWith(editor_.kept());
  noticeUndo();
}

/// With what it could undo; an undo that led into what was lent would bring that into the own file.
void Documents::takeBack() {
  if (!aside_) return;
  const Aside aside = *std::exchange(aside_, std::nullopt);
  editor_.returnTo(aside.scene);
  document_ = aside.document;
}

/// Whoever undoes all the way is back at the own scene, and it is that of its file again. Redo would bring
/// what was lent into that file.
void Documents::noticeUndo() {
  if (!aside_) return;
  const bool isOwn = editor_.kept() == aside_->scene;
  if (isOwn && aside_->isAway) {
    editor_.returnTo(aside_->scene);
    document_ = aside_->document;
    aside_.reset();
  } else if (!isOwn) {
    aside_->isAway = true;
  }
}

void Documents::takeOver(SharedScene scene) {
  aside_.reset();
  editor_.open(std::move(scene));
  ++generation_;
}

void Documents::restore(SharedScene scene, const fs::path& file) {
  takeOver(std::move(scene));
  document_.restored(file);
  report_ = "Restored " + document_.name() + ": it is not saved yet";
}

void Documents::save() {
  if (document_.file().extension() == ".json")
    writeAndGoOn(document_.file());
  else
    saveAs();
}

void Documents::saveAs() {
  fs::path start = document_.file();
  if (start.empty()) {
    std::error_code ignored;
    start = (recent_.empty() ? fs::current_path(ignored) : fs::path(recent_.front()).parent_path()) /
            "untitled.json";
  }
  start.replace_extension(".json");  // an archive can be opened, but not written
  dialog_.show(FileDialog::Purpose::save, start, [this](const fs::path& file) { writeAndGoOn(file); });
}

bool Documents::write(const fs::path& file) {
  try {
    saveScene(file, *editor_.kept());
    document_.isIn(file, editor_.kept());
    rememberRecent(recent_, file);
    report_ = "Saved " + file.string();
    return true;
  } catch (const Error& error) {
    report_ = error.what();
    return false;
  }
}

/// What was waiting for the save goes on after it, and is dropped if it failed: nothing is lost.
void Documents::writeAndGoOn(const fs::path& file) {
  const std::function<void()> step = std::exchange(pending_, nullptr);
  if (write(file) && step) step();
}

void Documents::answerSave() {
  save();
}

void Documents::answerDiscard() {
  if (const std::function<void()> step = std::exchange(pending_, nullptr)) step();
}

void Documents::answerCancel() {
  pending_ = nullptr;
}

std::string Documents::takeReport() {
  return std::exchange(report_, "");
}

}  // namespace attn
