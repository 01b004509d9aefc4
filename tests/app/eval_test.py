"""`attnscope eval` as people use it: against NumPy, with right and with wrong files. Usage: eval_test.py PROGRAM"""
import json
import os
import pathlib
import signal
import struct
import subprocess
import sys
import tempfile
import time
import unittest
import zipfile

import numpy as np

import attention_numpy as reference

PROGRAM = None
SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
rng = np.random.default_rng(5)


def attnscope(*arguments):
    return subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, timeout=120)


def targets():
    """The kernels that this machine can run, as the program lists them."""
    line = attnscope("eval", "x", "--target", "?").stderr.splitlines()[0]
    return line.split("one of ")[1].split(", ")


class Eval(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def save(self, name="in.npz", writer=np.savez, **arrays):
        writer(self.path(name), **arrays)
        return self.path(name)

    def evaluate(self, file, *options):
        out = self.path("out.npz")
        ran = attnscope("eval", file, "-o", out, *options)
        self.assertEqual(ran.returncode, 0, ran.stderr)
        with np.load(out) as arrays:
            return dict(arrays)

    def assert_close(self, found, right, tolerance, name):
        self.assertEqual(found.shape, right.shape, name)
        hidden = np.isneginf(right)
        np.testing.assert_array_equal(np.isneginf(found), hidden, err_msg=name)
        found, right = np.where(hidden, 0, found), np.where(hidden, 0, right)
        error = np.abs(found - right).max() / (1 + np.abs(right).max())
        self.assertLess(error, tolerance, name)

    def compare(self, found, right, tolerance):
        for name, array in right.items():
            self.assertIn(name, found)
            if array.dtype == bool:
                np.testing.assert_array_equal(found[name], array, err_msg=name)
            else:
                self.assert_close(found[name], array, tolerance, name)

    def check_heads(self, options, tolerance=1e-5, arrays=None, shape=(3, 7, 9, 5, 4), **settings):
        """Random q, k, v through the program and through NumPy."""
        heads, nq, nk, dk, dv = shape
        data = {"q": rng.normal(size=(heads, nq, dk)), "k": rng.normal(size=(heads, nk, dk)),
                "v": rng.normal(size=(heads, nk, dv)), "d_out": rng.normal(size=(heads, nq, dv))}
        data = {name: array.astype(np.float32) for name, array in data.items()}
        found = self.evaluate(self.save(**data, **(arrays or {})), *options)
        wide = {name: array.astype(np.float64) for name, array in data.items()}
        right = reference.stacked([
            reference.head(wide["q"][h], wide["k"][h], wide["v"][h], wide["d_out"][h], h, heads,
                           **{n: (s[h] if n == "bias" and s.ndim == 3 else s) for n, s in settings.items()})
            for h in range(heads)])
        self.compare(found, right, tolerance)
        return found

    # --- numbers ---

    def test_plain(self):
        found = self.check_heads([])
        self.assertEqual(found["probs"].dtype, np.float32)
        self.assertEqual(found["out"].shape, (7, 12))
        np.testing.assert_array_equal(found["out"], np.concatenate(list(found["head_out"]), axis=1))

    def test_every_target(self):
        for target in targets():
            with self.subTest(target=target):
                found = self.check_heads(["--target", target], 1e-12 if target == "reference" else 1e-5)
                self.assertEqual(found["probs"].dtype, np.float64 if target == "reference" else np.float32)
        self.check_heads(["--target", targets()[-1].lower()])

    def test_options(self):
        bias = rng.normal(size=(7, 9)).astype(np.float32)
        bias[2, 3] = bias[4] = -np.inf
        per_head = rng.normal(size=(3, 7, 9))
        may = rng.random((7, 9)) < 0.6
        padding = np.array([0, 1, 0, 0, 0, 0, 0, 1, 1], bool)
        cases = [
            (["--scale", "none"], {}, dict(scale="none")),
            (["--scale", "dk"], {}, dict(scale="dk")),
            (["--scale", "2.5", "--temperature", "0.5"], {}, dict(scale=2.5, temperature=0.5)),
            (["--qk-norm", "7"], {}, dict(scale="none", qk_norm=7)),
            (["--qk-norm", "7", "--scale", "sqrt"], {}, dict(scale="sqrt", qk_norm=7)),
            (["--cap", "1.5"], {}, dict(cap=1.5)),
            (["--causal"], {}, dict(causal="top-left")),
            (["--causal=bottom-right"], {}, dict(causal="bottom-right")),
            (["--window", "2"], {}, dict(window=2)),
            (["--prefix", "3"], {}, dict(prefix=3)),
            (["--alibi"], {}, dict(alibi=True)),
            ([], {"mask": bias}, dict(bias=bias.astype(float))),
            ([], {"mask": per_head}, dict(bias=per_head)),
            ([], {"mask": may}, dict(may_attend=may)),
            ([], {"key_padding": padding}, dict(key_padding=padding)),
            (["--causal", "--window", "4", "--alibi", "--cap", "3"], {"mask": may, "key_padding": padding},
             dict(causal="top-left", window=4, alibi=True, cap=3, may_attend=may, key_padding=padding)),
        ]
        for kind, logit in [("softmax", None), ("sink", None), ("sink", 1.5), ("sparsemax", None), ("entmax15", None),
                            ("sigmoid", None), ("sigmoid", -2.0)]:
            word = kind if logit is None else f"{kind}={logit}"
            cases.append((["--normalise", word, "--causal=bottom-right"], {},
                          dict(kind=kind, logit=logit or 0.0, causal="bottom-right")))
        for options, arrays, settings in cases:
            with self.subTest(options=options, arrays=list(arrays)):
                self.check_heads(options, arrays=arrays, **settings)
                self.check_heads([*options, "--target", "reference"], 1e-6 if arrays else 1e-11, arrays=arrays, **settings)

    def test_shapes_in_every_direction(self):
        for shape in [(1, 1, 1, 1, 1), (2, 1, 40, 3, 1), (1, 50, 2, 17, 33), (4, 33, 65, 16, 8)]:
            with self.subTest(shape=shape):
                self.check_heads([], shape=shape)
                self.check_heads(["--causal=bottom-right"], shape=shape, causal="bottom-right")

    def test_threads_give_the_same_bits(self):
        file = self.save(q=rng.normal(size=(8, 200, 32)), k=rng.normal(size=(8, 200, 32)), v=rng.normal(size=(8, 200, 32)))
        one, two = self.evaluate(file, "--threads", "1"), self.evaluate(file, "--threads", "2")
        for name in one:
            np.testing.assert_array_equal(one[name], two[name])

    def test_projections(self):
        for cross in (False, True):
            with self.subTest(cross=cross):
                x, x_kv = rng.normal(size=(6, 5)), rng.normal(size=(8, 4))
                keys = x_kv if cross else x
                w = {"w_q": rng.normal(size=(2, 5, 3)), "w_k": rng.normal(size=(2, keys.shape[1], 3)),
                     "w_v": rng.normal(size=(2, keys.shape[1], 2))}
                w_o, d_out = rng.normal(size=(4, 7)), rng.normal(size=(6, 7))
                arrays = dict(x=x, w_o=w_o, d_out=d_out, **w)
                if cross:
                    arrays["x_kv"] = x_kv
                found = self.evaluate(self.save(**arrays), "--target", "reference")
                d_concat = d_out @ w_o.T
                heads = [reference.head(x @ w["w_q"][h], keys @ w["w_k"][h], keys @ w["w_v"][h],
                                        d_concat[:, 2 * h:2 * h + 2], h, 2) for h in range(2)]
                right = reference.stacked(heads)
                concat = np.concatenate([r["head_out"] for r in heads], axis=1)
                right["out"], right["d_w_o"] = concat @ w_o, concat.T @ d_out
                right["d_w_q"] = np.stack([x.T @ r["d_q"] for r in heads])
                right["d_w_k"] = np.stack([keys.T @ r["d_k"] for r in heads])
                right["d_w_v"] = np.stack([keys.T @ r["d_v"] for r in heads])
                to_x = sum(heads[h]["d_q"] @ w["w_q"][h].T for h in range(2))
                to_keys = sum(heads[h]["d_k"] @ w["w_k"][h].T + heads[h]["d_v"] @ w["w_v"][h].T for h in range(2))
                right["d_x"] = to_x if cross else to_x + to_keys
                if cross:
                    right["d_x_kv"] = to_keys
                self.compare(found, right, 1e-12)
                self.compare(self.evaluate(self.save(**arrays)), right, 1e-5)

    def test_without_d_out_ones_flow_back(self):
        arrays = {name: rng.normal(size=(4, 3)) for name in "qkv"}
        with_ones = self.evaluate(self.save(**arrays, d_out=np.ones((4, 3))))
        without = self.evaluate(self.save(**arrays))
        for name in with_ones:
            np.testing.assert_array_equal(with_ones[name], without[name])

    def test_layouts_that_numpy_writes(self):
        q, k, v = (rng.normal(size=(4, 3)) for _ in range(3))
        right = self.evaluate(self.save(q=q, k=k, v=v))
        self.assertEqual(right["probs"].shape, (1, 4, 4))
        variants = {"float32": [a.astype(np.float32) for a in (q, k, v)], "fortran": [np.asfortranarray(a) for a in (q, k, v)],
                    "big endian": [a.astype(">f8") for a in (q, k, v)], "one head": [a[None] for a in (q, k, v)]}
        for name, (a, b, c) in variants.items():
            for writer in (np.savez, np.savez_compressed):
                with self.subTest(variant=name, writer=writer.__name__):
                    found = self.evaluate(self.save(writer=writer, q=a, k=b, v=c))
                    np.testing.assert_allclose(found["probs"], right["probs"], rtol=1e-6)

    def test_masked_nan_changes_nothing_and_a_seen_one_is_flagged(self):
        q, k, v = (rng.normal(size=(5, 3)) for _ in range(3))
        padding = np.array([0, 0, 0, 0, 1], bool)
        clean = self.evaluate(self.save(q=q, k=k, v=v, key_padding=padding))
        k[4], v[4] = np.nan, np.inf
        dirty = self.evaluate(self.save(q=q, k=k, v=v, key_padding=padding))
        for name in clean:
            if name != "scores_raw":
                np.testing.assert_allclose(dirty[name], clean[name], rtol=1e-5, atol=1e-6, err_msg=name)
        seen = self.evaluate(self.save(q=q, k=k, v=v))
        self.assertTrue(np.isnan(seen["probs"]).all() and seen["nonfinite_rows"].all())

    def test_a_row_without_keys_is_zero_and_flagged(self):
        mask = np.ones((4, 4), bool)
        mask[2] = False
        found = self.evaluate(self.save(mask=mask, **{name: rng.normal(size=(4, 3)) for name in "qkv"}))
        np.testing.assert_array_equal(found["masked_rows"], [[False, False, True, False]])
        for name in ("probs", "head_out", "d_q", "d_scores"):
            self.assertFalse(found[name][0, 2].any(), name)
        self.assertFalse(any(np.isnan(array).any() for array in found.values()))

    # --- what is printed ---

    def test_scene_file_and_tables(self):
        ran = attnscope("eval", os.path.join(SOURCE, "assets/scenes/by_hand.json"))
        self.assertEqual(ran.returncode, 0, ran.stderr)
        for text in ("0.8600", "1.5760", "-0.7240", "0.9873", "1.8816", "-1.5646", "‖Jacobian‖", "d_scores", "exponentials"):
            self.assertIn(text, ran.stdout)

    def test_json_is_the_same_as_the_archive(self):
        file = os.path.join(SOURCE, "assets/scenes/causal_sentence.json")
        arrays = self.evaluate(file)
        ran = attnscope("eval", file, "--json")
        printed = json.loads(ran.stdout, parse_constant=lambda word: self.fail(f"{word} is not JSON"))
        self.assertEqual(set(arrays), set(printed) - {"target", "gradient_norms", "operations"})
        for name in ("d_q", "d_x", "d_w_o"):
            if name in arrays:
                norm = np.linalg.norm(arrays[name].astype(np.float64))  # NumPy would add floats up as floats
                self.assertAlmostEqual(printed["gradient_norms"][name]["all"], norm, 4)
        self.assertEqual(printed["operations"]["softmax"]["exponentials"], arrays["probs"].size)
        for name, array in arrays.items():
            read = np.array(printed[name], dtype=object)
            np.testing.assert_array_equal(np.vectorize(float)(read).astype(array.dtype), array, err_msg=name)

    def test_large_tables_are_shortened(self):
        ran = attnscope("eval", self.save(**{name: rng.normal(size=(300, 8)) for name in "qkv"}))
        self.assertIn("…", ran.stdout)
        self.assertLess(len(ran.stdout.splitlines()), 100)
        self.assertLess(max(map(len, ran.stdout.splitlines())), 140)

    # --- what is wrong ---

    def assert_refused(self, file, *parts, options=(), code=1):
        out = self.path("kept.npz")
        with open(out, "w") as kept:
            kept.write("old")
        before = sorted(os.listdir(self.folder.name))
        ran = attnscope("eval", file, "-o", out, *options)
        self.assertEqual(ran.returncode, code, ran.stdout + ran.stderr)
        self.assertEqual(ran.stdout, "")
        for part in parts:
            self.assertIn(part, ran.stderr)
        if code == 1:
            self.assertEqual(len(ran.stderr.splitlines()), 1, ran.stderr)
            self.assertIn(os.path.basename(file), ran.stderr)
        self.assertEqual(pathlib.Path(out).read_text(), "old")
        self.assertEqual(sorted(os.listdir(self.folder.name)), before)

    def test_bad_files(self):
        self.assert_refused(self.path("missing.npz"), "No such file")
        self.assert_refused(self.folder.name, "not a regular file")
        self.assert_refused("/dev/zero", "not a regular file")
        for name, content in [("empty.npz", b""), ("empty.json", b""), ("text.npz", b"hello"), ("text.json", b"hello"),
                              ("list.json", b"[1, 2]"), ("binary.json", bytes(range(256)))]:
            with open(self.path(name), "wb") as file:
                file.write(content)
            self.assert_refused(self.path(name), "attnscope: ")

    def test_truncated_archives(self):
        whole = pathlib.Path(self.save(**{name: rng.normal(size=(6, 3)) for name in "qkv"})).read_bytes()
        for length in range(0, len(whole), 37):
            with open(self.path("cut.npz"), "wb") as file:
                file.write(whole[:length])
            self.assert_refused(self.path("cut.npz"), "cut.npz")

    def test_bad_arrays(self):
        q, k, v = rng.normal(size=(3, 4)), rng.normal(size=(5, 4)), rng.normal(size=(5, 2))
        two = np.stack([q, q])
        cases = [
            (dict(q=q, k=k), "no array 'v'"),
            (dict(k=k, v=v), "no array 'q'"),
            (dict(z=q), "'z'", "expected some of q, k, v"),
            (dict(mask=np.ones((3, 5))), "found neither 'q' nor 'x'"),
            (dict(q=q, k=k, v=v, x=q), "found both"),
            (dict(q=q, k=k, v=v, w_q=q), "found 'w_q' beside 'q'"),
            (dict(q=q[0], k=k, v=v), "array 'q': shape (4,), expected (n_q, d_k)"),
            (dict(q=np.float64(3), k=k, v=v), "array 'q': shape (), expected"),
            (dict(q=q, k=k[:, :3], v=v), "k: shape (5, 3), expected (5, 4)"),
            (dict(q=q, k=k, v=v[:4]), "v: shape (4, 2), expected (5, 2)"),
            (dict(q=two, k=k, v=v), "array 'k': 1 head, expected 2 heads as in 'q'"),
            (dict(q=q[:0], k=k, v=v), "array 'q': shape (0, 4), expected at least one head, one row"),
            (dict(q=q, k=k[:0], v=v[:0]), "array 'k': shape (0, 4), expected at least one head, one row"),
            (dict(q=np.zeros((0, 3, 4)), k=k, v=v), "array 'q'", "at least one head"),
            (dict(q=q.astype(np.int64), k=k, v=v), "array 'q': dtype int64", "float32", "astype(np.float32)"),
            (dict(q=q.astype(complex), k=k, v=v), "array 'q': dtype complex128", "float32"),
            (dict(q=np.array([["a", "b"]]), k=k, v=v), "array 'q'", "float32"),
            (dict(q=q > 0, k=k, v=v), "array 'q': dtype bool, expected float32 or float64"),
            (dict(q=q * 1e300, k=k, v=v), "expected a number within ±3.4e38"),
            (dict(q=q, k=k, v=v, mask=np.ones((5, 3), bool)), "array 'mask': shape (5, 3), expected (3, 5)"),
            (dict(q=q, k=k, v=v, key_padding=np.zeros(3, bool)), "array 'key_padding': shape (3,), expected (5,)"),
            (dict(q=q, k=k, v=v, key_padding=np.zeros(5)), "array 'key_padding': dtype float64, expected bool"),
            (dict(q=q, k=k, v=v, d_out=np.ones((3, 4))), "array 'd_out': shape (3, 4), expected (3, 2)"),
            (dict(q=q, k=k, v=v, w_o=np.ones((3, 4))), "w_o: shape (3, 4), expected (2, 4)"),
            (dict(x=q, w_q=q.T, w_k=q.T), "no array 'w_v'"),
            (dict(x=q, w_q=q, w_k=q, w_v=q), "w_q: shape (3, 4), expected (4, 4)"),
        ]
        for arrays, *parts in cases:
            with self.subTest(expected=parts):
                self.assert_refused(self.save(**arrays), *parts)

    def test_shapes_that_promise_billions_of_nothing(self):
        for shape in [(10**12, 0, 3), (10**12, 3, 0), (0, 10**12), (10**15, 0)]:
            header = str({"descr": "<f4", "fortran_order": False, "shape": shape}).encode() + b"\n"
            npy = b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header
            ones = self.npy(np.ones((2, 2), np.float32))
            for name in ("q", "d_out"):
                with zipfile.ZipFile(self.path("nothing.npz"), "w") as archive:
                    for other in ("q", "k", "v", "d_out"):
                        archive.writestr(other + ".npy", npy if other == name else ones)
                self.assert_refused(self.path("nothing.npz"), f"array '{name}'", "expected")

    def npy(self, array):
        np.save(self.path("one.npy"), array)
        return pathlib.Path(self.path("one.npy")).read_bytes()

    def test_a_mask_of_the_lowest_float64_hides(self):
        arrays = {name: rng.normal(size=(3, 2)) for name in "qkv"}
        lowest = np.where(np.triu(np.ones((3, 3)), 1) > 0, np.finfo(np.float64).min, 0)
        found, causal = self.evaluate(self.save(**arrays, mask=lowest)), self.evaluate(self.save(**arrays), "--causal")
        np.testing.assert_array_equal(found["probs"], causal["probs"])

    def test_an_interrupted_write_leaves_nothing(self):
        big = self.save(**{name: rng.normal(size=(8, 1500, 8)).astype(np.float32) for name in "qkv"})
        for stop in (signal.SIGINT, signal.SIGTERM):
            before = sorted(os.listdir(self.folder.name))
            running = subprocess.Popen([PROGRAM, "eval", big, "-o", self.path("big.npz")], stdout=subprocess.DEVNULL)
            while running.poll() is None and sorted(os.listdir(self.folder.name)) == before:
                time.sleep(0.001)
            running.send_signal(stop)
            self.assertEqual(running.wait(60), -stop)
            self.assertEqual(sorted(os.listdir(self.folder.name)), before)

    def test_a_pipe_is_refused_and_not_waited_for(self):
        os.mkfifo(self.path("pipe"))
        self.assert_refused(self.path("pipe"), "not a regular file")

    def test_a_single_array(self):
        self.npy(np.ones((2, 2)))
        self.assert_refused(self.path("one.npy"), "a single array", "np.savez")

    def test_pickles_are_not_opened(self):
        self.assert_refused(self.save(q=np.array([{}], dtype=object), k=np.ones((1, 1)), v=np.ones((1, 1))), "array 'q'")

    def test_a_map_larger_than_the_machine(self):
        long = np.zeros((2_000_000, 1), np.float32)
        self.assert_refused(self.save(q=long, k=long, v=long), "2000000 queries × 2000000 keys: needs", "MiB")

    def test_a_header_that_promises_more_than_there_is(self):
        header = b"{'descr': '<f4', 'fortran_order': False, 'shape': (1000000000, 1000000), }\n"
        npy = b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header + b"\0" * 16
        with zipfile.ZipFile(self.path("lie.npz"), "w") as archive:
            archive.writestr("q.npy", npy)
        self.assert_refused(self.path("lie.npz"), "array 'q'", "truncated")

    def test_output_that_cannot_be_written(self):
        file = self.save(**{name: rng.normal(size=(2, 2)) for name in "qkv"})
        for out in (self.path("no/such/folder.npz"), self.folder.name):
            ran = attnscope("eval", file, "-o", out)
            self.assertEqual(ran.returncode, 1)
            self.assertIn(out, ran.stderr)
            self.assertEqual(len(ran.stderr.splitlines()), 1)

    def test_wrong_usage(self):
        file = self.save(**{name: rng.normal(size=(2, 2)) for name in "qkv"})
        for options in (["--scale", "big"], ["--scale", "0"], ["--scale", "-1"], ["--scale", "nan"], ["--temperature", "0"],
                        ["--temperature", "hot"], ["--cap", "-1"], ["--qk-norm", "inf"], ["--causal=left"], ["--window", "0"],
                        ["--window", "1.5"], ["--prefix", "-1"], ["--normalise", "max"], ["--normalise", "softmax=1"],
                        ["--normalise", "sink=x"], ["--threads", "0"], ["--target", "MMX"], ["--bogus"], ["second.npz"]):
            with self.subTest(options=options):
                self.assert_refused(file, "attnscope: ", "Usage: ", options=options, code=2)
        for arguments in (["eval"], ["evaluate", file], ["--bogus"], ["eval", file, "-o", ""], ["eval", ""]):
            ran = attnscope(*arguments)
            self.assertEqual(ran.returncode, 2, arguments)
            self.assertIn("Usage: ", ran.stderr)

    def test_causal_without_a_value_leaves_the_input_alone(self):
        file = self.save(**{name: rng.normal(size=(3, 2)) for name in "qkv"})
        ran = attnscope("eval", "--causal", file, "--json")
        self.assertEqual(ran.returncode, 0, ran.stderr)
        self.assertEqual(json.loads(ran.stdout)["probs"][0][0], [1, 0, 0])
        for spelling in (["--causal=bottom-right"], ["--causal", "bottom-right"]):
            self.assertEqual(attnscope("eval", *spelling, file, "--json").stdout, ran.stdout)

    def test_help_and_version(self):
        self.assertRegex(attnscope("--version").stdout, r"^attnscope \d+\.\d+\.\d+\n$")
        for arguments in (["--help"], ["eval", "--help"], ["shot", "--help"]):
            ran = attnscope(*arguments)
            self.assertEqual(ran.returncode, 0)
            self.assertIn("Usage: ", ran.stdout)


class Torch(unittest.TestCase):
    """PyTorch's own attention, where it is installed."""

    def test_agrees_with_scaled_dot_product_attention(self):
        try:
            import torch
        except ImportError:
            self.skipTest("PyTorch is not installed")
        q, k, v = (torch.randn(1, 4, 33, 16, requires_grad=True) for _ in range(3))
        weights = torch.softmax(q @ k.transpose(-1, -2) / 16**0.5 + torch.full((33, 33), -torch.inf).triu(1), -1)
        (weights @ v).sum().backward()
        with tempfile.TemporaryDirectory() as folder:
            np.savez(folder + "/in.npz", **{n: t.detach().numpy()[0] for n, t in zip("qkv", (q, k, v))})
            self.assertEqual(attnscope("eval", folder + "/in.npz", "--causal", "-o", folder + "/out.npz").returncode, 0)
            with np.load(folder + "/out.npz") as found:
                for name, right in [("probs", weights.detach()), ("d_q", q.grad), ("d_k", k.grad), ("d_v", v.grad)]:
                    np.testing.assert_allclose(found[name], right.numpy()[0], rtol=2e-4, atol=2e-6, err_msg=name)


if __name__ == "__main__":
    PROGRAM = os.path.abspath(sys.argv.pop(1))
    unittest.main(verbosity=1)
