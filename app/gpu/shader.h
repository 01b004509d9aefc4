#pragma once
#include <epoxy/gl.h>

#include <string_view>

namespace attn {

/// A program of a vertex and a fragment shader without a #version line: that of the context is put in front,
/// 330 core or 300 es. Throws Error with what the compiler says.
GLuint makeProgram(std::string_view vertex, std::string_view fragment);

}  // namespace attn
