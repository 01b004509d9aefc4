#include "app/gpu/texture.h"

namespace attn {

void Texture::upload(GLenum format, int width, int height, const void* data) {
  const bool isNew = id_ == 0;
  if (isNew) glGenTextures(1, &id_);
  glBindTexture(GL_TEXTURE_2D, id_);
  if (isNew) {
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
  }
  const GLenum channels = format == GL_RGB8 ? GL_RGB : GL_RED;
  const GLenum type = format == GL_R32F ? GL_FLOAT : GL_UNSIGNED_BYTE;
  glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
  glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
  if (width == width_ && height == height_ && format == format_)
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, width, height, channels, type, data);
  else
    glTexImage2D(GL_TEXTURE_2D, 0, static_cast<GLint>(format), width, height, 0, channels, type, data);
  width_ = width, height_ = height, format_ = format;
}

void Texture::bind(int unit) const {
  glActiveTexture(GL_TEXTURE0 + static_cast<GLenum>(unit));
  glBindTexture(GL_TEXTURE_2D, id_);
}

void Texture::release() {
  if (id_) glDeleteTextures(1, &id_);
  id_ = 0;
  width_ = height_ = 0;
}

}  // namespace attn
