# SPDX-License-Identifier: MIT
"""Holds a JSON value against a JSON Schema (2020-12), as far as vectors/schema.json uses it, and refuses all else."""

from __future__ import annotations

import re
from typing import Any, Dict, List

KNOWN = {"$schema", "$comment", "$defs", "$ref", "title", "type", "const", "enum", "pattern", "minimum", "properties",
         "required", "additionalProperties", "items", "minItems", "uniqueItems", "oneOf"}
TYPES = {"object": dict, "array": list, "string": str, "boolean": bool, "null": type(None)}

Schema = Dict[str, Any]


def is_type(value: Any, name: str) -> bool:
    """Whether a value has a JSON type; true and false are no integers."""
    if name == "integer":
        return isinstance(value, int) and not isinstance(value, bool)
    return isinstance(value, TYPES[name])


def same(left: Any, right: Any) -> bool:
    """Equality in JSON, where true is not 1."""
    return type(left) is type(right) and left == right


def failures(value: Any, schema: Schema, root: Schema, path: str = "$") -> List[str]:
    """Why a value breaks a schema: a line each, empty if it does not."""
    unknown = set(schema) - KNOWN
    if unknown:
        raise ValueError(f"{path}: the schema uses what is not known here: {', '.join(sorted(unknown))}")
    if "$ref" in schema:
        name = schema["$ref"].rsplit("/", 1)[1]
        return failures(value, root["$defs"][name], root, path)
    names = schema.get("type", [])
    if names and not any(is_type(value, name) for name in ([names] if isinstance(names, str) else names)):
        return [f"{path}: not of type {names}"]
    found = scalar_failures(value, schema, path)
    if isinstance(value, dict):
        found += object_failures(value, schema, root, path)
    if isinstance(value, list):
        found += array_failures(value, schema, root, path)
    if "oneOf" in schema:
        matching = sum(not failures(value, option, root, path) for option in schema["oneOf"])
        found += [] if matching == 1 else [f"{path}: fits {matching} of the alternatives, not one"]
    return found


def scalar_failures(value: Any, schema: Schema, path: str) -> List[str]:
    """What is wrong with one value by itself."""
    found = []
    if "const" in schema and not same(value, schema["const"]):
        found.append(f"{path}: not {schema['const']!r}")
    if "enum" in schema and not any(same(value, one) for one in schema["enum"]):
        found.append(f"{path}: {value!r} is none of {schema['enum']}")
    if isinstance(value, str) and not re.search(schema.get("pattern", ""), value):
        found.append(f"{path}: {value[:60]!r} does not fit {schema['pattern']}")
    if is_type(value, "integer") and value < schema.get("minimum", value):
        found.append(f"{path}: less than {schema['minimum']}")
    return found


def object_failures(value: Dict[str, Any], schema: Schema, root: Schema, path: str) -> List[str]:
    """What is wrong with the fields of an object."""
    known = schema.get("properties", {})
    found = [f"{path}: {name} is missing" for name in schema.get("required", []) if name not in value]
    for name, item in value.items():
        inner = known.get(name, schema.get("additionalProperties", {}))
        if inner is False:
            found.append(f"{path}: {name} does not belong here")
        else:
            found += failures(item, inner, root, f"{path}.{name}")
    return found


def array_failures(value: List[Any], schema: Schema, root: Schema, path: str) -> List[str]:
    """What is wrong with the items of an array."""
    found = []
    if len(value) < schema.get("minItems", 0):
        found.append(f"{path}: fewer than {schema['minItems']} items")
    if schema.get("uniqueItems") and len({repr(item) for item in value}) < len(value):
        found.append(f"{path}: an item stands here twice")
    for index, item in enumerate(value):
        found += failures(item, schema.get("items", {}), root, f"{path}[{index}]")
    return found
