# SPDX-License-Identifier: MIT
"""Asks one subject: first PROFILE, some 480 cases that show which policy it follows, then as many cases as its speed allows."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any, Dict, List, NamedTuple, Optional

from subjects.divergences import ask_one, verdict
from subjects.subjects import Subject, command_of

from .children import Children, TooSlow

# The cases that are asked first.
PROFILE = ["*/standard-examples", "utf-8/museum", "utf-8/museum-streaming", "utf-8-sig/museum-bom", "utf-8-sig/bom/efbbbf*", "utf-8-sig/bom/41*",
           "utf-8/overlong/c0?[08f]", "utf-8/overlong/e08???", "utf-8/overlong/f080*", "utf-8/surrogate/ed??80", "utf-8/surrogate/ed?0",
           "utf-8/out-of-range/f490*", "utf-8/old-scheme/f[8c]*", "utf-8/well-formed/efb79?", "utf-8/well-formed/efbf*", "utf-8/well-formed/efbbbf*",
           "utf-8/well-formed/bom-between", "utf-8/limited-output/efbbbf41",
           "utf-8/missing-continuation/c2*", "utf-8/truncated/e?", "utf-8/truncated/f?", "utf-8/reuse/c*", "utf-8/streaming/e[01d]_*"]
COMPILE_SECONDS, PROFILE_SECONDS, REPLY_SECONDS = 300, 300, 60
ALL_SECONDS = 4 * 3600  # of --all

Report = Dict[str, Any]


class Plan(NamedTuple):
    """The options that decide which cases are asked."""
    seconds: float         # that a subject may take for the cases after PROFILE
    asks_all: bool
    counts: Dict[str, int]  # cases in each category


class Asked(NamedTuple):
    """The reports of one subject."""
    report: Report             # of the most cases that were asked
    profile_report: Report     # of PROFILE
    every: int                 # every Nth case was asked; 0: PROFILE only
    note: str                  # "" or why only PROFILE was asked
    statuses: Dict[str, str]   # of its divergences: "still there", "fixed", "another answer", "no answer"


class CouldNotAsk(Exception):
    """Raised with the reason why a subject has no report."""


def run_assay(subject: Subject, options: List[str], folder: Path, cwd: Path, children: Children, seconds: float) -> Report:
    """Runs `assay run`. Returns its report."""
    code, said, errors = children.run(command_of(subject, str(folder), ["--answers", "--shrink", "0", *options]), b"", folder, cwd, seconds)
    if code not in (0, 1):
        raise CouldNotAsk(errors.strip() or f"assay run ended with exit code {code}")
    try:
        report: Report = json.loads(said)
    except ValueError as error:
        raise CouldNotAsk(f"assay run printed no JSON: {error}") from None
    return report


def encoding_of(name: str) -> str:
    """The encoding in the name of a category or a case."""
    return name.split("/", 1)[0]


def answered(cases: Dict[str, int]) -> int:
    """The number of cases of a category that had an answer."""
    return cases["passed"] + cases["failed"]


def step_for(first: Report, plan: Plan) -> int:
    """N such that asking every Nth case of the encodings that the subject offers takes about `plan.seconds`; 1 with --all."""
    if plan.asks_all:
        return 1
    offered = {encoding_of(name) for name, cases in first["categories"].items() if answered(cases)}
    asked = sum(answered(cases) for cases in first["categories"].values())
    total = sum(count for name, count in plan.counts.items() if encoding_of(name) in offered)
    return max(1, math.ceil(first["seconds"] / max(asked, 1) * total / plan.seconds))


def statuses_of(subject: Subject, checks: Dict[str, Dict[str, str]], folder: Path, cwd: Path, children: Children) -> Dict[str, str]:
    """The status of each divergence of this subject."""
    def run(command: List[str], text: bytes) -> Any:
        return children.run(command, text, folder, cwd, REPLY_SECONDS)[:2]

    found = {}
    for name, check in checks.items():
        if check["subject"] == subject.name:
            try:
                found[name] = verdict(check, ask_one(subject, check["asked"], str(folder), run))
            except TooSlow:
                found[name] = "no answer"
    return found


def ask_subject(subject: Subject, folder: Path, cwd: Path, plan: Plan, children: Children, checks: Dict[str, Dict[str, str]]) -> Asked:
    """Compiles the adapter in `folder` and asks it. Raises CouldNotAsk, or Stopped."""
    try:
        if subject.build:
            code, _, errors = children.run(["sh", "-c", subject.filled(subject.build, str(folder))], b"", folder, cwd, COMPILE_SECONDS)
            if code:
                raise CouldNotAsk(f"{subject.build}\n{errors.strip()}")
        first = run_assay(subject, ["--restarts", "10", *PROFILE], folder, cwd, children, PROFILE_SECONDS)
    except TooSlow as problem:
        raise CouldNotAsk(str(problem)) from None
    every = step_for(first, plan)
    most: Optional[Report] = None
    note = ""
    try:
        seconds = ALL_SECONDS if plan.asks_all else 60 + 5 * plan.seconds
        most = run_assay(subject, ["--restarts", "20", "--every", str(every)], folder, cwd, children, seconds)
    except (TooSlow, CouldNotAsk) as problem:
        note = f"Only the cases that are asked first: {problem}"
    return Asked(most or first, first, every if most else 0, note, statuses_of(subject, checks, folder, cwd, children))
