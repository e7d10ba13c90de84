# SPDX-License-Identifier: MIT
"""report.html from summary.json: one page that needs no network, in light and dark, wide and narrow.

    python3 scripts/hunting/reports/page.py SUMMARY.json REPORT.html

Templates by Jinja2, plots by Matplotlib. Without Matplotlib there are no plots, and the page says so.
"""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from typing import Any, Dict, List, Optional

import jinja2

try:
    import matplotlib

    matplotlib.use("svg")
    from matplotlib import pyplot
except ImportError:
    pyplot = None  # type: ignore[assignment]

sys.path[0] = str(Path(__file__).resolve().parents[2])

from hunting.findings.causes import counted  # noqa: E402
from hunting.reports.account import by_target, findings_by_cause, fuzzed, merged, not_run, ran, time_by_worth  # noqa: E402

FOLDER = Path(__file__).resolve().parent / "templates"
COLOURS = {"libfuzzer": "#2f7ed8", "afl": "#d9822b"}
INK = "#808080"  # readable on white and on black


def as_svg(figure: Any) -> str:
    """The figure as an SVG element that scales with the page."""
    out = io.StringIO()
    figure.savefig(out, format="svg", transparent=True, metadata={"Date": None, "Creator": None})
    pyplot.close(figure)
    text = out.getvalue()
    return text[text.index("<svg"):]


def axes(title: str) -> Any:
    """A figure, and its empty plot over the seconds of the hunt."""
    matplotlib.rcParams.update({"svg.hashsalt": title, "font.size": 9, "text.color": INK, "axes.labelcolor": INK,
                                "xtick.color": INK, "ytick.color": INK, "axes.edgecolor": INK})
    figure, plot = pyplot.subplots(figsize=(6, 2.6), layout="constrained")
    plot.set_title(title, loc="left")
    plot.set_xlabel("seconds of the hunt")
    for side in ("top", "right"):
        plot.spines[side].set_visible(False)
    return figure, plot


def executions_plot(jobs: List[Dict[str, Any]]) -> Optional[str]:
    """The plot of executions so far, a line for each engine."""
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
    """The plot of edges reached, a line for each piece of work."""
    figure, plot = axes("edges reached, a line for each piece of work")
    for job in jobs:
        points = [(second, edges) for second, _, edges in job["samples"]]
        if points:
            plot.plot(*zip(*points), color=COLOURS.get(job["engine"], INK), linewidth=1, marker=".", markersize=2)
    return as_svg(figure)


def page(summary: Dict[str, Any]) -> str:
    """The whole page."""
    environment = jinja2.Environment(loader=jinja2.FileSystemLoader(FOLDER), autoescape=True, trim_blocks=True, lstrip_blocks=True,
                                     undefined=jinja2.StrictUndefined)
    plots = []
    if pyplot is not None and any(job["samples"] for job in summary["jobs"]):
        plots = [executions_plot(summary["jobs"]), edges_plot(summary["jobs"])]
    return environment.get_template("report.html").render(summary=summary, plots=plots, without_plots=pyplot is None, codecs=ran(summary), merged=merged(summary),
                                                          not_run=not_run(summary), targets=by_target(summary), time_by_worth=time_by_worth(summary),
                                                          causes=findings_by_cause(summary), counted=counted(summary["causes"]),
                                                          fuzzed=fuzzed(summary["executions"], summary["seconds"]))


def main(words: List[str]) -> int:
    """Writes the page. Returns the exit code 0."""
    Path(words[1]).write_text(page(json.loads(Path(words[0]).read_text())), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
