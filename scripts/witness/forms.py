# SPDX-License-Identifier: MIT
"""Exports the vectors from their JSON files: tab-separated lines, raw bytes with an index, a C header; `exports` has the other forms."""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path
from typing import Any, Callable, Dict, Iterable, Iterator, List, Sequence, Tuple

from . import schema
from .exports import languages, page, seeds, ucd, wpt
from .exports.archives import tar_gz
from .policies import POLICIES

Case = Dict[str, Any]
File = Dict[str, Any]


def read_suite(folder: Path, encoding: str = "*") -> Dict[str, File]:
    """All vector files of a folder (of one encoding, or of all), by ENCODING/CATEGORY, after a check against the folder's
    schema."""
    paths = sorted(folder.glob(f"{encoding}/*.json"))
    if not paths:
        raise ValueError(f"no vectors in {folder}")
    rules = parse(folder / "schema.json")
    suite = {}
    for path in paths:
        file = parse(path)
        try:
            broken = schema.failures(file, rules, rules)
        except (re.error, ValueError) as error:
            raise ValueError(f"{folder / 'schema.json'}: {error}") from error
        if broken:
            raise ValueError(f"{path} breaks the schema: {broken[0]}")
        if file["count"] != len(file["tests"]):
            raise ValueError(f"{path} says that it has {file['count']} tests, and has {len(file['tests'])}")
        suite[f"{path.parent.name}/{path.stem}"] = file
    return suite


def parse(path: Path) -> Any:
    """The content of a JSON file; raises an error that names the file."""
    try:
        return json.loads(path.read_text("ascii"))
    except (json.JSONDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise ValueError(f"{path} is no JSON in ASCII: {error}") from error


def unhex(text: str) -> bytes:
    """HEX as bytes."""
    return b"" if text == "-" else bytes.fromhex(text)


# ---- tab-separated lines ------------------------------------------------------------------------

def cell(value: Any) -> str:
    """A value other than an object: true, false and null as in JSON, `-` for an empty list."""
    if isinstance(value, str):
        return value
    return json.dumps(value)


def joined(name: str, items: List[Any]) -> str:
    """A list: the groups of a stream are joined by bars, objects by semicolons (their fields by colons), words by commas."""
    if items and isinstance(items[0], dict):
        return ";".join(":".join(cell(field) for field in item.values()) for item in items)
    return ("|" if name.startswith("emitted") else ",").join(map(cell, items)) or "-"


def flat(case: Case, prefix: str = "") -> Iterator[Tuple[str, str]]:
    """The columns of a case; the field of an object is OBJECT.FIELD."""
    for key, value in case.items():
        name = prefix + key
        if isinstance(value, dict):
            yield from flat(value, f"{name}.")
        elif isinstance(value, list):
            yield name, joined(name, value)
        else:
            yield name, cell(value)


def rows_of(case: Case) -> Iterator[Case]:
    """The lines of a case: one; for `reuse`, one per stream, with its index."""
    if "streams" not in case:
        yield case
    for index, stream in enumerate(case.get("streams", [])):
        yield {"id": case["id"], "comment": case["comment"], "flags": case["flags"], "stream": index, **stream}


def tab_separated(file: File) -> str:
    """A file as tab-separated lines with a header line."""
    rows = [dict(flat(row)) for case in file["tests"] for row in rows_of(case)]
    names = list(dict.fromkeys(name for row in rows for name in row))
    names = [name for name in names if not any(other.startswith(f"{name}.") for other in names)]
    return "\n".join(["\t".join(names), *("\t".join(row.get(name, "null") for name in names) for row in rows)]) + "\n"


# ---- raw bytes ----------------------------------------------------------------------------------

def whole_cases(suite: Dict[str, File]) -> Iterator[Case]:
    """All cases whose input is one whole."""
    return (case for file in suite.values() for case in file["tests"] if "bytes" in case)


def raw_files(suite: Dict[str, File]) -> Iterator[Tuple[str, bytes]]:
    """The bytes of each whole input, and an index: path, id, verdict, first span."""
    index = ["path\tid\tverdict"]
    for case in whole_cases(suite):
        spans = case["spans"]
        verdict = f"error {spans[0]['offset']} {spans[0]['length']} {spans[0]['fault']}" if spans else "ok"
        index.append(f"{case['id']}.bin\t{case['id']}\t{verdict}")
        yield f"{case['id']}.bin", unhex(case["bytes"])
    yield "index.tsv", ("\n".join(index) + "\n").encode("ascii")


# ---- a C header ---------------------------------------------------------------------------------

HEADER = """\
/* SPDX-License-Identifier: CC0-1.0
 *
 * The golden vectors of utf8-assay {version}, those that are one whole input, for programs without a JSON library.
 * Generated by scripts/export; vectors/FORMAT.md says what the fields mean. C99 and C++11.
 */
#ifndef ASSAY_VECTORS_H
#define ASSAY_VECTORS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum assay_vector_policy {{
{policies}
    ASSAY_VECTOR_POLICY_COUNT
}};

struct assay_vector_span {{
    size_t offset, length;
    const char *fault;
    bool incomplete;
}};

struct assay_vector_output {{
    const uint32_t *code_points;
    size_t count;
}};

struct assay_vector {{
    const char *id, *comment, *encoding;
    const unsigned char *bytes;
    size_t byte_count;
    const struct assay_vector_span *spans; /* none: well-formed */
    size_t span_count;
    unsigned policies; /* a bit for each that the encoding has; the outputs of the others are empty */
    struct assay_vector_output outputs[ASSAY_VECTOR_POLICY_COUNT]; /* `strict`: what comes before the first span */
}};

"""


class Pool:
    """One array of C with the items of many lists; equal lists are stored once."""

    def __init__(self, kind: str, name: str) -> None:
        self.kind, self.name = kind, name
        self.items: List[str] = []
        self.places: Dict[Tuple[str, ...], int] = {}

    def slice(self, items: Sequence[str]) -> str:
        """A pointer to these items and their count, as C initialisers."""
        if not items:
            return "NULL, 0"
        key = tuple(items)
        if key not in self.places:
            self.places[key] = len(self.items)
            self.items += items
        return f"{self.name} + {self.places[key]}, {len(items)}"

    def definition(self) -> str:
        """The array, with 16 items a line; nothing if there is no item, as then nothing names it."""
        if not self.items:
            return ""
        lines = [f"    {', '.join(self.items[at:at + 16])}," for at in range(0, len(self.items), 16)]
        return "\n".join([f"static const {self.kind} {self.name}[] = {{", *lines, "};"]) + "\n\n"


def c_string(text: str) -> str:
    """A C string."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def c_case(case: Case, octets: Pool, points: Pool, spans: Pool) -> str:
    """One case as an initialiser; the data that it points to goes into the pools."""
    errors = [f"{{{one['offset']}, {one['length']}, \"{one['fault']}\", {json.dumps(one['incomplete'])}}}" for one in case["spans"]]
    outputs = ["{" + points.slice([f"0x{point}" for point in case["outputs"].get(policy, "-").split(",") if point != "-"]) + "}"
               for policy in POLICIES]
    offered = sum(1 << number for number, policy in enumerate(POLICIES) if policy in case["outputs"])
    return ("    {" + ", ".join([
        c_string(case["id"]), c_string(case["comment"]), c_string(case["id"].split("/")[0]),
        octets.slice([f"0x{byte:02X}" for byte in unhex(case["bytes"])]), spans.slice(errors), f"0x{offered:02X}",
        "{" + ", ".join(outputs) + "}"]) + "},")


def c_header(suite: Dict[str, File]) -> str:
    """assay_vectors.h. Its arrays have names, because C++ has no compound literals."""
    names = "\n".join(f"    ASSAY_VECTOR_{policy.upper().replace('-', '_')}," for policy in POLICIES)
    version = next(iter(suite.values()))["version"]
    pools = (Pool("unsigned char", "assay_vector_bytes"), Pool("uint32_t", "assay_vector_code_points"),
             Pool("struct assay_vector_span", "assay_vector_spans"))
    cases = "\n".join(c_case(case, *pools) for case in whole_cases(suite))
    count = "enum { ASSAY_VECTOR_COUNT = sizeof assay_vectors / sizeof assay_vectors[0] };"
    return (HEADER.format(version=version, policies=names) + "".join(pool.definition() for pool in pools)
            + f"static const struct assay_vector assay_vectors[] = {{\n{cases}\n}};\n\n{count}\n\n#endif\n")


# ---- all of them --------------------------------------------------------------------------------

def sums(files: Iterable[Tuple[str, bytes]]) -> bytes:
    """SHA256SUMS of the files, for `sha256sum --check`."""
    return "".join(f"{hashlib.sha256(content).hexdigest()}  {name}\n" for name, content in files).encode("ascii")


def tables(suite: Dict[str, File]) -> Dict[str, bytes]:
    """tsv/ENCODING/CATEGORY.tsv."""
    return {f"tsv/{name}.tsv": tab_separated(file).encode("ascii") for name, file in suite.items()}


FORMS = ("tsv", "raw", "header")  # the default
MAKERS: Dict[str, Callable[[Dict[str, File]], Dict[str, bytes]]] = {
    "tsv": tables,
    "raw": lambda suite: {f"raw/{name}": content for name, content in raw_files(suite)},
    "header": lambda suite: {"assay_vectors.h": c_header(suite).encode("ascii")},
    "raw-archive": lambda suite: {"raw.tar.gz": tar_gz((f"raw/{name}", content) for name, content in raw_files(suite))},
    "wpt": wpt.files,
    "page": page.files,
    "ucd": ucd.files,
    "seeds": seeds.files,
    "wheel": languages.wheel,
    "go": languages.go,
    "rust": lambda suite: languages.rust(suite, tables(suite)),
    "jar": lambda suite: languages.jar(suite, tables(suite)),
}
ALL_FORMS = tuple(MAKERS)


def require_known(forms: Iterable[str]) -> None:
    """Raises ValueError for an unknown form."""
    for form in forms:
        if form not in ALL_FORMS:
            raise ValueError(f"no form is called {form!r}; there are {', '.join(ALL_FORMS)}")


def exported(suite: Dict[str, File], forms: Sequence[str]) -> Dict[str, bytes]:
    """The files of the chosen forms, with their sums."""
    require_known(forms)
    made: Dict[str, bytes] = {}
    for form in forms:
        made.update(MAKERS[form](suite))
    return {**made, "SHA256SUMS": sums(sorted(made.items()))}
