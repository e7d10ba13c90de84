# SPDX-License-Identifier: MIT
"""report.html from summary.json: one page that needs no network, in light and dark, wide and narrow.

    python3 scripts/hunting/reports/page.py SUMMARY.json REPORT.html

Templates by Jinja2, plots by Matplotlib. Without Matplotlib there are no plots, and the page says so.
"""

from __future__ import annotations

import base64
import io
import json
import re
import shlex
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

sys.path[0] = str(Path(__file__).resolve().parents[2])

from hunting.findings.causes import counted  # noqa: E402
from hunting.reports.summary_text import by_target, findings_by_cause, fuzzed, merged, not_again, not_run, ran, time_by_worth  # noqa: E402
from hunting.reports.hex_dump import dump  # noqa: E402

FOLDER = Path(__file__).resolve().parent / "templates"
PAGES = Path(__file__).resolve().parents[2] / "pages"  # macros.j2 and copy.js are of all pages
COLOURS = {"libfuzzer": "#2f7ed8", "afl": "#d9822b"}
INK = "#808080"  # readable on white and on black


def as_svg(figure: Any) -> str:
    """The figure as an SVG element that scales with the page, with the page's font."""
    out = io.StringIO()
    figure.savefig(out, format="svg", transparent=True, metadata={"Date": None, "Creator": None})
    pyplot.close(figure)
    text = out.getvalue()
    return re.sub(r"font: ([0-9.]+)px [^;\"]*", r"font-size: \1px; font-family: inherit", text[text.index("<svg"):])


def coverage_so_far(jobs: List[Dict[str, Any]]) -> List[Tuple[float, int]]:
    """The edges reached after each second of the hunt: the most of each target so far, added up."""
    reached: Dict[str, int] = {}
    line = []
    for second, target, edges in sorted((second, job["target"], edges) for job in jobs for second, _, edges in job["samples"]):
        reached[target] = max(reached.get(target, 0), edges)
        line.append((second, sum(reached.values())))
    return line


def coverage_plot(engine: str, jobs: List[Dict[str, Any]]) -> str:
    """The plot of one engine's coverage, because engines count edges differently."""
    matplotlib.rcParams.update({"svg.hashsalt": engine, "svg.fonttype": "none", "font.size": 11, "text.color": INK, "axes.labelcolor": INK,
                                "xtick.color": INK, "ytick.color": INK, "axes.edgecolor": INK})
    figure, plot = pyplot.subplots(figsize=(4.4, 2.6), layout="constrained")  # small, so that its text is large on a narrow page
    plot.set_title(f"{engine}: edges reached", loc="left", fontsize=11)
    plot.set_xlabel("seconds of the hunt")
    seconds, reached = zip(*coverage_so_far(jobs))
    plot.step(seconds, reached, where="post", color=COLOURS.get(engine, INK))
    plot.set_ylim(0, 1.1 * max(reached) or 1)
    for side in ("top", "right"):
        plot.spines[side].set_visible(False)
    return as_svg(figure)


def plots_of(summary: Dict[str, Any]) -> List[str]:
    """A plot for each engine with samples."""
    jobs = {engine: [job for job in summary["jobs"] if job["engine"] == engine and job["samples"]] for engine in summary["options"]["engines"]}
    return [coverage_plot(engine, rows) for engine, rows in jobs.items() if rows] if pyplot is not None else []


def download(finding: Dict[str, Any]) -> Optional[str]:
    """The input as the address of a link; None if the summary has not all of it."""
    content = bytes.fromhex(finding["input"])
    whole = content and len(content) == finding["input_bytes"]
    return f"data:application/octet-stream;base64,{base64.b64encode(content).decode()}" if whole else None


def page(summary: Dict[str, Any]) -> str:
    """The whole page."""
    environment = jinja2.Environment(loader=jinja2.FileSystemLoader([FOLDER, PAGES]), autoescape=True, trim_blocks=True, lstrip_blocks=True,
                                     undefined=jinja2.StrictUndefined)
    environment.filters.update(shell=shlex.join, dump=dump, download=download)
    targets = by_target(summary)
    return environment.get_template("report.html").render(
        summary=summary, plots=plots_of(summary), without_plots=pyplot is None, codecs=ran(summary), merged=merged(summary),
        not_run=not_run(summary), targets=targets, most=max((sum(row["executions"].values()) for row in targets), default=0) or 1,
        time_by_worth=time_by_worth(summary), causes=findings_by_cause(summary), not_again=not_again(summary),
        counted=counted(summary["causes"], summary["not_again"]),
        fuzzed=fuzzed(summary["executions"], summary["seconds"]))


def main(words: List[str]) -> int:
    """Writes the page. Returns the exit code 0."""
    Path(words[1]).write_text(page(json.loads(Path(words[0]).read_text())), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
