#include "app/gpu/texture.h"

#include <algorithm>

namespace attn {

namespace {

GLenum channelsOf(GLenum format) {
  return format == GL_RGB8 ? GL_RGB : GL_RED;
}
GLenum typeOf(GLenum format) {
  return format == GL_R32F ? GL_FLOAT : GL_UNSIGNED_BYTE;
}

}  // namespace

void Texture::reserve(GLenum format, int width, int height, int levels) {
  const bool isSame = id_ && width == width_ && height == height_ && levels == levels_ && format == format_;
  if (isSame) return;
  if (!id_) glGenTextures(1, &id_);
  glBindTexture(GL_TEXTURE_2D, id_);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST_MIPMAP_NEAREST);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, levels - 1);
  for (int level = 0; level < levels; ++level)
    glTexImage2D(GL_TEXTURE_2D, level, static_cast<GLint>(format), std::max(1, width >> level),
                 std::max(1, height >> level), 0, channelsOf(format), typeOf(format), nullptr);
  width_ = width, height_ = height, levels_ = levels, format_ = format;
}

void Texture::fill(int level, int width, int height, const void* data) {
  glBindTexture(GL_TEXTURE_2D, id_);
  glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
  glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
  glTexSubImage2D(GL_TEXTURE_2D, level, 0, 0, width, height, channelsOf(format_), typeOf(format_), data);
}

void Texture::bind(int unit) const {
  glActiveTexture(GL_TEXTURE0 + static_cast<GLenum>(unit));
  glBindTexture(GL_TEXTURE_2D, id_);
}

void Texture::release() {
  if (id_) glDeleteTextures(1, &id_);
  id_ = 0;
  width_ = height_ = levels_ = 0;
}

}  // namespace attn
