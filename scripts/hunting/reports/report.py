# SPDX-License-Identifier: MIT
"""What a hunt says in the end: report.txt for a person, summary.json for a program."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any, Dict, List, Optional, Sequence

from witness.policies import spans

from ..engines.corpora import corpus_folder
from ..files import write_file
from ..findings.causes import by_cause, counted, read_families
from ..findings.opinions import encoding_of
from ..findings.store import Finding, Store
from ..findings.triage import cpu_model
from ..fuzzing import Job
from ..options import Options
from ..plan import REGIMES, Piece
from ..state import State
from ..trees import EMULATED_ISA
from ..trouble import CANNOT_RUN, CLEAN, FOUND, INTERRUPTED
from ..worth import Worth
from .account import fuzzed, left_over, time_by_worth
from .coverage import in_all
from .exports import append_step_summary, junit, write_page

VERDICTS = {
    CLEAN: "clean: no finding",
    FOUND: "found something",
    CANNOT_RUN: "could not run as asked",
    INTERRUPTED: "interrupted",
}


@dataclass
class Hunt:
    """All that is known of a hunt, filled in as it goes on."""

    options: Options
    store: Store
    began: datetime
    state: State
    codecs: List[Dict[str, Any]] = field(default_factory=list)  # as `assay list` has them
    emulates: bool = False  # in one build, codecs that this CPU cannot run
    ran: Dict[str, List[str]] = field(default_factory=dict)  # by "target with engine"
    replayed: Dict[str, int] = field(default_factory=dict)
    compilers: Dict[str, str] = field(default_factory=dict)
    plan: List[Piece] = field(default_factory=list)
    worths: Dict[str, Worth] = field(default_factory=dict)  # by target
    jobs: List[Job] = field(default_factory=list)
    not_shown: List[str] = field(default_factory=list)
    merged: List[Dict[str, Any]] = field(default_factory=list)
    coverage: List[Dict[str, Any]] = field(default_factory=list)
    trouble: Optional[str] = None
    interrupted: bool = False
    ended_at: Optional[str] = None  # the key of what was found, that being enough

    @property
    def rows(self) -> List[Dict[str, Any]]:
        """All pieces of work, those of the sessions before this one too."""
        done = {row["number"] for row in self.state.done}
        return self.state.done + [job_json(job) for job in self.jobs if job.piece.number not in done]

    @property
    def left(self) -> List[Dict[str, Any]]:
        """What is left of the plan."""
        done, begun = {row["number"] for row in self.state.done}, {job.piece.number for job in self.jobs}
        return [{"target": piece.target.name, "engine": piece.engine, "regime": piece.regime.name, "name": piece.name,
                 "begun": piece.number in begun} for piece in self.plan if piece.number not in done]

    def emulated(self, row: Dict[str, Any]) -> bool:
        """Whether a codec runs in that build only."""
        return self.emulates and row["needs"] == EMULATED_ISA

    @property
    def exit_code(self) -> int:
        """An interrupted hunt is that; a finding outweighs trouble, for trouble does not make it untrue."""
        if self.interrupted:
            return INTERRUPTED
        if self.store.findings:
            return FOUND
        return CANNOT_RUN if self.trouble else CLEAN


# ---- for a person ------------------------------------------------------------------------------

COLUMNS = ("target", "engine", "regime", "seconds", "executions", "per second", "edges", "features", "corpus", "findings")
SAMPLE = 200  # inputs of a corpus that are looked at
WORDS = 3  # columns of words; the others are numbers


def cells(row: Dict[str, Any]) -> List[str]:
    """A piece of work's line in the table."""
    edges = f"{row['edges']} of {row['edges_known']}" if row["edges_known"] else str(row["edges"])
    engine = row["engine"] if row["build"] == row["engine"] else f"{row['engine']}/{row['build']}"
    return [row["target"], engine, row["regime"], f"{row['seconds']:.1f}", f"{row['executions']:,}",
            f"{rate(row):,.0f}", edges, str(row["features"] or "-"), str(row["corpus"]), str(len(row["new_keys"]))]


def rate(row: Dict[str, Any]) -> float:
    """Executions a second."""
    return row["executions"] / row["seconds"] if row["seconds"] else 0.0


def table(rows: Sequence[Sequence[str]]) -> List[str]:
    """Words to the left, numbers to the right."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    return ["  ".join(cell.ljust(width) if i < WORDS else cell.rjust(width)
                      for i, (cell, width) in enumerate(zip(row, widths))).rstrip() for row in rows]


def codec_lines(hunt: Hunt) -> List[str]:
    """Which codecs there are to compare, and which do not run and why."""
    lines = []
    for encoding in sorted({target.encoding for target in hunt.options.targets} if hunt.codecs else ()):
        rows = [row for row in hunt.codecs if row["encoding"] == encoding]
        lines.append(f"codecs    {encoding}: {' '.join(row['codec'] for row in rows if row['runs'])}")
        for row in rows:
            if hunt.emulated(row):
                lines.append(f"emulated  {encoding}/{row['codec']}: needs {row['needs']}, which this CPU lacks; in one build only")
            elif not row["runs"]:
                lines.append(f"not run   {encoding}/{row['codec']}: needs {row['needs']}, which this CPU lacks, "
                             "the build leaves out, or ASSAY_WITHOUT takes away")
    return lines


def ran_lines(hunt: Hunt) -> List[str]:
    """Which codecs the programs themselves said they asked."""
    by_codecs: Dict[str, List[str]] = {}
    for name, codecs in hunt.ran.items():
        by_codecs.setdefault(" ".join(codecs), []).append(name)
    return [f"ran       {codecs} ({', '.join(names) if len(names) < 5 else f'{len(names)} programs'})"
            for codecs, names in by_codecs.items()]


def came_up(finding: Finding) -> str:
    """How often, and whether a hunt before knew it."""
    if finding.from_before and finding.count == 1:
        return "left by an earlier hunt, and still so"
    return f"came up {finding.count} time{'s' if finding.count > 1 else ''}" + (", known from an earlier hunt" if finding.from_before else "")


def input_of(finding: Finding) -> bytes:
    """The bytes that show it; where they cannot be read any more, others, since a report is written whatever happens."""
    try:
        return (finding.folder / "input").read_bytes()
    except OSError:
        return finding.key.encode()


def causes_of(hunt: Hunt) -> List[List[str]]:
    """The keys of each probable cause."""
    findings = list(hunt.store.findings.values())
    return by_cause([{**finding.info, "letter": finding.letter} for finding in findings], [input_of(finding) for finding in findings],
                    read_families(hunt.options.root)) if findings else []


def finding_lines(hunt: Hunt) -> List[str]:
    """For each probable cause the letter of its smallest finding, and how to see it again; the others by their keys."""
    lines = []
    for first, *others in causes_of(hunt):
        finding = hunt.store.findings[first]
        lines += ["", f"finding   {finding.key} ({came_up(finding)})", *("  " + line for line in finding.letter.splitlines())]
        if others:
            lines.append(f"also      {len(others)} more, probably of the same cause; the letter of each is in its folder")
        lines += [f"  {key} ({came_up(hunt.store.findings[key])})" for key in others]
    for key in hunt.store.gone:
        lines += ["", f"gone      {key}, left by an earlier hunt, shows no more; its folder is kept"]
    for remark in hunt.not_shown:
        lines += ["", f"slow      {remark}"]
    return lines


def head_lines(hunt: Hunt) -> List[str]:
    """What was asked, and with what."""
    options = hunt.options
    names = [target.name for target in options.targets]
    lines = [f"hunt      {', '.join(names) if len(names) < 8 else f'{len(names)} targets'} with {', '.join(options.engines)}, "
             f"{options.seconds} s on {options.jobs} processor{'s' if options.jobs > 1 else ''}, seed {options.seed}"
             + (f", with the plant {options.plant.name}" if options.plant else "")
             + (f", with {', '.join(map(str, options.codecs))}" if options.codecs else ""),
             f"cpu       {cpu_model()}"]
    return lines + [f"compiler  {tree}: {version}" for tree, version in hunt.compilers.items()]


def text(hunt: Hunt) -> str:
    """The report."""
    lines = [*head_lines(hunt), *codec_lines(hunt), *ran_lines(hunt)]
    if hunt.replayed:
        lines.append(f"replayed  {sum(hunt.replayed.values())} known inputs through {len(hunt.replayed)} targets")
    shared = time_by_worth({"worths": worth_rows(hunt)})
    lines += [f"time      {shared}"] if shared else []
    if hunt.rows:
        lines += ["", *table([COLUMNS, *map(cells, hunt.rows)])]
        lines.append(fuzzed(sum(row["executions"] for row in hunt.rows), hunt.state.seconds))
        lines += [f"note      {row['target']} {row['engine']} {row['regime']}: {row['note']}" for row in hunt.rows if row["note"]]
    if hunt.merged:
        before, after = (sum(row[when] for row in hunt.merged) for when in ("before", "after"))
        lines.append(f"merged    {before} inputs into {after}, in {hunt.options.out / 'corpus'}")
    lines += coverage_lines(hunt.coverage)
    lines += finding_lines(hunt)
    left = left_over(hunt.ended_at, len(hunt.plan), hunt.left)
    lines += ["", *(f"left      {line}" for line in left)] if left else []
    lines += ["", *verdict_lines(hunt)]
    return "\n".join(lines) + "\n"


def coverage_lines(rows: Sequence[Dict[str, Any]]) -> List[str]:
    """How much of the decoders was reached, and what was not."""
    if not rows:
        return []
    shares = in_all(rows)
    lines = ["", f"coverage  {shares['lines']:.1f} % of the lines and {shares['branches']:.1f} % of the branches of the decoders"]
    for row in rows:
        missed = [f"lines {row['missed']}"] * bool(row["missed"]) + row["branches_missed"]
        if missed:
            lines.append(f"not run   {row['file']}: {', '.join(missed)}")
    return lines


def verdict_lines(hunt: Hunt) -> List[str]:
    """The last lines: what came of it."""
    lines = [f"trouble   {hunt.trouble}"] if hunt.trouble else []
    found = f"{counted(causes_of(hunt))}, in {hunt.store.folder}" if hunt.store.findings else ""
    verdict = VERDICTS[hunt.exit_code] if hunt.exit_code != FOUND else found
    if hunt.interrupted and found:
        verdict += f"; {found}"
    return lines + [verdict]


# ---- for a program -------------------------------------------------------------------------------

def job_json(job: Job) -> Dict[str, Any]:
    """A job as numbers."""
    figures, piece = job.total(), job.piece
    return {
        "number": piece.number, "target": piece.target.name, "encoding": piece.target.encoding, "engine": piece.engine,
        "build": "cmplog" if piece.way.compares else piece.way.tree, "without": piece.without or None,
        "schedule": " ".join([piece.schedule, *piece.variations]) if piece.engine == "afl" else None, "samples": job.samples,
        "regime": piece.regime.name, "max_length": piece.regime.max_length, "seed": piece.seed,
        "seconds": round(job.seconds, 3), "runs": len(job.runs), "executions": figures.executions,
        "edges": figures.edges, "edges_known": figures.edges_known or None, "features": figures.features or None,
        "corpus": figures.corpus, "crashes": job.crashes, "new_keys": job.keys, "note": job.note or None,
    }


def worth_rows(hunt: Hunt) -> List[Dict[str, Any]]:
    """What each target is worth, and the seconds that the plan gives it, of all that are at work at a time."""
    return [{"target": name, "weight": worth.weight, "why": worth.why,
             "seconds": round(sum(piece.end - piece.begin for piece in hunt.plan if piece.target.name == name), 1)}
            for name, worth in hunt.worths.items()]


def summary(hunt: Hunt) -> Dict[str, Any]:
    """The hunt as data."""
    options = hunt.options
    return {
        "format": 1, "exit_code": hunt.exit_code, "verdict": VERDICTS[hunt.exit_code], "trouble": hunt.trouble,
        "began": hunt.began.isoformat(timespec="seconds"), "seconds": round(hunt.state.seconds, 3),
        "options": {"seconds": options.seconds, "targets": [target.name for target in options.targets],
                    "engines": list(options.engines), "jobs": options.jobs, "seed": options.seed,
                    "plant": options.plant.name if options.plant else None, "expect": list(options.expect),
                    "codecs": list(map(str, options.codecs))},
        "cpu": cpu_model(), "compilers": hunt.compilers, "ran": hunt.ran,
        "codecs": [{**row, "emulated": hunt.emulated(row)} for row in hunt.codecs],
        "replayed": hunt.replayed, "worths": worth_rows(hunt), "jobs": hunt.rows,
        "ended_at": hunt.ended_at, "planned": len(hunt.plan), "left": hunt.left, "merged": hunt.merged,
        "executions": sum(row["executions"] for row in hunt.rows), "corpora": corpora(hunt), "coverage": hunt.coverage,
        "coverage_in_all": in_all(hunt.coverage) if hunt.coverage else None,
        "findings": [{**finding.info, "count": finding.count, "from_before": finding.from_before,
                      "folder": str(finding.folder), "letter": finding.letter}
                     for finding in hunt.store.findings.values()],
        "causes": causes_of(hunt),
        "gone": hunt.store.gone, "not_shown_again": hunt.not_shown,
    }


def corpora(hunt: Hunt) -> List[Dict[str, Any]]:
    """What there is to begin the next hunt from, and how much of it is well-formed, by the witness."""
    rows = []
    for target in hunt.options.targets:
        for regime in REGIMES:
            folder = corpus_folder(hunt.options.out, target, regime)
            files = [path.read_bytes() for path in folder.iterdir()] if folder.is_dir() else []
            if files:
                sample = files[:SAMPLE]
                good = sum(not spans(encoding_of(target.encoding), content) for content in sample)
                rows.append({"target": target.name, "regime": regime.name, "inputs": len(files),
                             "mean_bytes": round(sum(map(len, files)) / len(files)), "well_formed": round(good / len(sample), 3)})
    return rows


def write(hunt: Hunt, folder: Path) -> Optional[str]:
    """Each file whole or not at all; the page last, for it is made of the summary. A sentence if there is no page."""
    folder.mkdir(parents=True, exist_ok=True)
    write_file(folder / "report.txt", text(hunt).encode())
    content = summary(hunt)
    write_file(folder / "summary.json", json.dumps(content, indent=2).encode() + b"\n")
    write_file(folder / "junit.xml", junit(content))
    append_step_summary(content)
    return write_page(folder)
