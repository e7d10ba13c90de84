# SPDX-License-Identifier: MIT
"""The page on throughput: rates beside peers and limits, and how they change with the length of a string."""

from __future__ import annotations

import math
from typing import Any, Dict, List, Sequence, Tuple

from matplotlib.ticker import FixedLocator, NullLocator

from . import needs
from .plots import ACCENT, INK, QUIET, pyplot, svg_of

Cell = Dict[str, Any]
Group = Tuple[str, str, List[Cell]]

MARKERS = "osD^vP*Xphd8"
COLOURS = {"codec": ACCENT, "peer": QUIET, "limit": INK}
LADDER_MIN = 3


def rate(cell: Cell, runner: Dict[str, Any]) -> float:
    """GB/s of input, by the shortest time."""
    return float(cell["bytes"] / runner["minimum_ns"])


def figure_of(cell: Cell, runner: Dict[str, Any]) -> float:
    """What the tables show: ns a string of short strings, else GB/s."""
    return float(runner["minimum_ns"] / cell["strings"]) if is_short(cell) else rate(cell, runner)


def is_short(cell: Cell) -> bool:
    """Whether it was held against a call that does nothing."""
    return any(runner["name"] == "call" for runner in cell["runners"])


def timed(cell: Cell) -> List[Dict[str, Any]]:
    """Those whose answer was the reference's."""
    return [runner for runner in cell["runners"] if "differs" not in runner]


def names_of(cells: List[Cell]) -> List[Tuple[str, str]]:
    """Name and kind of all who took part, in their order, the limit last."""
    found = {runner["name"]: runner["kind"] for cell in cells for runner in timed(cell)}
    return sorted(found.items(), key=lambda item: ("codec", "peer", "limit").index(item[1]))


def groups_of(cells: List[Cell]) -> List[Group]:
    """Cells of one operation and one size together."""
    found: Dict[Tuple[str, str], List[Cell]] = {}
    for cell in cells:
        found.setdefault((cell["operation"], cell["size"]), []).append(cell)
    return [(operation, size, group) for (operation, size), group in found.items()]


def ladders_of(cells: List[Cell]) -> List[Group]:
    """Cells of one operation and one text in many sizes."""
    found: Dict[Tuple[str, str], List[Cell]] = {}
    for cell in cells:
        if ".." not in cell["size"]:
            found.setdefault((cell["operation"], cell["text"]), []).append(cell)
    return [(operation, text, sorted(group, key=lambda cell: cell["bytes"] / cell["strings"]))
            for (operation, text), group in found.items() if len(group) >= LADDER_MIN]


def marks_of(names: List[Tuple[str, str]]) -> Dict[str, Tuple[str, str, str]]:
    """Marker, colour and filling of each; ours are filled."""
    counts = {kind: 0 for kind in COLOURS}
    marks = {}
    for name, kind in names:
        marker = "|" if kind == "limit" else MARKERS[counts[kind] % len(MARKERS)]
        counts[kind] += 1
        marks[name] = (marker, COLOURS[kind], COLOURS[kind] if kind == "codec" else "none")
    return marks


def steps_around(figures: Sequence[float]) -> List[float]:
    """1, 2 and 5 times powers of ten, from the last that is not above all figures to the first that is not below them."""
    decades = range(math.floor(math.log10(min(figures))) - 1, math.floor(math.log10(max(figures))) + 2)
    steps = [float(f"{step}e{decade}") for decade in decades for step in (1, 2, 5)]
    low, high = max(step for step in steps if step <= min(figures)), min(step for step in steps if step >= max(figures))
    return [step for step in steps if low <= step <= high]


def logarithmic(axis: Any, figures: Sequence[float]) -> None:
    """Labels all the way, as plain numbers, however near to each other the figures are."""
    steps = steps_around(figures or (1.0,))
    axis.set_major_locator(FixedLocator(steps))
    axis.set_major_formatter(lambda value, _: f"{value:g}")
    axis.set_minor_locator(NullLocator())
    axis.axes.set(**{f"{axis.axis_name}lim": (steps[0] * 0.93, steps[-1] * 1.07)})


def legend(axes: Any) -> None:
    """Above the plot, in as many rows as it takes."""
    if axes.lines:
        axes.legend(ncol=6, loc="lower left", bbox_to_anchor=(-0.15, 1.0), frameon=False, handletextpad=0.1, columnspacing=1, fontsize=8)


def plot_group(group: Group) -> str:
    """A row a text, a mark for each who took part."""
    operation, size, cells = group
    names = names_of(cells)
    figure, axes = pyplot.subplots(figsize=(7.2, 0.22 * len(cells) + 1.0))
    for name, (marker, colour, filling) in marks_of(names).items():
        places = [(figure_of(cell, runner), row) for row, cell in enumerate(cells) for runner in timed(cell) if runner["name"] == name]
        axes.plot([x for x, _ in places], [y for _, y in places], marker, label=name, linestyle="none", markersize=6,
                  markeredgecolor=colour, markerfacecolor=filling)
    axes.set_xscale("log")
    logarithmic(axes.xaxis, [figure_of(cell, runner) for cell in cells for runner in timed(cell)])
    axes.set_xlabel("ns a string (less is better)" if is_short(cells[0]) else "GB/s")
    axes.set_yticks(range(len(cells)))
    axes.set_yticklabels([cell["text"] for cell in cells])
    axes.set_ylim(len(cells) - 0.4, -0.6)
    axes.grid(axis="x", linewidth=0.5)
    axes.tick_params(length=0)
    legend(axes)
    return svg_of(figure, f"{operation}, {size} bytes; the same figures are in the table")


def plot_ladder(group: Group) -> str:
    """GB/s over the length of a string."""
    operation, text, cells = group
    names = [(name, kind) for name, kind in names_of(cells) if kind != "limit"]
    figure, axes = pyplot.subplots(figsize=(7.2, 3.2))
    for name, (marker, colour, filling) in marks_of(names).items():
        places = [(cell["bytes"] / cell["strings"], rate(cell, runner)) for cell in cells for runner in timed(cell)
                  if runner["name"] == name]
        axes.plot([x for x, _ in places], [y for _, y in places], marker=marker, label=name, color=colour, linewidth=1,
                  markersize=4, markerfacecolor=filling)
    axes.set_xscale("log", base=2)
    axes.set_yscale("log")
    axes.xaxis.set_major_formatter(lambda x, _: f"{x / 2 ** 20:g}M" if x >= 2 ** 20 else f"{x / 1024:g}K" if x >= 1024 else f"{x:g}")
    logarithmic(axes.yaxis, [rate(cell, runner) for cell in cells for runner in timed(cell) if runner["kind"] != "limit"])
    axes.set_xlabel("bytes of a string")
    axes.set_ylabel("GB/s")
    axes.grid(linewidth=0.5)
    axes.tick_params(length=0)
    legend(axes)
    return svg_of(figure, f"{operation} of {text} by length")


def best(cell: Cell, kind: str) -> float:
    """The shortest time of a kind; 0 if nobody is of it."""
    return min((runner["minimum_ns"] for runner in timed(cell) if runner["kind"] == kind), default=0.0)


def row_of(cell: Cell, names: List[Tuple[str, str]]) -> Dict[str, Any]:
    """A row of a table: what each came to, and our best against the best peer and the limit."""
    figures = {runner["name"]: f"{figure_of(cell, runner):.3g}" for runner in timed(cell)}
    ours, peer, limit = (best(cell, kind) for kind in ("codec", "peer", "limit"))
    return {"text": cell["text"], "figures": [figures.get(name, "") for name, _ in names],
            "peer": peer / ours if ours and peer else None, "limit": limit / ours if ours and limit else None}


def page_of(report: Dict[str, Any]) -> str:
    """The whole page."""
    sections = []
    for group in groups_of(report["cells"]):
        operation, size, cells = group
        names = names_of(cells)
        sections.append({"operation": operation, "size": size, "is_short": is_short(cells[0]), "names": [name for name, _ in names],
                         "rows": [row_of(cell, names) for cell in cells], "plot": plot_group(group)})
    ladders = [{"operation": group[0], "text": group[1], "plot": plot_ladder(group)} for group in ladders_of(report["cells"])]
    fewest_turns = min((runner["samples"] for cell in report["cells"] for runner in timed(cell)), default=0)
    return needs.render("bench.html.j2", report=report, fewest_turns=fewest_turns, sections=sections, ladders=ladders)
