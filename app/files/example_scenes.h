#pragma once
#include <span>

#include "app/editor.h"

namespace attn {

/// A scene of assets/scenes/, which is part of the program.
struct ExampleScene {
  const char* name;   // "scenes/by_hand.json", for embedded()
  const char* title;  // the scene's own
};

std::span<const ExampleScene> exampleScenes();

SharedScene openExample(const ExampleScene& example);

}  // namespace attn
