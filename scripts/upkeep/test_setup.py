# SPDX-License-Identifier: MIT
"""scripts/setup over an apt-get that only pretends, and configuring without jansson."""

from __future__ import annotations

import os
import subprocess
import unittest
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Dict

ROOT = Path(__file__).resolve().parents[2]
ABSENT = "ninja"  # what apt-get has to install
LOCKED = "E: Could not get lock /var/lib/dpkg/lock-frontend. It is held by process 4711 (apt-get)"

APT = f"""#!/bin/sh
echo "$1" >>"$CALLS"
if [ "$(wc -l <"$CALLS")" -le "$LOCKED_CALLS" ]; then
  echo "{LOCKED}" >&2
  exit 100
fi
[ "$1" = update ] || [ -n "$BROKEN" ] || ln -s /bin/true "${{0%/*}}/{ABSENT}"
[ -z "$BROKEN" ] || {{ echo "E: Unable to locate package"; exit 100; }}
"""


class SetupTest(unittest.TestCase):
    """With a folder of programs that holds all that is installed but one, made once, and one of pretended programs before it."""

    installed: Path

    @classmethod
    def setUpClass(cls) -> None:
        folder = TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.installed = Path(folder.name)
        for place in ("/usr/bin", "/bin"):
            for entry in os.scandir(place):
                if entry.name not in (ABSENT, "apt-get", "sudo", "sleep", "npm") and not os.path.lexists(cls.installed / entry.name):
                    os.symlink(entry.path, cls.installed / entry.name)

    def setUp(self) -> None:
        folder = TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.calls = self.folder / "calls"
        programs = self.folder / "bin"
        programs.mkdir()
        self.path = f"{programs}:{self.installed}"
        for name, text in (("apt-get", APT), ("sudo", '#!/bin/sh\n[ "$1" != -n ] || shift\nexec "$@"\n'), ("sleep", "#!/bin/sh\n"), ("npm", "#!/bin/sh\n")):
            (programs / name).write_text(text)
            (programs / name).chmod(0o755)

    def set_up(self, code: int, locked_calls: int, env: Dict[str, str], group: str = "build") -> str:
        """Runs it, asserts this exit code, and returns its output."""
        done = subprocess.run([str(ROOT / "scripts/setup"), group], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=60,
                              env={**os.environ, "PATH": self.path, "CALLS": str(self.calls), "LOCKED_CALLS": str(locked_calls), **env})
        self.assertEqual(done.returncode, code, done.stdout)
        return done.stdout

    def test_lists_of_packages_are_fetched_before_they_are_looked_at(self) -> None:
        """On a machine that has no lists; on one with some, lists are fetched only when something is to be installed."""
        cache = self.folder / "bin" / "apt-cache"
        for code, calls in (("[ $(wc -l <$CALLS) -gt 0 ]", ["update", "update", "install"]), ("true", ["update", "install"])):
            cache.unlink(missing_ok=True)
            cache.write_text(f"#!/bin/sh\n{code}\n")
            cache.chmod(0o755)
            self.calls.write_text("")
            (self.folder / "bin" / ABSENT).unlink(missing_ok=True)
            said = self.set_up(0, 0, {}, "subjects")
            self.assertEqual("setup: apt has no lists of packages yet" in said, len(calls) == 3, said)
            self.assertEqual(self.calls.read_text().split(), calls)

    def test_npm_comes_with_what_is_installed_from_it(self) -> None:
        """Else the first call of a newcomer would leave those subjects out."""
        (self.folder / "bin" / ABSENT).symlink_to("/bin/true")
        (self.folder / "bin" / "npm").unlink()
        for group in ("subjects", "npm-subjects"):
            done = subprocess.run([str(ROOT / "scripts/setup"), "--no-install", group], capture_output=True, text=True, timeout=60, check=False,
                                  env={**os.environ, "PATH": self.path})
            self.assertEqual(done.returncode, 2)
            self.assertRegex(done.stderr, r"missing, and not installed because of --no-install:( .*)? npm\b")

    def test_a_version_may_ask_for_more_than_its_package(self) -> None:
        """A browser's version needs what npm installs, after the packages; only dpkg says whether the browser is installed. It is named
        once."""
        for name, code in (("apt-cache", "echo chromium"), ("dpkg-query", f"[ $1 = -W ] || [ $2 = chromium ] && [ -e ${{0%/*}}/{ABSENT} ]")):
            (self.folder / "bin" / name).unlink(missing_ok=True)
            (self.folder / "bin" / name).write_text(f"#!/bin/sh\n{code}\n")
            (self.folder / "bin" / name).chmod(0o755)
        self.assertIn("setup: installing ninja-build chromium\n", self.set_up(0, 0, {}, "subjects"))

    def test_says_that_all_is_there(self) -> None:
        """Where nothing was missing, that is all it says; after installing, it is the last line; where something is missing, it is not said."""
        end = "setup: all packages for build are there\n"
        self.assertEqual(self.set_up(0, 0, {}), f"setup: installing ninja-build\n{end}")
        self.assertEqual(self.set_up(0, 0, {}), end)
        (self.folder / "bin" / ABSENT).unlink()
        self.assertNotIn("are there", self.set_up(2, 0, {"BROKEN": "yes"}))

    def test_waits_for_another_apt(self) -> None:
        """Prints once what it waits for, then continues; for both calls of apt."""
        said = self.set_up(0, 3, {})
        self.assertIn("setup: installing ninja-build\n", said)
        self.assertEqual(said.count("setup: waiting for another apt to end: Could not get lock"), 1)
        self.assertIn("held by process 4711", said)
        self.assertEqual(self.calls.read_text().split(), ["update"] * 4 + ["install"])

    def test_does_not_wait_for_ever(self) -> None:
        """After the limit it fails, and says how long it waited."""
        self.assertIn("another apt was still at work after 0 s", self.set_up(2, 100, {"ASSAY_APT_SECONDS": "0"}))

    def test_finds_its_files_from_any_folder(self) -> None:
        """Called by a relative path; the rows of subjects are read after it has changed to the checkout."""
        (self.folder / "bin" / ABSENT).symlink_to("/bin/true")
        done = subprocess.run(["./setup", "--no-install", "npm-subjects"], cwd=ROOT / "scripts", capture_output=True, text=True, timeout=60, check=False,
                              env={**os.environ, "PATH": self.path})
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertNotIn("No such file", done.stderr)

    def test_does_not_wait_for_what_no_time_mends(self) -> None:
        """A package that there is not."""
        said = self.set_up(2, 0, {"BROKEN": "yes"})
        self.assertIn("E: Unable to locate package", said)
        self.assertNotIn("waiting", said)


class ConfigureTest(unittest.TestCase):
    """CMake where a library is missing."""

    def test_says_at_the_end_that_there_will_be_no_command_line(self) -> None:
        """Since all else is built and ends well."""
        version = subprocess.run(["cmake", "--version"], stdout=subprocess.PIPE, text=True, check=True).stdout.split()[2]
        if tuple(map(int, version.split(".")[:2])) < (3, 19):
            self.skipTest(f"CMake {version} cannot defer a message to the end")
        with TemporaryDirectory() as folder:
            done = subprocess.run(["cmake", "-S", str(ROOT), "-B", folder, "-G", "Ninja", "-DJANSSON_INCLUDE_DIR=OFF"], stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, text=True, timeout=300)
        self.assertEqual(done.returncode, 0, done.stdout)
        end = done.stdout[done.stdout.rindex("CMake Warning"):]
        self.assertIn("assay needs jansson", " ".join(end.split()))
        self.assertIn("-- Configuring done", end)
        self.assertNotIn("-- Found", end)
        self.assertEqual(done.stdout.count("CMake Warning"), 2)

    def test_says_that_python_is_missing(self) -> None:
        """Python makes the seeds; nothing is built without it."""
        with TemporaryDirectory() as folder:
            done = subprocess.run(["cmake", "-S", str(ROOT), "-B", folder, "-G", "Ninja", "-DCMAKE_DISABLE_FIND_PACKAGE_Python3=ON"],
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=300)
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertIn("Python 3.9 or later is missing (Debian: python3)", " ".join(done.stdout.split()))


if __name__ == "__main__":
    unittest.main()
