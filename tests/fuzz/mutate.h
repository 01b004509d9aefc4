#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <random>
#include <span>
#include <utility>
#include <vector>

namespace attn::fuzz {

using Bytes = std::vector<std::byte>;

/// Damages bytes the way files get damaged or forged. The same seed gives the same damage everywhere: only
/// the generator's own output is used, no standard distribution.
class Mutator {
 public:
  explicit Mutator(std::uint64_t seed) : random_(seed) {}

  /// One to four changes; the other bytes lend pieces.
  Bytes mutate(Bytes bytes, std::span<const std::byte> other) {
    for (std::size_t changes = 1 + below(4); changes > 0; --changes) {
      if (bytes.empty()) return bytes;
      switch (below(7)) {
        case 0:
          bytes[below(bytes.size())] ^= std::byte{1} << static_cast<int>(below(8));
          break;
        case 1:
          bytes[below(bytes.size())] = static_cast<std::byte>(below(256));
          break;
        case 2:
          bytes.resize(below(bytes.size()));
          break;
        case 3:
          erasePiece(bytes);
          break;
        case 4:
          splice(bytes, other);
          break;
        case 5:
          splice(bytes, Bytes(bytes));
          break;
        default:
          setInteger(bytes);
      }
    }
    return bytes;
  }

  /// A number below the bound, which is not 0.
  std::size_t below(std::size_t bound) { return static_cast<std::size_t>(random_() % bound); }

 private:
  /// A start and an end that is not before it, often close to it.
  std::pair<std::size_t, std::size_t> piece(std::size_t size) {
    const std::size_t start = below(size);
    const std::size_t most = below(2) == 0 ? std::min<std::size_t>(16, size - start) : size - start;
    return {start, start + below(most + 1)};
  }

  void erasePiece(Bytes& bytes) {
    const auto [start, end] = piece(bytes.size());
    bytes.erase(bytes.begin() + offset(start), bytes.begin() + offset(end));
  }

  /// Puts a piece of the source over or between the bytes.
  void splice(Bytes& bytes, std::span<const std::byte> source) {
    if (source.empty()) return;
    const auto [start, end] = piece(source.size());
    const std::size_t to = below(bytes.size() + 1);
    if (below(2) == 0)
      bytes.erase(bytes.begin() + offset(to),
                  bytes.begin() + offset(std::min(bytes.size(), to + end - start)));
    bytes.insert(bytes.begin() + offset(to), source.begin() + offset(start), source.begin() + offset(end));
  }

  /// Writes a number at which sizes and counts overflow, in either byte order.
  void setInteger(Bytes& bytes) {
    constexpr std::uint64_t kInteresting[] = {
        0,          1,          0x7f,       0x80,    0xff,    0x7fff,     0x8000,     0xffff, 0x7fffffff,
        0x80000000, 0xffffffff, 1ull << 32, 1 << 20, 1 << 28, ~0ull >> 1, 1ull << 63, ~0ull,  ~0ull - 7};
    const std::uint64_t value = kInteresting[below(std::size(kInteresting))];
    const std::size_t width = std::size_t{1} << below(4);
    const std::size_t at = below(bytes.size());
    const bool bigEndian = below(4) == 0;
    for (std::size_t i = 0; i < width && at + i < bytes.size(); ++i)
      bytes[at + i] = static_cast<std::byte>(value >> (8 * (bigEndian ? width - 1 - i : i)) & 0xff);
  }

  static std::ptrdiff_t offset(std::size_t at) { return static_cast<std::ptrdiff_t>(at); }

  std::mt19937_64 random_;
};

}  // namespace attn::fuzz
