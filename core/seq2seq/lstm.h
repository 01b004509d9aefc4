#pragma once
#include <vector>

#include "core/seq2seq/parameters.h"
#include "core/seq2seq/products.h"

namespace attn {

/// An LSTM over a batch, step by step, and its way back through time. Rows are (step, string): those of step
/// t are t·batch to (t + 1)·batch − 1. Behind the end of a string, its state stays what it was.
template <class T>
class Lstm {
 public:
  Index batch = 0, steps = 0, hidden = 0;
  MatrixOf<T> input;                   // (steps·batch, embedding): to be filled before forward()
  std::vector<Index> lengths;          // steps of each string; empty: all
  MatrixOf<T> firstHidden, firstCell;  // (batch, hidden)

  MatrixOf<T> gates;                // after their σ and tanh
  MatrixOf<T> cell, squashed, out;  // c, tanh c and h = σ(o)·tanh c

  MatrixOf<T> dOut;            // from outside, to be filled before backward()
  MatrixOf<T> dGates, dInput;  // dGates: before σ and tanh
  MatrixOf<T> dHidden, dCell;  // into backward(): of the last state; out of it: of the first

  /// Shapes everything, with zeros in the first state, in dOut, dHidden and dCell.
  void resize(Index batchSize, Index stepCount, Index embedding, Index hiddenSize);
  void forward(const LstmParameters<T>& parameters, Products<T>& products);
  /// Adds to `gradient`.
  void backward(const LstmParameters<T>& parameters, Products<T>& products, LstmParameters<T>& gradient);

  Index stepRow(Index step) const { return step * batch; }
  auto lastHidden() const { return out.bottomRows(batch); }
  auto lastCell() const { return cell.bottomRows(batch); }

 private:
  bool isOver(Index step, Index string) const {
    return !lengths.empty() && step >= lengths[static_cast<std::size_t>(string)];
  }
  void stepForward(Index step, Index string);
  void stepBackward(Index step, Index string);
  const T* before(const MatrixOf<T>& states, const MatrixOf<T>& first, Index step) const {
    return step == 0 ? first.data() : states.row(stepRow(step - 1)).data();
  }

  MatrixOf<T> dPassed_;  // what a string that is over hands down to the step before
};

}  // namespace attn
