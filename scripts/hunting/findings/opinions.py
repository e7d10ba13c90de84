# SPDX-License-Identifier: MIT
"""Opinions about an input: the Python witness's, and those of the decoders by third parties that this machine has.

If a codec and the reference differ, one of them is wrong. A decoder that shares no code with either shows which, if it decodes the
encoding. A decoder that is not installed is not asked.
"""

from __future__ import annotations

import json
import platform
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Callable, Dict, Iterable, List, Optional

from witness import policies, rows

SECONDS = 20
PYTHON_NAMES = {"utf-8": "utf-8", "utf-16le": "utf-16-le", "utf-16be": "utf-16-be"}
ICONV_NAMES = {"utf-8": "UTF-8", "utf-16le": "UTF-16LE", "utf-16be": "UTF-16BE"}
NODE_NAMES = {"utf-8": "utf-8", "utf-16le": "utf-16le", "utf-16be": "utf-16be"}
NODE_PROGRAM = """
const text = require('fs').readFileSync(0);
try { new TextDecoder(process.argv[1], {fatal: true, ignoreBOM: true}).decode(text); console.log('well-formed'); }
catch (error) { console.log(error.code === 'ERR_ENCODING_INVALID_ENCODED_DATA' ? 'ill-formed' : 'no opinion'); }
"""


@dataclass(frozen=True)
class Opinion:
    """A decoder's verdict, and the offset of the first error if it gives one."""

    decoder: str
    well_formed: bool
    offset: Optional[int] = None

    @property
    def sentence(self) -> str:
        """The verdict as the letter prints it."""
        return "well-formed" if self.well_formed else "ill-formed" + (f" at {self.offset}" if self.offset is not None else "")

    def bears_out(self, row: Dict[str, Any]) -> bool:
        """True if a row of `assay diff --json` has the same verdict and, if this opinion has an offset, the same offset."""
        offset = row.get("error", {}).get("offset")
        return self.well_formed == row.get("well_formed") and (self.offset is None or self.offset == offset)


def encoding_of(name: str) -> rows.Encoding:
    """The witness's encoding of this name."""
    return rows.ENCODINGS[name]


def of_witness(encoding: str, data: bytes) -> Optional[Opinion]:
    """The verdict of the witness, our second definition of well-formedness."""
    spans = policies.spans(encoding_of(encoding), data)
    return Opinion("witness", not spans, spans[0].offset if spans else None)


def of_python(encoding: str, data: bytes) -> Optional[Opinion]:
    """The verdict of CPython, which runs this program."""
    if encoding not in PYTHON_NAMES:
        return None
    name = f"{platform.python_implementation()} {'.'.join(platform.python_version_tuple()[:2])}"
    try:
        data.decode(PYTHON_NAMES[encoding])
    except UnicodeDecodeError as error:
        return Opinion(name, False, error.start)
    return Opinion(name, True)


def said_by(command: List[str], data: bytes) -> Optional["subprocess.CompletedProcess[bytes]"]:
    """The result of a program; None if it is not installed, or does not end."""
    if shutil.which(command[0]) is None:
        return None
    try:
        return subprocess.run(command, input=data, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=SECONDS)
    except (OSError, subprocess.TimeoutExpired):
        return None


def of_iconv(encoding: str, data: bytes) -> Optional[Opinion]:
    """The verdict of the C library, by the command iconv."""
    if encoding not in ICONV_NAMES:
        return None
    done = said_by(["iconv", "-f", ICONV_NAMES[encoding], "-t", "UTF-32LE"], data)
    return None if done is None else Opinion("iconv", done.returncode == 0)


def of_node(encoding: str, data: bytes) -> Optional[Opinion]:
    """The verdict of Node.js, by TextDecoder."""
    if encoding not in NODE_NAMES:
        return None
    done = said_by(["node", "-e", NODE_PROGRAM, NODE_NAMES[encoding]], data)
    word = done.stdout.decode().strip() if done is not None and done.returncode == 0 else ""
    return Opinion("Node.js", word == "well-formed") if word in ("well-formed", "ill-formed") else None


ASKED: List[Callable[[str, bytes], Optional[Opinion]]] = [of_witness, of_python, of_iconv, of_node]


def opinions(encoding: str, data: bytes) -> List[Opinion]:
    """The opinion of each decoder that is installed and knows the encoding."""
    heard = (ask(encoding, data) for ask in ASKED)
    return [opinion for opinion in heard if opinion is not None]


def of_rows(answers: Iterable[Dict[str, Any]]) -> List[Opinion]:
    """The opinions of those loadable codecs that validate; rows are of `assay diff --json`."""
    return [Opinion(row["codec"], row["well_formed"], row.get("error", {}).get("offset")) for row in answers if "well_formed" in row]


def which_is_wrong(all_opinions: List[Opinion], reference: Dict[str, Any], codec: Dict[str, Any]) -> Optional[str]:
    """The name of the codec, of these two, that is probably wrong: all opinions agree with the other one, and not all with it. None if
    there is no such codec. Rows are of `assay diff --json`."""
    if not all_opinions or None in (reference.get("well_formed"), codec.get("well_formed")):
        return None
    ours, theirs = (all(opinion.bears_out(row) for opinion in all_opinions) for row in (reference, codec))
    return None if ours == theirs else str((codec if ours else reference)["codec"])


def case(encoding: str, data: bytes) -> Dict[str, Any]:
    """The input as a test case, with the output under every policy by the witness, which asks none of the codecs."""
    known = encoding_of(encoding)
    errors = [{"offset": span.offset, "length": span.length, "fault": span.fault, "incomplete": span.incomplete}
              for span in policies.spans(known, data)]
    outputs = {policy: [f"{unit:04X}" for unit in policies.decode(known, data, policy)]
               for policy in rows.POLICIES if policy in known.policies}
    return {"encoding": encoding, "bytes": data.hex(" ").upper(), "well_formed": not errors, "errors": errors,
            "utf32": outputs}


def as_json(value: Any) -> bytes:
    """The content of a JSON file."""
    return json.dumps(value, indent=2).encode() + b"\n"


if __name__ == "__main__":
    content = Path(sys.argv[2]).read_bytes()
    for heard_opinion in opinions(sys.argv[1], content):
        print(f"{heard_opinion.decoder:<16} {heard_opinion.sentence}")
