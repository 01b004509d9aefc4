#include "app/animated_png.h"

#include <zlib.h>

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <vector>

#include "core/error.h"

namespace attn {
namespace {

/// What of a picture differs from the one before.
struct Part {
  int left = 0, top = 0, width = 1, height = 1;  // never empty: a frame must have a pixel
};

void appendNumber(std::string& to, std::uint32_t value) {
  for (const int shift : {24, 16, 8, 0}) to += static_cast<char>((value >> shift) & 0xff);
}

void appendShort(std::string& to, int value) {
  to += static_cast<char>((value >> 8) & 0xff);
  to += static_cast<char>(value & 0xff);
}

std::string sizeText(int width, int height) {
  return std::to_string(width) + " × " + std::to_string(height);
}

Part changedPart(const Image& before, const Image& now) {
  int left = now.width, right = -1, top = now.height, bottom = -1;
  for (int y = 0; y < now.height; ++y) {
    const std::uint8_t *a = before.at(0, y), *b = now.at(0, y);
    const auto length = static_cast<std::size_t>(now.width) * 4;
    if (std::memcmp(a, b, length) == 0) continue;
    const auto differs = [&](int x) { return std::memcmp(a + 4 * x, b + 4 * x, 4) != 0; };
    int first = 0, last = now.width - 1;
    while (!differs(first)) ++first;
    while (!differs(last)) --last;
    left = std::min(left, first), right = std::max(right, last);
    top = std::min(top, y), bottom = y;
  }
  if (right < 0) return {};
  return {left, top, right - left + 1, bottom - top + 1};
}

/// Lines of red, green and blue, each byte as its distance from the one above (the filter "up"), compressed.
std::string packed(const Image& image, const Part& part) {
  const auto width = static_cast<std::size_t>(part.width) * 3;
  std::vector<std::uint8_t> lines, line(width), above(width, 0);
  lines.reserve((width + 1) * static_cast<std::size_t>(part.height));
  for (int y = 0; y < part.height; ++y) {
    const std::uint8_t* from = image.at(part.left, part.top + y);
    for (std::size_t i = 0; i < width; ++i) line[i] = from[i / 3 * 4 + i % 3];
    lines.push_back(2);
    for (std::size_t i = 0; i < width; ++i) lines.push_back(static_cast<std::uint8_t>(line[i] - above[i]));
    std::swap(line, above);
  }
  uLongf length = compressBound(static_cast<uLong>(lines.size()));
  std::string bytes(length, '\0');
  if (compress2(reinterpret_cast<Bytef*>(bytes.data()), &length, lines.data(),
                static_cast<uLong>(lines.size()), 6) != Z_OK)
    throw Error("a picture of " + sizeText(part.width, part.height) + " could not be compressed");
  bytes.resize(length);
  return bytes;
}

}  // namespace

AnimatedPng::AnimatedPng(int frames, int framesPerSecond, int plays)
    : planned_(frames), framesPerSecond_(framesPerSecond), plays_(plays) {}

void AnimatedPng::addChunk(const char* type, const std::string& data) {
  appendNumber(bytes_, static_cast<std::uint32_t>(data.size()));
  const std::string body = type + data;
  bytes_ += body;
  const uLong sum = crc32(0, reinterpret_cast<const Bytef*>(body.data()), static_cast<uInt>(body.size()));
  appendNumber(bytes_, static_cast<std::uint32_t>(sum));
}

void AnimatedPng::begin(const Image& image) {
  bytes_ = "\x89PNG\r\n\x1a\n";
  std::string header;
  appendNumber(header, static_cast<std::uint32_t>(image.width));
  appendNumber(header, static_cast<std::uint32_t>(image.height));
  header += std::string("\x08\x02\x00\x00\x00", 5);  // 8 bits, red green blue, not interlaced
  addChunk("IHDR", header);
  std::string control;
  appendNumber(control, static_cast<std::uint32_t>(planned_));
  appendNumber(control, static_cast<std::uint32_t>(plays_));
  addChunk("acTL", control);
}

void AnimatedPng::add(const Image& image) {
  const bool isFirst = added_ == 0;
  if (!isFirst && (image.width != last_.width || image.height != last_.height))
    throw Error("the window changed its size from " + sizeText(last_.width, last_.height) + " to " +
                sizeText(image.width, image.height));
  if (isFirst) begin(image);
  const Part part = isFirst ? Part{0, 0, image.width, image.height} : changedPart(last_, image);
  std::string control;
  appendNumber(control, sequence_++);
  for (const int number : {part.width, part.height, part.left, part.top})
    appendNumber(control, static_cast<std::uint32_t>(number));
  appendShort(control, 1);
  appendShort(control, framesPerSecond_);
  control += std::string(2, '\0');  // the next frame is drawn over this one, in place of what is there
  addChunk("fcTL", control);
  std::string data;
  if (!isFirst) appendNumber(data, sequence_++);
  addChunk(isFirst ? "IDAT" : "fdAT", data + packed(image, part));
  last_ = image;
  ++added_;
}

std::string AnimatedPng::finished() {
  if (added_ != planned_) throw std::logic_error("an animated PNG without all of its frames");
  addChunk("IEND", "");
  return std::move(bytes_);
}

}  // namespace attn
