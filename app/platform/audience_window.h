#pragma once
#include <memory>

struct GLFWmonitor;
struct GLFWwindow;

namespace attn {

class Application;

/// The monitor with this place of the desktop, else the first one.
GLFWmonitor* monitorAt(int x, int y);

/// The window that an audience sees while the lecturer has the controls in another one: the same evaluation
/// with the same marks, as a slide. On a second monitor it fills that; with one monitor it is an ordinary
/// window.
class AudienceWindow {
 public:
  /// Throws Error where it cannot be opened. The lecturer's window stays the current one.
  AudienceWindow(const Application& lecturer, GLFWwindow* lecturerWindow);
  ~AudienceWindow();

  /// Draws what the lecturer's window has just drawn.
  void frame();
  /// Whether somebody closed it.
  bool isClosed() const;

 private:
  struct Parts;
  const Application& lecturer_;
  GLFWwindow* lecturerWindow_;
  std::unique_ptr<Parts> parts_;
};

}  // namespace attn
