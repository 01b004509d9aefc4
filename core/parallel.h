#pragma once
#include <memory>

#include "core/matrix.h"

namespace attn {

/// Spreads independent pieces of work over threads. Which thread takes which piece is open, so a piece
/// may only write what no other piece touches; results then do not depend on the number of threads.
class Workers {
 public:
  /// 0 threads stands for one a processor.
  explicit Workers(int threads);
  ~Workers();
  Workers(Workers&&) noexcept;
  Workers& operator=(Workers&&) noexcept;

  int threads() const { return threads_; }

  /// Whether `run` would wake other threads.
  bool spreads(Index count, double operations) const {
    return threads_ > 1 && count > 1 && operations >= kWorthAThread;
  }

  /// Calls piece(index, thread) for every index below count. `operations` is the size of the whole: below
  /// a few hundred thousand, waking a thread costs more than it saves, and all runs in the caller.
  template <class Piece>
  void run(Index count, double operations, const Piece& piece) {
    if (!spreads(count, operations)) {
      for (Index i = 0; i < count; ++i) piece(i, 0);
      return;
    }
    spread(count, &piece,
           [](const void* self, Index i, int thread) { (*static_cast<const Piece*>(self))(i, thread); });
  }

 private:
  static constexpr double kWorthAThread = 4e5;
  using Call = void (*)(const void* piece, Index index, int thread);
  void spread(Index count, const void* piece, Call call);

  struct Arena;
  int threads_;
  std::unique_ptr<Arena> arena_;
};

}  // namespace attn
