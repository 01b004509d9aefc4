"""A real window on a screen of its own, with a mouse and a keyboard: Xvfb and xdotool.

Usage: real_window_test.py PROGRAM ITEM_RECTS
"""
import json
import os
import pathlib
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
import unittest

PROGRAM = ITEM_RECTS = None
SOURCE = pathlib.Path(__file__).resolve().parent.parent.parent
WIDTH, HEIGHT = 1280, 720
PATIENCE = 60  # seconds; a machine under sanitizers and load is slow


def wait_until(condition, what):
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        value = condition()
        if value:
            return value
        time.sleep(0.05)
    raise AssertionError(f"waited {PATIENCE} s for {what}")


class Screen:
    """An X server that nobody sees."""

    def __init__(self):
        reading, writing = os.pipe()
        self.server = subprocess.Popen(
            ["Xvfb", "-displayfd", str(writing), "-screen", "0", f"{WIDTH}x{HEIGHT}x24", "-nolisten", "tcp", "-noreset"],
            pass_fds=[writing], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(writing)
        with os.fdopen(reading) as pipe:
            self.display = ":" + pipe.readline().strip()

    def close(self):
        self.server.terminate()
        self.server.wait()


class RealWindow(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.screen = Screen()

    @classmethod
    def tearDownClass(cls):
        cls.screen.close()

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.home = pathlib.Path(folder.name)
        self.scene = self.home / "cat.json"
        shutil.copy(SOURCE / "assets/scenes/it_and_cat.json", self.scene)
        self.environment = {name: value for name, value in os.environ.items()
                            if not name.startswith("XDG_") and name not in ("WAYLAND_DISPLAY", "GTK_THEME")}
        self.environment.update(HOME=str(self.home), DISPLAY=self.screen.display)
        config = self.home / ".config/attnscope"
        config.mkdir(parents=True)
        (config / "settings.json").write_text(json.dumps(
            {"theme": "light", "window_width": WIDTH, "window_height": HEIGHT}))
        listing = subprocess.run([ITEM_RECTS, self.scene, str(WIDTH), str(HEIGHT)], capture_output=True, text=True,
                                 check=True, timeout=PATIENCE).stdout
        self.items = {}
        for line in listing.splitlines():
            path, *numbers = line.split("\t")
            self.items[path] = [float(number) for number in numbers]

    def start(self, *arguments):
        self.log = open(self.home / "log", "w+")
        self.addCleanup(self.log.close)
        self.process = subprocess.Popen([PROGRAM, *map(str, arguments)], env=self.environment, cwd=self.home,
                                        stdout=self.log, stderr=self.log)
        self.addCleanup(self.end)
        self.window = wait_until(self.find_window, "the window")
        self.xdotool("windowfocus", "--sync", self.window)
        wait_until(lambda: " – attnscope" in self.title(), "the first frame")

    def end(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()

    def find_window(self):
        self.assertIsNone(self.process.poll(), "the program ended: " + pathlib.Path(self.log.name).read_text())
        found = subprocess.run(["xdotool", "search", "--onlyvisible", "--name", "attnscope"], env=self.environment,
                               capture_output=True, text=True)
        return found.stdout.split()[0] if found.stdout.split() else None

    def xdotool(self, *words):
        return subprocess.run(["xdotool", *map(str, words)], env=self.environment, check=True, capture_output=True,
                              text=True, timeout=PATIENCE).stdout

    def title(self):
        return self.xdotool("getwindowname", self.window)

    def is_at_rest(self):
        """Whether no thread of the program runs or waits for a processor."""
        for stat in pathlib.Path(f"/proc/{self.process.pid}/task").glob("*/stat"):
            try:
                if stat.read_text().rsplit(")", 1)[1].split()[0] in "RD":
                    return False
            except OSError:
                pass  # the thread has just ended
        return True

    def pause(self):
        """Until the program has done with what it was told, and sleeps."""
        time.sleep(0.15)
        calm, end = 0, time.monotonic() + PATIENCE
        while calm < 8 and time.monotonic() < end and self.process.poll() is None:
            calm = calm + 1 if self.is_at_rest() else 0
            time.sleep(0.02)

    def key(self, *chords):
        for chord in chords:
            self.xdotool("key", "--delay", "60", chord)
            self.pause()

    def type(self, text):
        self.xdotool("type", "--delay", "40", text)
        self.pause()

    def move(self, x, y):
        self.xdotool("mousemove", "--sync", "--window", self.window, round(x), round(y))
        self.pause()

    def centre(self, path):
        left, top, right, bottom = self.items[path]
        return (left + right) / 2, (top + bottom) / 2

    def click(self, path, times=1):
        self.move(*self.centre(path))
        self.xdotool("click", "--repeat", times, "--delay", "120", "1")
        self.pause()

    def drag(self, path, by):
        x, y = self.centre(path)
        self.move(x, y)
        self.xdotool("mousedown", "1")
        for step in range(1, 5):
            self.move(x + by * step / 4, y)
        self.xdotool("mouseup", "1")
        self.pause()

    def saved(self):
        return json.loads(self.scene.read_text())

    def save(self):
        before = self.scene.stat().st_mtime_ns
        self.key("ctrl+s")
        wait_until(lambda: self.scene.stat().st_mtime_ns != before, "the file to be saved")
        return self.saved()

    def quit(self):
        self.key("ctrl+q")
        self.assertEqual(self.process.wait(timeout=PATIENCE), 0, pathlib.Path(self.log.name).read_text())

    def test_a_person_edits_saves_and_opens_again(self):
        self.start(self.scene)
        self.click("Inputs/Q[0][0]", times=2)
        self.type("5.5")
        self.key("Return")
        self.drag("Scale/Temperature", 40)
        edited = self.save()
        self.assertEqual(edited["heads"][0]["q"][0][0], 5.5)
        self.assertGreater(edited["scale"]["temperature"], 1)
        self.assertEqual(edited.get("masks", []), [])

        self.click("Mask/painter")
        painted = self.save()
        self.assertEqual([rule["rule"] for rule in painted["masks"]], ["painted"])
        self.key("ctrl+z")
        self.assertEqual(self.save(), edited)

        self.key("F12")
        picture = wait_until(lambda: list(self.home.glob("attnscope-*.png")), "the picture")[0]
        self.assertEqual(struct.unpack(">II", picture.read_bytes()[16:24]), (WIDTH, HEIGHT))
        self.quit()

        self.start()
        self.key("ctrl+o")
        self.type(str(self.scene))
        self.key("Return")
        wait_until(lambda: self.title().startswith("cat.json"), "the scene to be opened")
        again = self.home / "again.json"
        self.key("ctrl+shift+s", "ctrl+a")
        self.type(str(again))
        self.key("Return")
        wait_until(again.exists, "the copy")
        self.assertEqual(json.loads(again.read_text()), edited)
        self.quit()

    def audience_windows(self):
        found = subprocess.run(["xdotool", "search", "--onlyvisible", "--name", "for the audience"],
                               env=self.environment, capture_output=True, text=True)
        return found.stdout.split()

    def test_a_lecture_with_a_second_window(self):
        self.start(self.scene)
        self.key("ctrl+1", "F5", "Page_Down", "s", "b", "Escape", "Escape")
        self.key("shift+F5")
        wait_until(self.audience_windows, "the window for the audience")
        self.key("1", "h", "Page_Down", "ctrl+m")
        self.assertTrue(self.audience_windows())
        self.key("shift+F5")
        wait_until(lambda: not self.audience_windows(), "the end of the second window")
        saved = self.save()
        self.assertEqual([slide["number"] for slide in saved["slides"]], [1])
        self.assertEqual([rule["rule"] for rule in saved["masks"]], ["causal"])
        self.quit()

    def test_closing_asks_about_unsaved_changes(self):
        self.start(self.scene)
        self.drag("Scale/Temperature", 40)
        wait_until(lambda: "•" in self.title(), "the sign of unsaved changes")
        self.key("ctrl+q")
        self.pause()
        self.assertIsNone(self.process.poll())
        self.key("Escape")
        self.key("ctrl+z")
        self.quit()

    def test_a_crash_loses_at_most_ten_seconds(self):
        self.start(self.scene)
        self.drag("Scale/Temperature", 40)
        changed = time.monotonic()
        folder = self.home / ".local/state/attnscope/autosave"
        wait_until(lambda: folder.is_dir() and list(folder.glob("*.json")), "the autosaved scene")
        self.assertLess(time.monotonic() - changed, 10)
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        self.start()
        self.key("space")  # Restore has the keyboard
        wait_until(lambda: self.title().startswith("cat.json •"), "the restored scene")
        self.assertGreater(self.save()["scale"]["temperature"], 1)
        self.quit()

    def test_nothing_to_do_costs_nothing(self):
        self.start(self.scene)
        self.move(5, HEIGHT - 5)
        time.sleep(2)  # what the start set off has come to rest

        def spent():
            fields = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
            return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

        before = spent()
        time.sleep(3)
        self.assertLess(spent() - before, 0.05)
        self.quit()

    def test_an_old_opengl_is_named(self):
        self.environment["MESA_GL_VERSION_OVERRIDE"] = "2.1"
        ran = subprocess.run([PROGRAM, self.scene], env=self.environment, cwd=self.home, capture_output=True, text=True,
                             timeout=PATIENCE)
        self.assertEqual(ran.returncode, 1)
        self.assertIn("OpenGL 3.3", ran.stderr)
        self.assertEqual(len(ran.stderr.splitlines()), 1, ran.stderr)

    def test_a_home_that_cannot_be_written_is_no_obstacle(self):
        self.environment["HOME"] = "/dev/null"
        self.start(self.scene)
        self.drag("Scale/Temperature", 40)
        self.assertGreater(self.save()["scale"]["temperature"], 1)
        self.quit()


if __name__ == "__main__":
    PROGRAM, ITEM_RECTS = (os.path.abspath(word) for word in sys.argv[1:3])
    unittest.main(argv=[sys.argv[0]] + sys.argv[3:])
