# SPDX-License-Identifier: MIT
"""Sentences and rows from a summary, shared by the page and the step summary."""

from __future__ import annotations

from typing import Any, Dict, List, Optional, Tuple

NAMES_MAX = 6  # of targets in a row; of more, how many they are


def fuzzed(executions: int, seconds: float) -> str:
    """The number of executions and of seconds, as every report prints them."""
    return f"{executions:,} executions in {seconds:.0f} s of fuzzing" if executions else "nothing was fuzzed"


def ran(summary: Dict[str, Any]) -> Dict[str, List[str]]:
    """The codecs that ran, for each encoding that was fuzzed."""
    names: Dict[str, List[str]] = {}
    for row in hunted(summary):
        names.setdefault(row["encoding"], [])
        if row["runs"]:
            names[row["encoding"]].append(row["codec"])
    return names


def merged(summary: Dict[str, Any]) -> str:
    """A sentence about the merging of corpora; an empty string if none was merged."""
    before, after = (sum(row[when] for row in summary["merged"]) for when in ("before", "after"))
    return f"{before:,} inputs of {len(summary['merged'])} corpora were merged into {after:,}" if summary["merged"] else ""


def hunted(summary: Dict[str, Any]) -> List[Dict[str, Any]]:
    """The rows of the codecs whose encodings were fuzzed; those of other encodings were not asked."""
    encodings = {job["encoding"] for job in summary["jobs"] if job["executions"]}
    return [row for row in summary["codecs"] if row["encoding"] in encodings]


def listed(words: List[str]) -> str:
    """The words as a list in a sentence: one, two and three."""
    return " and ".join(filter(None, (", ".join(words[:-1]), words[-1])))


def findings_by_cause(summary: Dict[str, Any]) -> List[List[Dict[str, Any]]]:
    """The findings of each probable cause, that of the smallest input first."""
    findings = {finding["key"]: finding for finding in summary["findings"]}
    return [[findings[key] for key in keys] for keys in summary["causes"]]


def not_again(summary: Dict[str, Any]) -> List[Dict[str, Any]]:
    """The crashes that did not come again when replayed."""
    return [finding for finding in summary["findings"] if finding["key"] in summary["not_again"]]


def left_over(ended_at: Optional[str], planned: int, left: List[Dict[str, Any]]) -> List[str]:
    """What a hunt planned and did not do; and why, if --fail-fast ended it."""
    lines = [f"the hunt ended at {ended_at}, as --fail-fast asks; --resume continues after it"] if ended_at else []
    for begun, words in ((True, "begun and not finished"), (False, "not begun")):
        names = [row["name"] for row in left if row["begun"] == begun]
        if names:
            lines.append(f"{len(names)} of {planned} pieces of work were {words}: {', '.join(names)}")
    return lines


def not_run(summary: Dict[str, Any]) -> List[str]:
    """Lines about all that did not run: pieces of work, codecs, encodings, targets, instruction sets, regimes."""
    emulated = {job["encoding"] for job in summary["jobs"] if job["build"] == "emulated" and job["executions"]}
    idle: Dict[Tuple[str, bool], List[str]] = {}
    for row in hunted(summary):
        if not row["runs"]:
            once = row["emulated"] and row["encoding"] in emulated
            idle.setdefault((row["needs"], once), []).append(f"{row['encoding']}/{row['codec']}")
    lines = left_over(summary["ended_at"], summary["planned"], summary["left"])
    taken = (summary["without"] or "").replace(",", " ").split()
    lines += [f"{listed(codecs)} need{'s' if len(codecs) == 1 else ''} {needs}, which did not run here" +
              (" but in one build, emulated" if once else ": ASSAY_WITHOUT takes it away" if needs in taken else
               ": this processor lacks it, or the build leaves it out") for (needs, once), codecs in idle.items()]
    others = sorted({row["encoding"] for row in summary["codecs"]} - {row["encoding"] for row in hunted(summary)})
    if others:
        lines.append(f"no target of this hunt was about {', '.join(others)}: {why_not_asked(summary)}")
    ran = {(job["target"], job["engine"]) for job in summary["jobs"] if job["executions"]}
    for engine in summary["options"]["engines"]:
        left = [target for target in summary["options"]["targets"] if (target, engine) not in ran]
        undone = {row["target"] for row in summary["left"] if row["engine"] == engine}
        lines += [f"{listed(left)} {'was' if len(left) == 1 else 'were'} not fuzzed with {engine}" +
                  (": the hunt ended before" if undone >= set(left) else ": not one input was executed")] if left else []
    return lines + left_out_by_chance(summary) + regimes_left_out(summary)


def why_not_asked(summary: Dict[str, Any]) -> str:
    """The reason why encodings had no target in a hunt."""
    options = summary["options"]
    if options["plant"]:
        return f"the plant {options['plant']} is a decoder of another encoding"
    if options["codecs"]:
        return "a hunt with --codec runs the targets of that codec's encoding"
    return "their targets executed nothing, or --targets does not name them"


def time_by_worth(summary: Dict[str, Any]) -> str:
    """How the time was shared among targets, and why; an empty string if all have the same reason."""
    whole = sum(row["seconds"] for row in summary["worths"])
    parts = []
    for why in dict.fromkeys(row["why"] for row in summary["worths"]):
        rows = [row for row in summary["worths"] if row["why"] == why]
        names = [row["target"] for row in rows]
        share = 100 * sum(row["seconds"] for row in rows) / len(rows) / whole if whole else 0.0
        parts.append(f"{', '.join(names) if len(names) <= NAMES_MAX else f'{len(names)} targets'}: {share:.0f} %{' each' if len(names) > 1 else ''} ({why})")
    return "; ".join(parts) if len(parts) > 1 else ""


def left_out_by_chance(summary: Dict[str, Any]) -> List[str]:
    """Lines about the instruction sets that pieces of work did without, chosen at random, and the targets that never had them."""
    jobs = [job for job in summary["jobs"] if job["executions"]]
    lines = []
    for isa in sorted({isa for job in jobs for isa in (job["without"] or "").split(",") if isa}):
        did_without = [job for job in jobs if isa in (job["without"] or "").split(",")]
        never = sorted({job["target"] for job in did_without} - {job["target"] for job in jobs if job not in did_without})
        lines.append(f"{isa} was left out by chance of {len(did_without)} of {len(jobs)} pieces of work, "
                     f"{sum(job['seconds'] for job in did_without):.0f} s in all" +
                     (f"; never with it: {', '.join(never)}" if never else ""))
    return lines


def regimes_left_out(summary: Dict[str, Any]) -> List[str]:
    """Lines about the regimes that targets did not have with an engine for lack of time. Targets without any run of the engine are not
    listed again."""
    lines = []
    for engine in summary["options"]["engines"]:
        jobs = [job for job in summary["jobs"] if job["engine"] == engine and job["executions"]]
        for regime in sorted({job["regime"] for job in jobs}):
            ran = {job["target"] for job in [*jobs, *summary["left"]] if (job["engine"], job["regime"]) == (engine, regime)}
            left = [target for target in dict.fromkeys(job["target"] for job in jobs) if target not in ran]
            if left:
                lines.append(f"not with {regime} inputs by {engine}, as time was short: {', '.join(left)}")
    return lines


def by_target(summary: Dict[str, Any]) -> List[Dict[str, Any]]:
    """A row for each target: the figures of all its pieces of work together."""
    rows = []
    for target in summary["options"]["targets"]:
        jobs = [job for job in summary["jobs"] if job["target"] == target]
        engines = {engine: [job for job in jobs if job["engine"] == engine] for engine in summary["options"]["engines"]}
        rows.append({"target": target, "seconds": sum(job["seconds"] for job in jobs),
                     "executions": {engine: sum(job["executions"] for job in done) for engine, done in engines.items()},
                     "edges": {engine: max((job["edges"] for job in done), default=0) for engine, done in engines.items()},
                     "crashes": sum(job["crashes"] for job in jobs), "new_keys": sum(len(job["new_keys"]) for job in jobs)})
    return rows
