# SPDX-License-Identifier: MIT
"""The fuzz targets and the plants, from the lists that C and CMake read. There is a target for each claim and each encoding that the
claim asks about."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import List

from .exits import CannotRun

CLAIMS, PLANTS = "harnesses/core/claims.def", "harnesses/museum/plants.def"
CLAIM = re.compile(r"^CLAIM\((\w+)\)", re.MULTILINE)
EXCEPT = re.compile(r'^EXCEPT\((\w+), *"([^"]+)"\)', re.MULTILINE)
ENCODING = re.compile(r'^ENCODING\((\w+), *"([^"]+)"\)', re.MULTILINE)
PLANT = re.compile(r'^PLANT\((\w+), *(\w+), *(\w+), *(\w+), *"([^"]+)"\)', re.MULTILINE)


@dataclass(frozen=True)
class Target:
    """A claim about an encoding, built as the program fuzz_NAME in every tree."""

    name: str
    encoding: str

    @property
    def claim(self) -> str:
        """The name of its claim."""
        return self.name if self.encoding == "utf-8" else self.name[:-len(f"-{self.encoding}")]

    @property
    def program(self) -> str:
        """The name of its program."""
        return f"fuzz_{self.name}"

    def seeds(self, root: Path, made: Path) -> List[Path]:
        """The folders of short inputs to start from, those that exist. `made` is the folder of the seeds made from the vectors."""
        folders = [made / self.encoding, root / "corpus/found"]
        return [folder for folder in folders if folder.is_dir()]

    def texts(self, root: Path) -> List[Path]:
        """The folders of real text, for UTF-8; none for other encodings."""
        folder = root / "corpus/text"
        return [folder] if self.encoding == "utf-8" and folder.is_dir() else []

    def dictionary(self, made: Path) -> Path:
        """The file with the tokens of its encoding. `made` is the folder of the seeds made from the vectors."""
        return made / f"{self.encoding}.dict"


def read_targets(root: Path) -> List[Target]:
    """All targets, by encoding, in the order of claims.def. Raises CannotRun if there is none."""
    path, registry = root / CLAIMS, root / "codecs/codecs.def"
    claims, excepted = CLAIM.findall(path.read_text()), EXCEPT.findall(path.read_text())
    encodings = [name for _, name in ENCODING.findall(registry.read_text())]
    if not claims:
        raise CannotRun(f"{path} has no row CLAIM(NAME), so there is nothing to fuzz")
    if not encodings:
        raise CannotRun(f"{registry} has no line ENCODING(ID, \"NAME\"), so there is nothing to fuzz")
    return [Target(claim if encoding == "utf-8" else f"{claim}-{encoding}", encoding)
            for encoding in encodings for claim in claims if (claim, encoding) not in excepted]


@dataclass(frozen=True)
class Plant:
    """A decoder with one mistake, registered in the programs whose names end in its name."""

    name: str
    encoding: str
    needs: str  # an instruction set, or ANY
    claim: str  # that catches it
    smallest: bytes  # an input that shows it


def spelled_out(words: str) -> bytes:
    """Bytes from words such as `C0` and `48*61`."""
    parts = (word.rpartition("*") for word in words.split())
    return b"".join(bytes.fromhex(digits) * int(times or 1) for times, _, digits in parts)


def read_plants(root: Path) -> List[Plant]:
    """All plants, in the order of plants.def."""
    encodings = dict(ENCODING.findall((root / "codecs/codecs.def").read_text()))
    rows = PLANT.findall((root / PLANTS).read_text())
    return [Plant(name, encodings[encoding], needs, claim, spelled_out(words)) for encoding, name, needs, claim, words in rows]
