# SPDX-License-Identifier: MIT
"""What a hunt says in the end: report.txt for a person, summary.json for a program."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any, Dict, List, Optional, Sequence

from .findings import Store, write_file
from .fuzzing import Job
from .options import Options
from .triage import cpu_model
from .trouble import CANNOT_RUN, CLEAN, FOUND, INTERRUPTED

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
    codecs: List[Dict[str, Any]] = field(default_factory=list)
    ran: Dict[str, List[str]] = field(default_factory=dict)  # by "target with engine"
    replayed: Dict[str, int] = field(default_factory=dict)
    compilers: Dict[str, str] = field(default_factory=dict)
    jobs: List[Job] = field(default_factory=list)
    not_shown: List[str] = field(default_factory=list)
    trouble: Optional[str] = None
    interrupted: bool = False
    seconds: float = 0.0

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
WORDS = 3  # so many columns are words, the others numbers


def job_cells(job: Job) -> List[str]:
    """A job's line in the table."""
    figures, piece = job.total(), job.piece
    edges = f"{figures.edges} of {figures.edges_known}" if figures.edges_known else str(figures.edges)
    rate = figures.executions / job.seconds if job.seconds else 0
    return [piece.target.name, piece.engine, piece.regime.name, f"{job.seconds:.1f}", f"{figures.executions:,}",
            f"{rate:,.0f}", edges, str(figures.features or "-"), str(figures.corpus), str(len(job.keys))]


def table(rows: Sequence[Sequence[str]]) -> List[str]:
    """Words to the left, numbers to the right."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    return ["  ".join(cell.ljust(width) if i < WORDS else cell.rjust(width)
                      for i, (cell, width) in enumerate(zip(row, widths))).rstrip() for row in rows]


def codec_lines(hunt: Hunt) -> List[str]:
    """Which codecs there are to compare, and which do not run and why."""
    lines = []
    for encoding in sorted({target.encoding for target in hunt.options.targets}):
        rows = [row for row in hunt.codecs if row["encoding"] == encoding]
        lines.append(f"codecs    {encoding}: {' '.join(row['codec'] for row in rows if row['runs'])}")
        for row in rows:
            if not row["runs"]:
                lines.append(f"not run   {encoding}/{row['codec']}: needs {row['needs']}, which this CPU lacks, "
                             "the build leaves out, or ASSAY_WITHOUT takes away")
    return lines


def ran_lines(hunt: Hunt) -> List[str]:
    """Which codecs the programs themselves said they asked."""
    by_codecs: Dict[str, List[str]] = {}
    for name, codecs in hunt.ran.items():
        by_codecs.setdefault(" ".join(codecs), []).append(name)
    return [f"ran       {codecs} ({', '.join(names)})" for codecs, names in by_codecs.items()]


def finding_lines(hunt: Hunt) -> List[str]:
    """Every finding's letter, and how to see it again."""
    lines = []
    for finding in hunt.store.findings.values():
        came_up = "left by an earlier hunt, and still so" if finding.from_before and finding.count == 1 else \
            f"came up {finding.count} time{'s' if finding.count > 1 else ''}" + \
            (", known from an earlier hunt" if finding.from_before else "")
        lines += ["", f"finding   {finding.key} ({came_up})", *("  " + line for line in finding.letter.splitlines())]
    for key in hunt.store.gone:
        lines += ["", f"gone      {key}, left by an earlier hunt, shows no more; its folder is kept"]
    for remark in hunt.not_shown:
        lines += ["", f"slow      {remark}"]
    return lines


def head_lines(hunt: Hunt) -> List[str]:
    """What was asked, and with what."""
    options = hunt.options
    lines = [f"hunt      {', '.join(target.name for target in options.targets)} with {', '.join(options.engines)}, "
             f"{options.seconds} s on {options.jobs} processor{'s' if options.jobs > 1 else ''}, seed {options.seed}"
             + (f", with the plant {options.plant.name}" if options.plant else ""),
             f"cpu       {cpu_model()}"]
    return lines + [f"compiler  {tree}: {version}" for tree, version in hunt.compilers.items()]


def text(hunt: Hunt) -> str:
    """The report."""
    lines = [*head_lines(hunt), *codec_lines(hunt), *ran_lines(hunt)]
    for target, files in hunt.replayed.items():
        lines.append(f"replayed  {files} known inputs through {target}")
    if hunt.jobs:
        lines += ["", *table([COLUMNS, *(job_cells(job) for job in hunt.jobs)])]
        total = sum(job.total().executions for job in hunt.jobs)
        lines.append(f"{total:,} executions in {hunt.seconds:.0f} s")
        lines += [f"note      {job.piece.name}: {job.note}" for job in hunt.jobs if job.note]
    lines += finding_lines(hunt)
    lines += ["", *verdict_lines(hunt)]
    return "\n".join(lines) + "\n"


def verdict_lines(hunt: Hunt) -> List[str]:
    """The last lines: what came of it."""
    lines = [f"trouble   {hunt.trouble}"] if hunt.trouble else []
    count = len(hunt.store.findings)
    found = f"{count} finding{'s' if count != 1 else ''}, in {hunt.store.folder}" if count else ""
    verdict = VERDICTS[hunt.exit_code] if hunt.exit_code != FOUND else found
    if hunt.interrupted and found:
        verdict += f"; {found}"
    return lines + [verdict]


# ---- for a program -------------------------------------------------------------------------------

def job_json(job: Job) -> Dict[str, Any]:
    """A job as numbers."""
    figures, piece = job.total(), job.piece
    return {
        "target": piece.target.name, "encoding": piece.target.encoding, "engine": piece.engine,
        "regime": piece.regime.name, "max_length": piece.regime.max_length, "seed": piece.seed,
        "seconds": round(job.seconds, 3), "runs": len(job.runs), "executions": figures.executions,
        "edges": figures.edges, "edges_known": figures.edges_known or None, "features": figures.features or None,
        "corpus": figures.corpus, "crashes": job.crashes, "new_keys": job.keys, "note": job.note or None,
    }


def summary(hunt: Hunt) -> Dict[str, Any]:
    """The hunt as data."""
    options = hunt.options
    return {
        "format": 1, "exit_code": hunt.exit_code, "verdict": VERDICTS[hunt.exit_code], "trouble": hunt.trouble,
        "began": hunt.began.isoformat(timespec="seconds"), "seconds": round(hunt.seconds, 3),
        "options": {"seconds": options.seconds, "targets": [target.name for target in options.targets],
                    "engines": list(options.engines), "jobs": options.jobs, "seed": options.seed,
                    "plant": options.plant.name if options.plant else None, "expect": list(options.expect)},
        "cpu": cpu_model(), "compilers": hunt.compilers, "codecs": hunt.codecs, "ran": hunt.ran,
        "replayed": hunt.replayed, "jobs": [job_json(job) for job in hunt.jobs],
        "executions": sum(job.total().executions for job in hunt.jobs),
        "findings": [{**finding.info, "count": finding.count, "from_before": finding.from_before,
                      "folder": str(finding.folder), "letter": finding.letter}
                     for finding in hunt.store.findings.values()],
        "gone": hunt.store.gone, "not_shown_again": hunt.not_shown,
    }


def write(hunt: Hunt, folder: Path) -> None:
    """Both files, each whole or not at all."""
    folder.mkdir(parents=True, exist_ok=True)
    write_file(folder / "report.txt", text(hunt).encode())
    write_file(folder / "summary.json", json.dumps(summary(hunt), indent=2).encode() + b"\n")
