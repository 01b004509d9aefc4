#pragma once
#include <epoxy/gl.h>

#include <utility>

namespace attn {

/// A texture of OpenGL, sampled cell by cell. Made by the first reserve; needs a current context from then
/// on.
class Texture {
 public:
  Texture() = default;
  Texture(Texture&& other) noexcept { *this = std::move(other); }
  Texture& operator=(Texture&& other) noexcept {
    std::swap(id_, other.id_);
    std::swap(width_, other.width_);
    std::swap(height_, other.height_);
    std::swap(levels_, other.levels_);
    std::swap(format_, other.format_);
    return *this;
  }
  ~Texture() { release(); }

  /// Room for a picture and `levels` − 1 smaller ones, each half the last. Formats: GL_R32F of floats,
  /// GL_R8 of bytes, GL_RGB8 of three bytes.
  void reserve(GLenum format, int width, int height, int levels);
  /// The upper left part of a level. Rows are packed without gaps.
  void fill(int level, int width, int height, const void* data);
  void bind(int unit) const;
  void release();
  bool isMade() const { return id_ != 0; }

 private:
  GLuint id_ = 0;
  int width_ = 0, height_ = 0, levels_ = 0;
  GLenum format_ = 0;
};

}  // namespace attn
