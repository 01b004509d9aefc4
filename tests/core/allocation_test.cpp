// A second evaluation of the same shapes allocates nothing. Counts every allocation of the process.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>

#include "core/evaluate.h"
#include "tests/core/scenes.h"

namespace {
std::atomic<long> allocations{0};
}

// The C library's own functions behind its public ones: operator new, Eigen and aligned memory end up here.
extern "C" {
void* __libc_malloc(std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);
void* malloc(std::size_t size) {
  ++allocations;
  return __libc_malloc(size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) {
  ++allocations;
  return __libc_memalign(alignment, size);
}
}

namespace attn {
namespace {

long allocationsOfSecondRun(const PreciseScene& precise, const Wanted& wanted, int threads) {
  const Scene scene = narrow(precise);
  Evaluator evaluator(bestKernels(), threads);
  Results results;
  // The scheduler grows its own pools until every thread has had its turn.
  for (int warmUp = 0; warmUp < (threads == 1 ? 1 : 50); ++warmUp) evaluator.evaluate(scene, wanted, results);
  const long before = allocations;
  const float* probs = results.probs.data();
  const float* out = results.out.data();
  evaluator.evaluate(scene, wanted, results);
  EXPECT_EQ(results.probs.data(), probs);
  EXPECT_EQ(results.out.data(), out);
  return allocations - before;
}

TEST(Allocation, FirstRunAllocates) {
  const long before = allocations;
  evaluate(narrow(randomScene({}, 1)));
  EXPECT_GT(allocations - before, 0);
}

TEST(Allocation, SecondRunAllocatesNothing) {
  PreciseScene given =
      randomScene({.heads = 2, .queries = 64, .keys = 64, .keyWidth = 16, .valueWidth = 16}, 1);
  PreciseScene projected = projectedScene(2, 9, 9, false, 2);
  PreciseScene masked = given;
  masked.masks = {CausalRule{}, PaintedRule{{Bytes::Ones(64, 64)}}};
  masked.cap = 5;
  masked.scale.qkNormGain = 2;
  Wanted wanted = Wanted::everything();
  wanted.eigenvalues = false;  // made on demand, not in every frame
  for (const PreciseScene* scene : {&given, &projected, &masked})
    for (const Wanted& w : {wanted, Wanted{}, Wanted::forwardOnly()})
      EXPECT_EQ(allocationsOfSecondRun(*scene, w, 1), 0);
}

TEST(Allocation, TwoThreadsAllocateNothingEither) {
  const PreciseScene scene =
      randomScene({.heads = 4, .queries = 128, .keys = 128, .keyWidth = 32, .valueWidth = 32}, 3);
  EXPECT_EQ(allocationsOfSecondRun(scene, Wanted{}, 2), 0);
}

}  // namespace
}  // namespace attn
