"""`attnscope sweep`: the scaling lab without a window. Usage: sweep_test.py PROGRAM"""
import csv
import math
import pathlib
import subprocess
import sys
import tempfile
import unittest

PROGRAM = None


class Sweep(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def run_program(self, *arguments):
        return subprocess.run([PROGRAM, "sweep", *map(str, arguments)], cwd=self.folder, capture_output=True, text=True,
                              timeout=120)

    def rows(self, *arguments):
        ran = self.run_program(*arguments)
        self.assertEqual(ran.returncode, 0, ran.stderr)
        return list(csv.DictReader(ran.stdout.splitlines()))

    def test_a_line_for_each_width_and_scale(self):
        rows = self.rows("--dk", "1:16,100", "--scales", "none,sqrt,2.5", "--n", 8, "--trials", 10)
        self.assertEqual([row["dk"] for row in rows], [d for d in "1 2 4 8 16 100".split() for _ in range(3)])
        self.assertEqual([row["scale"] for row in rows[:3]], ["none", "sqrt", "2.5"])
        for row in rows:
            for name in ("score_variance", "max_prob", "entropy", "jacobian_norm", "d_q_norm", "d_k_norm"):
                low, high = float(row[name + "_low"]), float(row[name + "_high"])
                self.assertLessEqual(low, high)
                self.assertTrue(math.isfinite(float(row[name])))
            self.assertLessEqual(float(row["entropy"]), math.log(8) + 1e-6)

    def test_variance_is_that_of_theory(self):
        trials = 4000
        for row in self.rows("--dk", "1:256", "--mean", 0.5, "--deviation", 0.8, "--trials", trials, "--n", 4):
            width, divisor = int(row["dk"]), {"none": 1, "sqrt": math.sqrt(int(row["dk"])), "dk": int(row["dk"])}[row["scale"]]
            theory = width * (0.8**4 + 2 * 0.8**2 * 0.5**2) / divisor**2
            self.assertAlmostEqual(float(row["score_variance_theory"]), theory, delta=1e-12 * theory)
            # The square of a sum of products has at most some 20 times the spread of a normal one's, at d_k = 1.
            self.assertAlmostEqual(float(row["score_variance"]), theory, delta=theory * 25 / math.sqrt(trials))

    def test_the_same_again_whatever_the_threads(self):
        options = ("--dk", "1:64", "--trials", 20)
        first = self.rows(*options, "--seed", 7)
        self.assertEqual(first, self.rows(*options, "--seed", 7, "--threads", 2))
        self.assertNotEqual(first, self.rows(*options, "--seed", 8))

    def test_writes_the_file_and_says_so(self):
        ran = self.run_program("--dk", "4", "--trials", 3, "-o", "out.csv")
        self.assertEqual((ran.returncode, ran.stdout), (0, "out.csv: 3 lines\n"))
        self.assertEqual(len((self.folder / "out.csv").read_text().splitlines()), 4)

    def test_says_in_one_line_what_is_wrong(self):
        for code, words, *arguments in ((2, ("0:4", "from 1"), "--dk", "0:4"), (2, ("'a'", "1:4096"), "--dk", "a"),
                                        (2, ("'foo'", "none, sqrt, dk"), "--scales", "foo"),
                                        (2, ("'0'", "above 0"), "--scales", "0"),
                                        (1, ("trials", "found 0"), "--trials", "0"),
                                        (1, ("deviation", "above 0"), "--deviation", "-1"),
                                        (1, ("at most", "1048576"), "--dk", "1048576", "--n", "65536"),
                                        (1, ("no/such/x.csv",), "--dk", "4", "-o", "no/such/x.csv")):
            ran = self.run_program(*arguments)
            self.assertEqual(ran.returncode, code, ran.stderr)
            line = ran.stderr.splitlines()[0]
            self.assertTrue(line.startswith("attnscope: "), line)
            for word in words:
                self.assertIn(word, line)
        self.assertEqual(list(self.folder.iterdir()), [])


if __name__ == "__main__":
    PROGRAM = str(pathlib.Path(sys.argv.pop(1)).resolve())
    unittest.main()
