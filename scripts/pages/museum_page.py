# SPDX-License-Identifier: MIT
"""The figures of the museum page, from `assay museum --json`."""

from __future__ import annotations

import math
from itertools import groupby
from typing import Any, Dict, List, Tuple

from . import shared

GROUPS = ("vectors", "enumeration", "proof", "fuzzing")
SLOWEST = 1e7  # answers; a kill after this many or more has the faintest colour


def short(number: int) -> str:
    """At most five characters: 9999, 10k, 123M."""
    for unit, letter in ((10 ** 9, "G"), (10 ** 6, "M"), (10 ** 3, "k")):
        if number >= 10 * unit:
            return f"{number // unit}{letter}"
    return str(number)


def heat(cases: float) -> float:
    """From 1, killed by the first answer, down to 0.15: the logarithm of the number of answers."""
    return max(0.15, 1 - math.log(max(cases, 1)) / math.log(SLOWEST))


def fuzzed_cell_of(cell: Dict[str, Any]) -> Dict[str, Any]:
    """A cell of a fuzzer: in how many of its attempts it found the mistake. Paler if it needed many executions, or found it seldom."""
    hits, seeds, cases = cell["hits"], cell["seeds"], cell["cases"]
    medians = "; no median is known" if cases is None else f"; medians {cases:,} executions, {cell['seconds']:.2f} s"
    title = f"found in {hits} of {seeds} attempts{medians}" + (f"; most often by {cell['by']}" if hits else "")
    return {"text": f"{hits}/{seeds}", "heat": heat(SLOWEST if cases is None else cases) if hits else None, "title": title}


def cell_of(cell: Dict[str, Any]) -> Dict[str, Any]:
    """The text, the colour and the title of a cell."""
    if "hits" in cell:
        return fuzzed_cell_of(cell)
    cases, seconds = cell["cases"], cell["seconds"]
    if cell["fate"] == "killed":
        by = " ".join(word for word in (cell["by"], cell["field"]) if word)
        return {"text": short(cases), "heat": heat(cases), "title": f"killed by answer {cases:,} in {seconds:.2f} s: {by}"}
    if cell["fate"] == "survived":
        return {"text": "alive", "heat": None, "title": f"survived {cases:,} answers in {seconds:.2f} s"}
    if cell["fate"] == "not asked":
        return {"text": "", "heat": None, "title": "offers nothing that this asks"}
    raise ValueError(f"there is no fate {cell['fate']!r}")


def killers(exhibit: Dict[str, Any], columns: List[Dict[str, Any]], group: str) -> List[str]:
    """The names of the columns of a group that kill an exhibit."""
    return [column["name"] for column in columns if column["group"] == group and exhibit["cells"][column["name"]]["fate"] == "killed"]


def groups_of(columns: List[Dict[str, Any]]) -> List[Tuple[str, int]]:
    """The groups in order, each with the number of its columns."""
    return [(name, len(list(found))) for name, found in groupby(columns, key=lambda column: str(column["group"]))]


def page_of(report: Dict[str, Any]) -> str:
    """The whole page. The counts are taken from the cells again."""
    columns, exhibits = report["columns"], report["exhibits"]
    if not columns or not exhibits:
        raise ValueError("the matrix is empty")
    killed = {group: sum(bool(killers(exhibit, columns, group)) for exhibit in exhibits) for group in GROUPS}
    survivors = [exhibit for exhibit in exhibits if not any(killers(exhibit, columns, group) for group in GROUPS[:2])]
    if [exhibit["name"] for exhibit in survivors] != [exhibit["name"] for exhibit in exhibits if exhibit["survives"]]:
        raise ValueError("the cells and the survivors that the report names contradict each other")
    rows = [(exhibit, [cell_of(exhibit["cells"][column["name"]]) for column in columns]) for exhibit in exhibits]
    return shared.render("museum.html.j2", generator="museum-page", columns=columns, groups=groups_of(columns), rows=rows, killed=killed, survivors=survivors,
                        stride=report["stride"], fuzzing=report["fuzzing"], reports=[report.get("made")], seconds=report["seconds"], short=short)
