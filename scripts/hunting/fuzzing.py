# SPDX-License-Identifier: MIT
"""Runs the pieces of the plan, one after the other on each worker; passes what they find to triage; ends all child processes."""

from __future__ import annotations

import os
import shutil
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Callable, Dict, List, Optional, Sequence, Tuple

from .engines.afl import Afl
from .engines.engine import TARGET_FILE, Figures, Material
from .engines.libfuzzer import LibFuzzer
from .files import content_name, write_file
from .findings.triage import Origin, Triage, is_about_time
from .plan import SECONDS_MIN, Piece
from .processes import Child, said, start, stop
from .progress import Progress
from .exits import CannotRun, Enough, last_lines

ENGINES = {engine.name: engine for engine in (LibFuzzer(), Afl())}
TICK_SECONDS = 0.1
COLLECT_SECONDS = 1.0
EXCHANGE_SECONDS = 60.0
RESTART_SECONDS = 1.0  # with less time left, there is no other run
RESTARTS_MAX = 200
BEGIN_SECONDS = 30.0  # on a busy machine an engine may need this long to execute its first input
SAMPLES_MAX = 200  # of one piece
DISK_BYTES_MIN = 16 << 20


@dataclass
class Job:
    """A piece of work in progress: one run of its engine, or several if the engine ends at each crash."""

    piece: Piece
    material: Material
    attempt: int = -1
    process: Optional[Child] = None
    began: float = 0.0
    end: float = 0.0  # seconds of the hunt
    seconds: float = 0.0
    runs: List[Figures] = field(default_factory=list)
    keys: List[str] = field(default_factory=list)
    crashes: int = 0
    crashes_before: int = 0  # the current run
    collected: float = 0.0
    exchanged: float = 0.0
    samples: List[Tuple[float, int, int]] = field(default_factory=list)  # seconds of the hunt, executions, edges
    stopped: bool = False  # by us, because its time was over
    note: str = ""

    @property
    def engine(self) -> LibFuzzer | Afl:
        """The engine that runs the piece."""
        return ENGINES[self.piece.engine]

    @property
    def log(self) -> Path:
        """The log of the current run."""
        return self.material.folder / f"log.{self.attempt}"

    def launch(self, seconds: float, known: Sequence[str]) -> None:
        """Starts the next run, of this many seconds. The target is given the keys that are known already."""
        self.attempt += 1
        self.crashes_before = self.crashes
        self.material.folder.mkdir(parents=True, exist_ok=True)
        (self.material.folder / TARGET_FILE).write_text(self.piece.target.name)
        command = self.engine.command(self.piece, self.material, max(round(seconds), 1), self.attempt)
        self.began = self.exchanged = time.monotonic()
        self.process = start(command, self.log, {**self.engine.environment(self.piece, self.material), **self.material.environment, "ASSAY_KNOWN": ":".join(known),
                                                **({"ASSAY_WITHOUT": self.piece.without} if self.piece.without else {})})

    def forget(self, crash: Path) -> None:
        """Deletes a crashing input from the seeds and the corpus, so that the next run does not stop at it. The file name is the hash of
        the content."""
        name = content_name(crash.read_bytes())
        for folder in (*self.material.seeds, *([self.material.corpus] if self.material.corpus else [])):
            (folder / name).unlink(missing_ok=True)

    def exchange(self) -> None:
        """Every EXCHANGE_SECONDS, exchanges new inputs with the other engines of the target."""
        if time.monotonic() > self.exchanged + EXCHANGE_SECONDS:
            self.exchanged = time.monotonic()
            self.engine.exchange(self.material)

    def total(self) -> Figures:
        """The figures of all runs: the sum of executions, the maxima of edges, features and corpus."""
        return Figures(sum(run.executions for run in self.runs), *(
            max((getattr(run, name) for run in self.runs), default=0)
            for name in ("edges", "features", "corpus", "edges_known")),
            ran=next((run.ran for run in self.runs if run.ran), []))


class Fuzzing:
    """The workers of a hunt, each with its row of pieces."""

    def __init__(self, triage: Triage, rows: Sequence[Sequence[Piece]], material: Callable[[Piece, int], Material],
                 progress: Progress, on_done: Callable[[Job], None] = lambda job: None) -> None:
        self.triage, self.progress, self.material, self.on_done = triage, progress, material, on_done
        self.waiting: List[List[Piece]] = [list(row) for row in rows]
        self.current: List[Optional[Job]] = [None] * len(rows)
        self.jobs: List[Job] = []
        self.end = max(piece.end for row in rows for piece in row)
        self.start = time.monotonic()

    def run(self) -> None:
        """Fuzzes until the plan is done. Raises Enough at a finding that ends the hunt; CannotRun if the disk is full, or if an engine
        fails. In each case no child process is left."""
        self.start = time.monotonic()
        try:
            while any(self.waiting) or any(self.current):
                self.check_disk()
                for worker in range(len(self.waiting)):
                    self.tend(worker)
                self.progress.show(self.end - self.now(), [job for job in self.current if job], self.executions())
                time.sleep(TICK_SECONDS)
        finally:
            self.progress.clear()
            self.stop_all()

    def now(self) -> float:
        """Seconds since the fuzzing began."""
        return time.monotonic() - self.start

    def executions(self) -> int:
        """The number of executions of the runs that have ended."""
        return sum(run.executions for job in self.jobs for run in job.runs)

    def check_disk(self) -> None:
        """Raises CannotRun if less than DISK_BYTES_MIN is free: on a full disk, engines lose findings without an error."""
        free = shutil.disk_usage(self.triage.work).free
        if free < DISK_BYTES_MIN:
            raise CannotRun(f"only {free >> 20} MiB are free where {self.triage.options.out} is; "
                            f"make room ({DISK_BYTES_MIN >> 20} MiB at the least), or name another folder with --out")

    def tend(self, worker: int) -> None:
        """Advances one worker: starts its next piece or run, collects what the run saved, stops the run when its time is over."""
        job = self.current[worker]
        if job is None:
            if self.waiting[worker]:
                self.begin(worker, self.waiting[worker].pop(0))
            return
        assert job.process is not None
        late = self.now() - job.end - job.engine.overtime
        if job.process.poll() is None and late > 0 and (late > BEGIN_SECONDS or job.engine.has_begun(said(job.log))):
            job.stopped = True  # so its exit code is ignored
            stop(job.process)
        if job.process.poll() is not None:
            self.finish_run(job)
            left = job.end - self.now()
            if job.engine.restarts and job.crashes > job.crashes_before and left > RESTART_SECONDS and job.attempt < RESTARTS_MAX:
                job.launch(left, list(self.triage.store.findings))
                return
            if job.attempt >= RESTARTS_MAX:
                job.note = f"given up after {RESTARTS_MAX} restarts: known findings stop it again and again"
            job.engine.give_back(job.material)
            self.current[worker] = None
            self.progress.line_for(job)
            self.on_done(job)
        elif time.monotonic() > job.collected + COLLECT_SECONDS:
            self.collect(job)
            job.exchange()

    def begin(self, worker: int, piece: Piece) -> None:
        """Starts a piece. If earlier pieces ran too long, this one still gets SECONDS_MIN."""
        job = Job(piece, self.material(piece, len(self.jobs)), end=max(piece.end, self.now() + SECONDS_MIN))
        self.jobs.append(job)
        self.current[worker] = job
        try:
            job.launch(job.end - self.now(), list(self.triage.store.findings))
        except FileNotFoundError as error:
            raise CannotRun(f"{error.filename} is not there; scripts/setup hunt installs it") from error

    def finish_run(self, job: Job) -> None:
        """Takes in the figures and crashes of a run that has ended. Raises CannotRun if the engine did not work."""
        assert job.process is not None
        process, job.process = job.process, None
        stop(process)
        log = said(job.log)
        job.seconds += time.monotonic() - job.began
        figures = job.engine.figures(job.material.folder, log)
        self.sample(job, figures)
        job.runs.append(figures)
        self.collect(job)
        refusal = job.engine.refusal(process.returncode, log, job.crashes > job.crashes_before)
        if refusal is not None and not job.stopped:
            raise CannotRun(f"{job.piece.name} could not run: {refusal}; the end of {job.log}:\n{last_lines(job.log)}")

    def sample(self, job: Job, now: Figures) -> None:
        """Records seconds, executions and edges of a piece, once it has executed inputs."""
        if now.executions:
            job.samples.append((round(self.now(), 1), now.executions + sum(run.executions for run in job.runs), now.edges))

    def collect(self, job: Job) -> None:
        """Passes each new crash to triage, and records a sample. Raises Enough if triage found what ends the hunt."""
        job.collected = time.monotonic()
        if job.process is not None and len(job.samples) < SAMPLES_MAX:
            self.sample(job, job.engine.figures(job.material.folder, said(job.log)))
        for path in job.engine.crashes(job.material.folder):
            if path in self.triage.seen:
                continue
            job.crashes += 1
            origin = Origin(job.piece.target, f"{job.piece.engine}, {job.piece.regime.name}", job.piece.seed + job.attempt)
            job.keys += self.triage.take(path, origin, said(job.log))
            job.forget(path)
        self.triage.end_if_enough()

    def stop_all(self) -> None:
        """Stops the engines that still run, and takes in their figures and crashes."""
        for job in self.jobs:
            if job.process is not None:
                stop(job.process)
                job.seconds += time.monotonic() - job.began
                job.runs.append(job.engine.figures(job.material.folder, said(job.log)))
                job.process = None
                job.engine.give_back(job.material)
                try:
                    self.collect(job)
                except (CannotRun, Enough):
                    pass  # the hunt is ending for a reason already; the input stays where the engine put it


def rescue(work: Path, into: Path) -> None:
    """Copies the crashes that an interrupted hunt left in `work` to INTO/TARGET/NAME."""
    for folder in sorted(path.parent for path in work.glob(f"*/{TARGET_FILE}")):
        place = into / (folder / TARGET_FILE).read_text()
        for engine in ENGINES.values():
            for crash in engine.crashes(folder):
                content = crash.read_bytes()
                place.mkdir(parents=True, exist_ok=True)
                kind = "timeout" if is_about_time(crash) else "crash"
                write_file(place / f"{kind}-{content_name(content)}", content)


def clear_folder(folder: Path) -> None:
    """Empties a folder; creates it if there is none."""
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)


def executions_by_pair(jobs: Sequence[Job]) -> Dict[str, int]:
    """The number of executions for each target with each engine."""
    totals: Dict[str, int] = {}
    for job in jobs:
        name = f"{job.piece.target.name} with {job.piece.engine}"
        totals[name] = totals.get(name, 0) + job.total().executions
    return totals
