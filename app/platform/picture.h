#pragma once
#include "app/image.h"

namespace attn {

class Application;
struct PictureRequest;

/// Takes the picture that was asked for, if one was. Call it after a frame was drawn into the current
/// framebuffer, of this many pixels.
void servePicture(Application& app, int width, int height);

/// Draws the window or a panel anew, enlarged, with type as crisp as on a larger screen. Needs a current
/// OpenGL context. Throws Error where the picture would be too large for it.
Image drawPicture(Application& app, const PictureRequest& request);

}  // namespace attn
