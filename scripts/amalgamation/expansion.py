# SPDX-License-Identifier: MIT
"""A translation unit as one text: includes of our files are replaced by the files, and conditionals whose outcome is known are
resolved. What depends on the compiler stays as it is.

This is no C preprocessor: it knows the directives that codecs/ has, and raises ValueError for others."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Callable, Dict, Iterator, List, Optional, Set

TOKEN = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|[A-Za-z_]\w*|\.?\d(?:[eEpP][+-]|[\w.])*|\s+|.', re.S)


def without_comments(text: str) -> str:
    """The text with a space for each comment, and no empty lines."""
    kept = "".join(" " if token[:2] in ("/*", "//") else token for token in TOKEN.findall(text))
    return "".join(line.rstrip() + "\n" for line in kept.splitlines() if line.strip())


def logical_lines(text: str) -> Iterator[str]:
    """The lines of a text; one that goes on, by a backslash or inside a comment, with what follows."""
    pending = ""
    for line in text.splitlines():
        pending += line
        if pending.endswith("\\") or pending.count("/*") > pending.count("*/"):
            pending += "\n"
            continue
        yield pending
        pending = ""
    if pending:
        raise ValueError(f"the text ends inside: {pending[:60]}")


class Condition:
    """The value of the expression of an #if: True, False, or None if it is not known."""

    def __init__(self, expression: str, is_defined: Callable[[str], Optional[bool]]) -> None:
        self.tokens = [token for token in TOKEN.findall(without_comments(expression).strip()) if not token.isspace()]
        self.is_defined = is_defined
        self.value: Optional[bool] = self.either()
        if self.tokens:
            self.value = None  # arithmetic, which is none of ours

    def take(self, *tokens: str) -> bool:
        """Removes these tokens if they come next."""
        if self.tokens[:len(tokens)] == list(tokens):
            del self.tokens[:len(tokens)]
            return True
        return False

    def either(self) -> Optional[bool]:
        """a || b"""
        value = self.both()
        while self.take("|", "|"):
            other = self.both()
            value = True if value or other else (None if value is None or other is None else False)
        return value

    def both(self) -> Optional[bool]:
        """a && b"""
        value = self.one()
        while self.take("&", "&"):
            other = self.one()
            value = False if value is False or other is False else (None if value is None or other is None else True)
        return value

    def one(self) -> Optional[bool]:
        """!a, (a), defined(a), defined a; all else is not known."""
        if self.take("!"):
            value = self.one()
            return None if value is None else not value
        if self.take("defined"):
            parenthesised = self.take("(")
            name = self.tokens.pop(0)
            if parenthesised:
                self.take(")")
            return self.is_defined(name)
        if self.take("("):
            value = self.either()
            self.take(")")
            return value
        del self.tokens[:1]
        return None


class Branch:
    """A conditional that is open: whether it was resolved, and whether its lines are kept."""

    def __init__(self, value: Optional[bool], was_kept: bool) -> None:
        self.is_resolved = value is not None or not was_kept
        self.was_kept = was_kept
        self.value = value

    @property
    def is_kept(self) -> bool:
        """True if the lines of the branch are copied: its #if is in a branch that is, and its condition is true or not known."""
        return self.was_kept and self.value is not False

    def turn(self) -> None:
        """#else"""
        if self.value is not None:
            self.value = not self.value


class Expansion:
    """The text of one translation unit.

    ours       names of all macros that our files define: one that is not defined yet is undefined
    replaced   texts to take in place of files
    elsewhere  files that the amalgamation has once, before all units
    seen       files whose comments are in the amalgamation already"""

    def __init__(self, root: Path, ours: Set[str], replaced: Dict[Path, str], elsewhere: Set[Path], seen: Set[Path]) -> None:
        self.root, self.ours, self.replaced, self.elsewhere, self.seen = root, ours, replaced, elsewhere, seen
        self.defined: Dict[str, str] = {}
        self.depends: Set[str] = set()  # macros whose definition depends on the compiler
        self.to_undefine: Dict[str, None] = {}  # in order
        self.system: Dict[str, None] = {}
        self.skipped: Dict[Path, None] = {}  # files of `elsewhere` that were included
        self.lines: List[str] = []

    def is_defined(self, name: str) -> Optional[bool]:
        """Whether a macro is defined here; None if that is not known."""
        if name in self.defined:
            return True
        return False if name in self.ours and name not in self.depends else None

    def define(self, name: str, value: str = "") -> None:
        """Defines a macro, as the command line of a compiler would."""
        self.defined[name] = value
        self.lines.append(f"#define {name} {value}".rstrip())
        self.to_undefine[name] = None

    def expand(self, path: Path) -> None:
        """Appends a file."""
        path = path.resolve()
        text = self.replaced[path] if path in self.replaced else path.read_text("utf-8")
        text = re.sub(r"/\* Generated by [^\n]*\*/\n", "", text, count=1)
        text = re.sub(r"/\* SPDX-License-Identifier: MIT(?: \*/\n|\n \*\n)", lambda found: "" if "*/" in found[0] else "/*\n", text, count=1)
        if path in self.seen:
            text = without_comments(text)
        self.seen.add(path)
        mark = len(self.lines)
        branches: List[Branch] = []
        for line in logical_lines(text):
            if line.lstrip().startswith("#"):
                self.directive(line, path, branches)
            elif all(branch.is_kept for branch in branches):
                self.lines.append(line)
        if branches:
            raise ValueError(f"{path}: #endif is missing")
        if any(line.strip() for line in self.lines[mark:]):
            self.lines.insert(mark, f"\n/* ---- {path.relative_to(self.root)} ---- */\n")

    def directive(self, line: str, path: Path, branches: List[Branch]) -> None:
        """Obeys a directive, or leaves it in the text."""
        word, rest = re.match(r"\s*#\s*(\w+)\s*(.*)", line, re.S).groups()  # type: ignore[union-attr]
        is_kept = all(branch.is_kept for branch in branches)
        if word in ("if", "ifdef", "ifndef"):
            expression = {"if": rest, "ifdef": f"defined({rest.split()[0]})", "ifndef": f"!defined({rest.split()[0]})"}[word]
            branches.append(Branch(Condition(expression, self.is_defined).value if is_kept else None, is_kept))
            if is_kept and not branches[-1].is_resolved:
                self.lines.append(line)
        elif word in ("else", "endif"):
            branch = branches[-1]
            if not branch.is_resolved:
                self.lines.append(line)
            branch.turn()
            if word == "endif":
                branches.pop()
        elif word == "elif":
            raise ValueError(f"{path}: #elif, which is not resolved here")
        elif is_kept:
            self.kept_directive(word, rest, line, path, any(not branch.is_resolved for branch in branches))

    def kept_directive(self, word: str, rest: str, line: str, path: Path, depends: bool) -> None:
        """A directive that is no conditional. `depends`: it is inside a conditional that stays."""
        if word == "include":
            self.include(without_comments(rest).strip(), path)
            return
        if word == "define":
            name = re.match(r"\w+", rest)[0]  # type: ignore[index]
            self.to_undefine[name] = None
            if depends:
                self.depends.add(name)
                self.defined.pop(name, None)
            else:
                self.defined[name] = without_comments(rest[len(name):]).strip()
            if rest.strip() == name and name.endswith("_H"):
                self.to_undefine.pop(name)
                return  # an include guard
        elif word == "undef":
            self.defined.pop(rest.split()[0], None)
        elif word not in ("error", "pragma"):
            raise ValueError(f"{path}: #{word}, which is not known here")
        self.lines.append(line)

    def include(self, what: str, path: Path) -> None:
        """Appends a file that is ours; remembers one that is not."""
        if what == "VERBS_OF_EXPANDED(ISA)":  # chosen.h
            what = f'"vec_{self.defined["ISA"]}.h"'
        what = self.defined.get(what, what)
        if what.startswith("<"):
            self.system[what] = None
            return
        target = (path.parent / what.strip('"')).resolve()
        if not what.startswith('"') or not target.is_file():
            raise ValueError(f"{path}: #include {what}: no such file")
        if target in self.elsewhere:
            self.skipped[target] = None
        else:
            self.expand(target)

    def text(self) -> str:
        """What was appended; no two empty lines in a row."""
        return re.sub(r"\n{3,}", "\n\n", "\n".join(self.lines) + "\n")
