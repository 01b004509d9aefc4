#pragma once
#include <cstdint>
#include <string>

#include "app/image.h"

namespace attn {

/// Pictures of one size as an animated PNG. Programs that know nothing of that show the first one. Of each
/// later picture only the rectangle that differs from the one before is kept.
class AnimatedPng {
 public:
  /// `plays` 0 stands for ever and ever.
  AnimatedPng(int frames, int framesPerSecond, int plays);

  /// Throws Error where a picture has another size than the first one.
  void add(const Image& image);
  int frames() const { return added_; }
  /// The file, once all frames have been added.
  std::string finished();

 private:
  void begin(const Image& image);
  void addChunk(const char* type, const std::string& data);

  int planned_, framesPerSecond_, plays_;
  int added_ = 0;
  std::uint32_t sequence_ = 0;
  Image last_;
  std::string bytes_;
};

}  // namespace attn
