#!/usr/bin/env python3
"""The sweep of the scaling lab in PyTorch and NumPy on one thread: prints a line "name<TAB>seconds" for each.

13 widths up to 4,096, 64 keys, 256 trials, all measures, unscaled and by √d_k. A library that is missing is left
out, with a message.
"""
import math
import os
import sys
import time

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "BLIS_NUM_THREADS"):
    os.environ[variable] = "1"

WIDTHS = [2**i for i in range(13)]
KEYS, TRIALS, ROUNDS = 64, 256, 5


def of_numpy(numpy):
    rng = numpy.random.default_rng(1)

    def normal(*shape):
        return rng.standard_normal(shape, dtype=numpy.float32)

    def sweep():
        return [measures(numpy, normal(TRIALS, width), normal(TRIALS, KEYS, width), normal(TRIALS, KEYS), width)
                for width in WIDTHS]

    return sweep


def of_torch(torch):
    torch.set_num_threads(1)

    def sweep():
        return [measures(torch, torch.randn(TRIALS, width), torch.randn(TRIALS, KEYS, width),
                         torch.randn(TRIALS, KEYS), width) for width in WIDTHS]

    return sweep


def measures(library, q, k, v, width):
    raw = (k @ q[:, :, None])[:, :, 0]
    results = []
    for divisor in (1.0, math.sqrt(width)):
        s = raw / divisor
        e = library.exp(s - s.max(-1)[0][:, None] if hasattr(s, "numpy") else s - s.max(-1, keepdims=True))
        p = e / e.sum(-1)[:, None]
        logs = library.log(p.clip(1e-37))
        p2 = p * p
        norm = library.sqrt((p2.sum(-1) - 2 * (p2 * p).sum(-1) + p2.sum(-1) ** 2).clip(0))
        ds = p * (v - (p * v).sum(-1)[:, None])
        dq = (ds[:, None, :] @ k)[:, 0] / divisor
        results.append([(s * s).mean(-1), p.max(-1), -(p * logs).sum(-1), norm, library.sqrt((dq * dq).sum(-1)),
                        library.sqrt((ds * ds).sum(-1) * (q * q).sum(-1)) / divisor])
    return results


def best(sweep):
    sweep()
    times = []
    for _ in range(ROUNDS):
        start = time.process_time()
        sweep()
        times.append(time.process_time() - start)
    return min(times)


for module, title, make in (("torch", "PyTorch", of_torch), ("numpy", "NumPy", of_numpy)):
    try:
        library = __import__(module)
    except ImportError:
        print(f"attnscope: {title} is not here and not measured (on Debian: apt-get install python3-{module})",
              file=sys.stderr)
        continue
    print(f"{title} {library.__version__}\t{best(make(library)):.6f}", flush=True)
