# SPDX-License-Identifier: MIT
"""Plots as SVG with colours from the page's style sheet, for light and dark mode. Needs matplotlib."""

from __future__ import annotations

import html
import io
import re
from typing import Any, List, Tuple

import matplotlib
from matplotlib.ticker import FuncFormatter, NullLocator

from .damage_page import Encoding, Misread

matplotlib.use("svg")
from matplotlib import pyplot  # noqa: E402

# Placeholder colours for matplotlib, and the style sheet's variables that replace them.
COLOURS = {"#010203": "var(--ink)", "#040506": "var(--rule)", "#070809": "var(--accent)", "#0a0b0c": "var(--quiet)",
           "#0d0e0f": "var(--alarm)"}
INK, RULE, ACCENT, QUIET, ALARM = COLOURS

PLOT_WIDTH = 3.4  # inches: with its labels, a plot is as wide as a page of 390 pixels that shows its text at its size

matplotlib.rcParams.update({
    "svg.fonttype": "none", "svg.hashsalt": "utf8-assay", "font.size": 9.5, "text.color": INK, "axes.labelcolor": INK,
    "axes.edgecolor": RULE, "xtick.color": INK, "ytick.color": INK, "grid.color": RULE, "axes.spines.top": False,
    "axes.spines.right": False, "axes.titlesize": 9.5, "axes.titlelocation": "left"})


def svg_of(figure: Any, label: str) -> str:
    """The drawing as an SVG element."""
    out = io.StringIO()
    figure.savefig(out, format="svg", transparent=True, bbox_inches="tight", metadata={"Date": None, "Creator": None})
    pyplot.close(figure)
    text = out.getvalue()
    text = text[text.index("<svg"):]
    text = re.sub(r'(<svg[^>]*?) width="[^"]*"', r"\1", re.sub(r'(<svg[^>]*?) height="[^"]*"', r"\1", text, count=1), count=1)
    text = re.sub(r"<metadata>.*?</metadata>", "", text, flags=re.S)
    text = re.sub(r"font: ([0-9.]+)px [^;\"]*", r"font-size: \1px; font-family: inherit", text)
    for stand_in, colour in COLOURS.items():
        text = text.replace(stand_in, colour)
    return text.replace("<svg", f'<svg role="img" aria-label="{html.escape(label)}"', 1)


def colour_of(encoding: Encoding) -> str:
    """ACCENT for UTF-8, ALARM if undetected damage changes other characters or spreads over 100 bytes, else QUIET."""
    if encoding.name == "utf-8":
        return ACCENT
    return ALARM if encoding.share("deleted", "turned") > 0 or encoding.mean_and_worst("samples", "deleted", "spread")[1] > 100 else QUIET


def bars(encodings: List[Encoding], title: str, figures: List[float]) -> str:
    """A row for each encoding with a bar."""
    figure, axes = rows_of(encodings, title)
    axes.barh(range(len(encodings)), figures, color=[colour_of(encoding) for encoding in encodings], height=0.6)
    return svg_of(figure, f"{title}; the same figures are in the tables")


def rows_of(encodings: List[Encoding], title: str) -> Tuple[Any, Any]:
    """A figure with a row for each encoding, as wide as a narrow page, and its axes."""
    figure, axes = pyplot.subplots(figsize=(PLOT_WIDTH, 0.25 * len(encodings) + 0.6))
    axes.set_title(title, x=-0.45)
    axes.set_yticks(range(len(encodings)))
    axes.set_yticklabels([encoding.name for encoding in encodings])
    axes.set_ylim(len(encodings) - 0.4, -0.6)
    axes.grid(axis="x", linewidth=0.5)
    axes.set_axisbelow(True)
    axes.tick_params(length=0)
    return figure, axes


def cost_and_safety(encodings: List[Encoding]) -> List[str]:
    """Bytes per character, how often a lost byte changes other characters undetected, how far damage spreads: a plot each, because three
    beside each other cannot be read on a narrow page."""
    figure, axes = rows_of(encodings, "bytes until decoding is in step again, mean to worst\n(samples, whole texts)")
    axes.set_xscale("log")
    for row, encoding in enumerate(encodings):
        mean, worst = encoding.mean_and_worst("samples", "deleted", "spread")
        axes.plot([max(mean, 0.3), max(worst, 1)], [row, row], color=colour_of(encoding), linewidth=2)
        axes.plot([max(worst, 1)], [row], "o", color=colour_of(encoding), markersize=5)
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,g}"))
    axes.xaxis.set_minor_locator(NullLocator())
    return [bars(encodings, "bytes per character\n", [encoding.size for encoding in encodings]),
            bars(encodings, "% of lost bytes that change other characters,\nundetected (excerpts)", [100 * encoding.share("deleted", "turned") for encoding in encodings]),
            svg_of(figure, "Bytes until decoding is in step again; the same figures are in the tables")]


def misread(pairs: List[Misread]) -> str:
    """A bar in each cell, a row for each encoding that text is written in: the shares of lines that are noticed and that turn."""
    names = list(dict.fromkeys(pair.written for pair in pairs))
    figure, axes = pyplot.subplots(figsize=(PLOT_WIDTH, 0.2 * len(names) + 1.0))
    for pair in pairs:
        left, row = names.index(pair.read) + 0.08, names.index(pair.written)
        for share, colour in ((pair.noticed, QUIET), (pair.turned, ALARM), (1 - pair.noticed - pair.turned, ACCENT)):
            axes.barh(row, 0.84 * share, left=left, color=colour, height=0.6)
            left += 0.84 * share
    axes.set_xticks([column + 0.5 for column in range(len(names))])
    axes.set_xticklabels(names, rotation=90)
    axes.xaxis.tick_top()
    axes.set_yticks(range(len(names)))
    axes.set_yticklabels(names)
    axes.set_xlim(0, len(names))
    axes.invert_yaxis()
    axes.tick_params(length=0)
    for side in ("left", "bottom"):
        axes.spines[side].set_visible(False)
    return svg_of(figure, "Lines that are noticed, that turn and that stay the same, by encoding written and encoding read")


MARKS = (("utf-8", "o", ACCENT), ("utf-16le", "s", QUIET), ("leb128", "<", ALARM), ("counter-decent", "D", INK),
         ("counter-terrible", ">", INK))


def sizes(encodings: List[Encoding]) -> str:
    """One row per text: bytes per character in some encodings."""
    chosen = {encoding.name: encoding.bytes_a_character for encoding in encodings}
    texts = sorted(chosen["utf-8"], key=lambda text: chosen["utf-8"][text])
    figure, axes = pyplot.subplots(figsize=(PLOT_WIDTH, 0.2 * len(texts) + 1.0))
    for row, text in enumerate(texts):
        figures = [chosen[name][text] for name, _, _ in MARKS if name in chosen]
        axes.plot([min(figures), max(figures)], [row, row], color=RULE, linewidth=1, zorder=1)
    for name, marker, colour in MARKS:
        if name in chosen:
            filled = "none" if name.startswith("counter-") else colour
            axes.plot([chosen[name][text] for text in texts], range(len(texts)), marker, markerfacecolor=filled,
                      markeredgecolor=colour, markersize=5, label=name, linestyle="none", zorder=3 if name == "utf-8" else 2)
    axes.set_yticks(range(len(texts)))
    axes.set_yticklabels(texts)
    axes.tick_params(length=0)
    axes.grid(axis="x", linewidth=0.5)
    axes.legend(ncol=3, loc="lower left", bbox_to_anchor=(-0.45, 1.0), frameon=False, handletextpad=0.1, columnspacing=1)
    return svg_of(figure, "Bytes per character, by text and encoding")
