# SPDX-License-Identifier: MIT
"""The throughput page: rates next to those of peers and limits, and rates by length of string."""

from __future__ import annotations

import math
from collections import Counter
from typing import Any, Dict, List, Optional, Sequence, Tuple

from matplotlib.ticker import FixedLocator, NullLocator

from . import shared
from .svg_plots import ACCENT, INK, PLOT_WIDTH, QUIET, pyplot, svg_of

Cell = Dict[str, Any]
Group = Tuple[str, str, List[Cell]]
Marks = Dict[str, Tuple[str, str, str]]  # of each runner: marker, colour, filling
Line = Tuple[Dict[str, Any], List[Optional[Dict[str, Any]]], Dict[str, Any]]

MARKERS = "osD^vP*Xphd8"
COLOURS = {"codec": ACCENT, "peer": QUIET, "limit": INK}
LADDER_MIN = 3
AXIS_CHARACTERS, AXIS_LINES = 31, 14  # of labels that fit side by side along the axis of a plot, and one below the other
LABEL_GAP = 0.5


def rate(cell: Cell, runner: Dict[str, Any]) -> float:
    """GB/s of input, from the shortest time."""
    return float(cell["bytes"] / runner["minimum_ns"])


def figure_of(cell: Cell, runner: Dict[str, Any]) -> float:
    """The figure in the tables: ns per string for short strings, else GB/s."""
    return float(runner["minimum_ns"] / cell["strings"]) if is_short(cell) else rate(cell, runner)


def is_short(cell: Cell) -> bool:
    """True for short strings, whose limit is a call that does nothing."""
    return any(runner["name"] == "call" for runner in cell["runners"])


def timed(cell: Cell) -> List[Dict[str, Any]]:
    """The runners that gave the reference's answer and whose figure is not refused as noisy."""
    return [runner for runner in cell["runners"] if "differs" not in runner and "noisy" not in runner]


def refused_of(cells: List[Cell]) -> Tuple[int, int]:
    """How many figures are refused as noisy, and how many were measured."""
    runners = [runner for cell in cells for runner in cell["runners"] if "differs" not in runner]
    return sum("noisy" in runner for runner in runners), len(runners)


def names_of(cells: List[Cell]) -> List[Tuple[str, str]]:
    """Name and kind of each runner: codecs, peers, the limit."""
    found = {runner["name"]: runner["kind"] for cell in cells for runner in cell["runners"] if "differs" not in runner}
    return sorted(found.items(), key=lambda item: ("codec", "peer", "limit").index(item[1]))


def groups_of(cells: List[Cell]) -> List[Group]:
    """Cells by operation and size."""
    found: Dict[Tuple[str, str], List[Cell]] = {}
    for cell in cells:
        found.setdefault((cell["operation"], cell["size"]), []).append(cell)
    return [(operation, size, group) for (operation, size), group in found.items()]


def ladders_of(cells: List[Cell]) -> List[Group]:
    """Cells by operation and text, where there are at least LADDER_MIN sizes."""
    found: Dict[Tuple[str, str], List[Cell]] = {}
    for cell in cells:
        if ".." not in cell["size"]:
            found.setdefault((cell["operation"], cell["text"]), []).append(cell)
    return [(operation, text, sorted(group, key=lambda cell: cell["bytes"] / cell["strings"]))
            for (operation, text), group in found.items() if len(group) >= LADDER_MIN]


def marks_of(names: List[Tuple[str, str]]) -> Marks:
    """Marker, colour and filling of each runner; ours are filled."""
    counts = {kind: 0 for kind in COLOURS}
    marks = {}
    for name, kind in names:
        marker = "|" if kind == "limit" else MARKERS[counts[kind] % len(MARKERS)]
        counts[kind] += 1
        marks[name] = (marker, COLOURS[kind], COLOURS[kind] if kind == "codec" else "none")
    return marks


def steps_around(figures: Sequence[float]) -> List[float]:
    """The steps 1, 2, 5, 10, ... of an axis, from the greatest that is <= all figures to the least that is >= all."""
    decades = range(math.floor(math.log10(min(figures))) - 1, math.floor(math.log10(max(figures))) + 2)
    steps = [float(f"{step}e{decade}") for decade in decades for step in (1, 2, 5)]
    low, high = max(step for step in steps if step <= min(figures)), min(step for step in steps if step >= max(figures))
    return [step for step in steps if low <= step <= high]


def labelled_of(steps: List[float], is_horizontal: bool) -> List[float]:
    """The steps with a label: powers of ten first, then those whose label touches no other."""
    room = AXIS_CHARACTERS if is_horizontal else AXIS_LINES
    kept: List[Tuple[float, float, float]] = []  # the step, the middle of its label and the label's length
    for step in sorted(steps, key=lambda step: (not f"{step:e}".startswith("1.0"), step)):
        middle, length = room * math.log10(step / steps[0]) / math.log10(steps[-1] / steps[0]), len(f"{step:g}") if is_horizontal else 1
        if all(abs(middle - other) >= (length + size) / 2 + LABEL_GAP for _, other, size in kept):
            kept.append((step, middle, length))
    return [step for step, _, _ in kept]


def logarithmic(axis: Any, figures: Sequence[float]) -> None:
    """Labels a logarithmic axis with plain numbers, at least one below and one above the figures."""
    steps = steps_around(figures or (1.0,))
    axis.set_major_locator(FixedLocator(steps))
    labelled = labelled_of(steps, axis.axis_name == "x") if len(steps) > 1 else steps
    axis.set_major_formatter(lambda value, _: f"{value:g}" if value in labelled else "")
    axis.set_minor_locator(NullLocator())
    axis.axes.set(**{f"{axis.axis_name}lim": (steps[0] * 0.93, steps[-1] * 1.07)})


def legend(axes: Any) -> None:
    """Puts the legend above the plot."""
    if axes.lines:
        axes.legend(ncol=3, loc="lower left", bbox_to_anchor=(-0.45, 1.0), frameon=False, handletextpad=0.1, columnspacing=0.8)


def plot_group(group: Group, marks: Marks) -> str:
    """One row per text, one mark per runner, each a little lower than the one before, so that marks of the same figure are seen. "" if no
    figure holds."""
    operation, size, cells = group
    if not any(timed(cell) for cell in cells):
        return ""
    names = names_of(cells)
    figure, axes = pyplot.subplots(figsize=(PLOT_WIDTH, 0.2 * len(cells) + 1.0))
    for index, (name, _) in enumerate(names):
        marker, colour, filling = marks[name]
        lower = 0.5 * (index / len(names) - 0.5)
        places = [(figure_of(cell, runner), row + lower) for row, cell in enumerate(cells) for runner in timed(cell) if runner["name"] == name]
        axes.plot([x for x, _ in places], [y for _, y in places], marker, label=name, linestyle="none", markersize=4.5,
                  markeredgecolor=colour, markerfacecolor=filling)
    axes.set_xscale("log")
    logarithmic(axes.xaxis, [figure_of(cell, runner) for cell in cells for runner in timed(cell)])
    axes.set_xlabel("ns per string (less is better)" if is_short(cells[0]) else "GB/s")
    axes.set_yticks(range(len(cells)))
    axes.set_yticklabels([cell["text"] for cell in cells])
    axes.set_ylim(len(cells) - 0.4, -0.6)
    axes.grid(axis="x", linewidth=0.5)
    axes.tick_params(length=0)
    legend(axes)
    return svg_of(figure, f"{operation}, {size} bytes; the same figures are in the table")


def plot_ladder(group: Group, marks: Marks) -> str:
    """GB/s by length of string; "" if no figure holds."""
    operation, text, cells = group
    if not any(timed(cell) for cell in cells):
        return ""
    names = [name for name, kind in names_of(cells) if kind != "limit"]
    figure, axes = pyplot.subplots(figsize=(PLOT_WIDTH, 2.6))
    for name in names:
        marker, colour, filling = marks[name]
        places = [(cell["bytes"] / cell["strings"], rate(cell, runner)) for cell in cells for runner in timed(cell)
                  if runner["name"] == name]
        axes.plot([x for x, _ in places], [y for _, y in places], marker=marker, label=name, color=colour, linewidth=1,
                  markersize=4, markerfacecolor=filling)
    axes.set_xscale("log", base=2)
    axes.set_yscale("log")
    axes.xaxis.set_major_formatter(lambda x, _: f"{x / 2 ** 20:g}M" if x >= 2 ** 20 else f"{x / 1024:g}K" if x >= 1024 else f"{x:g}")
    logarithmic(axes.yaxis, [rate(cell, runner) for cell in cells for runner in timed(cell) if runner["kind"] != "limit"])
    axes.set_xlabel("bytes per string")
    axes.set_ylabel("GB/s")
    axes.grid(linewidth=0.5)
    axes.tick_params(length=0)
    legend(axes)
    return svg_of(figure, f"{operation} of {text} by length")


def best(cell: Cell, kind: str) -> float:
    """The shortest time of a kind of runner; 0 if there is none, or if one was disturbed, so that it is unknown which is the shortest."""
    if any("noisy" in runner for runner in cell["runners"] if runner["kind"] == kind):
        return 0.0
    return min((runner["minimum_ns"] for runner in timed(cell) if runner["kind"] == kind), default=0.0)


def name_of_best(cell: Cell, *kinds: str) -> str:
    """The name of the runner with the shortest time among some kinds; "" if there is none."""
    runners = [runner for runner in timed(cell) if runner["kind"] in kinds]
    return str(min(runners, key=lambda runner: runner["minimum_ns"])["name"]) if runners else ""


def row_of(cell: Cell, names: List[Tuple[str, str]]) -> Dict[str, Any]:
    """One row of a table: the figure of each runner and whether it is the best, and our best against the best peer and the limit."""
    figures = {runner["name"]: "noisy" for runner in cell["runners"] if "noisy" in runner}
    figures.update({runner["name"]: f"{figure_of(cell, runner):.{1 if is_short(cell) else 2}f}" for runner in timed(cell)})
    ours, peer, limit = (best(cell, kind) for kind in ("codec", "peer", "limit"))
    fastest = name_of_best(cell, "codec", "peer")
    return {"text": cell["text"], "fastest": fastest, "figures": [(figures.get(name, ""), name == fastest) for name, _ in names],
            "peer": peer / ours if ours and peer else None, "limit": limit / ours if ours and limit else None,
            "ours": name_of_best(cell, "codec"), "theirs": name_of_best(cell, "peer")}


def heat(ratio: float) -> float:
    """How strong the colour of a ratio is, from 0 (1) to 1 (4 or more, a quarter or less)."""
    return min(1.0, abs(math.log(ratio, 4)))


def total_of(rows: List[Dict[str, Any]]) -> Dict[str, Any]:
    """For one line of the matrix: the least and the median ratio, and the runner that is fastest in most of the texts."""
    ratios = sorted(row["peer"] for row in rows)
    (fastest, times), = Counter(row["fastest"] for row in rows).most_common(1)
    return {"least": ratios[0], "middle": ratios[len(ratios) // 2], "fastest": fastest, "times": times, "of": len(rows)}


def summary_of(sections: List[Dict[str, Any]]) -> Tuple[List[str], List[Line]]:
    """The matrix: the texts, and for each section the row of each text, None where it was not measured beside a peer, and what they are in all."""
    texts = list(dict.fromkeys(row["text"] for section in sections for row in section["rows"]))
    lines = []
    for section in sections:
        rows = {row["text"]: row for row in section["rows"] if row["peer"] is not None}
        if rows:
            lines.append((section, [rows.get(text) for text in texts], total_of(list(rows.values()))))
    return texts, lines


def without_ratio(sections: List[Dict[str, Any]], with_ratio: List[Dict[str, Any]]) -> Tuple[List[str], List[str]]:
    """The names of the sections that the matrix has no line for: those that no peer was measured in, and those whose figures were disturbed."""
    alone: List[str] = []
    disturbed: List[str] = []
    for section in sections:
        if section not in with_ratio:
            (disturbed if section["has_peer"] else alone).append(f"{section['operation']}, {section['size']}")
    return alone, disturbed


def page_of(report: Dict[str, Any]) -> str:
    """The whole page."""
    sections, marks = [], marks_of(names_of(report["cells"]))
    for group in groups_of(report["cells"]):
        operation, size, cells = group
        names = names_of(cells)
        sections.append({"operation": operation, "size": size, "is_short": is_short(cells[0]), "names": [name for name, _ in names],
                         "has_peer": any(kind == "peer" for _, kind in names),
                         "rows": [row_of(cell, names) for cell in cells], "plot": plot_group(group, marks)})
    ladders = [{"operation": group[0], "text": group[1], "plot": plot_ladder(group, marks)} for group in ladders_of(report["cells"])]
    fewest_turns = min((runner["samples"] for cell in report["cells"] for runner in cell["runners"] if "differs" not in runner), default=0)
    texts, summary = summary_of(sections)
    alone, disturbed = without_ratio(sections, [line[0] for line in summary])
    has_gaps = any(row is None for line in summary for row in line[1])
    return shared.render("bench.html.j2", generator="bench-page", reports=[report.get("made")], alone=alone, disturbed=disturbed, has_gaps=has_gaps, report=report,
                         fewest_turns=fewest_turns, refused=refused_of(report["cells"]), sections=sections, ladders=ladders, texts=texts, summary=summary, heat=heat)
