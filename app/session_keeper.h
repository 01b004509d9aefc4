#pragma once
#include <memory>
#include <string>
#include <vector>

#include "app/files/documents.h"
#include "app/session/autosave.h"
#include "app/session/folders.h"
#include "app/session/settings.h"
#include "app/view_state.h"

namespace attn {

/// Keeps what a person finds again at the next start: settings, the layout, recent files, and, after a crash,
/// the scene.
class SessionKeeper {
 public:
  /// Puts the settings of the last start into the state, and looks for scenes that were left behind.
  SessionKeeper(const Folders& folders, Documents& documents, ViewState& state);

  /// Once a frame, at this time in seconds: hands changes to the autosave, now and then writes the settings.
  void frame(double seconds);
  /// Writes the settings, and says that there is nothing to restore. At a clean exit.
  void finish();

  /// Whether the person is asked about a scene that was left behind.
  bool isAsking() const { return !offers_.empty(); }
  void restore();
  void discard();
  /// Asks again at the next start.
  void later() { offers_.clear(); }
  /// The question about a scene that was left behind. Once a frame.
  void draw(const Theme& theme);

  /// One line for the person, once; else empty.
  std::string takeWarning();
  /// Whether such a line may come without anybody doing anything.
  bool expectsWarning() const { return autosave_.expectsWarning(); }

 private:
  void apply(const Settings& settings);
  Settings gather() const;

  Documents& documents_;
  ViewState& state_;
  SettingsFile settings_;
  Autosave autosave_;
  std::vector<RestoreOffer> offers_;
  std::string warning_;
  double lastWrite_ = 0;
};

}  // namespace attn
