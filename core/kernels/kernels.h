#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "core/attention/head.h"

namespace attn {

/// C (rows × cols) = A·B or, with `add`, C += A·B. A and B may be read transposed.
template <class T>
struct Product {
  Index rows = 0, cols = 0, depth = 0;
  const T* a = nullptr;  // rows × depth; depth × rows where transposed
  Index aStride = 0;     // from one row of a to the next
  bool aTransposed = false;
  const T* b = nullptr;  // depth × cols; cols × depth where transposed
  Index bStride = 0;
  bool bTransposed = false;
  T* c = nullptr;
  Index cStride = 0;
  bool add = false;
};

/// Heads of at most so many queries and keys, of at most such a width, are computed in one call.
inline constexpr Index kSmallTokens = 16, kSmallWidth = 16;
/// What the way forward of such a head keeps for the way back.
inline constexpr Index kSmallNumbers = kSmallTokens * kSmallTokens;

/// The inner loops of one implementation. A head's work comes in two steps: `pack…` lays its matrices
/// out once, then any number of threads work on disjoint ranges of rows, each with a `tile` of its own.
template <class T>
struct KernelsOf {
  const char* name;

  /// How many numbers `pack…` writes at most, and how many a tile and a part (see backwardRows) hold.
  Index (*packedSize)(const HeadTask<T>&);
  Index (*tileSize)(const HeadTask<T>&);
  Index (*partSize)(const HeadTask<T>&);
  Index (*productPackedSize)(const Product<T>&);
  Index (*productTileSize)(const Product<T>&);
  Index rowBlock;  // ranges of rows that start at a multiple of this lose nothing

  void (*packForward)(const HeadTask<T>&, T* packed);
  void (*forwardRows)(const HeadTask<T>&, const HeadForward<T>&, const T* packed, T* tile, RowRange rows);

  void (*packBackward)(const HeadTask<T>&, const HeadBackward<T>&, T* packed);
  /// dP, dScores, dQ of these rows. What they add to dK and dV goes to a part of their own.
  void (*backwardRows)(const HeadTask<T>&, const HeadBackward<T>&, const T* packed, T* tile, RowRange rows,
                       T* part);
  /// dK, dV of these keys: the sum of `count` parts, which lie one behind the other.
  void (*joinParts)(const HeadTask<T>&, const HeadBackward<T>&, T* parts, Index count, RowRange keys);

  void (*packProduct)(const Product<T>&, T* packed);
  void (*multiplyRows)(const Product<T>&, const T* packed, T* tile, RowRange rows);

  /// A whole small head at once, in double; null where there is no such short way. False where a number
  /// surfaced that is not finite: then nothing of what was written counts.
  bool (*smallForward)(const HeadTask<T>&, const HeadForward<T>&);
  bool (*smallBackward)(const HeadTask<T>&, const HeadBackward<T>&);

  bool (*allFinite)(const T*, Index count);
  /// Σ a·b in double.
  double (*dot)(const T* a, const T* b, Index count);
  /// Σ x² of each row of a matrix, in double.
  void (*squaresOfRows)(const T* rows, Index count, Index width, double* to);
  /// √x in place.
  void (*squareRoots)(double* x, Index count);

  /// Random::normal(first), … of a seed: the same bits whatever the implementation.
  void (*normals)(std::uint64_t seed, std::uint64_t first, float* to, Index count);
};
using Kernels = KernelsOf<float>;

/// Plain loops: in double they define what is right, in float they are what anyone would write first.
/// They never touch a hidden pair, so a NaN behind a mask stays there.
template <class T>
const KernelsOf<T>& referenceKernels();

/// The fastest kernels that this machine can run.
const Kernels& bestKernels();
/// The names of the SIMD targets that this machine can run, best first.
std::vector<std::string> simdTargets();
/// One of them by name; throws Error that lists the names.
const Kernels& kernelsNamed(const std::string& name);

}  // namespace attn
