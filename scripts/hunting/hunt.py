# SPDX-License-Identifier: MIT
"""The course of a hunt: set-up, builds, replay, fuzzing, merging, report."""

from __future__ import annotations

import errno
import fcntl
import os
import signal
import subprocess
import sys
import traceback
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime, timezone
from pathlib import Path
from typing import Any, Dict, Iterator, List, Sequence, Tuple

from witness.corpus import all_seeds, write_seeds

from .engines.corpora import corpus_folder, merge_all
from .engines.engine import SANITIZERS, Material, codecs_that_ran
from .findings.keep import keep
from .findings.replay import cut_texts, judge, known_inputs, replay_known, replay_odd, seed_folder
from .findings.store import Store
from .findings.triage import THOROUGH, Origin, Triage
from .fuzzing import Fuzzing, Job, clear_folder, executions_by_pair, rescue
from .options import Options, asked, parse, resumed
from .plan import DEEP_SECONDS, Piece, Regime, instruction_sets_to_leave, plan, seconds_needed, what_is_left
from .processes import kill_all, run, said
from .progress import Progress
from .reports import report
from .reports.coverage import measure
from .state import State, read
from .targets import Target
from .trees import (EMULATED_ISA, Tree, build, can_emulate, check_expected, check_loaded, check_plant, codecs, coverage_tree, fuzzing_trees, odd_tree,
                    plain_tree)
from .exits import CANNOT_RUN, CannotRun, Enough
from .time_shares import Worth, as_data, changed_since, digests, found_before, from_data, remember, worths


ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
ROOM = "; make room, or name another folder with --out"
RIGHTS = "; a hunt has to read the checkout, and to write into build/ there and into the folder that --out names"
ADVICE = {errno.ENOSPC: ROOM, errno.EDQUOT: ROOM, errno.EACCES: RIGHTS, errno.EPERM: RIGHTS, errno.EROFS: RIGHTS}
UNJUDGED = "unjudged"  # the folder of inputs that engines saved and that an interrupted hunt did not judge


def set_up(options: Options) -> None:
    """Installs missing packages with scripts/setup; with --no-install only lists them. Raises CannotRun if one is still missing."""
    groups = ["build", "hunt" if "afl" in options.engines else "libfuzzer"]
    command = [str(options.root / "scripts/setup"), *([] if options.install else ["--no-install"]), *groups]
    try:
        code = subprocess.run(command, stdin=subprocess.DEVNULL).returncode
    except OSError as error:
        raise CannotRun(f"{command[0]} cannot be run: {error.strerror}") from error
    if code != 0:
        raise CannotRun("something that the hunt needs is missing; scripts/setup says above what to install")


def compiler_of(tree: Tree) -> str:
    """The name and version of the compiler that built a tree."""
    cache = (tree.folder / "CMakeCache.txt").read_text(errors="replace").splitlines()
    path = next((line.partition("=")[2] for line in cache if line.startswith("CMAKE_C_COMPILER:")), "")
    try:
        said = subprocess.run([path, "--version"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout
    except OSError:
        said = ""
    return f"{Path(path).name}: {said.splitlines()[0] if said else 'version unknown'}"


def build_all(hunt: report.Hunt, trees: Dict[str, Tree], logs: Path, progress: Progress) -> None:
    """Builds every tree, and records its compiler. Raises CannotRun if a build fails; that is not a finding."""
    for tree in trees.values():
        progress.line(f"building  {tree.name} in {tree.folder}")
        build(tree, hunt.options.root, hunt.options.targets, logs)
        hunt.compilers[tree.name] = compiler_of(tree)


def list_codecs(hunt: report.Hunt, plain: Tree, logs: Path) -> None:
    """Records the codecs of the build. Raises CannotRun if an expected instruction set, or the plant, does not run here."""
    options = hunt.options
    hunt.codecs = codecs(plain, logs, options.codecs)
    check_expected(hunt.codecs, options.expect, [target.encoding for target in options.targets])
    in_plan = options.seconds >= DEEP_SECONDS or (options.plant is not None and options.plant.needs == EMULATED_ISA)
    hunt.emulates = in_plan and "libfuzzer" in options.engines and not options.codecs and can_emulate(hunt.codecs)
    check_plant(hunt.codecs, options.plant, hunt.emulates)


def meet_loaded(hunt: report.Hunt, plain: Tree, logs: Path, progress: Progress) -> None:
    """With --codec: keeps only the targets of these codecs' encodings. Raises CannotRun if a codec cannot be loaded, or if no target asks
    it."""
    options = hunt.options
    progress.line(f"building  {plain.assay}, to ask what {' and '.join(path.name for path in options.codecs)} {'is' if len(options.codecs) == 1 else 'are'}")
    build(plain, options.root, [], logs)
    loaded = check_loaded(codecs(plain, logs, options.codecs), options.codecs)
    for path, row in zip(options.codecs, loaded):
        if all(target.encoding != row["encoding"] for target in options.targets):
            raise CannotRun(f"--codec: {path} is of {row['encoding']}, which none of the targets is about; assay list names the encodings, --targets chooses")
    encodings = {row["encoding"] for row in loaded}
    hunt.options = replace(options, targets=tuple(target for target in options.targets if target.encoding in encodings))
    hunt.state.asked.update(asked(hunt.options))


def instruction_sets(hunt: report.Hunt) -> List[str]:
    """The instruction sets that at least one codec needs and that can be used here."""
    return sorted({row["needs"] for row in hunt.codecs if row["runs"] and row["needs"] != "any"})


def check_starts(hunt: report.Hunt, trees: Dict[str, Tree], work: Path) -> None:
    """Runs each fuzzer on one input, with all questions. Raises CannotRun if one fails, or does not ask exactly the codecs that run
    here."""
    hello = work / "hello"
    hello.write_bytes(b"a")
    with ThreadPoolExecutor(hunt.options.jobs) as pool:
        started = [(engine, target, pool.submit(run, [str(trees[engine].program(target)), str(hello)],
                                                work / f"hello-{engine}-{target.name}.log", 60,
                                                {**SANITIZERS, **THOROUGH, **hunt.options.loading}))
                   for engine in trees if engine not in ("plain", "cmplog") for target in hunt.options.targets]
        for engine, target, future in started:
            program, outcome = trees[engine].program(target), future.result()
            ran = codecs_that_ran(outcome.said)
            if outcome.code != 0 or not ran:
                raise CannotRun(f"{program} does not start (exit code {outcome.code}): {outcome.said.strip()[-500:]}")
            expected = {row["codec"] for row in hunt.codecs if row["encoding"] == target.encoding
                        and (row["runs"] or (hunt.emulated(row) and engine == "emulated"))}
            if expected != set(ran):
                odd = ", ".join(sorted(expected ^ set(ran)))
                raise CannotRun(f"{program} and {trees['plain'].assay} do not ask the same codecs; they differ in {odd}. "
                                f"If that is an old build, remove {trees['plain'].folder}")
            hunt.ran[f"{target.name} with {engine}"] = ran


def judge_rescued(hunt: report.Hunt, triage: Triage) -> None:
    """Judges the inputs that an interrupted hunt saved but did not judge. Inputs of targets that are not in this hunt stay in the
    folder."""
    for target in hunt.options.targets:
        for path in sorted((hunt.options.out / UNJUDGED / target.name).glob("*")):
            triage.take(path, Origin(target, "a hunt that was interrupted"), "")
            path.unlink()
            triage.end_if_enough()


def replay(hunt: report.Hunt, triage: Triage, progress: Progress) -> Dict[Target, List[Path]]:
    """Replays the known inputs of each target, and records their findings. Returns, for each target, the known inputs without a finding;
    fuzzing starts from these."""
    left = {}
    triage.recheck()
    judge_rescued(hunt, triage)
    longest = max(piece.regime.max_length for piece in hunt.plan)
    for target in hunt.options.targets:
        cut_texts(triage, target, longest)
        known_inputs(triage, target)
    with ThreadPoolExecutor(hunt.options.jobs) as pool:
        outcomes = dict(zip(hunt.options.targets, pool.map(lambda target: replay_known(triage, target), hunt.options.targets)))
    for target, outcome in outcomes.items():
        tainted = judge(triage, target, outcome)
        triage.end_if_enough()
        files = known_inputs(triage, target)
        hunt.replayed[target.name] = len(files)
        if tainted:
            progress.line(f"replayed  {len(tainted)} of {len(files)} known inputs show a finding in {target.name}")
        left[target] = [path for path in files if path not in tainted]
    progress.line(f"replayed  {sum(hunt.replayed.values())} known inputs through {len(outcomes)} targets")
    return left


def sources(options: Options) -> Dict[str, str]:
    """Digests of the sources of this hunt's encodings and claims, by name."""
    names = {name for target in options.targets for name in (target.encoding, target.claim)}
    return {name: value for name, value in digests(options.root, options.targets).items() if name in names}


def weigh(hunt: report.Hunt) -> Dict[str, Worth]:
    """The worth of each target. A resumed hunt keeps the worths with which it began."""
    asked_for = hunt.state.asked
    if "worths" not in asked_for:
        changed = changed_since(hunt.options.out, sources(hunt.options))
        asked_for["worths"] = as_data(worths(hunt.options.targets, changed, found_before(hunt.store)))
    return from_data(asked_for["worths"])


def lay_out(hunt: report.Hunt, progress: Progress) -> List[List[Piece]]:
    """Records the plan. Returns the rows of pieces that are still to be done."""
    options, done = hunt.options, hunt.state.done
    needed = seconds_needed(options.targets, options.engines, options.jobs)
    seconds = max(float(options.seconds), needed)
    if needed > options.seconds:
        progress.line(f"note      {options.seconds} s are too few for every target and engine; it will be {needed:.0f} s")
    hunt.worths = weigh(hunt)
    rows = plan(options.targets, options.engines, seconds, options.jobs, options.seed, instruction_sets(hunt),
                hunt.emulates, {name: worth.weight for name, worth in hunt.worths.items()}, bool(options.codecs))
    hunt.plan = [piece for row in rows for piece in row]
    if done:
        rows = what_is_left(rows, [row["number"] for row in done])
        progress.line(f"resumed   {len(done)} pieces of work are done already")
    hunt.state.write()
    return rows


def fuzz(hunt: report.Hunt, triage: Triage, trees: Dict[str, Tree], rows: List[List[Piece]], seeds: Dict[Target, List[Path]],
         progress: Progress) -> None:
    """Carries out the plan. Raises CannotRun if an engine did not execute a target once."""
    options, state = hunt.options, hunt.state

    def folder(target: Target, regime: Regime) -> Path:
        """The seeds of a target in a regime; the folder is made for the first piece that needs it."""
        place = triage.work / "seeds" / target.name / regime.name
        return place if place.exists() else seed_folder(seeds[target], regime.max_length, place)

    def material(piece: Piece, number: int) -> Material:
        """The material of a piece, whose folder is named by the number and the name of the piece."""
        dictionary = piece.target.dictionary(options.seeds)
        name = piece.name.replace(" ", "-").replace("/", "-")
        return Material(trees[piece.way.tree].program(piece.target), [folder(piece.target, piece.regime)],
                        dictionary if dictionary.is_file() else None, triage.work / f"{number:03}-{name}",
                        None if os.environ.get("ASSAY_MUTATOR") == "off" else trees["plain"].mutator,
                        corpus_folder(options.out, piece.target, piece.regime),
                        trees["cmplog"].program(piece.target) if piece.way.compares else None, options.loading)

    if not rows:
        return
    progress.line(f"fuzzing   {max(row[-1].end for row in rows):.0f} s, {sum(map(len, rows))} pieces of work, {len(rows)} at a time")

    def on_done(job: Job) -> None:
        """Records a finished piece, so that --resume does not repeat it."""
        state.done.append(report.job_json(job))
        state.seconds = before + fuzzing.now()
        state.write()

    fuzzing = Fuzzing(triage, rows, material, progress, on_done)
    hunt.jobs = fuzzing.jobs
    before = state.seconds
    try:
        fuzzing.run()
    finally:
        state.seconds = before + fuzzing.now()
        state.write()
    idle = [name for name, executions in executions_by_pair(fuzzing.jobs).items() if executions == 0]
    if idle:
        raise CannotRun(f"not one execution of {' and '.join(idle)}; the logs are in {triage.work}")


def merge_and_look_again(hunt: report.Hunt, triage: Triage, trees: Dict[str, Tree], logs: Path, progress: Progress) -> None:
    """Merges the corpora. In a long hunt, replays them with another build, too."""
    options = hunt.options
    if "libfuzzer" in trees:
        hunt.merged = merge_all(options.out, trees["libfuzzer"], options.targets, options.jobs,
                                options.seconds >= DEEP_SECONDS, progress.line,
                                lambda path, target, log: triage.take(path, Origin(target, "merging the corpus"), said(log)))
    if options.seconds >= DEEP_SECONDS:
        trees["odd"] = odd_tree(options.root, options.plant, options.seed)
        build_all(hunt, {"odd": trees["odd"]}, logs, progress)
        replay_odd(triage, options.targets, options.jobs, instruction_sets_to_leave(options.seed, instruction_sets(hunt)))


def make_seeds(options: Options) -> None:
    """Writes the seeds of all targets from the vectors. Raises CannotRun if that fails."""
    try:
        write_seeds(all_seeds(options.root / "vectors"), options.seeds)
    except ValueError as error:
        raise CannotRun(str(error)) from error


def carry_out(hunt: report.Hunt, progress: Progress) -> None:
    """Runs the hunt: set-up, builds, replay, fuzzing, merging, coverage."""
    options = hunt.options
    set_up(options)
    trees = {"plain": plain_tree(options)}
    logs, work = options.out / "logs", options.out / "runs"
    if hunt.state.path.exists():
        rescue(work, options.out / UNJUDGED)
    clear_folder(logs)
    clear_folder(work)
    make_seeds(options)
    if options.codecs:
        meet_loaded(hunt, trees["plain"], logs, progress)
        options = hunt.options
    for line in report.head_lines(hunt)[:1]:
        progress.line(line)
    build_all(hunt, trees, logs, progress)
    list_codecs(hunt, trees["plain"], logs)
    for line in report.codec_lines(hunt):
        progress.line(line)
    trees.update(fuzzing_trees(options, hunt.emulates))
    build_all(hunt, {name: tree for name, tree in trees.items() if name != "plain"}, logs, progress)
    check_starts(hunt, trees, work)
    triage = Triage(options, trees, hunt.store, work, hunt.compilers, progress.line, max(60.0, options.seconds / 4))
    rows = lay_out(hunt, progress)
    try:
        fuzz(hunt, triage, trees, rows, replay(hunt, triage, progress), progress)
        merge_and_look_again(hunt, triage, trees, logs, progress)
        triage.end_if_enough()
    finally:
        hunt.not_shown = [f"{path} stopped {by}, but did not when replayed" for by, path in triage.not_shown]
    if options.coverage:
        tree = coverage_tree(options, can_emulate(hunt.codecs))
        build_all(hunt, {tree.name: tree}, logs, progress)
        hunt.coverage = measure(tree, options.targets, options.out, options.root, options.seeds, work / "coverage", options.jobs)
    remember(options.out, sources(options))
    hunt.state.end()


def remembered(options: Options) -> Tuple[Options, State]:
    """The options and the state of this hunt; with --resume, those of the interrupted hunt."""
    path = options.out / "state.json"
    if not options.resume:
        return options, State(path, asked(options))
    state = read(path)
    return resumed(options, state.asked), state


@contextmanager
def alone(out: Path) -> Iterator[None]:
    """Locks the folder, because two hunts in it would delete each other's files. Raises CannotRun if another hunt holds the lock."""
    out.mkdir(parents=True, exist_ok=True)
    with (out / "lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise CannotRun(f"another hunt is at work in {out}; wait for it, or name another folder with --out") from error
        yield


def on_signal(number: int, frame: Any) -> None:
    """Ends the hunt in order at the first signal, and ignores the signals after it."""
    for other in ENDING:
        signal.signal(other, signal.SIG_IGN)
    raise KeyboardInterrupt


def sentence(error: OSError) -> str:
    """The system's error message, with what to do about it if ADVICE has that."""
    return f"{error.strerror or error}{f': {error.filename}' if error.filename else ''}{ADVICE.get(error.errno or 0, '')}"


def main(words: Sequence[str]) -> int:
    """Returns the exit code: 0 = clean, 1 = a finding, 2 = could not run as asked, 130 = interrupted."""
    for number in ENDING:
        if number != signal.SIGHUP or signal.getsignal(number) != signal.SIG_IGN:  # as nohup leaves it
            signal.signal(number, on_signal)
    progress = Progress()
    options = parse(words)
    store = Store(options.out / "findings")
    try:
        if options.keep is not None:
            progress.line(f"kept      {keep(options.root, store, options.keep)}; write its story in the README.md next to it")
            return 0
        with alone(options.out):
            return hunt_alone(*remembered(options), store, progress, ["scripts/hunt", *words])
    except (CannotRun, OSError) as error:
        print(f"hunt: {error if isinstance(error, CannotRun) else sentence(error)}", file=sys.stderr)
        return CANNOT_RUN


def hunt_alone(options: Options, state: State, store: Store, progress: Progress, command: Sequence[str]) -> int:
    """Runs the hunt and writes its report, however the hunt ends. Returns the exit code."""
    hunt = report.Hunt(options, store, datetime.now(timezone.utc), state, command=command)
    try:
        carry_out(hunt, progress)
    except KeyboardInterrupt:
        kill_all()
        hunt.interrupted = True
    except Enough as enough:
        hunt.ended_at = str(enough)
    except CannotRun as error:
        hunt.trouble = str(error)
    except OSError as error:
        hunt.trouble = sentence(error)
    except Exception:  # else Python would exit with 1, which means a finding
        hunt.trouble = f"a mistake in the hunt itself, please report it: {traceback.format_exc(limit=-3).strip()}"
    progress.line()
    progress.line(report.text(hunt).rstrip())
    try:
        complaint = report.write(hunt, options.out)
    except OSError as error:
        progress.line(f"trouble   the report could not be written: {sentence(error)}")
        return hunt.exit_code or 2
    progress.line(f"report    {options.out / ('report.txt' if complaint else 'report.html')}{f' ({complaint})' if complaint else ''}")
    return hunt.exit_code
