# SPDX-License-Identifier: MIT
"""The speed table: its rows, how `assay bench` measures them, and the ratio of each to the best peer."""

from __future__ import annotations

import fnmatch
import json
import statistics
import subprocess
import sys
import uuid
from pathlib import Path
from typing import Any, Dict, List, NamedTuple, Optional, Sequence, Tuple

ROOT = Path(__file__).resolve().parent.parent.parent
TEXTS = ["ascii", *sorted(path.stem for path in (ROOT / "corpus" / "text").glob("*.txt"))]
SOME_TEXTS = ["ascii", "en-latin", "ru-cyrillic", "zh-han"]  # input beyond the caches takes long
UNSEEN_TEXTS = [f"random:{seed}" for seed in range(101, 111)]
CONVERSIONS = ("validate", "to-utf16", "to-utf32", "from-utf16", "from-utf32")
MARGIN_PERCENT = 3.0  # figures of two processes agree if they differ by no more
TOLERANCE_PERCENT = 5.0  # so do those of two tables: the least of three processes varies more than these three
REASONS = ("noisy", "unsteady")
CODECS = ("avx512", "avx2", "neon", "sse41", "swar")  # the widest vectors first

Build = Dict[str, Any]
Cell = Dict[str, Any]


class Trouble(Exception):
    """Why nothing could be measured."""


class Row(NamedTuple):
    """One operation on texts of one size; what the table has a line of."""

    name: str
    operation: str
    size: str
    texts: Sequence[str]


def all_rows() -> List[Row]:
    """In the order of the table."""
    rows = [Row(f"{operation} 128K", operation, "128K", TEXTS) for operation in CONVERSIONS]
    rows += [Row(f"{operation} memory", operation, "memory", SOME_TEXTS) for operation in ("validate", "to-utf16")]
    rows += [Row(f"lossy-utf16 128K ~{percent}", "lossy-utf16", "128K", [f"{text}~{percent}" for text in TEXTS]) for percent in (1, 10, 50)]
    rows += [Row(f"{operation} 1..64", operation, "1..64", TEXTS) for operation in CONVERSIONS]
    rows += [Row(f"{operation} unseen", operation, "mixed", UNSEEN_TEXTS) for operation in CONVERSIONS]
    return rows


def rows_of(globs: Optional[List[str]], texts: Optional[str]) -> List[Row]:
    """The rows that are requested, with the texts that are."""
    every = all_rows()
    for glob in globs or []:
        if glob != "none" and not any(fnmatch.fnmatch(row.name, glob) for row in every):
            raise Trouble(f"--row: no row is called '{glob}'; see --list")
    rows = [row for row in every if globs is None or any(fnmatch.fnmatch(row.name, glob) for glob in globs)]
    names = (texts or "").split(",")
    if len(names) > len(set(names)):
        raise Trouble("--text: the same text twice would count as more processes")
    if texts is None:
        return rows
    return [row._replace(texts=[text + "".join(row.texts[0].partition("~")[1:]) for text in texts.split(",")]) for row in rows]


def run_json(command: Sequence[str]) -> Any:
    """The output of `assay`, which is JSON; 1 is a codec that differs, and has output, too."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    except OSError as error:
        raise Trouble(f"{command[0]} cannot be run: {error.strerror}") from error
    if done.returncode not in (0, 1) or not done.stdout:
        raise Trouble(f"{done.stderr.strip()}\n  `{' '.join(command)}` ended with {done.returncode}")
    return json.loads(done.stdout)


def names_of(assay: str, libraries: Sequence[str], runs_here: bool = True) -> List[str]:
    """The codecs of UTF-8, ours and loaded ones."""
    command = [assay, "list", "--json", "-e", "utf-8", *(word for library in libraries for word in ("--codec", library))]
    return [row["codec"] for row in run_json(command) if not runs_here or (row["runs"] and not row["emulated"])]


def offers(assay: str, library: str, name: str, operation: str) -> bool:
    """True if a peer offers an operation; `assay bench` exits with 2 for a peer that does not, with 1 for one that crashes or hangs."""
    command = [assay, "bench", "--no-peers", "--peer", library, "-c", name, "--operation", operation, "--text", "ascii", "--size", "4K", "--seconds", "0"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 2):
        raise Trouble(f"{library}: {operation} ends with exit code {done.returncode}: {done.stderr.strip()}")
    return done.returncode == 0


def direct_of(globs: Optional[str], names: Sequence[str]) -> List[str]:
    """The option for those of the peers of a row that are decoders themselves."""
    direct = [name for name in names if any(fnmatch.fnmatch(name, glob) for glob in (globs or "").split(","))]
    return ["--direct", ",".join(direct)] if direct else []


def measure(folder: Path, peer_list: Optional[str], direct: Optional[str], codec: Optional[str], rows: Sequence[Row], through: Sequence[str],
            options: Sequence[str], processes: int) -> Build:
    """All rows by the program of one build, as often as there are processes: those of a row are as far apart as the run allows, since what slows
    the machine without taking the core, such as other machines' use of its caches, lasts minutes. Each cell comes once for each process, and
    merge() joins these."""
    assay = str(folder / "assay")
    peers = peer_list.split(",") if peer_list else sorted(map(str, (folder / "subjects").glob("*.so")))
    if not Path(assay).is_file():
        raise Trouble(f"there is no {assay}; build it, or name another folder with --build")
    if not peers:
        raise Trouble(f"there is no peer: name loadable codecs with --peer, or build those of {folder}/subjects")
    ours, every = names_of(assay, []), names_of(assay, [], False)
    codec = codec or next((name for name in CODECS if name in ours), None)
    if codec not in ours:
        raise Trouble(f"no codec {codec} of UTF-8 runs here; see {assay} list --long")
    names = {library: name for library in peers for name in names_of(assay, [library]) if name not in every}
    for glob in direct.split(",") if direct else []:
        if not direct_of(glob, list(names.values())):
            raise Trouble(f"--direct: none of the peers {', '.join(names.values())} is called {glob}")
    offered = {operation: [library for library in names if offers(assay, library, names[library], operation)] for operation in {row.operation for row in rows}}
    build: Build = {"runs": [str(uuid.uuid4())], "machine": {}, "version": "", "codec": codec, "peers": list(names.values()), "cells": []}
    for row in rows:
        if not offered[row.operation]:
            print(f"bench-table: no peer offers {row.operation}: {row.name} is left out", file=sys.stderr)
    passes = [(process, row) for process in range(1, processes + 1) for row in rows if offered[row.operation]]
    for process, row in passes:
        print(f"bench-table: {folder}: {row.name} (process {process} of {processes})", file=sys.stderr)
        libraries = offered[row.operation]
        command = [*through, assay, "bench", "--no-peers", "--peer", ",".join(libraries), "-c", ",".join([codec, *map(names.__getitem__, libraries)]), "--operation", row.operation,
                   "--text", ",".join(row.texts), "--size", row.size, *direct_of(direct, [names[library] for library in libraries]), *options, "--json"]
        try:
            report = run_json(command)
        except KeyboardInterrupt:
            build["interrupted"] = row.name
            break
        build["machine"], build["version"] = build["machine"] or report["machine"], report["version"]
        if "calibrator" in report:
            build["calibrator"] = report["calibrator"]
        build["cells"] += [at_clock({**cell, "row": row.name}, build["machine"]["ghz"]) for cell in report["cells"]]
    if not build["cells"] and "interrupted" in build:
        raise Trouble("interrupted before a row was measured")
    if not build["cells"]:
        raise Trouble(f"no peer of {folder} offers any of these rows")
    return build


def read_builds(path: Path) -> List[Build]:
    """What an earlier run wrote."""
    try:
        report = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise Trouble(f"{path}: {error}") from error
    if not isinstance(report, dict) or report.get("assay_bench_table") != 1 or not isinstance(report.get("builds"), list):
        raise Trouble(f"{path} is not the output of `bench-table --json`")
    for build in report["builds"]:
        demand_build(build, path)
    return list(report["builds"])


def demand_build(build: Any, path: Path) -> None:
    """Raises Trouble if what merge() and as_text() read of a build is not there."""
    try:
        [build["machine"][key] for key in ("compiler", "processor", "ghz")]
        [build[key] for key in ("version", "codec", "peers", "runs")]
        for cell in build["cells"]:
            [cell[key] for key in ("row", "text", "bytes", "strings")]
            [(runner["name"], runner["kind"]) if "differs" in runner else runner["minimum_ns"] for runner in cell["runners"]]
    except (KeyError, TypeError) as error:
        raise Trouble(f"{path}: a build, a cell or a runner lacks {error}") from error


def at_clock(cell: Cell, ghz: float) -> Cell:
    """The cell with its times at another clock, since each process has one of its own; as it is if they do not depend on the clock."""
    if "ghz" not in cell:
        return cell
    factor = cell["ghz"] / ghz
    return {**cell, "ghz": ghz, "runners": [{key: scaled(value, factor) if key.endswith("_ns") else value for key, value in runner.items()} for runner in cell["runners"]]}


def scaled(times: Any, factor: float) -> Any:
    """A time, or a list of times, multiplied."""
    return [time * factor for time in times] if isinstance(times, list) else times * factor


def merge(runs: Sequence[List[Build]]) -> List[Build]:
    """One build for each processor, version, compiler and codec; of each runner in a cell the best figures. Raises Trouble if a run comes twice:
    its processes would count twice, and agree with themselves."""
    merged: Dict[Tuple[str, ...], Build] = {}
    for build in (build for builds in runs for build in builds):
        kept = merged.setdefault((build["machine"]["processor"], build["version"], build["machine"]["compiler"], build["codec"]), {**build, "cells": [], "peers": [], "runs": []})
        if set(kept["runs"]) & set(build["runs"]):
            raise Trouble(f"--merge: figures of the same run, by {build['machine']['compiler']}, twice")
        kept["runs"] += build["runs"]
        kept.update({key: build[key] for key in ("calibrator",) if key in build})
        kept["peers"] += [name for name in build["peers"] if name not in kept["peers"]]
        for cell in (at_clock(cell, kept["machine"]["ghz"]) for cell in build["cells"]):
            before = next((old for old in kept["cells"] if (old["row"], old["text"]) == (cell["row"], cell["text"])), None)
            if before is None:
                kept["cells"].append(cell)
            else:
                before["runners"] = best_runners(before["runners"] + cell["runners"])
    for build in merged.values():
        build["differs"] = sorted({cell["row"] for cell in build["cells"] for runner in cell["runners"] if runner["kind"] == "codec" and "differs" in runner})
        build["peers_differ"] = sorted({f"{runner['name']}: {cell['row']}, {cell['text']}" for cell in build["cells"] for runner in cell["runners"]
                                        if runner["kind"] == "peer" and "differs" in runner})
    return list(merged.values())


def best_runners(runners: List[Dict[str, Any]]) -> List[Dict[str, Any]]:
    """One for each name: one that differs stays so, else the fastest of those that no neighbour disturbed, else the fastest; with the quiet
    figures of all processes."""
    best: Dict[str, Dict[str, Any]] = {}
    for runner in runners:
        before = best.get(runner["name"])
        figures = (quiet_figures(before) if before is not None else []) + quiet_figures(runner)
        if before is None or "differs" in runner or ("differs" not in before and rank(runner) < rank(before)):
            best[runner["name"]] = dict(runner)
        best[runner["name"]]["processes_ns"] = figures
    return list(best.values())


def quiet_figures(runner: Dict[str, Any]) -> List[float]:
    """The time in each process in which no neighbour disturbed it nearly always."""
    refused = "noisy" in runner or "differs" in runner
    return list(runner.get("processes_ns", [] if refused else [runner["minimum_ns"]]))


def rank(runner: Dict[str, Any]) -> Tuple[bool, float]:
    """The less, the better the figure."""
    return "noisy" in runner, runner["minimum_ns"]


def is_noisy(runner: Dict[str, Any]) -> bool:
    """Whether fewer than two processes have a figure that no neighbour disturbed."""
    return "differs" not in runner and len(quiet_figures(runner)) < 2


def is_unsteady(runner: Dict[str, Any], margin: float) -> bool:
    """Whether the figures of its processes differ by more than the margin, in percent: a function may have two rates, and keep one of them as
    long as a process lives."""
    figures = quiet_figures(runner)
    return len(figures) > 1 and max(figures) > (1 + margin / 100) * min(figures)


def fastest(cell: Cell, kind: str) -> Optional[Dict[str, Any]]:
    """Returns the fastest runner of a kind, among those that gave the reference's answer; None if there is none."""
    timed = [runner for runner in cell["runners"] if runner["kind"] == kind and "differs" not in runner and runner["minimum_ns"] > 0]
    return min(timed, key=lambda runner: float(runner["minimum_ns"]), default=None)


def why_refused(cell: Cell, margin: float) -> Optional[str]:
    """"noisy" or "unsteady" if it is unknown which codec or peer is the fastest, or how fast it is. An unsteady peer does not matter if
    another one is faster than the fastest of its processes."""
    if any(is_noisy(runner) for runner in cell["runners"] if runner["kind"] != "limit"):
        return "noisy"
    best = [runner for runner in (fastest(cell, "codec"), fastest(cell, "peer")) if runner is not None]
    return "unsteady" if any(is_unsteady(runner, margin) for runner in best) else None


def ratio_to_peer(cell: Cell, margin: float) -> Optional[Dict[str, Any]]:
    """How many times the best peer's rate ours is."""
    codec, peer = fastest(cell, "codec"), fastest(cell, "peer")
    if codec is None or peer is None or why_refused(cell, margin):
        return None
    return {"text": cell["text"], "ratio": peer["minimum_ns"] / codec["minimum_ns"], "peer": peer["name"], "gbps": cell["bytes"] / codec["minimum_ns"]}


def ratio_to_clean(cell: Cell, cells: Sequence[Cell], margin: float) -> Optional[Dict[str, Any]]:
    """Our rate on damaged text divided by our rate on clean text: of English and ASCII, clean French, since damaged text is not ASCII."""
    text = cell["text"].split("~")[0].replace("en-latin", "fr-latin").replace("ascii", "fr-latin")
    clean = next((other for other in cells if other["row"] == "to-utf16 128K" and other["text"] == text), None)
    if clean is None or why_refused(cell, margin) or why_refused(clean, margin):
        return None
    here, there = fastest(cell, "codec"), fastest(clean, "codec")
    if here is None or there is None:
        return None
    rate = cell["bytes"] / here["minimum_ns"]
    return {"text": cell["text"], "ratio": rate * there["minimum_ns"] / clean["bytes"], "gbps": rate}


def summary(figures: List[Dict[str, Any]], refused: Dict[str, int]) -> Optional[Dict[str, Any]]:
    """Least, middle and most; `refused` is how many cells have none, for each reason."""
    if not figures:
        return {**refused} if any(refused.values()) else None
    figures.sort(key=lambda figure: float(figure["ratio"]))
    return {"least": figures[0], "middle": statistics.median(figure["ratio"] for figure in figures), "most": figures[-1], "figures": figures, **refused}


def lines_of(build: Build, margin: float) -> Dict[str, Optional[Dict[str, Any]]]:
    """For each row that was measured, and for damaged text beside clean text, the summary."""
    lines = {}
    cells = build["cells"]
    for row in all_rows():
        mine = [cell for cell in cells if cell["row"] == row.name]
        reasons = [why_refused(cell, margin) for cell in mine]
        refused = {reason: reasons.count(reason) for reason in REASONS}
        if mine:
            lines[row.name] = summary([figure for cell in mine for figure in [ratio_to_peer(cell, margin)] if figure is not None], refused)
        if mine and "~" in row.name:
            lines[f"{row.name}, of own clean rate"] = summary([figure for cell in mine for figure in [ratio_to_clean(cell, cells, margin)] if figure is not None], refused)
    return lines


class Comparison(NamedTuple):
    """Two runs beside each other: how many figures either has, how many neither refuses, and how each of these differs by more than the tolerance."""

    figures: int
    accepted: int
    differing: List[str]


def compare(build: Build, old: Build, margin: float, tolerance: float) -> Dict[str, Comparison]:
    """The ratios of a table, and the times of the runners that these are of."""
    pairs = [(cell, other) for cell in build["cells"] for other in old["cells"] if (cell["row"], cell["text"]) == (other["row"], other["text"])]
    ratio_of = {where: [ratio_to_peer(cell, margin) for cell in pair] for pair in pairs for where in [f"{pair[0]['row']}, {pair[0]['text']}"]}
    ratios = {where: [ratio["ratio"] if ratio else None for ratio in pair] for where, pair in ratio_of.items()}
    times = {f"{cell['row']}, {cell['text']}, {runner['name']}": [accepted_ns(runner, margin), accepted_ns(before, margin)]
             for cell, other in pairs for runner in cell["runners"] for before in at_clock(other, cell.get("ghz", 0))["runners"]
             if runner["kind"] != "limit" and runner["name"] == before["name"]}
    return {"ratios": compare_figures(ratios, tolerance), "times": compare_figures(times, tolerance)}


def accepted_ns(runner: Dict[str, Any], margin: float) -> Optional[float]:
    """The time of a runner, if it is not refused."""
    return None if "differs" in runner or is_noisy(runner) or is_unsteady(runner, margin) else float(runner["minimum_ns"])


def compare_figures(figures: Dict[str, List[Optional[float]]], tolerance: float) -> Comparison:
    """Each figure in the new run and in the old one."""
    both = {where: (new, old) for where, (new, old) in figures.items() if new is not None and old is not None}
    differing = [f"{where}: {old:.4g}, now {new:.4g}" for where, (new, old) in both.items() if max(new, old) > (1 + tolerance / 100) * min(new, old)]
    return Comparison(len(figures), len(both), differing)


def comparison_text(compared: Dict[str, Comparison], path: Path, tolerance: float) -> str:
    """A sentence for ratios and one for times, and what differs."""
    lines = []
    for kind, comparison in compared.items():
        lines.append(f"Beside {path}: {comparison.accepted} of {comparison.figures} {kind} are accepted in both runs, "
                     f"{comparison.accepted - len(comparison.differing)} of them within {tolerance:g} %.")
        lines += [f"- {line}{' ns' if kind == 'times' else ''}" for line in comparison.differing]
    return "\n".join(lines)


def unsteady_lines(build: Build, margin: float) -> List[str]:
    """Each figure that is refused since processes differ: what each process had, of short strings in ns a string, else in GB/s."""
    lines = []
    for cell in build["cells"]:
        for runner in cell["runners"]:
            if runner["kind"] == "limit" or not is_unsteady(runner, margin):
                continue
            is_short = any(other["name"] == "call" for other in cell["runners"])
            figures = [time / cell["strings"] if is_short else cell["bytes"] / time for time in quiet_figures(runner)]
            lines.append(f"- {cell['row']}, {cell['text']}, {runner['name']}: {', '.join(f'{figure:.2f}' for figure in figures)} {'ns a string' if is_short else 'GB/s'}")
    return lines


def quiet_percent(build: Build) -> float:
    """Returns the percentage of turns in which no neighbour took part of the core, as a mean over all runners."""
    shares = [runner["quiet"] for cell in build["cells"] for runner in cell["runners"] if "quiet" in runner]
    return 100 * statistics.mean(shares) if shares else 0


def cell_text(line: Optional[Dict[str, Any]]) -> str:
    """The text of one cell of the table."""
    if line is None or "least" not in line:
        return " or ".join(reason for reason in REASONS if line[reason]) if line else "-"
    text = f"{line['least']['ratio']:.2f} ({line['least']['text']}), {line['middle']:.2f}, {line['most']['ratio']:.2f} ({line['most']['text']})"
    refused = ", ".join(f"{line[reason]} {reason}" for reason in REASONS if line[reason])
    return text + (f"; of {sum(line[reason] for reason in REASONS) + len(line['figures'])} texts {refused}" if refused else "")


def as_text(builds: List[Build], margin: float = MARGIN_PERCENT) -> str:
    """A table in Markdown, preceded by what was measured and how, and followed by what is unsteady."""
    head = []
    for build in builds:
        machine = build["machine"]
        head.append(f"{machine['processor']}, {machine['ghz']:.2f} GHz measured; {machine['compiler']}; utf8-assay {build['version']}; {build['codec']} beside "
                    f"{', '.join(build['peers'])}; {quiet_percent(build):.0f} % of the turns quiet"
                    + ("; the readings of the calibrator were replaced, as tests do" if "calibrator" in build else ""))
    columns = [lines_of(build, margin) for build in builds]
    names = [name for name in {name: None for column in columns for name in column}]
    head += ["", "Ratio to the best peer: least, middle, most of the texts.", "", "| row | " + " | ".join(build["machine"]["compiler"] for build in builds) + " |",
             "|---|" + "---|" * len(builds)]
    unsteady = [line for build in builds for line in unsteady_lines(build, margin)]
    if unsteady:
        unsteady = ["", f"Unsteady: processes differ by more than {margin:g} %, so that these figures are refused; of each process:", "", *unsteady]
    wrong = [f"- {line}" for build in builds for line in build["peers_differ"]]
    if wrong:
        unsteady = ["", "Not timed, since the answer was not the reference's:", "", *wrong, *unsteady]
    return "\n".join(head + [f"| {name} | " + " | ".join(cell_text(column.get(name)) for column in columns) + " |" for name in names] + unsteady)


def as_json(builds: List[Build], margin: float = MARGIN_PERCENT) -> Dict[str, Any]:
    """All figures, for --merge and for other programs."""
    return {"assay_bench_table": 1, "builds": builds,
            "rows": [{"compiler": build["machine"]["compiler"], "name": name, "summary": line} for build in builds for name, line in lines_of(build, margin).items()]}
