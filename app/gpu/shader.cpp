#include "app/gpu/shader.h"

#include <string>

#include "core/error.h"

namespace attn {
namespace {

std::string preamble() {
  if (epoxy_is_desktop_gl()) return "#version 330 core\n";
  return "#version 300 es\nprecision highp float;\nprecision highp int;\nprecision highp sampler2D;\n";
}

GLuint compile(GLenum kind, std::string_view body) {
  const std::string text = preamble() + std::string(body);
  const char* source = text.c_str();
  const GLuint shader = glCreateShader(kind);
  glShaderSource(shader, 1, &source, nullptr);
  glCompileShader(shader);
  GLint isDone = 0;
  glGetShaderiv(shader, GL_COMPILE_STATUS, &isDone);
  if (isDone) return shader;
  char message[1024] = "";
  glGetShaderInfoLog(shader, sizeof message, nullptr, message);
  glDeleteShader(shader);
  throw Error(std::string("shader: ") + message);
}

}  // namespace

GLuint makeProgram(std::string_view vertex, std::string_view fragment) {
  const GLuint program = glCreateProgram();
  const GLuint shaders[] = {compile(GL_VERTEX_SHADER, vertex), compile(GL_FRAGMENT_SHADER, fragment)};
  for (const GLuint shader : shaders) glAttachShader(program, shader);
  glLinkProgram(program);
  for (const GLuint shader : shaders) glDeleteShader(shader);
  GLint isDone = 0;
  glGetProgramiv(program, GL_LINK_STATUS, &isDone);
  if (isDone) return program;
  char message[1024] = "";
  glGetProgramInfoLog(program, sizeof message, nullptr, message);
  glDeleteProgram(program);
  throw Error(std::string("shader: ") + message);
}

}  // namespace attn
