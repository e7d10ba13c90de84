# SPDX-License-Identifier: MIT
"""Makes the golden vectors: from the drafts of a category to a file in the format of vectors/FORMAT.md."""

from __future__ import annotations

import importlib
import json
import pkgutil
import re
from types import ModuleType
from typing import Any, Dict, Iterator, List, Optional, Sequence, Tuple

from . import categories, conversion, encoders, notes, policies
from .cases import Draft
from .ledger import digest_of
from .policies import WHATWG, Span
from .rows import ENCODINGS, Encoding

SUITE = "utf8-assay"
VERSION = "0.3.0"
UNICODE = "17.0.0"
LICENCE = "CC0-1.0"
FOLDER = "vectors"
FEW_UNITS = 64

ID_NAME = re.compile(r"[0-9a-z_-]+")

Case = Dict[str, Any]
File = Dict[str, Any]


def hexadecimal(text: bytes) -> str:
    """Bytes in the form of the line protocol."""
    return text.hex().upper() or "-"


def scalars(code_points: Sequence[int]) -> str:
    """Code points or UTF-16 units in the form of the line protocol."""
    return ",".join(map("%X".__mod__, code_points)) or "-"


def span_objects(spans: Sequence[Span]) -> List[Case]:
    """Spans as JSON objects."""
    return [{"offset": span.offset, "length": span.length, "fault": span.fault, "incomplete": span.incomplete}
            for span in spans]


def limit_objects(limits: Sequence[policies.Limited]) -> List[Case]:
    """Figures of limited output as JSON objects."""
    return [{"capacity": one.capacity, "read": one.read, "written": one.written, "status": one.status}
            for one in limits]


def decode_case(encoding: Encoding, draft: Draft) -> Case:
    """A case of kind `decode`: whole input, spans, and the output of every policy."""
    spans = policies.spans(encoding, draft.text)
    outputs = {policy: policies.decode(encoding, draft.text, policy) for policy in encoding.policies}
    return {
        "bytes": hexadecimal(draft.text),
        "well_formed": not spans,
        "spans": span_objects(spans),
        "outputs": {policy: scalars(output) for policy, output in outputs.items()},
        "utf16": scalars(policies.utf16_units(outputs[WHATWG])),
    }


def stream_object(encoding: Encoding, pieces: Tuple[bytes, ...]) -> Case:
    """One stream: its pieces, and the output with each and at the end."""
    spans = policies.spans(encoding, b"".join(pieces))
    return {
        "pieces": [hexadecimal(piece) for piece in pieces],
        "well_formed": not spans,
        "spans": span_objects(spans),
        "error_piece": policies.error_piece(encoding, pieces),
        "emitted": {policy: [scalars(group) for group in policies.decode_chunks(encoding, pieces, policy)]
                    for policy in encoding.policies},
    }


def stream_case(encoding: Encoding, draft: Draft) -> Case:
    """A case of kind `stream`."""
    return stream_object(encoding, draft.pieces)


def reuse_case(encoding: Encoding, draft: Draft) -> Case:
    """A case of kind `reuse`: several streams for one decoder."""
    return {"streams": [stream_object(encoding, pieces) for pieces in draft.streams]}


def limited_case(encoding: Encoding, draft: Draft) -> Case:
    """A case of kind `limited`: as `decode`, with the result for each capacity up to enough."""
    case = decode_case(encoding, draft)
    for name, utf16 in (("utf32_limits", False), ("utf16_limits", True)):
        case[name] = {}
        for policy in encoding.policies:
            enough = policies.unit_count(policies.decode(encoding, draft.text, policy), utf16)
            case[name][policy] = limit_objects([policies.limited(encoding, draft.text, policy, capacity, utf16)
                                                for capacity in range(enough + 1)])
    return case


def encode_case_of(encoding: Encoding, draft: Draft, steps: Sequence[encoders.Step]) -> Case:
    """The fields of both kinds of encoding: errors, the bytes under every policy, the result for each capacity; of a long text, for the last two."""
    errors = encoders.errors(steps)
    results = {policy: encoders.encode(encoding, steps, policy) for policy in encoding.policies}
    return {
        "units": scalars(draft.units),
        "encodable": not errors,
        "errors": [{"offset": error.offset, "length": error.length, "fault": error.fault} for error in errors],
        "outputs": {policy: {"bytes": hexadecimal(written), "stopped_at": stopped}
                    for policy, (written, stopped) in results.items()},
        "limits": {policy: limit_objects([encoders.limited(encoding, steps, policy, capacity)
                                          for enough in [len(results[policy][0])]
                                          for capacity in range(enough - 1 if len(draft.units) > FEW_UNITS else 0, enough + 1)])
                   for policy in encoding.policies},
    }


def encode_case(encoding: Encoding, draft: Draft) -> Case:
    """A case of kind `encode`, from 32-bit units."""
    return encode_case_of(encoding, draft, encoders.steps_of_code_points(encoding, draft.units))


def encode_utf16_case(encoding: Encoding, draft: Draft) -> Case:
    """A case of kind `encode-utf16`, from 16-bit units."""
    return encode_case_of(encoding, draft, encoders.steps_of_utf16(encoding, draft.units))


def error_object(span: Optional[Span]) -> Optional[Case]:
    """An error as a JSON object, or null."""
    return span_objects([span])[0] if span else None


def boundaries_case(encoding: Encoding, draft: Draft) -> Case:
    """A case of kind `boundaries`: for each byte and for the end, the offset at which its segment begins."""
    return {"input": hexadecimal(draft.text),
            "boundaries": [policies.boundary(encoding, draft.text, at) for at in range(len(draft.text) + 1)]}


def concat_case(encoding: Encoding, draft: Draft) -> Case:
    """A case of kind `concat`: the concatenation of two strings, or the one that is ill-formed."""
    left, right = draft.pieces
    head = {"left": hexadecimal(left), "right": hexadecimal(right)}
    try:
        return {**head, "joined": hexadecimal(encoders.concatenate(encoding, left, right)), "error": None}
    except encoders.IllFormed as caught:
        return {**head, "joined": None, "error": {"string": caught.index, **span_objects([caught.span])[0]}}


def convert_case(encoding: Encoding, draft: Draft) -> Case:
    """A case of kind `convert`: the bytes in another encoding, or null if `strict` stops."""
    target = ENCODINGS[draft.to]
    outputs = {policy: conversion.convert(encoding, target, draft.text, policy) for policy in conversion.LOOSE}
    return {"to": draft.to, "input": hexadecimal(draft.text),
            "error": error_object(conversion.first_error(encoding, target, draft.text)),
            "outputs": {policy: None if output is None else hexadecimal(output) for policy, output in outputs.items()}}


KINDS = {"decode": decode_case, "stream": stream_case, "reuse": reuse_case, "limited": limited_case,
         "encode": encode_case, "encode-utf16": encode_utf16_case, "boundaries": boundaries_case, "concat": concat_case,
         "convert": convert_case}


def content_of(encoding: Encoding, draft: Draft) -> List[int]:
    """The characters of a case of any kind, without errors."""
    texts = [draft.text, b"".join(draft.pieces), *(b"".join(pieces) for pieces in draft.streams)]
    decoded = [segment.code_point for text in texts for segment in policies.segments(encoding, text)]
    return [code_point for code_point in decoded + list(draft.units) if code_point is not None]


def build(encoding: Encoding, category: str, kind: str, draft: Draft) -> Case:
    """A whole case, with its id and the expected output."""
    name = draft.id_name()
    if not ID_NAME.fullmatch(name):
        raise ValueError(f"{encoding.name}/{category}: {name!r} is no name for a case")
    flags = sorted({*draft.flags, *notes.flags_of_content(content_of(encoding, draft))})
    head = {"id": f"{encoding.name}/{category}/{name}", "comment": draft.comment, "flags": flags}
    return {**head, **KINDS[kind](encoding, draft)}


def category_modules() -> Iterator[Tuple[str, ModuleType]]:
    """All categories, from the folder: the name in ids, and the module."""
    for found in sorted(pkgutil.iter_modules(categories.__path__), key=lambda one: one.name):
        yield found.name.replace("_", "-"), importlib.import_module(f"{categories.__name__}.{found.name}")


def used_notes(cases: Sequence[Case], own: Dict[str, notes.Note]) -> Dict[str, Case]:
    """The notes of all flags of the cases."""
    known = {**notes.NOTES, **own}
    flags = sorted({flag for case in cases for flag in case["flags"]})
    missing = [flag for flag in flags if flag not in known]
    if missing:
        raise ValueError(f"no note says what these flags mean: {', '.join(missing)}")
    return {flag: {"kind": known[flag].kind, "effect": known[flag].effect, "links": list(known[flag].links)}
            for flag in flags}


def file_of(encoding: Encoding, category: str, module: ModuleType) -> File:
    """One file of the suite: header, notes and cases."""
    kind = getattr(module, "KIND", "decode")
    cases: Dict[str, Case] = {}
    for draft in module.cases(encoding):
        case = build(encoding, category, kind, draft)
        first = cases.setdefault(case["id"], case)  # two drafts may have the same bytes: the first one names the case
        if first is not case and digest(first) != digest(case):
            raise ValueError(f"{case['id']} is made twice, with different contents")
    about = (module.__doc__ or "").strip().split("\n\n")[0].replace("\n", " ")
    return {
        "suite": SUITE, "version": VERSION, "unicode": UNICODE, "license": LICENCE, "encoding": encoding.name,
        "category": category, "kind": kind, "policies": list(getattr(module, "POLICIES", encoding.policies)),
        "about": about, "count": len(cases),
        "notes": used_notes(list(cases.values()), getattr(module, "NOTES", {})), "tests": list(cases.values()),
    }


def all_files() -> Iterator[Tuple[str, File]]:
    """All files of the suite, by path."""
    for category, module in category_modules():
        for name in getattr(module, "ENCODINGS", ("utf-8",)):
            yield f"{FOLDER}/{name}/{category}.json", file_of(ENCODINGS[name], category, module)


def render(file: File) -> str:
    """The text of a file: one line per field of the header, one line per case."""
    head = {key: value for key, value in file.items() if key != "tests"}
    lines = [f"{json.dumps(key)}: {json.dumps(value)}" for key, value in head.items() if key != "notes"]
    noted = ",\n".join(f"  {json.dumps(flag)}: {json.dumps(note)}" for flag, note in head["notes"].items())
    lines.append('"notes": {\n' + noted + "\n}" if noted else '"notes": {}')
    tests = ",\n".join(json.dumps(case, separators=(",", ":")) for case in file["tests"])  # with blanks, files are a sixth larger
    lines.append('"tests": [\n' + tests + "\n]")
    return "{\n" + ",\n".join(lines) + "\n}\n"


def digest(case: Case) -> str:
    """The digest of a case: everything but comment and flags, which may be improved."""
    asked = {key: value for key, value in case.items() if key not in ("comment", "flags")}
    canonical = json.dumps(asked, sort_keys=True, separators=(",", ":"))
    return digest_of(canonical)


def npm_package() -> str:
    """vectors/package.json, from which `npm pack` makes the package for JavaScript."""
    package = {
        "name": f"{SUITE}-vectors", "version": VERSION, "license": LICENCE,
        "description": "A conformance set for UTF-8, WTF-8, CESU-8, Modified UTF-8 and UTF-16: offsets, replacement policies, streaming",
        "keywords": ["utf-8", "wtf-8", "cesu-8", "utf-16", "unicode", "conformance", "test-vectors"],
        "files": ["*/*.json", "complete/", "examples/", "index.cjs", "index.d.ts", "schema.json", "FORMAT.md", "PROTOCOL.md",
                  "LEDGER.tsv", "SHA256SUMS"],
        "main": "index.cjs", "types": "index.d.ts",
        "exports": {".": {"types": "./index.d.ts", "default": "./index.cjs"}, "./*": "./*"},
    }
    return json.dumps(package, indent=2) + "\n"
