#pragma once
#include <array>
#include <memory>

#include "core/scene.h"

namespace attn {

struct ViewContext;
struct ViewState;

enum class LabName { scaling, query, cost, normalisation, receptive, mask };
constexpr std::size_t kLabNames = 6;

/// What a lab keeps between frames: what it has computed, and how that is looked at.
struct LabMemory {
  virtual ~LabMemory() = default;
  /// Takes over what is computed beside the window. Once a frame.
  virtual void poll() {}
  /// Whether something is still on its way.
  virtual bool isBusy() const { return false; }
  virtual void settle() {}
};

struct LabsState {
  std::array<std::shared_ptr<LabMemory>, kLabNames> memory;

  /// The lab's own memory, made when it is asked for first.
  template <class Memory>
  Memory& of(LabName name) {
    auto& kept = memory[static_cast<std::size_t>(name)];
    if (!kept) kept = std::make_shared<Memory>();
    return static_cast<Memory&>(*kept);
  }
  void poll() const;
  bool isBusy() const;
  void settle() const;
};

/// Makes the lab's scene the one in the window, as one step of undo; slides, stories and the labs themselves
/// stay. A lab that covers the panels makes room for them.
void sendToWindow(ViewContext& context, Scene scene);

}  // namespace attn
