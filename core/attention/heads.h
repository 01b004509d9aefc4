#pragma once
#include <vector>

#include "core/attention/repair.h"
#include "core/kernels/kernels.h"
#include "core/parallel.h"
#include "core/results.h"

namespace attn {

/// The memory that passes over the heads work in.
template <class T>
struct HeadsWorkspace {
  Visibility visible;
  std::vector<HeadTask<T>> tasks;
  std::vector<const KernelsOf<T>*> kernels;  // of each head
  std::vector<HeadForward<T>> forward;
  std::vector<HeadBackward<T>> backward;
  std::vector<HeadRepair<T>> repairs;
  std::vector<std::uint8_t> finite;  // of each head: 1 where its outputs are known to be
  Buffer<RowSums> sums;
  Buffer<double> small;  // what small heads keep for the way back
  Buffer<T> packed;
  Buffer<T> parts;               // what ranges of queries add to dK and dV
  std::vector<Buffer<T>> tiles;  // one a thread
  StackOf<T> dScaled;            // where dRawScores need them and the results do not keep them
  MatrixOf<T> dConcat;
};

/// Ranges of queries whose gradients of K and V are summed apart, so that threads can share a head's way
/// back. Their number does not depend on that of the threads, and so neither do the sums.
Index partsOf(const Shapes& shapes);

/// Says what each head has to do, from the scene and the Q, K and V in `results`.
template <class T>
void prepareHeads(const SceneOf<T>& scene, const ResultsOf<T>& results, HeadsWorkspace<T>& work);

/// score → scale → cap → bias → mask → normalise → mix, of all heads, side by side in results.concat where
/// W_O takes them from there, else in results.out.
template <class T>
void forwardHeads(const KernelsOf<T>& kernels, Workers& workers, HeadsWorkspace<T>& work, bool projectsOutput,
                  ResultsOf<T>& results);

/// From results.d.headOut back to results.d.q, k and v (of the unit vectors under QK-norm).
template <class T>
void backwardHeads(const KernelsOf<T>& kernels, Workers& workers, HeadsWorkspace<T>& work,
                   ResultsOf<T>& results);

/// A product spread over the workers by rows.
template <class T>
void multiply(const KernelsOf<T>& kernels, Workers& workers, HeadsWorkspace<T>& work,
              const Product<T>& product);

}  // namespace attn
