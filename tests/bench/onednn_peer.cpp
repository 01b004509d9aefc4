// oneDNN's matmul and softmax primitives. They, and the memory they are bound to, are made once.
#include <omp.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <oneapi/dnnl/dnnl.hpp>
#include <unordered_map>

#include "tests/bench/peers.h"

namespace attn::bench {
namespace {

using dnnl::memory;

// Up to this n one call for all heads is best, above it blocks of rows whose weights stay in cache; a causal
// mask always takes blocks, and skips the keys behind each. Blocks of 128 to 512 rows are alike.
constexpr Index kMostAtOnce = 512;
constexpr Index kBlock = 256, kCausalBlock = 128;

struct Step {
  dnnl::primitive primitive;
  std::unordered_map<int, memory> arguments;
};

/// Rows [first, first + rows) of a head, or of all heads at once, and the keys that they may see.
struct Block {
  Index head, first, rows, keys;
  std::vector<Step> steps;
};

class Attention {
 public:
  explicit Attention(Problem& problem)
      : p_(problem),
        scale_(1 / std::sqrt(static_cast<float>(problem.d))),
        atOnce_(!problem.causal && problem.n <= kMostAtOnce) {
    const Index rows = atOnce_ ? p_.n : std::min(p_.n, p_.causal ? kCausalBlock : kBlock);
    for (Index h = 0; h < (atOnce_ ? 1 : p_.heads); ++h)
      // From the last block, which has all keys, to the first: it sets dK and dV, the others add to them.
      for (Index first = (p_.n - 1) / rows * rows; first >= 0; first -= rows) {
        const Index last = std::min(first + rows, p_.n);
        const Block block = {h, first, last - first, p_.causal ? last : p_.n, {}};
        forward_.push_back(withForward(block));
        backward_.push_back(withBackward(block, last < p_.n));
      }
  }

  void forward() {
    for (const Block& block : forward_) {
      run(block.steps[0]);
      if (p_.causal) hideFuture(block);
      run(block.steps[1]);
      run(block.steps[2]);
    }
    stream_.wait();
  }
  void backward() {
    for (const Block& block : backward_)
      for (const Step& step : block.steps) run(step);
    stream_.wait();
  }

 private:
  void run(const Step& step) { step.primitive.execute(stream_, step.arguments); }

  void hideFuture(const Block& block) {
    for (Index i = block.first; i < block.first + block.rows; ++i)
      std::fill(p_.probs.row(block.head, i) + i + 1, p_.probs.row(block.head, i + 1),
                -std::numeric_limits<float>::infinity());
  }

  /// rows × cols numbers of a stack from row `first` of a head on; transposed, they are read by columns.
  memory view(StackOf<float>& stack, Index head, Index first, Index rows, Index cols, bool transposed) {
    memory::dims sizes = {rows, cols}, strides = {stack.cols(), 1};
    if (transposed) std::swap(sizes[0], sizes[1]), std::swap(strides[0], strides[1]);
    if (atOnce_) {
      sizes.insert(sizes.begin(), p_.heads);
      strides.insert(strides.begin(), stack.rows() * stack.cols());
    }
    return {{sizes, memory::data_type::f32, strides}, engine_, stack.row(head, first)};
  }
  memory rowsOf(StackOf<float>& stack, const Block& b) {
    return view(stack, b.head, b.first, b.rows, p_.d, false);
  }
  memory keysOf(StackOf<float>& stack, const Block& b, bool transposed = false) {
    return view(stack, b.head, 0, b.keys, p_.d, transposed);
  }
  memory mapOf(StackOf<float>& stack, const Block& b, bool transposed = false) {
    return view(stack, b.head, b.first, b.rows, b.keys, transposed);
  }

  /// c = scale·a·b, or c += scale·a·b
  Step product(const memory& a, const memory& b, const memory& c, float scale, bool add = false) {
    dnnl::primitive_attr options;
    if (scale != 1) options.set_output_scales(0, {scale});
    dnnl::post_ops after;
    if (add) after.append_sum(1);
    options.set_post_ops(after);
    const dnnl::matmul::desc what(a.get_desc(), b.get_desc(), c.get_desc());
    return {dnnl::matmul(dnnl::matmul::primitive_desc(what, options, engine_)),
            {{DNNL_ARG_SRC, a}, {DNNL_ARG_WEIGHTS, b}, {DNNL_ARG_DST, c}}};
  }

  /// Whole rows of a block: softmax is only fast where there are no gaps.
  memory::desc mapRows(const Block& b) const {
    return {{b.rows * (atOnce_ ? p_.heads : 1), p_.n}, memory::data_type::f32, memory::dims{p_.n, 1}};
  }
  dnnl::softmax_forward::primitive_desc softmaxOf(const Block& b) const {
    return {dnnl::softmax_forward::desc(dnnl::prop_kind::forward_training, mapRows(b), 1), engine_};
  }

  Block withForward(Block b) {
    const memory weights(mapRows(b), engine_, p_.probs.row(b.head, b.first));
    b.steps.push_back(product(rowsOf(p_.q, b), keysOf(p_.k, b, true), mapOf(p_.probs, b), scale_));
    b.steps.push_back(
        {dnnl::softmax_forward(softmaxOf(b)), {{DNNL_ARG_SRC, weights}, {DNNL_ARG_DST, weights}}});
    b.steps.push_back(product(mapOf(p_.probs, b), keysOf(p_.v, b), rowsOf(p_.out, b), 1));
    return b;
  }

  Block withBackward(Block b, bool add) {
    const memory weights(mapRows(b), engine_, p_.probs.row(b.head, b.first));
    const memory gradient(mapRows(b), engine_, p_.dScores.row(b.head, b.first));
    const dnnl::softmax_backward::desc what(mapRows(b), mapRows(b), 1);
    b.steps.push_back(product(rowsOf(p_.dOut, b), keysOf(p_.v, b, true), mapOf(p_.dScores, b), 1));
    b.steps.push_back(
        {dnnl::softmax_backward(dnnl::softmax_backward::primitive_desc(what, engine_, softmaxOf(b))),
         {{DNNL_ARG_DST, weights}, {DNNL_ARG_DIFF_DST, gradient}, {DNNL_ARG_DIFF_SRC, gradient}}});
    b.steps.push_back(product(mapOf(p_.dScores, b), keysOf(p_.k, b), rowsOf(p_.dQ, b), scale_));
    b.steps.push_back(product(mapOf(p_.dScores, b, true), rowsOf(p_.q, b), keysOf(p_.dK, b), scale_, add));
    b.steps.push_back(product(mapOf(p_.probs, b, true), rowsOf(p_.dOut, b), keysOf(p_.dV, b), 1, add));
    return b;
  }

  Problem& p_;
  float scale_;
  bool atOnce_;
  dnnl::engine engine_{dnnl::engine::kind::cpu, 0};
  dnnl::stream stream_{engine_};
  std::vector<Block> forward_, backward_;
};

}  // namespace

Peer oneDnn() {
  const dnnl_version_t* version = dnnl_version();
  const std::string name = "oneDNN " + std::to_string(version->major) + "." + std::to_string(version->minor);
  return {name, [](Problem& p) {
            omp_set_num_threads(1);
            const auto attention = std::make_shared<Attention>(p);
            return Ready{[=] { attention->forward(); }, [=] { attention->backward(); }};
          }};
}

}  // namespace attn::bench
