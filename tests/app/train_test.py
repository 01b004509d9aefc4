"""`attnscope train`: a model that learns to reverse strings. Usage: train_test.py PROGRAM"""
import csv
import pathlib
import subprocess
import sys
import tempfile
import unittest

import numpy as np

PROGRAM = None
TINY = ("--strings", 400, "--validation", 50, "--lengths", "1:4", "--hidden", 24, "--batch", 32, "--rate", 0.01)


class Train(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def run_program(self, *arguments):
        return subprocess.run([PROGRAM, "train", *map(str, arguments)], cwd=self.folder, capture_output=True, text=True,
                              timeout=120)

    def train(self, *arguments):
        ran = self.run_program("reversal", *TINY, *arguments)
        self.assertEqual(ran.returncode, 0, ran.stderr)
        return ran.stdout

    def test_plain_lines_a_curve_and_a_model(self):
        lines = self.train("--epochs", 5, "-o", "m.npz", "--curve", "c.csv").splitlines()
        self.assertEqual([line.split()[1] for line in lines[:5]], list("12345"))
        self.assertIn("strings", lines[4])
        self.assertEqual(lines[5:], ["c.csv: 5 epochs", "m.npz: 12 matrices"])
        rows = list(csv.DictReader((self.folder / "c.csv").read_text().splitlines()))
        self.assertEqual(len(rows), 5)
        self.assertLess(float(rows[-1]["loss"]), float(rows[0]["loss"]))
        model = np.load(self.folder / "m.npz")
        self.assertEqual(model["seq2seq"].tolist(), [1, 1, 16, 24])
        self.assertEqual(model["encoder_hidden"].shape, (24, 96))

    def test_every_attention_trains_and_shows_where_it_looks(self):
        for attention in "dot", "scaled", "general", "additive":
            self.train("--epochs", 10, "--attention", attention, "-o", "m.npz")
            ran = self.run_program("show", "m.npz", "--text", "abd", "-o", "map.npz")
            self.assertEqual(ran.returncode, 0, ran.stderr)
            self.assertIn("right      dba\npredicted  dba  right\n", ran.stdout)
            weights = np.load(self.folder / "map.npz")["weights"]
            self.assertEqual(weights.shape, (3, 3))
            np.testing.assert_allclose(weights.sum(axis=1), 1, atol=1e-6)
            ran = self.run_program("show", "m.npz", "--text", "abd", "-o", "map.csv")
            rows = list(csv.reader((self.folder / "map.csv").read_text().splitlines()))
            self.assertEqual([rows[0], [row[0] for row in rows[1:]]], [["written", "a", "b", "d"], ["d", "b", "a"]])
            np.testing.assert_allclose(np.array([row[1:] for row in rows[1:]], float), weights, atol=1e-7)
        ran = self.run_program("show", "m.npz", "--text", "abd", "-o", "map.png")
        self.assertEqual((self.folder / "map.png").read_bytes()[:8], b"\x89PNG\r\n\x1a\n")

    def test_without_attention_there_is_no_map(self):
        self.train("--epochs", 1, "--attention", "none", "-o", "m.npz")
        self.assertIn("predicted", self.run_program("show", "m.npz", "--text", "abd").stdout)
        ran = self.run_program("show", "m.npz", "--text", "abd", "-o", "map.csv")
        self.assertEqual((ran.returncode, ran.stderr),
                         (1, "attnscope: m.npz: has no attention, so there is no map to save\n"))

    def test_the_same_again_for_a_seed(self):
        first = self.train("--epochs", 2)
        self.assertEqual(first, self.train("--epochs", 2, "--threads", 2))
        self.assertNotEqual(first, self.train("--epochs", 2, "--seed", 2))

    def test_says_in_one_line_what_is_wrong(self):
        self.train("--epochs", 1, "-o", "m.npz")
        np.savez(self.folder / "other.npz", q=np.ones((2, 2)))
        here = set(self.folder.iterdir())
        for code, words, *arguments in ((2, ("'5'", "5:15"), "reversal", "--lengths", "5"),
                                        (2, ("cosine",), "reversal", "--attention", "cosine"),
                                        (1, ("longest", "found 2"), "reversal", "--lengths", "3:2"),
                                        (1, ("alphabet",), "reversal", "--alphabet", "aa"),
                                        (1, ("no/such/m.npz",), "reversal", "-o", "no/such/m.npz"),
                                        (1, ("diverged", "epoch 1"), "reversal", *TINY[:-2], "--rate", 1000),
                                        (1, ("other.npz", "'seq2seq'"), "show", "other.npz", "--text", "a"),
                                        (1, ("gone.npz",), "show", "gone.npz", "--text", "a"),
                                        (1, ("'axe'", "abcd"), "show", "m.npz", "--text", "axe"),
                                        (2, ("map.txt", ".csv"), "show", "m.npz", "--text", "a", "-o", "map.txt")):
            ran = self.run_program(*arguments)
            self.assertEqual(ran.returncode, code, ran.stderr)
            line = ran.stderr.splitlines()[0]
            self.assertTrue(line.startswith("attnscope: "), line)
            for word in words:
                self.assertIn(word, line)
        self.assertEqual(set(self.folder.iterdir()), here)


if __name__ == "__main__":
    PROGRAM = str(pathlib.Path(sys.argv.pop(1)).resolve())
    unittest.main()
