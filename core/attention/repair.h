#pragma once
#include <vector>

#include "core/attention/head.h"

namespace attn {

/// What a head needs whose Q, K or V holds a NaN or an infinity. Tiles multiply hidden pairs by 0, which such
/// a number survives. So the tiles get copies in which its rows are 0, and the queries that really see one
/// are computed again by the plain loops, which never touch a hidden pair. Where there is such a query, the
/// plain loops do the whole way back: its gradients reach every key that it sees.
template <class T>
struct HeadRepair {
  bool needed = false;
  HeadTask<T> original;          // with the numbers as they are
  MatrixOf<T> q, k, v;           // the copies
  std::vector<bool> badQ, badK;  // rows of Q and K that are not finite
  std::vector<Index> queries;    // that see a number that is not finite
};

/// Finds out what is not finite and points the task at clean copies.
template <class T>
void planRepair(HeadTask<T>& task, HeadRepair<T>& repair);

/// Computes again, by the plain loops, what the clean copies made wrong.
template <class T>
void repairForward(const HeadRepair<T>& repair, const HeadForward<T>& to);

}  // namespace attn
