#pragma once
#include "core/attention/visibility.h"

namespace attn {

/// One head's attention, as the kernels see it. All matrices are row-major without gaps.
template <class T>
struct HeadTask {
  Index queries = 0, keys = 0, keyWidth = 0, valueWidth = 0;
  const T* q = nullptr;  // queries × keyWidth
  const T* k = nullptr;  // keys × keyWidth
  const T* v = nullptr;  // keys × valueWidth

  double divisor = 1;       // rule × temperature ÷ gain
  double cap = 0;           // 0: off
  double slope = 0;         // ALiBi: slope·|i−j| is subtracted
  const T* bias = nullptr;  // queries × keys, or null
  const Visibility* visible = nullptr;
  Index head = 0;
  Normaliser::Kind normaliser = Normaliser::Kind::softmax;
  double logit = 0;
  bool precise = false;  // small enough that scores and weights are computed in double without being missed

  bool sees(Index i, Index j) const { return visible->sees(head, i, j); }
  KeyRange range(Index i) const { return visible->ranges()[static_cast<std::size_t>(i)]; }
};

/// What a row of weights p says of itself, taken while the row is in cache.
struct RowSums {
  double largest = 0;
  double total = 0;          // Σ p
  double entropy = 0;        // −Σ p ln p
  double shareEntropy = 0;   // the same of p/Σp
  double effectiveKeys = 1;  // exp of that
  double jacobianNorm = 0;   // of diag(u) − κuuᵀ
};

/// Where the forward pass of a head writes. Null maps are not made.
template <class T>
struct HeadForward {
  T* rawScores = nullptr;  // queries × keys, as all maps
  T* scaledScores = nullptr;
  T* cappedScores = nullptr;
  T* scores = nullptr;
  T* probs = nullptr;       // also null where nobody looks at the weights
  bool zerosStand = false;  // outside the rows' ranges probs is 0 already
  T* out = nullptr;         // queries × valueWidth
  T* joined = nullptr;      // the same once more, beside the other heads' outputs
  Index joinedStride = 0;   // from one query to the next
  RowSums* sums = nullptr;  // one a query
  double* small = nullptr;  // of a small head: its weights for `smallBackward`, kSmallNumbers
};

/// What the backward pass of a head reads and writes. Null maps are not made.
template <class T>
struct HeadBackward {
  const T* probs = nullptr;
  const T* cappedScores = nullptr;  // needed where there is a cap
  const T* out = nullptr;           // queries × valueWidth, of the way forward
  const T* dOut = nullptr;          // queries × valueWidth
  const double* small = nullptr;    // of a small head: what `smallForward` kept
  T* dProbs = nullptr;
  T* dScores = nullptr;  // with respect to the normaliser's input
  T* dScaled = nullptr;  // before the cap
  T* dQ = nullptr;
  T* dK = nullptr;
  T* dV = nullptr;
};

struct RowRange {
  Index begin = 0, end = 0;
};

}  // namespace attn
