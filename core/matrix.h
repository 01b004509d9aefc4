#pragma once
#include <Eigen/Core>
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <new>
#include <utility>

#if __has_include(<sys/mman.h>)
#include <sys/mman.h>
#endif

namespace attn {

using Index = std::ptrdiff_t;

/// Row-major; rows are tokens, columns are dimensions.
template <class T>
using MatrixOf = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Matrix = MatrixOf<float>;
using Bytes = MatrixOf<std::uint8_t>;

template <class T>
using ConstMatrixView = Eigen::Map<const MatrixOf<T>>;

/// Asks the system to back a large block by large pages: fewer page faults, and columns of a map cost less.
inline void preferHugePages([[maybe_unused]] void* memory, [[maybe_unused]] std::size_t bytes) {
#ifdef MADV_HUGEPAGE
  constexpr std::uintptr_t kHuge = std::uintptr_t{2} << 20;
  const auto begin = (reinterpret_cast<std::uintptr_t>(memory) + kHuge - 1) / kHuge * kHuge;
  const auto end = (reinterpret_cast<std::uintptr_t>(memory) + bytes) / kHuge * kHuge;
  if (end > begin) madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);
#endif
}

/// Memory for `count` elements, aligned for any vector unit, that only ever grows:
/// asking again for the same size allocates nothing. What was in it is not kept when it grows.
template <class T>
class Buffer {
 public:
  Buffer() = default;
  Buffer(const Buffer& other) = delete;
  Buffer(Buffer&& other) noexcept { swap(other); }
  Buffer& operator=(Buffer&& other) noexcept {
    swap(other);
    return *this;
  }
  ~Buffer() { release(); }

  T* reserve(Index count) {
    if (count > capacity_) {
      release();
      const std::size_t bytes = static_cast<std::size_t>(count) * sizeof(T);
      data_ = static_cast<T*>(::operator new(bytes, kAlignment));
      preferHugePages(data_, bytes);
      std::uninitialized_fill_n(data_, count, T{});
      capacity_ = count;
    }
    return data_;
  }
  T* data() { return data_; }
  const T* data() const { return data_; }
  Index capacity() const { return capacity_; }

 private:
  static constexpr std::align_val_t kAlignment{64};

  void swap(Buffer& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(capacity_, other.capacity_);
  }
  void release() {
    if (data_) ::operator delete(data_, kAlignment);
    data_ = nullptr;
    capacity_ = 0;
  }

  T* data_ = nullptr;
  Index capacity_ = 0;
};

/// One matrix of the same shape for every head, in one block of memory: (heads, rows, cols).
/// `resize` does not clear what was there.
template <class T>
class StackOf {
 public:
  StackOf() = default;
  StackOf(Index heads, Index rows, Index cols) { resize(heads, rows, cols); }
  StackOf(const StackOf& other) : StackOf(other.heads_, other.rows_, other.cols_) {
    std::copy_n(other.data(), size(), data());
  }
  StackOf(StackOf&&) noexcept = default;
  StackOf& operator=(const StackOf& other) { return *this = StackOf(other); }
  StackOf& operator=(StackOf&&) noexcept = default;

  void resize(Index heads, Index rows, Index cols) {
    buffer_.reserve(heads * rows * cols);
    heads_ = heads, rows_ = rows, cols_ = cols;
  }
  void clear() { heads_ = rows_ = cols_ = 0; }

  Index heads() const { return heads_; }
  Index rows() const { return rows_; }
  Index cols() const { return cols_; }
  Index size() const { return heads_ * rows_ * cols_; }
  bool empty() const { return size() == 0; }
  /// What it can hold without asking for memory.
  Index capacity() const { return buffer_.capacity(); }

  T* data() { return buffer_.data(); }
  const T* data() const { return buffer_.data(); }
  T* head(Index h) { return data() + h * rows_ * cols_; }
  const T* head(Index h) const { return data() + h * rows_ * cols_; }
  T* row(Index h, Index i) { return head(h) + i * cols_; }
  const T* row(Index h, Index i) const { return head(h) + i * cols_; }
  T& at(Index h, Index i, Index j) { return row(h, i)[j]; }
  T at(Index h, Index i, Index j) const { return row(h, i)[j]; }
  ConstMatrixView<T> operator[](Index h) const { return {head(h), rows_, cols_}; }

 private:
  Buffer<T> buffer_;
  Index heads_ = 0, rows_ = 0, cols_ = 0;
};

/// Gives the stack its shape where it is wanted, and none where not.
template <class T>
void makeIf(bool wanted, StackOf<T>& stack, Index heads, Index rows, Index cols) {
  wanted ? stack.resize(heads, rows, cols) : stack.clear();
}

}  // namespace attn
