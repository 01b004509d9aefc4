#pragma once
#include <string>

#include "app/image.h"
#include "app/theme.h"

namespace CLI {
class App;
}

namespace attn {

/// A picture of the window, as `attnscope shot` takes it.
struct ShotOptions {
  std::string scene;  // a file; empty: the scene of the first start
  std::string output;
  int width = 1280, height = 720;
  float scale = 1;
  std::string panel;         // empty: the whole window
  bool isPresented = false;  // as an audience sees it
  int slide = 0;             // the scene's slide with this number; 0: none
  std::string lesson;        // a shipped one by its name, or a file; empty: none
  int step = 1;              // of the lesson
  bool isAnswered = false;   // with the answer of the step
  bool hidesValues = false;  // while presented
  ThemeKind theme = ThemeKind::light;
};

/// Draws the window without any display.
Image drawShot(const ShotOptions& options);

/// Draws it and writes it as PNG.
void takeShot(const ShotOptions& options);

/// `attnscope shot SCENE -o out.png …`
void addShot(CLI::App& program);

}  // namespace attn
