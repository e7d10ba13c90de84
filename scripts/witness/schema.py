# SPDX-License-Identifier: MIT
"""Validates JSON with the part of JSON Schema (2020-12) that the schemas of this project use; raises an error for other keywords."""

from __future__ import annotations

import re
from typing import Any, Callable, Dict, Iterable, Iterator, List, Tuple

KNOWN = {"$schema", "$comment", "$defs", "$ref", "title", "type", "const", "enum", "pattern", "minimum", "properties",
         "required", "additionalProperties", "items", "minItems", "uniqueItems", "oneOf"}
NUMBERS: Dict[str, Tuple[type, ...]] = {"integer": (int,), "number": (int, float)}
TYPES = {"object": dict, "array": list, "string": str, "boolean": bool, "null": type(None)}

Schema = Dict[str, Any]
Failure = Tuple[str, str]  # path in the value, and message
Check = Callable[[Any], Iterable[Failure]]  # yields failures one by one, so that a caller may stop at the first


def is_type(value: Any, name: str) -> bool:
    """True if a value has a JSON type; true and false are not numbers."""
    if name in NUMBERS:
        return isinstance(value, NUMBERS[name]) and not isinstance(value, bool)
    return isinstance(value, TYPES[name])


def same(left: Any, right: Any) -> bool:
    """JSON equality, where true is not 1."""
    return type(left) is type(right) and left == right


def failures(value: Any, schema: Schema, root: Schema) -> List[str]:
    """The failures of a value, one line each; empty if it is valid."""
    return [f"${path}: {what}" for path, what in Rules(root).check(schema)(value)]


class Rules:
    """The checks of a schema, each made once."""

    def __init__(self, root: Schema) -> None:
        """`root` is the schema with the definitions."""
        self.root = root
        self.defined: Dict[str, Check] = {}

    def check(self, schema: Schema) -> Check:
        """Returns a function that yields the failures of a value. Raises ValueError for a keyword that is not known here."""
        if not isinstance(schema, dict):
            raise ValueError(f"a part of the schema is no object: {schema!r:.60}")
        unknown = set(schema) - KNOWN
        if unknown:
            raise ValueError(f"the schema uses what is not known here: {', '.join(sorted(unknown))}")
        if "$ref" in schema:
            if not set(schema) <= {"$ref", "$comment", "title"}:
                raise ValueError(f"the schema has keywords beside a $ref, which are not known here: {', '.join(sorted(schema))}")
            return self.reference(schema["$ref"].rsplit("/", 1)[1])
        types = schema.get("type", [])
        types = [types] if isinstance(types, str) else types
        if not set(types) <= {*NUMBERS, *TYPES}:
            raise ValueError(f"the schema has a type that is none: {types!r:.60}")
        parts = [make(self, schema) for keys, make in MAKERS if not keys.isdisjoint(schema)]

        def check(value: Any) -> Iterator[Failure]:
            """Checks the type first; a value of a wrong type is not checked further."""
            if types and not any(is_type(value, name) for name in types):
                yield "", f"not of type {types}"
                return
            for part in parts:
                yield from part(value)
        return check

    def reference(self, name: str) -> Check:
        """The check for a definition; made at its first use, so that definitions may be recursive."""
        if name not in self.root.get("$defs", {}):
            raise ValueError(f"the schema defines no {name!r}")

        def check(value: Any) -> Iterable[Failure]:
            """Applies the definition."""
            if name not in self.defined:
                self.defined[name] = self.check(self.root["$defs"][name])
            return self.defined[name](value)
        return check

    def scalar(self, schema: Schema) -> Check:
        """const, enum, pattern, minimum."""
        pattern, least = re.compile(schema.get("pattern", "")), schema.get("minimum")
        only = [schema["const"]] if "const" in schema else schema.get("enum")
        if "const" in schema and "enum" in schema:
            raise ValueError("the schema has both const and enum in one place")

        def check(value: Any) -> Iterator[Failure]:
            """Applies each of them."""
            if only is not None and not any(same(value, one) for one in only):
                yield "", f"{value!r} is none of {only}"
            if isinstance(value, str) and not pattern.search(value):
                yield "", f"{value[:60]!r} does not fit {schema['pattern']}"
            if least is not None and is_type(value, "number") and value < least:
                yield "", f"less than {least}"
        return check

    def object(self, schema: Schema) -> Check:
        """properties, required, additionalProperties."""
        known = {name: self.check(inner) for name, inner in schema.get("properties", {}).items()}
        required, other = schema.get("required", []), schema.get("additionalProperties", {})
        rest = None if other is False else self.check(other)

        def check(value: Any) -> Iterator[Failure]:
            """Finds missing and unknown fields, and the failures of each field."""
            if not isinstance(value, dict):
                return
            for name in required:
                if name not in value:
                    yield "", f"{name} is missing"
            for name, item in value.items():
                inner = known.get(name, rest)
                if inner is None:
                    yield "", f"{name} does not belong here"
                else:
                    for path, what in inner(item):
                        yield f".{name}{path}", what
        return check

    def array(self, schema: Schema) -> Check:
        """items, minItems, uniqueItems."""
        inner, least, unique = self.check(schema.get("items", {})), schema.get("minItems", 0), schema.get("uniqueItems")

        def check(value: Any) -> Iterator[Failure]:
            """Finds missing and repeated items, and the failures of each item."""
            if not isinstance(value, list):
                return
            if len(value) < least:
                yield "", f"fewer than {least} items"
            if unique and len({repr(item) for item in value}) < len(value):
                yield "", "an item stands here twice"
            for index, item in enumerate(value):
                for path, what in inner(item):
                    yield f"[{index}]{path}", what
        return check

    def one_of(self, schema: Schema) -> Check:
        """oneOf; an alternative is given up at its first failure."""
        options = [self.check(option) for option in schema["oneOf"]]

        def check(value: Any) -> Iterator[Failure]:
            """Requires exactly one match; if there is none, reports the failures of the alternative that matched the furthest."""
            first = [next(iter(option(value)), None) for option in options]
            matching = first.count(None)
            if matching > 1:
                yield "", f"fits {matching} of the alternatives, not one"
            elif not matching:
                yield max((one for one in first if one), key=lambda one: len(re.findall(r"[.[]", one[0])))
        return check


# The keywords of each check.
MAKERS: Tuple[Tuple[frozenset, Callable[[Rules, Schema], Check]], ...] = (
    (frozenset(("const", "enum", "pattern", "minimum")), Rules.scalar),
    (frozenset(("properties", "required", "additionalProperties")), Rules.object),
    (frozenset(("items", "minItems", "uniqueItems")), Rules.array),
    (frozenset(("oneOf",)), Rules.one_of),
)
