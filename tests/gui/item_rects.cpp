// Prints where every item of the window lies, for the test that drives a real one with a mouse:
// item_rects SCENE WIDTH HEIGHT → lines of "path<tab>left<tab>top<tab>right<tab>bottom".
#include <cstdlib>
#include <iostream>

#include "tests/gui/gui_driver.h"

int main(int count, char** words) {
  if (count != 4) return 2;
  attn::GuiDriver gui(attn::openScene(words[1]), attn::GuiDriver::Screen::none, std::atoi(words[2]),
                      std::atoi(words[3]));
  gui.frames(3);
  for (const auto& [path, rect] : gui.app().items().items())
    std::cout << path << '\t' << rect.min.x << '\t' << rect.min.y << '\t' << rect.max.x << '\t' << rect.max.y
              << '\n';
}
