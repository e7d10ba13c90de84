#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs the vectors against the subjects of subjects.def that are installed, and prints a line for each policy that one was asked for.

    python3 harnesses/subjects/subjects.py [--list] [--causes N] [--vectors GLOB]... [NAME...]
    python3 harnesses/subjects/subjects.py --table FIELD.json     prints the table of PROFILES.md, from a report of scripts/field-report
    python3 harnesses/subjects/subjects.py --speak NAME     becomes the adapter, on standard input and output
    python3 harnesses/subjects/subjects.py --speak -- '--plain [--no-verdict] [--no-output] [--] PROGRAM...'     the same for a plain program
    python3 harnesses/subjects/subjects.py --loadable DIR [NAME...]     compiles adapters of libraries as loadable codecs, and prints their paths

Exit code: 0 = each one answered, 1 = one did not, 2 = could not run."""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, Dict, List, NamedTuple, Optional, Tuple

HERE = Path(__file__).resolve().parent
NPM = HERE.parents[1] / "build" / "npm"
ADAPTERS = HERE.parents[1] / "build" / "adapters"  # those that --speak has compiled
ASSAY = os.environ.get("ASSAY", str(HERE.parents[1] / "build" / "assay"))
ROW = re.compile(r'^SUBJECT\((\w+), "([^"]+)", "([^"]+)", "([^"]*)", "([^"]+)", "([^"]*)", "(https://[^"]+)"\)$')
SECONDS = 120  # for a version query or a compilation


class Subject(NamedTuple):
    """A row."""
    name: str
    implementation: str
    packages: str
    build: str
    command: str
    version: str
    document: str

    def filled(self, text: str, folder: str = "") -> str:
        """A column with its two folders, quoted for the shell, because either may have a space."""
        return text.replace("{npm}", shlex.quote(str(NPM / self.name / "node_modules"))).replace("{}", shlex.quote(folder))


def rows(table: Path = HERE / "subjects.def") -> List[Subject]:
    """The table."""
    lines = [line for line in table.read_text("ascii").splitlines() if line.startswith("SUBJECT")]
    matches = [ROW.match(line) for line in lines]
    assert all(matches), [line for line, match in zip(lines, matches) if not match]
    return [Subject(*match.groups()) for match in matches if match]


def dpkg_versions() -> Dict[str, str]:
    """The version of each installed package; none if there is no dpkg."""
    try:
        done = subprocess.run(["dpkg-query", "-W", "-f", "${db:Status-Status} ${Package} ${Version}\n"], capture_output=True, text=True, check=False)
    except FileNotFoundError:
        return {}
    words = [line.split() for line in done.stdout.splitlines()]
    return {package: version for status, package, version in (row for row in words if len(row) == 3) if status == "installed"}


def version_of(subject: Subject, packages: Dict[str, str]) -> Optional[str]:
    """The installed version; None if it is not installed."""
    if not subject.version:
        names = subject.packages.split()
        return packages[names[0]] if all(name in packages for name in names) else None
    done = subprocess.run(subject.filled(subject.version), shell=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, errors="replace", check=False, cwd=HERE, timeout=SECONDS)
    lines = [line.strip() for line in done.stdout.splitlines() if line.strip()]
    return lines[0] if done.returncode == 0 and lines else None


def lacking(subject: Subject) -> str:
    """What a subject that is not installed needs: the files that its version query looks for, where they are missing; else its packages."""
    missing = [Path(path).name for path in re.findall(r"test -e (\S+)", subject.version) if not (HERE / path).exists()]
    return f"{' '.join(missing)} (it needs {subject.packages}, too)" if missing else subject.packages


def installed(subjects: List[Subject]) -> List[Tuple[Subject, Optional[str]]]:
    """The installed subjects with their versions, or None."""
    packages = dpkg_versions()
    return [(subject, version_of(subject, packages)) for subject in subjects]


def command_of(subject: Subject, folder: str, options: List[str]) -> List[str]:
    """The words of `assay run` for a subject whose adapter is compiled in `folder`. A hang takes twice the time limit."""
    words = shlex.split(subject.filled(subject.command, folder))
    return [ASSAY, "run", "--json", "--time-limit", "10", "--start-limit", "120", *options, *([] if words[0].startswith("-") else ["--"]), *words]


def build(subject: Subject, folder: str) -> None:
    """Compiles the adapter; raises RuntimeError if that fails."""
    if subject.build:
        done = subprocess.run(subject.filled(subject.build, folder), shell=True, capture_output=True, text=True, check=False, cwd=HERE, timeout=SECONDS)
        if done.returncode:
            raise RuntimeError(f"{subject.build}\n{done.stderr[-2000:]}")


def ask(subject: Subject, globs: List[str], folder: str) -> Dict[str, Any]:
    """The report of `assay run`; raises RuntimeError if there is none. Compiled files go to `folder`."""
    build(subject, folder)
    done = subprocess.run(command_of(subject, folder, globs), capture_output=True, text=True, check=False, cwd=HERE)
    if done.returncode not in (0, 1):
        raise RuntimeError(done.stderr[-2000:])
    report: Dict[str, Any] = json.loads(done.stdout)
    return report


def compiled(subject: Subject) -> Path:
    """The folder with the compiled adapter; it is compiled if its sources or the command changed. Raises RuntimeError if that fails."""
    folder = ADAPTERS / subject.name
    sources = sorted({HERE / word for word in subject.build.split() if (HERE / word).is_file()} | set(HERE.glob("libraries/*.h")))
    digest = hashlib.sha256(subject.build.encode() + b"".join(path.read_bytes() for path in sources)).hexdigest()
    stamp = folder / "stamp"
    if subject.build and not (stamp.exists() and stamp.read_text("ascii") == digest):
        folder.mkdir(parents=True, exist_ok=True)
        build(subject, str(folder))
        stamp.write_text(digest, "ascii")
    return folder


def can_be_loaded(subject: Subject) -> bool:
    """True for the adapter of a library from which loadable.h makes a codec: the library has no other one here, the adapter knows the
    policy `strict`, and does more than validate some inputs."""
    texts = [(HERE / word).read_text("ascii") for word in subject.build.split() if word.startswith("libraries/")]
    return (bool(texts) and "musl" not in subject.build and not list(HERE.glob(f"{subject.name}.c*")) and
            all("policies=strict" in text and not ("ops=validate " in text and "NOT_OFFERED" in text) for text in texts))


def build_loadable(subject: Subject, folder: str) -> str:
    """Compiles the adapter as a loadable codec. Returns its path; raises RuntimeError if that fails."""
    path = os.path.join(os.path.abspath(folder), f"{subject.name}.so")
    build(subject._replace(build=subject.build.replace(f"-o {{}}/{subject.name} ", f"-shared -fPIC -DASSAY_LOADABLE={subject.name} -o {shlex.quote(path)} ")), "")
    return path


def scalars(text: str) -> str:
    """SCALARS of the protocol."""
    return ",".join(f"{ord(char):X}" for char in text) or "-"


def answer_of_program(options: List[str], command: List[str], operation: str, fields: List[str]) -> str:
    """The reply of a plain program, which is started for this request: its exit code, or its output, as `assay run --plain` reads them."""
    if operation not in ("validate", "decode") or fields[0] != "utf-8" or "," in fields[-1] or fields[1:-1] not in ([], ["own"]):
        return "skip not offered"
    text = bytes.fromhex(fields[-1].replace("-", ""))
    done = subprocess.run(command, input=text, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False, timeout=SECONDS)
    if done.returncode < 0 or (done.returncode > 1 and "--no-verdict" not in options):
        sys.exit(f"subjects: {command[0]} ended by {'signal' if done.returncode < 0 else 'exit code'} {abs(done.returncode)}")
    if operation == "validate":
        return "skip it has no verdict" if "--no-verdict" in options else "ok" if done.returncode == 0 else "error"
    if "--no-output" in options:
        return "skip it has no output"
    if done.returncode == 1 and done.stdout == b"" and "--no-verdict" not in options:
        return "skip it refuses these bytes"
    try:
        return "ok " + scalars(done.stdout.decode("utf-8"))
    except UnicodeDecodeError:
        return f"skip its output is not UTF-8: {done.stdout.hex().upper()}"


def speak_for_program(name: str, options: List[str], command: List[str]) -> None:
    """Answers the line protocol for a plain program."""
    for line in sys.stdin:
        number, *words = line.split()
        if number == "hello":
            operations = [word for word, option in (("validate", "--no-verdict"), ("decode", "--no-output")) if option not in options]
            reply = f"hello assay/1 {name} encodings=utf-8 policies=own ops={','.join(operations)} chunks=no"
        else:
            reply = f"{number} {answer_of_program(options, command, words[0], words[1:])}"
        print(reply, flush=True)


def without_program(command: List[str]) -> str:
    """The sentence about a program that there is not, but for a path with spaces, of which the first words are taken for the program."""
    paths = [" ".join(command[:count]) for count in range(2, len(command) + 1)]
    found = [path for path in paths if shutil.which(path) is not None]
    return f"there is no program {command[0]}" + (f"; a path with a space needs quotes inside: {shlex.quote(found[0])}" if found else "")


def speak_for_words(text: str) -> int:
    """Answers for a plain program, given as `assay run` takes it: --plain [--no-verdict] [--no-output] [--] PROGRAM..., the options in any order."""
    words = shlex.split(text)
    at = next((index for index, word in enumerate(words) if not word.startswith("--")), len(words))
    options, command = set(words[:at]) - {"--"}, words[at:]
    unknown = options - {"--plain", "--no-verdict", "--no-output"}
    problem = (f"there is no option {min(unknown)}" if unknown else "nothing is left to compare" if len(options) == 3 else
               "no program is named" if not command else without_program(command) if shutil.which(command[0]) is None else "")
    if problem:
        print(f"subjects: {text}: {problem}", file=sys.stderr)
        return 2
    speak_for_program(re.sub(r"[^!-~]", "_", Path(command[0]).name), sorted(options), command)
    return 0


def speak(subject: Subject) -> int:
    """Replaces this process by the adapter. Returns only for a plain program, or if there is none to run."""
    if installed([subject])[0][1] is None:
        print(f"subjects: {subject.name} is not installed: {lacking(subject)} (scripts/setup subjects installs it)", file=sys.stderr)
        return 2
    try:
        folder = compiled(subject)
    except RuntimeError as problem:
        print(f"subjects: {subject.name} does not compile: {problem}", file=sys.stderr)
        return 2
    words = shlex.split(subject.filled(subject.command, str(folder)))
    os.chdir(HERE)
    if not words[0].startswith("-"):
        os.execvp(words[0], words)
    at = words.index("--")
    speak_for_program(subject.name, words[:at], words[at + 1:])
    return 0


def print_report(subject: Subject, version: str, report: Dict[str, Any], causes: int) -> None:
    """Prints a line for the subject, one for each policy, and the causes of failures."""
    requests = report["requests"]
    print(f"{subject.name:18} {subject.implementation:18} {version[:30]:30} {requests['answered']:6} answers, {requests['failed']} failed", end="")
    print(f", {requests['troubled']} no answers" if requests["troubled"] else "")
    for row in report["profiles"]:
        asked = "" if row["asked_for"] == row["profile"] else f" ({row['asked_for']})"
        print(f"    {row['encoding']} {row['profile']}{asked}: {row['left_over'][row['profile']]} of {row['answers']} left over")
    for cause in report["causes"][:causes]:
        print(f"        {cause['requests']} of {cause['cause']}, such as {(cause['shrunk'] or cause)['asked']}"[:300])


def print_table(path: Path) -> None:
    """A table in Markdown of the subjects of field.json: for each encoding and policy that was asked, the policy that fits best, and how many
    answers it does not explain."""
    print("| subject | implementation | version | policies |\n|---|---|---|---|")
    for entry in json.loads(path.read_text("ascii"))["subjects"]:
        fits = [f"{row['encoding']} {row['profile']}" + (f" ({row['left_over']} of {row['answers']} left)" if row["left_over"] else "") for row in entry["profile"]]
        requests = entry["requests"]
        verdicts = [] if fits else [f"verdicts only ({requests['failed']} of {requests['answered']} wrong)"]
        share = [f"asked one case in {entry['every']}"] if entry["every"] > 1 else []
        print(f"| {entry['name']} | {entry['implementation']} | {entry['version'][:40].replace('|', '/')} | {'; '.join(fits + verdicts + share)} |")


def print_loadable(chosen: List[Subject], folder: str) -> int:
    """Compiles those that are installed and can be loaded, and prints their paths in the form of ASSAY_CODECS. Returns the exit code."""
    paths, failed = [], 0
    os.makedirs(folder, exist_ok=True)
    for subject, version in installed([subject for subject in chosen if can_be_loaded(subject)]):
        if version is not None:
            try:
                paths.append(build_loadable(subject, folder))
            except RuntimeError as problem:
                failed += 1
                print(f"subjects: {subject.name} does not compile: {problem}", file=sys.stderr)
    print(":".join(paths))
    return 1 if failed else 0


def main() -> int:
    """See the docstring of the module."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help="subjects (default: all that are installed)")
    parser.add_argument("--list", action="store_true", help="only print which are installed")
    parser.add_argument("--table", type=Path, metavar="FIELD.json", help="print the table of PROFILES.md, from a report of scripts/field-report")
    parser.add_argument("--causes", type=int, default=0, metavar="N", help="print N causes of failures of each, too")
    parser.add_argument("--vectors", action="append", default=[], metavar="GLOB", help="ask these vectors only")
    parser.add_argument("--loadable", metavar="DIR", help="compile the adapters of libraries in DIR as loadable codecs, and print their paths")
    parser.add_argument("--speak", action="store_true", help="become the adapter of the subject NAME: the line protocol on standard input and output")
    wishes = parser.parse_args()
    if not wishes.speak:
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # a pager that ends early is no error
    if wishes.table is not None:
        print_table(wishes.table)
        return 0
    if wishes.speak and len(wishes.names) == 1 and wishes.names[0].startswith("--"):
        return speak_for_words(wishes.names[0])
    chosen = [subject for subject in rows() if not wishes.names or subject.name in wishes.names]
    unknown = set(wishes.names) - {subject.name for subject in chosen}
    if unknown:
        print(f"subjects: no row of subjects.def is named {', '.join(sorted(unknown))}", file=sys.stderr)
        return 2
    if wishes.speak:
        if len(wishes.names) != 1:
            parser.error("--speak takes one NAME")
        return speak(chosen[0])
    if wishes.loadable is not None:
        return print_loadable(chosen, wishes.loadable)
    failed = 0
    for subject, version in installed(chosen):
        if version is None or wishes.list:
            print(f"{subject.name:18} {subject.implementation:18} {version or 'not installed: ' + lacking(subject)}")
            continue
        try:
            with tempfile.TemporaryDirectory() as folder:
                report = ask(subject, wishes.vectors, folder)
            print_report(subject, version, report, wishes.causes)
        except (RuntimeError, subprocess.TimeoutExpired) as problem:
            failed += 1
            print(f"{subject.name:18} could not be asked: {problem}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
