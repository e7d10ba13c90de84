# SPDX-License-Identifier: MIT
"""An entry of field.json: what the report of a subject says about it."""

from __future__ import annotations

import json
import math
import subprocess
from collections import Counter
from pathlib import Path
from typing import Any, Dict, List, NamedTuple, Tuple

from subjects.deviations import DEVIATIONS, explained
from subjects.subjects import ASSAY, Subject

from . import readings
from .asking import Asked, answered

SHOWN = 3  # failed requests of a category; the counts are of all
CAUSES = 40
TEXT_MAX = 400


class Vectors(NamedTuple):
    """What the report needs of the golden vectors."""
    version: str
    counts: Dict[str, int]       # cases in each category
    inputs: Dict[str, List[str]]  # of readings.behaviour


def single(test: Dict[str, Any]) -> bool:
    """True if the bytes of a case are one sequence by the bits of its lead."""
    data = bytes.fromhex(test["bytes"].replace("-", ""))
    return len(data) > 1 and readings.spelled(data) is not None


def load_vectors(folder: Path) -> Vectors:
    """Reads the vectors of all categories."""
    listed = subprocess.run([ASSAY, "run", "--list", "--vectors", str(folder)], stdout=subprocess.PIPE, text=True, check=True).stdout
    counts = Counter(line.split("  ", 1)[0].rsplit("/", 1)[0] for line in listed.splitlines())
    inputs: Dict[str, List[str]] = {"overlongs": [], "surrogates": [], "noncharacters": []}
    version = ""
    for path in sorted(folder.glob("*/*.json")):
        if path.parent.name in ("complete", "examples"):
            continue
        category = json.loads(path.read_text("ascii"))
        version = category["version"]
        for test in category["tests"] if (category["encoding"], category["kind"]) == ("utf-8", "decode") else []:
            fault = test["spans"][0]["fault"] if test["spans"] else ""
            name = {"overlong": "overlongs", "surrogate": "surrogates"}.get(fault, "noncharacters" if "noncharacter" in test["flags"] and not fault else "")
            if name and single(test):
                inputs[name].append(test["bytes"])
    return Vectors(version, counts, inputs)


def short(text: str) -> str:
    """The text that a subject or a compiler printed, cut to TEXT_MAX characters."""
    return text if len(text) <= TEXT_MAX else text[:TEXT_MAX] + "..."


def failure(row: Dict[str, Any]) -> Dict[str, str]:
    """A failed request as an object of field.json."""
    return {"id": row["id"], "comment": short(row["comment"]), "asked": short(row["asked"]), "expected": short(row["expected"]),
            "got": short(row["got"] or f"({row['outcome']})"), "difference": row["difference"] if row["outcome"] == "answered" else row["outcome"]}


def smallest_first(row: Dict[str, Any]) -> Any:
    """The key by which failed requests are sorted: the shortest first."""
    return len(row["asked"]), row["asked"]


def categories_of(report: Dict[str, Any]) -> Dict[str, Any]:
    """The counts of each category that was asked, and its shortest failures, one for each case."""
    failed: Dict[str, Dict[str, Dict[str, Any]]] = {}
    for row in sorted(report["failures"], key=smallest_first):
        failed.setdefault(row["id"].rsplit("/", 1)[0], {}).setdefault(row["id"], row)
    return {name: {"passed": cases["passed"], "failed": cases["failed"], "skipped": cases["skipped"] + cases["skipped_by_wish"],
                   "failures": [failure(row) for row in list(failed.get(name, {}).values())[:SHOWN]]}
            for name, cases in report["categories"].items() if answered(cases)}


def residue_of(failures: List[Dict[str, Any]]) -> List[Dict[str, Any]]:
    """The failures that neither policy nor deviation explains, by cause, the most frequent first; each with its shortest request."""
    causes: Dict[str, List[Dict[str, Any]]] = {}
    for row in sorted(failures, key=smallest_first):
        causes.setdefault(row["cause"], []).append(row)
    return [{"cause": cause, "requests": len(rows), "cases": len({row["id"] for row in rows}),
             "by": ", ".join(sorted({row["request"] if row["policy"] == "-" else f"{row['request']} {row['policy']}" for row in rows})),
             "smallest": failure(rows[0])} for cause, rows in sorted(causes.items(), key=lambda one: (-len(one[1]), one[0]))]


def deviations_of(subject: Subject, counts: Dict[int, int]) -> List[Dict[str, Any]]:
    """The deviations of a subject that explain failures, and how many."""
    return [{"sentence": one.sentence, "words": one.words, "source": one.source, "requests": counts[number]}
            for number, one in enumerate(DEVIATIONS.get(subject.name, [])) if number in counts]


class Entry(NamedTuple):
    """The entry of a subject in field.json, and its readings of short inputs."""
    entry: Dict[str, Any]
    readings: Dict[Tuple[str, str], readings.Reading]


def entry_of(subject: Subject, version: str, asked: Asked, vectors: Vectors, divergences: Dict[str, str]) -> Entry:
    """The entry of a subject. `divergences`: the folders of corpus/field about its implementation, and the subjects that they name."""
    report = asked.report
    requests = report["requests"]
    mine = readings.readings_of(asked.profile_report["answers"] + (report["answers"] if asked.every else []))
    categories = categories_of(report)
    offered = {name.split("/")[0] for name in categories}
    counts, left = explained(subject.name, report["failures"])
    residue = residue_of(left)
    return Entry({
        "name": subject.name, "implementation": subject.implementation, "version": short(version), "package": subject.packages, "document": subject.document,
        "profile": [{"encoding": row["encoding"], "asked_for": row["asked_for"], "profile": row["profile"], "answers": row["answers"],
                     "left_over": row["left_over"][row["profile"]]} for row in report["profiles"]],
        "deviations": deviations_of(subject, counts), "left_over": len(left), "residue": residue[:CAUSES], "causes": len(residue),
        "divergences": [{"name": name, "status": asked.statuses.get(name, "asked as " + named)} for name, named in sorted(divergences.items())],
        "every": asked.every, "cases_asked": sum(answered(cases) for cases in report["categories"].values()),
        "cases_all": sum(count for name, count in vectors.counts.items() if name.split("/")[0] in offered),
        "seconds": math.ceil(report["seconds"]), "restarts": report["restarts"], "note": short(asked.note),
        "offers": report["offers"],
        "requests": {name: requests[name] for name in ("answered", "failed", "troubled", "skipped", "not_asked", "not_offered")},
        "failed_first": sorted(f"{row['id']} {row['request']} {row['policy']}" for row in asked.profile_report["failures"]),
        "categories": categories, "behaviour": readings.behaviour(mine, vectors.inputs)},
        readings.kept_for_page(mine))
