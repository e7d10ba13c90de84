# SPDX-License-Identifier: MIT
"""Helpers of the tests: a driver of subjects, which speaks the line protocol and shares no code with them, and loadable codecs."""

from __future__ import annotations

import atexit
import os
import random
import shutil
import subprocess
import sys
import tempfile
import unittest
from functools import lru_cache
from pathlib import Path
from typing import List, Sequence, Tuple, Union

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
ASSAY = os.environ.get("ASSAY", str(ROOT / "build" / "assay"))
CANARY = os.environ.get("ASSAY_CANARY", str(ROOT / "build" / "assay-canary"))
COMPILER = os.environ.get("CC") or shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
sys.path.insert(0, str(ROOT / "scripts"))  # the witness

# For tests that take long, and run no code that other tests do not run under the sanitizer.
in_ordinary_build = unittest.skipIf(os.environ.get("ASSAY_SANITIZED"), "tested in the ordinary build: a sanitizer sees no more there")

Exchange = Tuple[str, str]  # a request without its ID, and the reply without it


@lru_cache(maxsize=None)
def is_built_with(sanitizer: str) -> bool:
    """True if the program has the runtime of a sanitizer: asan or msan."""
    return f"__{sanitizer}_init".encode() in Path(ASSAY).read_bytes()


def compile_codec(output: Path, *words: Union[str, Path]) -> Path:
    """Calls the compiler for a part of a loadable codec, or for the whole. Returns the path of the output."""
    subprocess.run([str(COMPILER), "-std=c11", "-fPIC", "-w", "-O1", "-I", str(ROOT / "codecs"), "-o", str(output), *words], check=True)
    return output


@lru_cache(maxsize=None)
def codec_object(method: str) -> Path:
    """One of our codecs for UTF-8, compiled once: that takes longer than what most of the codecs here add to it."""
    folder = Path(tempfile.mkdtemp())
    atexit.register(shutil.rmtree, folder)
    return compile_codec(folder / f"{method}.o", "-c", ROOT / "codecs" / method / "utf8.c")


def loadable(folder: Path, source: Union[str, Path], name: str = "", method: str = "reference", **macros: str) -> str:
    """Compiles a loadable codec (codecs/SOURCE.c here, or a file elsewhere) with these macros and one of our codecs; returns its path."""
    path = source if isinstance(source, Path) else HERE / "codecs" / f"{source}.c"
    defined = [f"-D{macro}={value}" for macro, value in macros.items()]
    return str(compile_codec(folder / f"{name or path.stem}.so", "-shared", *defined, path, codec_object(method)))


PARTIAL = "utf-8/hoehrmann_loop"  # the one built-in codec that offers only some operations and policies


def running(encoding: str) -> List[str]:
    """The codecs of an encoding that run here and have every operation."""
    done = subprocess.run([ASSAY, "list", "-e", encoding], capture_output=True, text=True, check=True)
    return [name for name in done.stdout.split() if name != PARTIAL]


def talk(codec: str, requests: bytes, *options: str) -> List[bytes]:
    """Sends requests to a subject, which must not end before its input does, and returns its replies."""
    done = subprocess.run([ASSAY, "subject", *options, codec], input=requests, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b""), (codec, done.returncode, done.stderr[-2000:])
    assert done.stdout.endswith(b"\n") or not requests
    return done.stdout.split(b"\n")[:-1]


def unlike(codec: str, exchanges: Sequence[Exchange]) -> List[str]:
    """The first few replies that are not the expected ones, one sentence each."""
    requests = "".join(f"{number} {request}\n" for number, (request, _) in enumerate(exchanges))
    replies = [reply.decode("ascii") for reply in talk(codec, requests.encode("ascii"))]
    assert len(replies) == len(exchanges), codec
    return [f"{codec}: {request}: {reply}, not {expected}"
            for number, ((request, expected), reply) in enumerate(zip(exchanges, replies))
            if reply != f"{number} {expected}"][:5]


def hexadecimal(text: bytes) -> str:
    """HEX."""
    return text.hex().upper() or "-"


def scalars(values: Sequence[int]) -> str:
    """SCALARS."""
    return ",".join(f"{value:X}" for value in values) or "-"


def pieces_of(dice: random.Random, text: bytes) -> List[bytes]:
    """The bytes in pieces, some of which are empty."""
    cuts = sorted(dice.randrange(len(text) + 1) for _ in range(dice.randrange(5)))
    return [text[begin:end] for begin, end in zip([0, *cuts], [*cuts, len(text)])]


def groups_of(groups: Sequence[Sequence[int]]) -> str:
    """The witness's output of each piece; the end of input comes with the last one."""
    *before, last, flushed = groups
    return "ok " + "|".join(scalars(group) for group in [*before, [*last, *flushed]])


def read_or_empty(path: Path) -> bytes:
    """The bytes of a file; none if its process has ended."""
    try:
        return path.read_bytes()
    except OSError:
        return b""


def processes_of(word: str) -> List[str]:
    """The processes that have a word on their command line."""
    return [path.parent.name for path in Path("/proc").glob("[0-9]*/cmdline") if word.encode() in read_or_empty(path)]
