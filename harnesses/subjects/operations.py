#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Which requests of vectors/PROTOCOL.md each subject offers, as its adapter says in its reply to hello, and why it does not offer the others
(not_offered.def). Writes OPERATIONS.md; a subject that is not installed keeps its row.

    python3 harnesses/subjects/operations.py [--check] [NAME...]     of these subjects (default: all)

Exit code: 0 = written (with --check: it is what would be written), 1 = a reason is missing, or given for what is offered, or an adapter does not
answer (with --check: or the file differs), 2 = could not run."""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from pathlib import Path
from typing import Any, Dict, FrozenSet, List, NamedTuple, Optional, Tuple

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from subjects.subjects import HERE, SECONDS, Subject, installed, rows  # noqa: E402

PAGE = HERE / "OPERATIONS.md"
REQUEST = re.compile(r'^(?:REQUEST\(\w+, \w+, "([\w-]+)"|VARIANT\(\w+, "[\w-]+", "([\w-]+)")', re.MULTILINE)
REASON = re.compile(r'^NOT_OFFERED\("([a-z0-9 -]+)", "([\w *]+)", "([^"]+)"\)$')
SET = re.compile(r'^SET\((\w+), "([\w ]+)"\)$')
OTHERS = "*"

Offers = Dict[str, FrozenSet[str]]  # of each subject


class Reason(NamedTuple):
    """A row of not_offered.def."""
    requests: FrozenSet[str]
    subjects: FrozenSet[str]  # empty: all that no other row about the request names
    words: str


def requests() -> List[str]:
    """The requests, and those in pieces, in the order of their table."""
    text = (HERE.parent / "assay" / "requests.def").read_text("ascii")
    return [name or variant for name, variant in REQUEST.findall(text)]


def reasons(table: Path = HERE / "not_offered.def") -> List[Reason]:
    """The table."""
    sets: Dict[str, List[str]] = {}
    found = []
    for line in table.read_text("ascii").splitlines():
        if line.startswith("SET("):
            match = SET.match(line)
            assert match is not None, line
            sets[match[1]] = match[2].split()
        elif line.startswith("NOT_OFFERED("):
            match = REASON.match(line)
            assert match is not None, line
            names = [name for word in match[2].split() for name in sets.get(word, [word])]
            found.append(Reason(frozenset(match[1].split()), frozenset(names) - {OTHERS}, match[3]))
    return found


def keys_of(greeting: str) -> Dict[str, str]:
    """The keys of a reply to hello."""
    return dict(word.split("=", 1) for word in greeting.split()[2:] if "=" in word)


def offered(greeting: str, known: List[str]) -> FrozenSet[str]:
    """The requests that a reply to hello offers."""
    keys = keys_of(greeting)
    named = set(keys["ops"].split(",")) if "ops" in keys else set(known)
    in_pieces = {"pieces"} if "decode" in named and keys.get("chunks") != "no" else set()
    return frozenset((named | in_pieces) - (set() if in_pieces else {"stop"}))


def asked_of(request: str, keys: Dict[str, str]) -> List[str]:
    """Requests about U+0041, one for each encoding, policy and kind of unit."""
    lines = []
    encodings = keys.get("encodings", "utf-8").split(",")
    for encoding in encodings:
        text = {"utf-16le": "4100", "utf-16be": "0041"}.get(encoding[:8], "41")
        fields = {"validate": [text], "boundaries": [text], "concat": [f"{text},{text}"], "stop": [f"{text},{text}"]}.get(request)
        for policy in keys.get("policies", "strict,whatwg").split(",") if fields is None else []:
            ends = {"decode": [text], "pieces": [f"{text},{text}"], "reuse": [f"{text};{text}"], "to-well-formed": [text],
                    "into": [f"{units} 4 {text}" for units in ("utf-8", "utf-16", "utf-32")]}.get(request, ["41"])
            lines += ([f"{encoding} {other} {policy} {text}" for other in sorted({*encodings, "utf-8", "utf-16le"})] if request == "transcode" else
                      [f"{encoding} {policy} {end}" for end in ends])
        lines += [] if fields is None else [f"{encoding} {fields[0]}"]
    return [f"{'decode' if request == 'pieces' else request} {line}" for line in lines]


def offer_of(subject: Subject, known: List[str]) -> FrozenSet[str]:
    """What the adapter offers. Raises RuntimeError if it does not answer, or answers no request of a kind that it offers."""
    with subprocess.Popen([sys.executable, str(HERE / "subjects.py"), "--speak", subject.name], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                          text=True) as adapter:
        assert adapter.stdin is not None and adapter.stdout is not None
        adapter.stdin.write("hello assay/1\n")
        adapter.stdin.flush()
        greeting = adapter.stdout.readline()
        if not greeting.startswith("hello assay/1 "):
            raise RuntimeError(f"{subject.name} does not answer")
        mine = offered(greeting, known)
        asked = [(request, line) for request in sorted(mine) for line in asked_of(request, keys_of(greeting))]
        replies = adapter.communicate("".join(f"{number} {line}\n" for number, (_, line) in enumerate(asked, 1)), timeout=2 * SECONDS)[0].splitlines()
    answered = {request for (request, _), reply in zip(asked, replies) if reply.split()[1:2] not in ([], ["skip"])}
    if mine - answered:
        raise RuntimeError(f"{subject.name} offers, but does not answer: {', '.join(sorted(mine - answered))}")
    return mine


def reason_of(name: str, request: str, table: List[Reason]) -> List[int]:
    """The numbers of the rows, from 1, that say why the subject does not offer the request; a row about all others counts only alone."""
    about = [number for number, row in enumerate(table, 1) if request in row.requests and name in row.subjects]
    return about or [number for number, row in enumerate(table, 1) if request in row.requests and not row.subjects]


def problems(offers: Offers, table: List[Reason], known: List[str]) -> List[str]:
    """What is wrong in not_offered.def: reasons that are missing, that are two, or that are given for what is offered or for nothing."""
    found = []
    for row in table:
        found += [f"no request is named {request}" for request in sorted(row.requests - set(known))]
        found += [f"no subject is named {name}" for name in sorted(row.subjects - set(offers))]
        found += [f"{name} offers {request}, but: {row.words}" for name in sorted(row.subjects & set(offers)) for request in sorted(row.requests & offers[name])]
    for name, mine in offers.items():
        for request in known:
            count = len(reason_of(name, request, table))
            if request not in mine and count != 1:
                found.append(f"{name} does not offer {request}: {'no reason' if count == 0 else f'{count} reasons'}")
    return found


def page(offers: Offers, table: List[Reason], known: List[str]) -> str:
    """OPERATIONS.md."""
    lines = ["<!-- Generated by harnesses/subjects/operations.py from the adapters' replies to hello and not_offered.def -->", "",
             "# Which requests each subject offers", "",
             "The requests of `vectors/PROTOCOL.md`; `pieces` is `decode` in several chunks. `x`: the adapter offers it. A number: it does not, and that is the reason,",
             "in the list after the table.", "",
             f"| subject | {' | '.join(known)} |", "|---|" + "---|" * len(known)]
    for name, mine in offers.items():
        cells = ["x" if request in mine else ", ".join(map(str, reason_of(name, request, table))) for request in known]
        lines.append(f"| {name} | {' | '.join(cells)} |")
    counts = [str(sum(request in mine for mine in offers.values())) for request in known]
    lines += [f"| of {len(offers)} | {' | '.join(counts)} |", ""]
    return "\n".join([*lines, *(f"{number}. {row.words}" for number, row in enumerate(table, 1)), ""])


def cells(offers: Offers) -> Dict[str, Any]:
    """What the page of a field report shows: the requests, the reasons, and for each subject, by request, the number of its reason: 0 where it
    offers the request, None where it has no reason."""
    known, table = requests(), reasons()
    return {"requests": known, "reasons": [row.words for row in table],
            "subjects": [(name, [0 if request in mine else next(iter(reason_of(name, request, table)), None) for request in known]) for name, mine in offers.items()]}


def written(known: List[str], text: str) -> Offers:
    """The offers in the text of OPERATIONS.md."""
    found = re.findall(r"^\| (\w+) \| (.*) \|$", text, re.MULTILINE)
    return {name: frozenset(request for request, cell in zip(known, cells.split(" | ")) if cell == "x") for name, cells in found if name != "subject"}


def ask_all(chosen: List[Subject], known: List[str]) -> Tuple[Offers, List[str]]:
    """What those that are installed offer, and which do not answer."""
    offers: Offers = {}
    silent = []
    for subject, version in installed(chosen):
        if version is not None:
            try:
                offers[subject.name] = offer_of(subject, known)
            except (RuntimeError, subprocess.TimeoutExpired) as problem:
                silent.append(str(problem))
    return offers, silent


def main(words: Optional[List[str]] = None) -> int:
    """See the docstring of the module."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help="subjects (default: all that are installed)")
    parser.add_argument("--check", action="store_true", help="write nothing; say whether the file is what would be written")
    wishes = parser.parse_args(words)
    known, table, text = requests(), reasons(), PAGE.read_text("ascii") if PAGE.exists() else ""
    unknown = set(wishes.names) - {subject.name for subject in rows()}
    if unknown:
        print(f"operations: no row of subjects.def is named {', '.join(sorted(unknown))}", file=sys.stderr)
        return 2
    asked, found = ask_all([subject for subject in rows() if not wishes.names or subject.name in wishes.names], known)
    before = written(known, text)
    offers = {subject.name: asked.get(subject.name, before.get(subject.name, frozenset())) for subject in rows()}
    found += problems(offers, table, known)
    new = page(offers, table, known)
    if wishes.check and new != text:
        found.append(f"{PAGE.name} is not what would be written")
    if not wishes.check:
        PAGE.write_text(new, "ascii")
    for problem in found:
        print(f"operations: {problem}", file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
