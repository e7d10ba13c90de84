# SPDX-License-Identifier: MIT
"""Puts fuzz targets where OSS-Fuzz and ClusterFuzzLite look for them, each with its seeds, dictionary and options.

    outfit.py BUILD-FOLDER OUT-FOLDER

The targets are those of the build, the seeds those that a hunt begins from: there is no second list.
"""

from __future__ import annotations

import shutil
import sys
import zipfile
from pathlib import Path
from typing import List, Sequence

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "scripts"))

from hunting.engines.libfuzzer import FOR_LENGTH, FOR_RATE  # noqa: E402
from hunting.files import files_in  # noqa: E402
from hunting.plan import LONG, SHORT, Regime  # noqa: E402
from hunting.targets import Target, read_targets  # noqa: E402

# Each target is there twice, with the options of a hunt's two regimes: what is added to its name, regime, libFuzzer's flags.
REGIMES = (("", SHORT, FOR_RATE), (f"_{LONG.name}", LONG, FOR_LENGTH))
EPOCH = (1980, 1, 1, 0, 0, 0)  # the first date that a zip file can hold: the same seeds give the same file


def zip_seeds(files: List[Path], into: Path) -> None:
    """All seeds in one archive, by numbers: names of files in two folders may be alike."""
    with zipfile.ZipFile(into, "w", zipfile.ZIP_DEFLATED) as archive:
        for number, path in enumerate(files):
            archive.writestr(zipfile.ZipInfo(f"{number:05}-{path.name[:100]}", EPOCH), path.read_bytes())


def options_of(regime: Regime, flags: Sequence[str]) -> str:
    """A file of options."""
    given = [f"max_len = {regime.max_length}", *(flag.lstrip("-").replace("=", " = ") for flag in flags)]
    return "\n".join(["[libfuzzer]", *given, "timeout = 10", "close_fd_mask = 0"]) + "\n"


def outfit(target: Target, build: Path, out: Path) -> None:
    """The four files of a target, for each regime."""
    for suffix, regime, flags in REGIMES:
        name = target.program + suffix
        shutil.copy(build / target.program, out / name)
        zip_seeds(files_in([*target.seeds(ROOT), *target.texts(ROOT)]), out / f"{name}_seed_corpus.zip")
        options = options_of(regime, flags)
        if target.dictionary(ROOT).is_file():
            shutil.copy(target.dictionary(ROOT), out / f"{name}.dict")
            options += f"dict = {name}.dict\n"
        (out / f"{name}.options").write_text(options)


def main(words: List[str]) -> int:
    """Exit 0 if every target is in its place."""
    if len(words) != 2:
        print("usage: outfit.py BUILD-FOLDER OUT-FOLDER", file=sys.stderr)
        return 2
    for target in read_targets(ROOT):
        outfit(target, Path(words[0]), Path(words[1]))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
