#pragma once

namespace attn {

/// ImGui::NewFrame(), but a modifier that changes after a key was pressed waits for the next frame. Else a fast
/// Ctrl+Z whose Ctrl is let go within the same (slow) frame would be a Z alone.
void newFrameInOrder();

/// Whether there are events that no frame has taken yet.
bool hasWaitingEvents();

}  // namespace attn
