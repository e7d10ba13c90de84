# SPDX-License-Identifier: MIT
"""The report of a hunt: report.txt for a person, summary.json for a program."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any, Dict, List, Optional, Sequence

from witness.policies import spans

from ..engines.corpora import corpus_folder
from ..files import write_file
from ..findings.causes import by_cause, counted, read_families
from ..findings.opinions import encoding_of
from ..findings.store import EXPLANATION, Finding, Store
from ..findings.triage import cpu_model
from ..fuzzing import Job
from ..provenance import made
from ..options import Options
from ..plan import REGIMES, Piece
from ..state import State
from ..trees import EMULATED_ISA
from ..exits import CANNOT_RUN, CLEAN, FOUND, INTERRUPTED
from ..time_shares import Worth
from .summary_text import fuzzed, left_over, time_by_worth
from .coverage import in_all
from .ci_reports import append_step_summary, junit, write_page

VERDICTS = {
    CLEAN: "clean: no finding",
    FOUND: "found something",
    CANNOT_RUN: "could not run as asked",
    INTERRUPTED: "interrupted",
}


@dataclass
class Hunt:
    """All that is known of a hunt, filled in while it runs."""

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
    ended_at: Optional[str] = None  # the key of the finding that ended the hunt (--fail-fast)
    command: Sequence[str] = ()  # as it was typed

    @property
    def rows(self) -> List[Dict[str, Any]]:
        """The rows of all pieces of work, those of earlier sessions included."""
        done = {row["number"] for row in self.state.done}
        return self.state.done + [job_json(job) for job in self.jobs if job.piece.number not in done]

    @property
    def left(self) -> List[Dict[str, Any]]:
        """The pieces of the plan that are not done."""
        done, begun = {row["number"] for row in self.state.done}, {job.piece.number for job in self.jobs}
        return [{"target": piece.target.name, "engine": piece.engine, "regime": piece.regime.name, "name": piece.name,
                 "begun": piece.number in begun} for piece in self.plan if piece.number not in done]

    def emulated(self, row: Dict[str, Any]) -> bool:
        """True if a codec runs only in the build that emulates its instruction set."""
        return self.emulates and row["needs"] == EMULATED_ISA

    @property
    def exit_code(self) -> int:
        """INTERRUPTED if interrupted; else FOUND if there is a finding, even if something could not run; else CANNOT_RUN or CLEAN."""
        if self.interrupted:
            return INTERRUPTED
        if self.store.findings:
            return FOUND
        return CANNOT_RUN if self.trouble else CLEAN


# ---- for a person ------------------------------------------------------------------------------

COLUMNS = ("target", "engine", "regime", "seconds", "executions", "per second", "edges", "features", "corpus", "findings")
INPUT_SHOWN_MAX = 1 << 16  # bytes of an input in summary.json
SAMPLE = 200  # inputs of a corpus that are looked at
WORDS = 3  # columns of words; the others are numbers


def cells(row: Dict[str, Any]) -> List[str]:
    """The cells of a piece of work in the table."""
    edges = f"{row['edges']} of {row['edges_known']}" if row["edges_known"] else str(row["edges"])
    engine = row["engine"] if row["build"] == row["engine"] else f"{row['engine']}/{row['build']}"
    return [row["target"], engine, row["regime"], f"{row['seconds']:.1f}", f"{row['executions']:,}",
            f"{rate(row):,.0f}", edges, str(row["features"] or "-"), str(row["corpus"]), str(len(row["new_keys"]))]


def rate(row: Dict[str, Any]) -> float:
    """Executions per second."""
    return row["executions"] / row["seconds"] if row["seconds"] else 0.0


def table(rows: Sequence[Sequence[str]]) -> List[str]:
    """The rows as aligned text: words to the left, numbers to the right."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    return ["  ".join(cell.ljust(width) if i < WORDS else cell.rjust(width)
                      for i, (cell, width) in enumerate(zip(row, widths))).rstrip() for row in rows]


def codec_lines(hunt: Hunt) -> List[str]:
    """Lines about the codecs that are compared, and about those that do not run, with the reason."""
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
    """Lines about the codecs that the programs themselves report to have asked."""
    by_codecs: Dict[str, List[str]] = {}
    for name, codecs in hunt.ran.items():
        by_codecs.setdefault(" ".join(codecs), []).append(name)
    return [f"ran       {codecs} ({', '.join(names) if len(names) < 5 else f'{len(names)} programs'})"
            for codecs, names in by_codecs.items()]


def came_up(finding: Finding) -> str:
    """How often a finding came up, and whether an earlier hunt had it."""
    if finding.from_before and finding.count == 1:
        return "left by an earlier hunt, and still so"
    return f"came up {finding.count} time{'s' if finding.count > 1 else ''}" + (", known from an earlier hunt" if finding.from_before else "")


def input_of(finding: Finding) -> bytes:
    """The bytes that show a finding; its key if they cannot be read, because the report must be written in any case."""
    try:
        return (finding.folder / "input").read_bytes()
    except OSError:
        return finding.key.encode()


def causes_of(hunt: Hunt) -> List[List[str]]:
    """The keys of each probable cause."""
    findings = [finding for finding in hunt.store.findings.values() if not finding.info.get("not_again_in")]
    return by_cause([{**finding.info, "letter": finding.letter} for finding in findings], [input_of(finding) for finding in findings],
                    read_families(hunt.options.root)) if findings else []


def not_again_of(hunt: Hunt) -> List[str]:
    """The keys of the crashes that did not come again when replayed: nothing says what their causes are."""
    return [finding.key for finding in hunt.store.findings.values() if finding.info.get("not_again_in")]


def finding_lines(hunt: Hunt) -> List[str]:
    """Lines for each probable cause: the letter of its smallest finding, and the keys of the others."""
    lines = []
    for first, *others in causes_of(hunt):
        finding = hunt.store.findings[first]
        lines += ["", f"finding   {finding.key} ({came_up(finding)})", *("  " + line for line in finding.letter.splitlines())]
        if others:
            lines.append(f"also      {len(others)} more, probably of the same cause; the letter of each is in its folder")
        lines += [f"  {key} ({came_up(hunt.store.findings[key])})" for key in others]
    for key in not_again_of(hunt):
        finding = hunt.store.findings[key]
        lines += ["", f"not again {key} ({came_up(finding)})", *("  " + line for line in finding.letter.splitlines())]
    for key in hunt.store.gone:
        lines += ["", f"gone      {key}, left by an earlier hunt, shows no more; its folder is kept"]
    for remark in hunt.not_shown:
        lines += ["", f"slow      {remark}"]
    return lines


def head_lines(hunt: Hunt) -> List[str]:
    """The first lines: the options, the CPU and the compilers."""
    options = hunt.options
    names = [target.name for target in options.targets]
    lines = [f"hunt      {', '.join(names) if len(names) < 8 else f'{len(names)} targets'} with {', '.join(options.engines)}, "
             f"{options.seconds} s on {options.jobs} processor{'s' if options.jobs > 1 else ''}, seed {options.seed}"
             + (f", with the plant {options.plant.name}" if options.plant else "")
             + (f", with {', '.join(map(str, options.codecs))}" if options.codecs else ""),
             f"cpu       {cpu_model()}"]
    return lines + [f"compiler  {tree}: {version}" for tree, version in hunt.compilers.items()]


def text(hunt: Hunt) -> str:
    """The text of report.txt."""
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
    """Lines about coverage: the percentages, and what was not reached."""
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
    """The last lines: the trouble if any, and the verdict."""
    lines = [f"trouble   {hunt.trouble}"] if hunt.trouble else []
    found = f"{counted(causes_of(hunt), not_again_of(hunt))}, in {hunt.store.folder}" if hunt.store.findings else ""
    verdict = VERDICTS[hunt.exit_code] if hunt.exit_code != FOUND else found
    if hunt.interrupted and found:
        verdict += f"; {found}"
    return lines + [verdict]


# ---- for a program -------------------------------------------------------------------------------

def job_json(job: Job) -> Dict[str, Any]:
    """A piece of work as data."""
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
    """The weight of each target, and the seconds of all its pieces in the plan."""
    return [{"target": name, "weight": worth.weight, "why": worth.why,
             "seconds": round(sum(piece.end - piece.begin for piece in hunt.plan if piece.target.name == name), 1)}
            for name, worth in hunt.worths.items()]


def summary(hunt: Hunt) -> Dict[str, Any]:
    """The content of summary.json."""
    options = hunt.options
    return {
        "format": 1, "exit_code": hunt.exit_code, "verdict": VERDICTS[hunt.exit_code], "trouble": hunt.trouble,
        "made": made(options.root, hunt.command, hunt.began), "root": str(options.root), "without": os.environ.get("ASSAY_WITHOUT") or None,
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
        "findings": [finding_json(finding) for finding in hunt.store.findings.values()],
        "causes": causes_of(hunt), "not_again": not_again_of(hunt),
        "gone": hunt.store.gone, "not_shown_again": hunt.not_shown,
    }


def finding_json(finding: Finding) -> Dict[str, Any]:
    """A finding as data, with its input and what `assay explain` says of it."""
    path, explanation = finding.folder / "input", finding.folder / EXPLANATION
    content = path.read_bytes() if path.is_file() else b""
    return {**finding.info, "count": finding.count, "from_before": finding.from_before, "folder": str(finding.folder), "letter": finding.letter,
            "input": content[:INPUT_SHOWN_MAX].hex(), "input_bytes": len(content),
            "explanation": explanation.read_text("utf-8", "replace") if explanation.is_file() else ""}


def corpora(hunt: Hunt) -> List[Dict[str, Any]]:
    """The size of each corpus, and how much of it is well-formed by the witness."""
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
    """Writes all reports, each file whole or not at all; the page last, because it is made from the summary. Returns a sentence if there is
    no page."""
    folder.mkdir(parents=True, exist_ok=True)
    write_file(folder / "report.txt", text(hunt).encode())
    content = summary(hunt)
    write_file(folder / "summary.json", json.dumps(content, indent=2).encode() + b"\n")
    write_file(folder / "junit.xml", junit(content))
    append_step_summary(content)
    return write_page(folder)
