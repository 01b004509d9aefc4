#!/usr/bin/env python3
"""PyTorch and NumPy on one thread, as peers of tests/bench/run.

With --serve, prints the names of the peers that this machine has and "ready", then answers each line
"name, heads, n, d, causal (0 or 1), forward|both" (separated by tabs) with the seconds that one call takes.
Without it, prints a table of milliseconds, e.g.: python_peers.py 8 512 64 [--causal]

A library that is missing is left out, with a message. On Debian: apt-get install python3-numpy python3-torch
(PyTorch brings 567 MB with it, so nothing installs it by itself).
"""
import argparse
import ctypes
import math
import os
import sys
import time

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "BLIS_NUM_THREADS"):
    os.environ[variable] = "1"


def say(message):
    print(f"attnscope: {message}", file=sys.stderr)


def keep_freed_memory():
    """A map given back to the system costs a page fault for every 4 KB when it is asked for again."""
    try:
        libc = ctypes.CDLL("libc.so.6")
        trim_threshold, mmap_max, top_pad = -1, -4, -2
        libc.mallopt(mmap_max, 0)
        libc.mallopt(trim_threshold, 2**31 - 1)
        libc.mallopt(top_pad, 64 << 20)
    except OSError:
        say("no glibc: PyTorch pays for fresh memory in every call")


try:
    import numpy
except ImportError:
    numpy = None
    say("NumPy is not here and not measured (on Debian: apt-get install python3-numpy)")
try:
    import torch
except ImportError:
    torch = None
    say("PyTorch is not here and not measured (on Debian: apt-get install python3-torch)")


class NumPyPeer:
    """Products and softmax in place, on memory that is kept."""

    name = f"NumPy {numpy.__version__}" if numpy else ""

    def __init__(self, inputs, causal):
        self.q, self.k, self.v, self.d_out = inputs
        heads, n, d = self.q.shape
        self.scale = numpy.float32(1 / math.sqrt(d))
        self.future = numpy.triu(numpy.ones((n, n), bool), 1) if causal else None
        self.probs = numpy.empty((heads, n, n), numpy.float32)
        self.d_scores = numpy.empty_like(self.probs)
        self.row = numpy.empty((heads, n, 1), numpy.float32)
        self.scaled = numpy.empty_like(self.q)
        self.out, self.d_q, self.d_k, self.d_v = (numpy.empty_like(self.q) for _ in range(4))

    def forward(self):
        numpy.multiply(self.q, self.scale, out=self.scaled)
        numpy.matmul(self.scaled, self.k.transpose(0, 2, 1), out=self.probs)
        for probs, row in zip(self.probs, self.row):  # one head at a time stays in cache
            if self.future is not None:
                numpy.copyto(probs, -numpy.inf, where=self.future)
            probs.max(axis=-1, keepdims=True, out=row)
            numpy.subtract(probs, row, out=probs)
            numpy.exp(probs, out=probs)
            probs.sum(axis=-1, keepdims=True, out=row)
            numpy.divide(probs, row, out=probs)
        numpy.matmul(self.probs, self.v, out=self.out)

    def both(self):
        self.forward()
        numpy.matmul(self.d_out, self.v.transpose(0, 2, 1), out=self.d_scores)
        # Σ p·dp of a row is o·dO: n·d products instead of n²
        numpy.einsum("hnd,hnd->hn", self.out, self.d_out, out=self.row[..., 0])
        for probs, d_scores, row in zip(self.probs, self.d_scores, self.row):
            numpy.subtract(d_scores, row, out=d_scores)
            numpy.multiply(d_scores, probs, out=d_scores)
        numpy.matmul(self.d_scores, self.k, out=self.d_q)
        self.d_q *= self.scale
        numpy.matmul(self.d_scores.transpose(0, 2, 1), self.scaled, out=self.d_k)
        numpy.matmul(self.probs.transpose(0, 2, 1), self.d_out, out=self.d_v)

    def results(self):
        return self.out, self.d_q, self.d_k, self.d_v


class TorchPeer:
    """Shared by the ways to write it with PyTorch: autograd goes back."""

    def __init__(self, inputs, causal):
        self.q, self.k, self.v, self.d_out = (torch.from_numpy(x) for x in inputs)
        self.needed = [x.clone().requires_grad_() for x in (self.q, self.k, self.v)]
        self.causal = causal

    def forward(self):
        with torch.no_grad():
            self.out = self.attend(self.q, self.k, self.v)

    def both(self):
        self.out = self.attend(*self.needed)
        self.gradients = torch.autograd.grad(self.out, self.needed, self.d_out)

    def results(self):
        return [x.detach().numpy() for x in (self.out, *self.gradients)]


class TorchExplicit(TorchPeer):
    name = f"PyTorch {torch.__version__.split('+')[0]}" if torch else ""

    def __init__(self, inputs, causal):
        super().__init__(inputs, causal)
        _, n, d = self.q.shape
        self.scale = 1 / math.sqrt(d)
        self.mask = torch.full((n, n), -math.inf).triu(1) if causal else None

    def attend(self, q, k, v):
        # n·d numbers are scaled, not n²; and baddbmm adds the mask without a pass of its own. (It is not used
        # without a mask: in PyTorch 1.13, beta=0 lets NaNs of memory that nobody has written into small results.)
        q, k = q * self.scale, k.transpose(1, 2)
        scores = torch.bmm(q, k) if self.mask is None else torch.baddbmm(self.mask, q, k)
        self.probs = torch.softmax(scores, -1)
        return torch.bmm(self.probs, v)


class TorchSdpa(TorchPeer):
    """PyTorch's own attention, which keeps no weights: since version 2.0."""

    name = f"{TorchExplicit.name} SDPA"

    def attend(self, q, k, v):
        attention = torch.nn.functional.scaled_dot_product_attention
        return attention(q[None], k[None], v[None], is_causal=self.causal)[0]


def random_inputs(heads, n, d):
    draw = numpy.random.default_rng(1)
    return [draw.standard_normal((heads, n, d), numpy.float32) for _ in range(4)]


def expected(inputs, causal):
    """Output and gradients in double."""
    q, k, v, d_out = (x.astype(numpy.float64) for x in inputs)
    scale = 1 / math.sqrt(q.shape[2])
    scores = q @ k.transpose(0, 2, 1) * scale
    if causal:
        scores[:, numpy.triu(numpy.ones(scores.shape[1:], bool), 1)] = -numpy.inf
    probs = numpy.exp(scores - scores.max(-1, keepdims=True))
    probs /= probs.sum(-1, keepdims=True)
    d_probs = d_out @ v.transpose(0, 2, 1)
    d_scores = probs * (d_probs - (probs * d_probs).sum(-1, keepdims=True)) * scale
    return probs @ v, d_scores @ k, d_scores.transpose(0, 2, 1) @ q, probs.transpose(0, 2, 1) @ d_out


def is_right(peer):
    """A peer that computes something else is no peer."""
    for causal in (False, True):
        inputs = random_inputs(2, 7, 3)
        ready = peer(inputs, causal)
        ready.forward()
        ready.both()
        for made, right in zip(ready.results(), expected(inputs, causal)):
            if not numpy.allclose(made, right, rtol=1e-4, atol=1e-5):
                say(f"{peer.name} computes something else and is not measured")
                return False
    return True


def available_peers():
    peers = []
    if numpy:
        peers.append(NumPyPeer)
    if numpy and torch:
        torch.set_num_threads(1)
        peers.append(TorchExplicit)
        if hasattr(torch.nn.functional, "scaled_dot_product_attention"):
            peers.append(TorchSdpa)
        else:
            say(f"{TorchExplicit.name} has no scaled_dot_product_attention yet: only the explicit formula")
    return [peer for peer in peers if is_right(peer)]


class Measured:
    """One peer on one problem: made, and called once, before anything is timed."""

    def __init__(self, peer, heads, n, d, causal, what):
        self.call = getattr(peer(random_inputs(heads, n, d), causal), what)
        self.call()
        self.calls = max(1, int(0.03 / max(self.seconds(1), 1e-6)))

    def seconds(self, calls=None):
        calls = calls or self.calls
        start = time.process_time()  # what other programs take in between does not count
        for _ in range(calls):
            self.call()
        return (time.process_time() - start) / calls


def serve(peers):
    for peer in peers:
        print(peer.name)
    print("ready", flush=True)
    problem, made = None, {}
    for line in sys.stdin:
        name, *numbers, what = line.rstrip("\n").split("\t")
        heads, n, d, causal = map(int, numbers)
        if problem != (heads, n, d, causal, what):  # the memory of the last problem is free again
            problem, made = (heads, n, d, causal, what), {}
        if name not in made:
            made[name] = Measured({p.name: p for p in peers}[name], heads, n, d, bool(causal), what)
        print(made[name].seconds(), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("numbers", nargs="*", type=int, metavar="N", help="heads, n and d")
    parser.add_argument("--causal", action="store_true")
    parser.add_argument("--serve", action="store_true")
    arguments = parser.parse_args()
    keep_freed_memory()
    peers = available_peers()
    if arguments.serve:
        return serve(peers)
    if len(arguments.numbers) != 3:
        parser.error(f"expected three numbers (heads, n, d), found {len(arguments.numbers)}")
    for peer in peers:
        for what in ("forward", "both"):
            measured = Measured(peer, *arguments.numbers, arguments.causal, what)
            print(f"{peer.name:30} {what:8} {1e3 * min(measured.seconds() for _ in range(7)):9.4f} ms")


if __name__ == "__main__":
    main()
