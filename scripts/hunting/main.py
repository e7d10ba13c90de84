# SPDX-License-Identifier: MIT
"""The hunt from beginning to end."""

from __future__ import annotations

import errno
import signal
import subprocess
import time
from datetime import datetime, timezone
from pathlib import Path
from typing import Any, Dict, List, Sequence

from . import report
from .corpus import files_in, replay_corpus
from .engines import SANITIZERS, Material, codecs_that_ran
from .findings import Store
from .fuzzing import Fuzzing, clear_folder, content_name, ran_by_pair
from .options import Options, parse
from .plan import REGIMES, Piece, plan, seconds_needed
from .processes import run
from .progress import Progress
from .targets import Target
from .trees import Tree, build, check_expected, codecs, trees_of
from .triage import Triage
from .trouble import CannotRun


def set_up(options: Options) -> None:
    """Installs what is missing, or says what it would install."""
    command = [str(options.root / "scripts/setup")] + ([] if options.install else ["--no-install"]) + ["build", "hunt"]
    try:
        code = subprocess.run(command, stdin=subprocess.DEVNULL).returncode
    except OSError as error:
        raise CannotRun(f"{command[0]} cannot be run: {error.strerror}") from error
    if code != 0:
        raise CannotRun("something that the hunt needs is missing; scripts/setup says above what to install")


def compiler_of(tree: Tree) -> str:
    """The compiler that a tree was built with, and its version."""
    cache = (tree.folder / "CMakeCache.txt").read_text(errors="replace").splitlines()
    path = next((line.partition("=")[2] for line in cache if line.startswith("CMAKE_C_COMPILER:")), "")
    try:
        said = subprocess.run([path, "--version"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout
    except OSError:
        said = ""
    return f"{Path(path).name}: {said.splitlines()[0] if said else 'version unknown'}"


def build_all(hunt: report.Hunt, trees: Dict[str, Tree], logs: Path, progress: Progress) -> None:
    """Builds every tree; a build that fails is no finding."""
    for tree in trees.values():
        progress.line(f"building  {tree.name} in {tree.folder}")
        build(tree, hunt.options.root, hunt.options.targets, logs)
        hunt.compilers[tree.name] = compiler_of(tree)
    hunt.codecs = codecs(trees["plain"], logs)
    check_expected(hunt.codecs, hunt.options.expect, [target.encoding for target in hunt.options.targets])


def check_starts(hunt: report.Hunt, trees: Dict[str, Tree], work: Path) -> None:
    """Every fuzzer runs one input, and says which codecs it asked: those that run here, or it proves nothing."""
    hello = work / "hello"
    hello.write_bytes(b"a")
    for engine in hunt.options.engines:
        for target in hunt.options.targets:
            program = trees[engine].program(target)
            outcome = run([str(program), str(hello)], work / "hello.log", 60, SANITIZERS)
            ran = codecs_that_ran(outcome.said)
            if outcome.code != 0 or not ran:
                raise CannotRun(f"{program} does not start (exit code {outcome.code}): {outcome.said.strip()[-500:]}")
            expected = {row["codec"] for row in hunt.codecs if row["runs"] and row["encoding"] == target.encoding}
            if expected != set(ran):
                odd = ", ".join(sorted(expected ^ set(ran)))
                raise CannotRun(f"{program} and {trees['plain'].assay} do not ask the same codecs; they differ in {odd}. "
                                f"If that is an old build, remove {trees['plain'].folder}")
            hunt.ran[f"{target.name} with {engine}"] = ran


def replay(hunt: report.Hunt, triage: Triage, progress: Progress) -> Dict[Target, List[Path]]:
    """Known inputs first; what they show is found. Returns what is left for each target to begin from."""
    left = {}
    triage.recheck()
    for target in hunt.options.targets:
        tainted = replay_corpus(triage, target)
        files = files_in([*target.seeds(hunt.options.root), *target.texts(hunt.options.root)])
        hunt.replayed[target.name] = len(files)
        progress.line(f"replayed  {len(files)} known inputs through {target.name}"
                      + (f"; {len(tainted)} of them show a finding" if tainted else ""))
        left[target] = [path for path in files if path not in tainted]
    return left


def seed_folder(files: Sequence[Path], length: int, folder: Path) -> Path:
    """One flat folder with these files, cut to a length: what ends an engine can then be taken away one by one."""
    folder.mkdir(parents=True)
    for path in files:
        content = path.read_bytes()[:length]
        (folder / content_name(content)).write_bytes(content)
    return folder


def fuzz(hunt: report.Hunt, triage: Triage, trees: Dict[str, Tree], seeds: Dict[Target, List[Path]],
         progress: Progress) -> None:
    """The plan, carried out."""
    options = hunt.options
    folders = {(target, regime): seed_folder(files, regime.max_length, triage.work / "seeds" / target.name / regime.name)
               for target, files in seeds.items() for regime in REGIMES}

    def material(piece: Piece, number: int) -> Material:
        """What a piece is given; its folder's name says what it was."""
        dictionary = piece.target.dictionary(options.root)
        return Material(trees[piece.engine].program(piece.target), [folders[piece.target, piece.regime]],
                        dictionary if dictionary.is_file() else None,
                        triage.work / f"{number:03}-{piece.name.replace(' ', '-')}", trees["plain"].mutator)

    needed = seconds_needed(options.targets, options.engines, options.jobs)
    seconds = max(float(options.seconds), needed)
    if needed > options.seconds:
        progress.line(f"note      {options.seconds} s are too few for every target and engine; it will be {needed:.0f} s")
    rows = plan(options.targets, options.engines, seconds, options.jobs, options.seed)
    progress.line(f"fuzzing   {seconds:.0f} s, {sum(map(len, rows))} pieces of work on {len(rows)} processors")
    fuzzing = Fuzzing(triage, rows, material, progress)
    hunt.jobs = fuzzing.jobs
    try:
        fuzzing.run()
    finally:
        hunt.seconds = fuzzing.now()
    idle = [name for name, executions in ran_by_pair(fuzzing.jobs).items() if executions == 0]
    if idle:
        raise CannotRun(f"not one execution of {' and '.join(idle)}; the logs are in {triage.work}")


def carry_out(hunt: report.Hunt, progress: Progress) -> None:
    """Set-up, build, replay, fuzzing."""
    options = hunt.options
    set_up(options)
    trees = trees_of(options)
    logs, work = options.out / "logs", options.out / "work"
    clear_folder(logs)
    clear_folder(work)
    for line in report.head_lines(hunt)[:1]:
        progress.line(line)
    build_all(hunt, trees, logs, progress)
    for line in report.codec_lines(hunt):
        progress.line(line)
    check_starts(hunt, trees, work)
    triage = Triage(options, trees, hunt.store, work, hunt.compilers, progress.line, max(30.0, options.seconds / 4))
    try:
        fuzz(hunt, triage, trees, replay(hunt, triage, progress), progress)
    finally:
        hunt.not_shown = [f"{path} stopped {by}, but did not when replayed" for by, path in triage.not_shown]


def on_signal(number: int, frame: Any) -> None:
    """The first Ctrl-C ends the hunt in order; those after it do not disturb that."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    raise KeyboardInterrupt


def sentence(error: OSError) -> str:
    """What the system said, and what to do where that is known."""
    advice = "; make room, or name another folder with --out" if error.errno in (errno.ENOSPC, errno.EDQUOT) else ""
    return f"{error.strerror or error}{f': {error.filename}' if error.filename else ''}{advice}"


def main(words: Sequence[str]) -> int:
    """Exit 0 = clean, 1 = a finding, 2 = could not run as asked, 130 = interrupted."""
    signal.signal(signal.SIGINT, on_signal)
    signal.signal(signal.SIGTERM, on_signal)
    progress = Progress()
    options = parse(words)
    hunt = report.Hunt(options, Store(options.out / "findings"), datetime.now(timezone.utc))
    began = time.monotonic()
    try:
        carry_out(hunt, progress)
    except KeyboardInterrupt:
        hunt.interrupted = True
    except CannotRun as error:
        hunt.trouble = str(error)
    except OSError as error:
        hunt.trouble = sentence(error)
    hunt.seconds = hunt.seconds or time.monotonic() - began
    progress.line()
    progress.line(report.text(hunt).rstrip())
    try:
        report.write(hunt, options.out)
    except OSError as error:
        progress.line(f"trouble   the report could not be written: {sentence(error)}")
        return hunt.exit_code or 2
    progress.line(f"report    {options.out / 'report.txt'}")
    return hunt.exit_code
