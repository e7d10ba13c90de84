# SPDX-License-Identifier: MIT
"""The lines and branches of the codecs that the corpora reach: replayed, with every question, by a build that counts."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Dict, List, Sequence, Tuple

from ..engines.corpora import corpus_folder
from ..plan import REGIMES
from ..processes import Outcome, run
from ..targets import Target
from ..trees import Tree
from ..exits import CLEAN, FOUND, CannotRun

NO_TARGET = "schemes"  # the folder of codecs/ without a target
EMULATION = "emulated_"  # the prefix of files that emulate instructions
REPLAY_SECONDS = 300.0
TOOL_SECONDS = 120.0


def covered_lines(segments: Sequence[Sequence[Any]]) -> Dict[int, bool]:
    """For each line that holds code, whether it ran; from llvm-cov's segments (line, column, count, has a count, ...)."""
    lines: Dict[int, bool] = {}
    for (line, _, count, counted, *_), (after, column, *_) in zip(segments, segments[1:]):
        if counted:
            for number in range(line, after + (column > 1)):
                lines[number] = lines.get(number, False) or count > 0
    return lines


def ranges(numbers: Sequence[int]) -> str:
    """Numbers as text: "3-5, 9" for 3, 4, 5, 9."""
    parts: List[Tuple[int, int]] = []
    for number in sorted(numbers):
        if parts and number == parts[-1][1] + 1:
            parts[-1] = (parts[-1][0], number)
        else:
            parts.append((number, number))
    return ", ".join(str(first) if first == last else f"{first}-{last}" for first, last in parts)


def missed_branches(branches: Sequence[Sequence[int]], lines: Dict[int, bool]) -> Tuple[int, List[str]]:
    """The number of ways that conditions can go, and those that were never taken: "12:7 never true".

    From llvm-cov's branches (line, column, line and column of the end, times true, times false, ...). Code that is compiled more than
    once, as a template is, counts once. A condition that was never evaluated although its line ran is left out: it is a constant to the
    compiler, or it follows a condition that always went the same way, which is reported.
    """
    ways: Dict[Tuple[int, int], List[int]] = {}
    for line, column, _, _, times_true, times_false, *_ in branches:
        known = ways.setdefault((line, column), [0, 0])
        known[0] += times_true
        known[1] += times_false
    ways = {place: times for place, times in ways.items() if any(times) or not lines.get(place[0], False)}
    missed = [f"{line}:{column} never {word}" for (line, column), times in sorted(ways.items())
              for word, count in zip(("true", "false"), times) if count == 0]
    return 2 * len(ways), missed


def percent(total: int, missed: int) -> float:
    """The share that was reached, in percent; 100 if there is nothing to reach."""
    return 100 * (total - missed) / total if total else 100.0


def is_decoder(path: Path, codecs: Path) -> bool:
    """True if a source belongs to a decoder: it is in a folder of codecs/ that targets are about, and is no emulation."""
    below = path.relative_to(codecs).parts if codecs in path.parents else ()
    return len(below) > 1 and below[0] != NO_TARGET and not path.name.startswith(EMULATION)


def rows_of(exported: Dict[str, Any], root: Path) -> List[Dict[str, Any]]:
    """A row for each file of the decoders, from `llvm-cov export`."""
    rows = []
    for file in exported["data"][0]["files"]:
        path = Path(file["filename"])
        if is_decoder(path, root / "codecs") and file["segments"]:
            lines = covered_lines(file["segments"])
            missed = [number for number, ran in lines.items() if not ran]
            branches, ways = missed_branches(file["branches"], lines)
            rows.append({"file": str(path.relative_to(root)), "lines": len(lines), "lines_missed": len(missed), "missed": ranges(missed),
                         "percent": percent(len(lines), len(missed)), "branches": branches, "branches_missed": ways,
                         "branch_percent": percent(branches, len(ways))})
    return sorted(rows, key=lambda row: row["file"])


def in_all(rows: Sequence[Dict[str, Any]]) -> Dict[str, float]:
    """The percentages of lines and branches over all files."""
    return {"lines": percent(sum(row["lines"] for row in rows), sum(row["lines_missed"] for row in rows)),
            "branches": percent(sum(row["branches"] for row in rows), sum(len(row["branches_missed"]) for row in rows))}


def measure(tree: Tree, targets: Sequence[Target], out: Path, root: Path, made: Path, work: Path, jobs: int) -> List[Dict[str, Any]]:
    """Replays seeds and corpora through each target. Returns a row for each file. Raises CannotRun if nothing was counted, or if a tool is
    missing."""
    work.mkdir(parents=True, exist_ok=True)

    def replay(target: Target) -> Outcome:
        """Replays the inputs of one target; findings were reported before."""
        folders = [*target.seeds(root, made), *target.texts(root), *(corpus_folder(out, target, regime) for regime in REGIMES)]
        return run([str(tree.program(target)), *(str(folder) for folder in folders if folder.is_dir())],
                   work / f"{target.name}.log", REPLAY_SECONDS, {"LLVM_PROFILE_FILE": str(work / f"{target.name}.profraw")})

    with ThreadPoolExecutor(jobs) as pool:
        for target, outcome in zip(targets, pool.map(replay, targets)):
            if outcome.timed_out or outcome.code not in (CLEAN, FOUND):
                raise CannotRun(f"the coverage of {target.name} could not be counted: its replay "
                                f"{'took too long' if outcome.timed_out else f'ended with exit code {outcome.code}'}; see {work}")
    profiles = sorted(map(str, work.glob("*.profraw")))
    if not profiles:
        raise CannotRun(f"the coverage build in {tree.folder} counted nothing; the logs are in {work}")
    merged, programs = work / "merged.profdata", [str(tree.program(target)) for target in targets]
    steps = (["llvm-profdata", "merge", "-sparse", "-o", str(merged), *profiles],
             ["llvm-cov", "export", f"-instr-profile={merged}", programs[0], *(f"-object={program}" for program in programs[1:])])
    for number, command in enumerate(steps):
        log = work / f"step-{number}.log"
        try:
            outcome = run(command, log, TOOL_SECONDS)
        except FileNotFoundError as error:
            raise CannotRun(f"{error.filename} is not there; scripts/setup hunt installs it") from error
        if outcome.code != 0:
            raise CannotRun(f"{command[0]} failed: {outcome.said.strip()[-300:]}")
    text = (work / "step-1.log").read_text()
    return rows_of(json.loads(text[text.index("{"):]), root)
