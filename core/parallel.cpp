#include "core/parallel.h"

#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <thread>

namespace attn {

struct Workers::Arena {
  explicit Arena(int threads) : arena(threads) {}
  tbb::task_arena arena;
};

Workers::Workers(int threads)
    : threads_(threads > 0 ? threads : std::max(1, static_cast<int>(std::thread::hardware_concurrency()))) {
  if (threads_ > 1) arena_ = std::make_unique<Arena>(threads_);
}

Workers::~Workers() = default;
Workers::Workers(Workers&&) noexcept = default;
Workers& Workers::operator=(Workers&&) noexcept = default;

void Workers::spread(Index count, const void* piece, Call call) {
  arena_->arena.execute([&] {
    tbb::parallel_for(
        tbb::blocked_range<Index>(0, count, 1),
        [&](const tbb::blocked_range<Index>& range) {
          const int thread = tbb::this_task_arena::current_thread_index();
          for (Index i = range.begin(); i != range.end(); ++i) call(piece, i, thread);
        },
        tbb::simple_partitioner());
  });
}

}  // namespace attn
