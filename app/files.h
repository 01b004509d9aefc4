#pragma once
#include "app/editor.h"
#include "app/session/document.h"

namespace attn {

/// The scene of the first start, which is part of the program. Reading and writing files: session/document.h.
SharedScene defaultScene();

}  // namespace attn
