#pragma once

namespace attn {

class Application;

/// Notes what was done. Once a frame.
void followHints(Application& app);

/// What a newcomer is told, one thing at a time, at the end of the line at the bottom of the window, until it
/// was done once or put away. Draws into the menu bar that is open, behind what is there.
void drawHint(Application& app);

/// Whether any hint is still to come.
bool hasHints(const Application& app);
/// All of them from the beginning, or none any more.
void setHints(Application& app, bool areWanted);

}  // namespace attn
