# SPDX-License-Identifier: MIT
"""Reports for continuous integration (JUnit XML, step summary), and the writing of the page."""

from __future__ import annotations

import os
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any, Dict, Optional

from ..findings.causes import counted
from .summary_text import by_target, findings_by_cause, fuzzed, merged, not_again, not_run, ran, time_by_worth

PAGE = Path(__file__).resolve().parent / "page.py"
PAGE_SECONDS = 120


def junit(summary: Dict[str, Any]) -> bytes:
    """JUnit XML: a test case for each target and engine, a failure for each probable cause, an error for each crash that did not come again, and
    for trouble."""
    suite = ElementTree.Element("testsuite", name="hunt", time=str(summary["seconds"]), timestamp=summary["began"][:19])
    for target in summary["options"]["targets"]:
        for engine in summary["options"]["engines"]:
            jobs = [job for job in summary["jobs"] if job["target"] == target and job["engine"] == engine]
            seconds = sum(job["seconds"] for job in jobs)
            case = ElementTree.SubElement(suite, "testcase", classname=target, name=engine, time=f"{seconds:.3f}")
            if not any(job["executions"] for job in jobs):  # however long it tried to
                ElementTree.SubElement(case, "skipped", message="it was not fuzzed")
    for finding, *others in findings_by_cause(summary):
        case = ElementTree.SubElement(suite, "testcase", classname=finding["target"], name=finding["key"])
        also = f"\nalso, probably of the same cause: {', '.join(other['key'] for other in others)}\n" if others else ""
        ElementTree.SubElement(case, "failure", message=finding["letter"].split("\n", 1)[0]).text = finding["letter"] + also
    for finding in not_again(summary):
        case = ElementTree.SubElement(suite, "testcase", classname=finding["target"], name=finding["key"])
        ElementTree.SubElement(case, "error", message=finding["letter"].split("\n", 1)[0]).text = finding["letter"]
    if summary["trouble"]:
        case = ElementTree.SubElement(suite, "testcase", classname="hunt", name="ran as asked")
        ElementTree.SubElement(case, "error", message=summary["trouble"].split("\n", 1)[0]).text = summary["trouble"]
    suite.set("tests", str(len(suite)))
    suite.set("failures", str(len(summary["causes"])))
    suite.set("errors", str(len(suite.findall("testcase/error"))))
    suite.set("skipped", str(len(suite.findall("testcase/skipped"))))
    return ElementTree.tostring(suite, encoding="utf-8", xml_declaration=True) + b"\n"


def step_summary(summary: Dict[str, Any]) -> str:
    """The summary in Markdown, for the page of a CI run."""
    lines = [f"## Hunt: {summary['verdict']}", "", f"{fuzzed(summary['executions'], summary['seconds'])}, seed {summary['options']['seed']}, {summary['cpu']}", ""]
    if summary["trouble"]:
        lines += ["```text", summary["trouble"], "```", ""]
    lines += [f"{counted(summary['causes'], summary['not_again'])}.", ""] if summary["findings"] else []
    for finding, *others in findings_by_cause(summary):
        lines += [f"### {finding['key']}", "", "```text", finding["letter"].rstrip(), "```", ""]
        lines += [f"Also, probably of the same cause: {', '.join(other['key'] for other in others)}.", ""] if others else []
    for finding in not_again(summary):
        lines += [f"### Did not come again: {finding['key']}", "", "```text", finding["letter"].rstrip(), "```", ""]
    lines += ["### What did not run", "", *(f"- {line}" for line in not_run(summary) or ["nothing was left out"]), ""]
    lines += ["### Which codecs ran", "", *(f"- {encoding}: {' '.join(names) or 'none'}" for encoding, names in ran(summary).items()), ""]
    if summary["coverage_in_all"]:
        shares = summary["coverage_in_all"]
        lines += [f"{shares['lines']:.1f} % of the lines and {shares['branches']:.1f} % of the branches of the decoders were reached.", ""]
    if merged(summary):
        lines += [f"{merged(summary)}.", ""]
    if time_by_worth(summary):
        lines += [f"Time by target: {time_by_worth(summary)}.", ""]
    engines = summary["options"]["engines"]
    columns = ["target", "seconds", *(f"executions by {engine}" for engine in engines), "crashes", "new findings"]
    lines += [f"| {' | '.join(columns)} |", "|---" * len(columns) + "|"]
    for row in by_target(summary):
        cells = [f"{row['seconds']:.0f}", *(f"{row['executions'][engine]:,}" for engine in engines), str(row["crashes"]), str(row["new_keys"])]
        lines.append(f"| {row['target']} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def has(python: str, *modules: str) -> bool:
    """True if a Python exists and has these modules. Only Jinja2 is imported, because importing takes long."""
    said = "import sys, importlib.util, jinja2; sys.exit(not all(map(importlib.util.find_spec, sys.argv[1:])))"
    return Path(python).exists() and subprocess.run([python, "-c", said, *modules], stdout=subprocess.DEVNULL,
                                                    stderr=subprocess.DEVNULL).returncode == 0


def python_with_jinja2() -> Optional[str]:
    """A Python with Jinja2, preferably with Matplotlib, too: this one, or the system's, for which Debian's packages are installed."""
    pythons = list(dict.fromkeys((sys.executable, "/usr/bin/python3")))
    return next((python for modules in (["matplotlib"], []) for python in pythons if has(python, *modules)), None)


def write_page(folder: Path) -> Optional[str]:
    """Makes report.html from summary.json. Returns None, or a sentence if that fails."""
    python = python_with_jinja2()
    if python is None:
        return "there is no report.html: it needs Jinja2 (Debian: python3-jinja2, and python3-matplotlib for its plots)"
    fresh = folder / ".report.html.new"
    try:
        done = subprocess.run([python, "-B", str(PAGE), str(folder / "summary.json"), str(fresh)], stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, timeout=PAGE_SECONDS)
    except subprocess.TimeoutExpired:
        return f"there is no report.html: {PAGE} had not ended after {PAGE_SECONDS} s"
    if done.returncode != 0:
        return f"there is no report.html: {done.stdout.strip().splitlines()[-1] if done.stdout.strip() else 'no word why'}"
    os.replace(fresh, folder / "report.html")
    return None


def append_step_summary(summary: Dict[str, Any]) -> None:
    """Appends the step summary to the page of the run, if GitHub Actions runs this."""
    path = os.environ.get("GITHUB_STEP_SUMMARY")
    if path:
        with open(path, "a", encoding="utf-8") as out:
            out.write(step_summary(summary))
