"""`attnscope lessons`: what is listed, and what is said of good and bad files. Usage: lessons_test.py PROGRAM"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

PROGRAM = None
SHIPPED = pathlib.Path(__file__).resolve().parents[2] / "assets" / "lessons"
# The exercises of the sheets, each of which is a lesson or shares one.
EXERCISES = {"000": "1 2a 2b 2c 2d 3", "001": "1.1 1.2 1.3 2.1 2.2 3", "002": "1a 1b 1c 1d 1e 1f 2a 2b 2c",
             "003": "1a 1b 1c 1d 1e 1f", "004": "1 2a 2b 2c 2d 3a 3b", "Spot the bug": "1 2 3 4 5 6"}


class Lessons(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def run_program(self, *arguments):
        return subprocess.run([PROGRAM, "lessons", *map(str, arguments)], cwd=self.folder, capture_output=True,
                              text=True, timeout=300)

    def lesson(self, name="by_hand.json"):
        return json.loads((SHIPPED / "000-3-scaled-by-hand.json").read_text())

    def write(self, lesson, name="mine.json"):
        (self.folder / name).write_text(json.dumps(lesson, indent=1))
        return name

    def test_every_shipped_lesson_holds(self):
        ran = self.run_program("check")
        self.assertEqual((ran.returncode, ran.stderr), (0, ""))
        self.assertIn(f"{len(list(SHIPPED.glob('*.json')))} lessons checked\n", ran.stdout)

    def test_every_exercise_is_there(self):
        found = {}
        for file in sorted(SHIPPED.glob("*.json")):
            lesson = json.loads(file.read_text())
            found.setdefault(lesson["sheet"], []).extend(re.split(r",\s*", lesson["exercise"]))
        self.assertEqual({sheet: " ".join(exercises) for sheet, exercises in found.items()}, EXERCISES)

    def test_lists_them(self):
        ran = self.run_program()
        self.assertEqual(ran.returncode, 0, ran.stderr)
        for file in SHIPPED.glob("*.json"):
            self.assertIn(file.stem, ran.stdout)
            self.assertIn(json.loads(file.read_text())["title"], ran.stdout)

    def test_a_wrong_number_is_found_and_the_others_are_still_checked(self):
        lesson = self.lesson()
        lesson["steps"][2]["question"]["numbers"]["printed"] = [4, 3, 1]
        ran = self.run_program("check", self.write(lesson), SHIPPED / "000-1-dot-product.json")
        self.assertEqual(ran.returncode, 1)
        line = next(n for n, text in enumerate((self.folder / "mine.json").read_text().splitlines(), 1)
                    if "Raw scores of the first" in text) - 1
        self.assertRegex(ran.stderr, rf"^attnscope: mine.json: line {line}: step \"Raw scores of the first query\": "
                                     r"printed is 4, 3, 1, the engine computes 4, 3, 2")
        self.assertIn("000-1-dot-product.json: 5 steps", ran.stdout)
        self.assertTrue(ran.stderr.endswith("1 of 2 lessons cannot be used as they are\n"), ran.stderr)

    def test_the_lesson_in_the_docs_is_whole(self):
        docs = pathlib.Path(__file__).resolve().parents[2] / "docs" / "lessons.md"
        example = re.search(r"```json\n(.*?)```", docs.read_text(), re.S).group(1)
        (self.folder / "mine.json").write_text(example)
        ran = self.run_program("check", "mine.json")
        self.assertEqual((ran.returncode, ran.stderr), (0, ""))
        self.assertIn("1 question, 2 answers computed", ran.stdout)

    def test_bad_formulas_and_panels_are_named(self):
        lesson = self.lesson()
        lesson["steps"][0]["text"] = "See $\\frc{a}{b}$."
        lesson["steps"][0]["panels"] = ["Wieghts"]
        ran = self.run_program("check", self.write(lesson))
        self.assertEqual(ran.returncode, 1)
        self.assertRegex(ran.stderr, r'line \d+: step "What is given": in the formula "\\\\frc')
        self.assertRegex(ran.stderr, r'line \d+: step "What is given": found the panel "Wieghts"')

    def test_files_that_are_no_lessons(self):
        (self.folder / "broken.json").write_text('{"attnscope_lesson": 1,\n "title": }')
        (self.folder / "list.json").write_text("[1]")
        for name, words in (("broken.json", "broken.json: line 2, column 11: not JSON"),
                            ("list.json", "list.json: line 1: found a list of length 1, expected an object"),
                            ("absent.json", "absent.json: No such file"), (".", "not a regular file")):
            ran = self.run_program("check", name)
            self.assertEqual(ran.returncode, 1)
            self.assertIn(words, ran.stderr)
            self.assertEqual(len(ran.stderr.splitlines()), 2, ran.stderr)


if __name__ == "__main__":
    PROGRAM = pathlib.Path(sys.argv.pop(1)).resolve()
    unittest.main()
