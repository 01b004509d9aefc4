#pragma once
#include <optional>
#include <set>
#include <string>
#include <tuple>

#include "app/layout.h"
#include "core/matrix.h"

namespace attn {

/// A number that can be hidden: of a map or a table, by its name, row and column.
struct ValueKey {
  std::string of;
  Index row = 0, col = 0;
  auto tie() const { return std::tie(of, row, col); }
  bool operator<(const ValueKey& other) const { return tie() < other.tie(); }
};

/// What an audience sees, and what it does not see yet.
struct PresenterState {
  /// Whether anybody is presenting: the keys of a lecture are in use.
  bool isActive() const { return isOn || hasAudience; }

  bool isOn = false;         // this window is the audience's
  bool hasAudience = false;  // a second window is; this one keeps its controls
  Layout kept;               // of the window while it presents, else of what is presented
  std::optional<int> slide;  // 1 to 9: the one that was shown last

  bool hasSpotlight = false, hasLaser = false;
  bool isBlack = false;

  bool hidesValues = false;
  bool hidesColours = false;                     // of hidden numbers, too
  std::set<ValueKey> revealed;                   // one by one
  std::optional<ValueKey> pointed, nextPointed;  // the hidden or revealed number under the pointer
};

}  // namespace attn
