# SPDX-License-Identifier: MIT
"""report.html from summary.json: one page that needs no network, in light and dark, wide and narrow.

    python3 scripts/hunting/page.py SUMMARY.json REPORT.html

Templates by Jinja2, plots by Matplotlib. Without Matplotlib there are no plots, and the page says so.
"""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from typing import Any, Dict, List, Optional, Tuple

import jinja2

try:
    import matplotlib

    matplotlib.use("svg")
    from matplotlib import pyplot
except ImportError:
    pyplot = None  # type: ignore[assignment]

sys.path[0] = str(Path(__file__).resolve().parent.parent)

from hunting.exports import fuzzed  # noqa: E402

FOLDER = Path(__file__).resolve().parent / "templates"
COLOURS = {"libfuzzer": "#2f7ed8", "afl": "#d9822b"}
INK = "#808080"  # readable on white and on black


def as_svg(figure: Any) -> str:
    """A figure as an element of the page, that grows and shrinks with it."""
    out = io.StringIO()
    figure.savefig(out, format="svg", transparent=True, metadata={"Date": None, "Creator": None})
    pyplot.close(figure)
    text = out.getvalue()
    return text[text.index("<svg"):]


def axes(title: str) -> Any:
    """An empty plot over the seconds of the hunt."""
    matplotlib.rcParams.update({"svg.hashsalt": title, "font.size": 9, "text.color": INK, "axes.labelcolor": INK,
                                "xtick.color": INK, "ytick.color": INK, "axes.edgecolor": INK})
    figure, plot = pyplot.subplots(figsize=(6, 2.6), layout="constrained")
    plot.set_title(title, loc="left")
    plot.set_xlabel("seconds of the hunt")
    for side in ("top", "right"):
        plot.spines[side].set_visible(False)
    return figure, plot


def executions_plot(jobs: List[Dict[str, Any]]) -> Optional[str]:
    """All executions so far, by engine."""
    figure, plot = axes("executions so far, in millions")
    for engine, colour in COLOURS.items():
        rises = []
        for job in jobs:
            before = 0
            for second, executions, _ in job["samples"] if job["engine"] == engine else []:
                rises.append((second, executions - before))
                before = executions
        total, line = 0, [(0.0, 0.0)]
        for second, rise in sorted(rises):
            total += rise
            line.append((second, total / 1e6))
        if len(line) > 1:
            plot.plot(*zip(*line), color=colour, label=engine)
    if plot.lines:
        plot.legend(frameon=False)
    return as_svg(figure)


def edges_plot(jobs: List[Dict[str, Any]]) -> Optional[str]:
    """What each piece of work reached, a line each."""
    figure, plot = axes("edges reached, a line for each piece of work")
    for job in jobs:
        points = [(second, edges) for second, _, edges in job["samples"]]
        if points:
            plot.plot(*zip(*points), color=COLOURS.get(job["engine"], INK), linewidth=1, marker=".", markersize=2)
    return as_svg(figure)


def hunted(summary: Dict[str, Any]) -> List[Dict[str, Any]]:
    """The codecs of the encodings that were fuzzed: of the others none was asked."""
    encodings = {job["encoding"] for job in summary["jobs"] if job["executions"]}
    return [row for row in summary["codecs"] if row["encoding"] in encodings]


def listed(words: List[str]) -> str:
    """One, two and three."""
    return " and ".join(filter(None, (", ".join(words[:-1]), words[-1])))


def not_run(summary: Dict[str, Any]) -> List[str]:
    """What did not run, as visible as what did."""
    idle: Dict[Tuple[str, bool], List[str]] = {}
    for row in hunted(summary):
        if not row["runs"]:
            idle.setdefault((row["needs"], row["emulated"]), []).append(f"{row['encoding']}/{row['codec']}")
    lines = [f"{listed(codecs)} need{'s' if len(codecs) == 1 else ''} {needs}, which did not run here" +
             (" but in one build, emulated" if emulated else "") for (needs, emulated), codecs in idle.items()]
    others = sorted({row["encoding"] for row in summary["codecs"]} - {row["encoding"] for row in hunted(summary)})
    if others:
        lines.append(f"no target of this hunt was about {', '.join(others)}")
    ran = {(job["target"], job["engine"]) for job in summary["jobs"] if job["executions"]}
    lines += [f"{target} was not fuzzed with {engine}" for target in summary["options"]["targets"]
              for engine in summary["options"]["engines"] if (target, engine) not in ran]
    return lines + left_out_by_chance(summary) + regimes_left_out(summary)


def left_out_by_chance(summary: Dict[str, Any]) -> List[str]:
    """Instruction sets that pieces of work did without, so that others are seen; and whom that left without one for good."""
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
    """Where time was short, a target had some of an engine's regimes only."""
    lines = []
    for engine in summary["options"]["engines"]:
        jobs = [job for job in summary["jobs"] if job["engine"] == engine and job["executions"]]
        for regime in sorted({job["regime"] for job in jobs}):
            ran = {job["target"] for job in jobs if job["regime"] == regime}
            left = [target for target in summary["options"]["targets"] if target not in ran]
            if left:
                lines.append(f"not with {regime} inputs by {engine}, as time was short: {', '.join(left)}")
    return lines


def by_target(summary: Dict[str, Any]) -> List[Dict[str, Any]]:
    """A row for each target: what all its pieces of work did together."""
    rows = []
    for target in summary["options"]["targets"]:
        jobs = [job for job in summary["jobs"] if job["target"] == target]
        engines = {engine: [job for job in jobs if job["engine"] == engine] for engine in summary["options"]["engines"]}
        rows.append({"target": target, "seconds": sum(job["seconds"] for job in jobs),
                     "executions": {engine: sum(job["executions"] for job in done) for engine, done in engines.items()},
                     "edges": {engine: max((job["edges"] for job in done), default=0) for engine, done in engines.items()},
                     "crashes": sum(job["crashes"] for job in jobs), "new_keys": sum(len(job["new_keys"]) for job in jobs)})
    return rows


def page(summary: Dict[str, Any]) -> str:
    """The whole page."""
    environment = jinja2.Environment(loader=jinja2.FileSystemLoader(FOLDER), autoescape=True, trim_blocks=True, lstrip_blocks=True,
                                     undefined=jinja2.StrictUndefined)
    plots = []
    if pyplot is not None and any(job["samples"] for job in summary["jobs"]):
        plots = [executions_plot(summary["jobs"]), edges_plot(summary["jobs"])]
    return environment.get_template("report.html").render(summary=summary, plots=plots, without_plots=pyplot is None, codecs=hunted(summary),
                                                          not_run=not_run(summary), targets=by_target(summary),
                                                          fuzzed=fuzzed(summary["executions"], summary["seconds"]))


def main(words: List[str]) -> int:
    """Exit 0 if the page is written."""
    Path(words[1]).write_text(page(json.loads(Path(words[0]).read_text())), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
