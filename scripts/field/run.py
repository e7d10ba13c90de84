# SPDX-License-Identifier: MIT
"""Asks all subjects, a few at a time, and writes field.json and field.html."""

from __future__ import annotations

import argparse
import errno
import fnmatch
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor, as_completed
from datetime import datetime, timezone
from pathlib import Path
from typing import Any, Dict, List, NamedTuple, Optional, Tuple, Union

from hunting.exits import INTERRUPTED
from hunting.files import write_file
from hunting.provenance import commit, version
from pages import shared
from subjects import operations
from subjects.divergences import FIELD, read_checks
from subjects.subjects import ASSAY, HERE, Subject, dpkg_versions, rows, version_of

from . import ROOT, readings
from .asking import CouldNotAsk, Plan, ask_subject
from .changes import Changes, read_field
from .children import Children, Stopped
from .entries import Entry, Vectors, entry_of, load_vectors, short
from .readme_html import stories

BUILD = (["cmake", "--preset", "dev"], ["cmake", "--build", "build", "--target", "assay"])
INSTALL = ([str(ROOT / "scripts" / "setup"), "subjects", "page"], *BUILD)


class Job(NamedTuple):
    """A subject that is installed."""
    subject: Subject
    version: str


class Task(NamedTuple):
    """What all workers need."""
    cwd: Path
    plan: Plan
    vectors: Vectors
    checks: Dict[str, Dict[str, str]]  # of the divergences
    about: Dict[str, Dict[str, str]]   # for an implementation, its divergences and the subjects that they name


class Progress:
    """A line for each subject that is done; on a terminal, between these, one line that changes."""

    def __init__(self, count: int) -> None:
        self.count, self.done, self.began = count, 0, time.monotonic()
        self.on_terminal = sys.stderr.isatty()
        self.lock = threading.Lock()
        self.at_work: List[str] = []

    def rest(self) -> str:
        """An estimate of the time left."""
        seconds = (time.monotonic() - self.began) / max(self.done, 1) * (self.count - self.done)
        return f"about {seconds / 60:.0f} min left" if seconds >= 90 else f"about {seconds:.0f} s left"

    def show(self) -> None:
        """Updates the line that changes."""
        if self.on_terminal and self.done < self.count:
            estimate = f", {self.rest()}" if self.done else ""
            print(f"\r\x1b[K{self.done} of {self.count}{estimate}: {', '.join(self.at_work)}", end="", file=sys.stderr, flush=True)

    def begin(self, name: str) -> None:
        """Adds a subject to those that are being asked."""
        with self.lock:
            self.at_work.append(name)
            self.show()

    def end(self, name: str, words: str) -> None:
        """Removes a subject from those that are being asked, and prints its result."""
        with self.lock:
            self.at_work.remove(name)
            self.done += 1
            clear = "\r\x1b[K" if self.on_terminal else ""
            rest = f"; {self.rest()}" if self.done < self.count and not self.on_terminal else ""
            print(f"{clear}[{self.done}/{self.count}] {name}: {words}{rest}", file=sys.stderr, flush=True)
            self.show()


def parse(words: Optional[List[str]]) -> argparse.Namespace:
    """The options of the command line."""
    parser = argparse.ArgumentParser(prog="field-report", description="Asks decoders by others the golden vectors, and writes field.json and field.html.",
                                     epilog="Exit code: 0 = each installed subject was asked, 1 = one could not be or, with --baseline, answers changed, "
                                            "2 = could not run, 130 = interrupted.")
    parser.add_argument("--out", type=Path, default=ROOT / "build" / "field", metavar="DIR", help="the folder to write to (default build/field)")
    parser.add_argument("--subjects", default="*", metavar="GLOB,...", help="names, implementations or packages of subjects: 'node*', 'npm *' (default: all that are installed)")
    parser.add_argument("--install", action="store_true", help="first install what the subjects and the page need, and build assay")
    parser.add_argument("--all", action="store_true", help="ask each subject all cases, however long it takes")
    parser.add_argument("--seconds", type=float, default=40, metavar="N",
                        help="seconds that a subject may take, after the 480 cases that each is asked; a slow one is asked a share of the cases (default 40)")
    parser.add_argument("--baseline", type=Path, metavar="FILE",
                        help="an earlier field.json: print what changed since, and exit 1 on new failures and on known ones that pass")
    parser.add_argument("--jobs", "-j", type=int, default=2, metavar="N", help="subjects at a time (default 2)")
    parser.add_argument("--table", type=Path, default=HERE / "subjects.def", metavar="FILE",
                        help="the table of subjects; their commands run in its folder (default harnesses/subjects/subjects.def)")
    chosen = parser.parse_args(words)
    if not 0 < chosen.seconds < float("inf") or chosen.jobs < 1:
        parser.error("--seconds and --jobs must be above 0, and finite")
    return chosen


def find(table: Path, globs: List[str]) -> Tuple[List[Job], List[Subject]]:
    """The subjects that match and are installed, and those that are not."""
    packages = dpkg_versions()
    jobs, missing = [], []
    for subject in rows(table):
        if not any(fnmatch.fnmatchcase(name, glob) for name in (subject.name, subject.implementation, subject.packages) for glob in globs):
            continue
        try:
            version = version_of(subject, packages)
        except subprocess.TimeoutExpired:
            version = None
        if version is None:
            missing.append(subject)
        else:
            jobs.append(Job(subject, version))
    return jobs, missing


def task_of(table: Path, plan: Plan, vectors: Vectors) -> Task:
    """Reads what all workers need."""
    checks = read_checks()
    implementations = {subject.name: subject.implementation for subject in rows()}
    about: Dict[str, Dict[str, str]] = {}
    for name, check in checks.items():
        about.setdefault(implementations[check["subject"]], {})[name] = check["subject"]
    return Task(table.resolve().parent, plan, vectors, checks, about)


def described(entry: Dict[str, Any]) -> str:
    """The result of a subject in a few words."""
    requests, every = entry["requests"], entry["every"]
    share = "" if every == 1 else f", one case in {every}" if every else ", only the first cases"
    trouble = f", {requests['troubled'] + requests['not_asked']} no answers" if requests["troubled"] + requests["not_asked"] else ""
    left = f", {entry['left_over']} left over" if requests["failed"] else ""
    return f"{requests['answered']} answers, {requests['failed']} failed{left}{trouble}{share}"


def ask(job: Job, task: Task, children: Children, progress: Progress) -> Union[Entry, str]:
    """The entry of a subject, or the reason why it could not be asked."""
    progress.begin(job.subject.name)
    with tempfile.TemporaryDirectory(prefix="field-") as folder:
        try:
            asked = ask_subject(job.subject, Path(folder), task.cwd, task.plan, children, task.checks)
            result: Union[Entry, str] = entry_of(job.subject, job.version, asked, task.vectors, task.about.get(job.subject.implementation, {}))
            words = described(result.entry)
        except (CouldNotAsk, OSError, LookupError, ValueError, TypeError) as problem:
            result = short(str(problem) or type(problem).__name__)
            words = f"could not be asked: {result.splitlines()[-1]}"
    progress.end(job.subject.name, words)
    return result


def ask_all(jobs: List[Job], task: Task, at_once: int) -> Dict[str, Union[Entry, str]]:
    """Asks all subjects. Returns for each name what ask() returns."""
    children, progress = Children(), Progress(len(jobs))
    pool = ThreadPoolExecutor(at_once)
    waiting = {pool.submit(ask, job, task, children, progress): job.subject.name for job in jobs}
    try:
        return {waiting[future]: future.result() for future in as_completed(waiting)}
    finally:
        children.stop_all()
        pool.shutdown(wait=True, cancel_futures=True)


def compose(jobs: List[Job], missing: List[Subject], found: Dict[str, Union[Entry, str]], vectors: Vectors, seconds: float, words: List[str]) -> Dict[str, Any]:
    """The content of field.json."""
    asked = {job.subject.name: one for job in jobs for one in [found[job.subject.name]] if isinstance(one, Entry)}
    refused = [(job, one) for job in jobs for one in [found[job.subject.name]] if isinstance(one, str)]
    program = {"version": version(ROOT), "commit": commit(ROOT), "command": ["scripts/field-report", *words]}
    return {"field": 1, "made": datetime.now(timezone.utc).strftime("%Y-%m-%d %H:%M UTC"), "program": program, "vectors": vectors.version, "seconds": round(seconds),
            "implementations": len({one.entry["implementation"] for one in asked.values()}), "category_counts": vectors.counts,
            "subjects": [one.entry for one in asked.values()],
            "not_installed": [{"name": one.name, "implementation": one.implementation, "package": one.packages} for one in missing],
            "could_not_be_asked": [{"name": job.subject.name, "version": short(job.version), "reason": reason} for job, reason in refused],
            "readings": readings.table({name: one.readings for name, one in asked.items()}), "divergences": stories(FIELD)}


def write(out: Path, field: Dict[str, Any]) -> None:
    """Writes both files, each whole or not at all. The page does without what only --baseline reads."""
    shown = [{name: value for name, value in one.items() if name != "failed_first"} for one in field["subjects"]]
    made = {**field["program"], "date": field["made"].replace(" UTC", "Z")}
    page = shared.render("field.html.j2", generator="field-report", reports=[made], field={**field, "subjects": shown},
                         operations=operations.cells({one["name"]: frozenset(one["offers"]) for one in shown}))
    with shared.writing(out):
        write_file(out / "field.json", (json.dumps(field, indent=1) + "\n").encode("ascii"))
        write_file(out / "field.html", page.encode("utf-8"))


def install() -> int:
    """Installs what the subjects and the page need, and builds assay. Returns the exit code."""
    for words in INSTALL:
        if subprocess.run(words, check=False, cwd=ROOT).returncode:
            return shared.fail(f"{' '.join(words)} failed")
    return 0


def report(chosen: argparse.Namespace, words: List[str]) -> int:
    """Writes the report. Returns the exit code."""
    if not os.access(ASSAY, os.X_OK):
        return shared.fail(f"there is no {ASSAY}: {' && '.join(' '.join(words) for words in BUILD)}, or --install")
    try:
        baseline = read_field(chosen.baseline) if chosen.baseline else None
    except ValueError as problem:
        return shared.fail(str(problem))
    jobs, missing = find(chosen.table, chosen.subjects.split(","))
    if not jobs:
        return shared.fail(f"no subject that is installed matches {chosen.subjects}; scripts/setup subjects installs them")
    with shared.writing(chosen.out):
        chosen.out.mkdir(parents=True, exist_ok=True)
        if not os.access(chosen.out, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    print(f"{len(jobs)} subjects, {chosen.jobs} at a time; {len(missing)} not installed", file=sys.stderr, flush=True)
    vectors = load_vectors(ROOT / "vectors")
    began = time.monotonic()
    found = ask_all(jobs, task_of(chosen.table, Plan(chosen.seconds, chosen.all, vectors.counts), vectors), chosen.jobs)
    field = compose(jobs, missing, found, vectors, time.monotonic() - began, words)
    write(chosen.out, field)
    left = [one["name"] for one in field["subjects"] if one["left_over"]]
    print(f"{len(field['subjects'])} subjects of {field['implementations']} implementations in {field['seconds']} s, {len(field['could_not_be_asked'])} could not "
          f"be asked, {len(missing)} not installed: {chosen.out / 'field.html'}")
    print(f"answers that neither policy nor deviation explains: {', '.join(left) or 'none'}")
    changes = Changes(baseline, field) if baseline else None
    if changes:
        print("\n".join(changes.lines))
    return 1 if field["could_not_be_asked"] or (changes and changes.found) else 0


def main(words: Optional[List[str]] = None) -> int:
    """Runs the program. Returns the exit code."""
    chosen = parse(words)
    if chosen.install and install():
        return 2
    shared.require_packages(("jinja2",))
    shared.interrupt_by_sigterm()
    try:
        return report(chosen, sys.argv[1:] if words is None else words)
    except (KeyboardInterrupt, Stopped):
        print("\nfield-report: interrupted; what ran is stopped, and nothing is written", file=sys.stderr)
        return INTERRUPTED
    except OSError as error:
        return shared.fail(str(error))
