#include "core/seq2seq/lstm.h"

#include "core/seq2seq/activation.h"

namespace attn {

template <class T>
void Lstm<T>::resize(Index batchSize, Index stepCount, Index embedding, Index hiddenSize) {
  batch = batchSize, steps = stepCount, hidden = hiddenSize;
  const Index rows = steps * batch;
  input.resize(rows, embedding), dInput.resize(rows, embedding);
  gates.resize(rows, 4 * hidden), dGates.resize(rows, 4 * hidden);
  for (MatrixOf<T>* each : {&cell, &squashed, &out}) each->resize(rows, hidden);
  dOut.setZero(rows, hidden);
  for (MatrixOf<T>* each : {&firstHidden, &firstCell, &dHidden, &dCell, &dPassed_})
    each->setZero(batch, hidden);
}

/// i, f, o = σ(·), g = tanh(·), c = f·c₋₁ + i·g, h = o·tanh c
template <class T>
void Lstm<T>::stepForward(Index step, Index string) {
  const Index row = stepRow(step) + string;
  const T* cBefore = before(cell, firstCell, step) + string * hidden;
  T *c = cell.row(row).data(), *h = out.row(row).data(), *tanhC = squashed.row(row).data();
  if (isOver(step, string)) {
    std::copy_n(cBefore, hidden, c);
    std::copy_n(before(out, firstHidden, step) + string * hidden, hidden, h);
    return;
  }
  T *i = gates.row(row).data(), *f = i + hidden, *g = f + hidden, *o = g + hidden;
  for (Index j = 0; j < hidden; ++j) {
    i[j] = sigmoid(i[j]), f[j] = sigmoid(f[j]), g[j] = squash(g[j]), o[j] = sigmoid(o[j]);
    c[j] = f[j] * cBefore[j] + i[j] * g[j];
    tanhC[j] = squash(c[j]);
    h[j] = o[j] * tanhC[j];
  }
}

template <class T>
void Lstm<T>::forward(const LstmParameters<T>& p, Products<T>& products) {
  gates.rowwise() = p.bias.row(0);
  products.times(input, p.input, gates, true);
  for (Index t = 0; t < steps; ++t) {
    T* step = gates.row(stepRow(t)).data();
    products.times({before(out, firstHidden, t), batch, hidden, hidden}, p.hidden,
                   {step, batch, 4 * hidden, 4 * hidden}, true);
    for (Index b = 0; b < batch; ++b) stepForward(t, b);
  }
}

/// dHidden is dh and dCell is dc of this step; dCell becomes that of the step before.
template <class T>
void Lstm<T>::stepBackward(Index step, Index string) {
  const Index row = stepRow(step) + string;
  T* dI = dGates.row(row).data();
  T *dh = dHidden.row(string).data(), *dc = dCell.row(string).data(), *passed = dPassed_.row(string).data();
  const T* dOutRow = dOut.row(row).data();
  if (isOver(step, string)) {  // h = h₋₁, c = c₋₁
    std::fill_n(dI, 4 * hidden, T{});
    for (Index j = 0; j < hidden; ++j) passed[j] = dh[j] + dOutRow[j];
    return;
  }
  const T *i = gates.row(row).data(), *f = i + hidden, *g = f + hidden, *o = g + hidden;
  const T *tanhC = squashed.row(row).data(), *cBefore = before(cell, firstCell, step) + string * hidden;
  T *dF = dI + hidden, *dG = dF + hidden, *dO = dG + hidden;
  for (Index j = 0; j < hidden; ++j) {
    const T dH = dh[j] + dOutRow[j];
    // h = o·tanh c
    const T dC = dc[j] + dH * o[j] * (1 - tanhC[j] * tanhC[j]);
    dO[j] = dH * tanhC[j] * o[j] * (1 - o[j]);
    // c = f·c₋₁ + i·g
    dI[j] = dC * g[j] * i[j] * (1 - i[j]);
    dF[j] = dC * cBefore[j] * f[j] * (1 - f[j]);
    dG[j] = dC * i[j] * (1 - g[j] * g[j]);
    dc[j] = dC * f[j];
    passed[j] = 0;
  }
}

template <class T>
void Lstm<T>::backward(const LstmParameters<T>& p, Products<T>& products, LstmParameters<T>& gradient) {
  for (Index t = steps - 1; t >= 0; --t) {
    for (Index b = 0; b < batch; ++b) stepBackward(t, b);
    // gates = h₋₁·W_hidden + …
    const Block<const T> dStep = {dGates.row(stepRow(t)).data(), batch, 4 * hidden, 4 * hidden};
    dHidden.swap(dPassed_);
    products.timesTransposed(dStep, p.hidden, dHidden, true);
    if (t == 0) products.addTransposedTimes(firstHidden, dStep, gradient.hidden);
  }
  // Of all other steps at once: h of step t − 1 beside the gates of step t.
  const Index later = (steps - 1) * batch;
  if (later > 0)
    products.addTransposedTimes({out.data(), later, hidden, hidden},
                                {dGates.row(batch).data(), later, 4 * hidden, 4 * hidden}, gradient.hidden);
  products.addTransposedTimes(input, dGates, gradient.input);
  gradient.bias += dGates.colwise().sum();
  products.timesTransposed(dGates, p.input, dInput);
}

template class Lstm<float>;
template class Lstm<double>;

}  // namespace attn
