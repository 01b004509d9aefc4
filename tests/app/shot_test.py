"""`attnscope shot`, and the program where there is no display. Usage: shot_test.py PROGRAM"""
import os
import pathlib
import struct
import subprocess
import sys
import tempfile
import unittest

PROGRAM = None
SOURCE = pathlib.Path(__file__).resolve().parent.parent.parent
SCENE = SOURCE / "assets/scenes/by_hand.json"


class Shot(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def run_program(self, *arguments, folder=None, **environment):
        clean = {name: value for name, value in os.environ.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY")}
        clean.update(environment)
        return subprocess.run([PROGRAM, *map(str, arguments)], env=clean, cwd=folder or self.folder,
                              capture_output=True, text=True, timeout=120)

    def shot(self, *options):
        ran = self.run_program("shot", SCENE, "-o", "out.png", *options)
        self.assertEqual(ran.returncode, 0, ran.stderr)
        return (self.folder / "out.png").read_bytes()

    def assert_one_line(self, ran, *words):
        self.assertNotEqual(ran.returncode, 0)
        line = ran.stderr.splitlines()[0]
        self.assertTrue(line.startswith("attnscope: "), ran.stderr)
        for word in words:
            self.assertIn(word, line)

    def test_shows_what_an_audience_sees(self):
        presented = self.shot("--presenter")
        self.assertNotEqual(presented, self.shot())
        self.assertNotEqual(presented, self.shot("--presenter", "--hide-values"))
        ran = self.run_program("shot", SCENE, "-o", "out.png", "--slide", "3")
        self.assert_one_line(ran, "--slide", "3")

    def test_shows_a_step_of_a_lesson(self):
        steps = [self.shot("--lesson", "000-1-dot-product", "--step", step) for step in "12"]
        self.assertNotEqual(*steps)
        self.assertNotEqual(steps[0], self.shot())
        file = pathlib.Path(SCENE).parents[1] / "lessons" / "000-1-dot-product.json"
        of_file = [self.shot("--lesson", file, "--step", step) for step in "12"]
        self.assertNotEqual(*of_file)
        self.assertNotIn(of_file[0], (steps[1], self.shot()))
        for wrong in (["--lesson", "none"], ["--lesson", "000-1-dot-product", "--step", "99"], ["--lesson", "x", "--step", "0"]):
            self.assert_one_line(self.run_program("shot", SCENE, "-o", "x.png", *wrong), wrong[-1])

    def test_a_lesson_is_opened_like_a_scene(self):
        file = pathlib.Path(SCENE).parents[1] / "lessons" / "bug-1-wrong-axis.json"
        ran = self.run_program(file)
        self.assertEqual(ran.returncode, 0, ran.stderr)
        self.assertTrue((self.folder / "attnscope.png").exists())

    def test_has_the_size_that_was_asked_for(self):
        for size in ("1x1", "320x200", "1280x720"):
            picture = self.shot("--size", size)
            self.assertEqual("%dx%d" % struct.unpack(">II", picture[16:24]), size)

    def test_options_change_the_picture(self):
        pictures = [self.shot("--size", "640x400", *options)
                    for options in ([], ["--theme", "dark"], ["--ui-scale", "1.5"], ["--panel", "weights"])]
        self.assertEqual(len(set(pictures)), 4)
        self.assertEqual(self.shot("--size", "640x400"), pictures[0])

    def test_says_in_one_line_what_is_wrong(self):
        self.assert_one_line(self.run_program("shot", "none.json", "-o", "x.png"), "none.json")
        self.assert_one_line(self.run_program("shot", SCENE, "-o", "no/such/x.png"), "no/such/x.png")
        self.assert_one_line(self.run_program("shot", SCENE, "-o", "x.png", "--panel", "Wheels"), "Wheels", "Weights")
        self.assert_one_line(self.run_program("shot", SCENE, "-o", "x.png", "--size", "0x9"), "0x9", "WIDTHxHEIGHT")
        self.assert_one_line(self.run_program("shot", SCENE, "-o", "x.png", "--size", "99999x9"), "16384")
        self.assert_one_line(self.run_program("shot", SCENE, "-o", "x.png", "--ui-scale", "99"), "99")
        self.assert_one_line(self.run_program("shot", SCENE, "-o", "x.png", "--theme", "blue"), "blue", "expected light or dark")
        self.assert_one_line(self.run_program("shot", SCENE), "output")
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_needs_no_home(self):
        ran = self.run_program("shot", SCENE, "-o", "out.png", HOME="/dev/null")
        self.assertEqual((ran.returncode, ran.stderr), (0, ""))

    def test_needs_no_opengl_of_the_machine(self):
        ran = self.run_program("shot", SCENE, "-o", "out.png", MESA_GL_VERSION_OVERRIDE="2.1")
        self.assertEqual((ran.returncode, ran.stderr), (0, ""))

    def test_without_a_display_there_is_a_picture(self):
        ran = self.run_program(SCENE)
        self.assertEqual(ran.returncode, 0, ran.stderr)
        self.assertIn("no display", ran.stdout)
        self.assertTrue((self.folder / "attnscope.png").exists())

    def test_where_no_file_can_be_written_the_picture_lies_elsewhere(self):
        ran = self.run_program(SCENE, folder="/proc", TMPDIR=str(self.folder))
        self.assertEqual(ran.returncode, 0, ran.stderr)
        self.assertIn("no display", ran.stdout)
        self.assertIn(str(self.folder / "attnscope.png"), ran.stdout)
        self.assertTrue((self.folder / "attnscope.png").exists())

    def test_a_display_that_does_not_answer_is_none(self):
        ran = self.run_program(SCENE, DISPLAY=":4177")
        self.assertEqual(ran.returncode, 0, ran.stderr)
        self.assertIn(":4177", ran.stdout)
        self.assertTrue((self.folder / "attnscope.png").exists())


if __name__ == "__main__":
    PROGRAM = os.path.abspath(sys.argv[1])
    unittest.main(argv=[sys.argv[0]] + sys.argv[2:])
