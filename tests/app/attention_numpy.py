"""Attention in NumPy float64, written from the formulas alone: what `attnscope eval` is compared with."""
import numpy as np


def softmax(s, sink=None):
    top = s.max() if sink is None else max(s.max(), sink)
    e = np.exp(s - top)
    return e / (e.sum() + (0 if sink is None else np.exp(sink - top)))


def by_bisection(s, weight):
    """The τ at which Σ weight(s, τ) = 1, by halving: slow, and nothing to get wrong."""
    low, high = s.min() - 2, s.max()
    for _ in range(200):
        middle = (low + high) / 2
        if weight(s, middle).sum() > 1:
            low = middle
        else:
            high = middle
    return weight(s, (low + high) / 2)


def normalise(s, kind, logit):
    if kind == "softmax":
        return softmax(s)
    if kind == "sink":
        return softmax(s, logit)
    if kind == "sparsemax":
        return by_bisection(s, lambda s, t: np.maximum(s - t, 0))
    if kind == "entmax15":
        return by_bisection(s / 2, lambda s, t: np.maximum(s - t, 0) ** 2)
    return 1 / (1 + np.exp(-(s + logit)))


def jacobian(p, kind):
    """∂p/∂s of one row."""
    if kind in ("softmax", "sink"):
        return np.diag(p) - np.outer(p, p)
    if kind == "sigmoid":
        return np.diag(p * (1 - p))
    u = (p > 0).astype(float) if kind == "sparsemax" else np.sqrt(p)
    return np.diag(u) - np.outer(u, u) / u.sum()


def visible(nq, nk, causal=None, window=None, prefix=None, may_attend=None, key_padding=None):
    i, j = np.arange(nq)[:, None], np.arange(nk)[None, :]
    see = np.ones((nq, nk), bool)
    if causal:
        see &= j <= i + (nk - nq if causal == "bottom-right" else 0)
    if window:
        see &= abs(i - j) < window
    if prefix is not None:
        see &= (j < prefix) | (j <= i)
    if may_attend is not None:
        see &= may_attend
    if key_padding is not None:
        see &= ~key_padding[None, :]
    return see


def head(q, k, v, d_out, head_index, heads, scale="sqrt", temperature=1.0, qk_norm=None, cap=None, alibi=False,
         kind="softmax", logit=0.0, bias=None, **mask):
    """One head, forward and back. Returns a dictionary with the names of OUT.npz."""
    (nq, dk), nk = q.shape, len(k)
    see = visible(nq, nk, **mask)
    divisor = {"none": 1, "sqrt": dk**0.5, "dk": dk}.get(scale, scale) * temperature
    lengths_q, lengths_k = np.linalg.norm(q, axis=1), np.linalg.norm(k, axis=1)
    left, right = (q, k) if qk_norm is None else (q / lengths_q[:, None], k / lengths_k[:, None])
    factor = (1 if qk_norm is None else qk_norm) / divisor
    scaled = left @ right.T * factor
    bent = scaled if cap is None else cap * np.tanh(scaled / cap)
    scores = bent + (0 if bias is None else bias)
    if alibi:
        slope = 2.0 ** (-8 * (head_index + 1) / heads)
        scores = scores - slope * abs(np.arange(nq)[:, None] - np.arange(nk)[None, :])
    see = see & ~np.isneginf(scores)
    scores = np.where(see, scores, -np.inf)

    p = np.zeros((nq, nk))
    d_p = d_out @ v.T
    d_scores = np.zeros((nq, nk))
    norm, entropy = np.zeros(nq), np.zeros(nq)
    for i in range(nq):
        at = see[i]
        if not at.any():
            continue
        p[i, at] = normalise(scores[i, at], kind, logit)
        j = jacobian(p[i, at], kind)
        d_scores[i, at] = j @ d_p[i, at]
        norm[i] = np.linalg.norm(j)
        positive = p[i][p[i] > 0]
        entropy[i] = -(positive * np.log(positive)).sum()
    d_scaled = d_scores * (1 if cap is None else 1 - np.tanh(scaled / cap) ** 2)
    d_left, d_right = d_scaled @ right * factor, d_scaled.T @ left * factor
    if qk_norm is not None:
        d_left = (d_left - left * (left * d_left).sum(1, keepdims=True)) / lengths_q[:, None]
        d_right = (d_right - right * (right * d_right).sum(1, keepdims=True)) / lengths_k[:, None]
    return {"scores_raw": q @ k.T, "scores": scores, "probs": p, "head_out": p @ v, "d_q": d_left, "d_k": d_right,
            "d_v": p.T @ d_out, "d_scores": d_scores, "entropy": entropy, "max_prob": p.max(1), "jacobian_norm": norm,
            "masked_rows": ~see.any(1)}


def stacked(results):
    return {name: np.stack([r[name] for r in results]) for name in results[0]}
