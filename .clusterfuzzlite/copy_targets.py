# SPDX-License-Identifier: MIT
"""Copies each fuzz target, with seeds, dictionary and options, to the folder of OSS-Fuzz and ClusterFuzzLite.

    copy_targets.py BUILD-FOLDER OUT-FOLDER

The targets are those of the build, the seeds are those of a hunt.
"""

from __future__ import annotations

import io
import shutil
import sys
import zipfile
from functools import lru_cache
from pathlib import Path
from typing import List, Sequence, Tuple

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "scripts"))

from hunting.engines.libfuzzer import FOR_LENGTH, FOR_RATE  # noqa: E402
from hunting.files import files_in  # noqa: E402
from hunting.plan import LONG, SHORT, Regime  # noqa: E402
from hunting.targets import Target, read_targets  # noqa: E402
from witness.corpus import all_seeds, write_seeds  # noqa: E402

# Each target is copied twice, with the options of a hunt's two regimes: (suffix of its name, regime, libFuzzer's flags).
REGIMES = (("", SHORT, FOR_RATE), (f"_{LONG.name}", LONG, FOR_LENGTH))
EPOCH = (1980, 1, 1, 0, 0, 0)  # the earliest date of a zip file; constant, so that the same seeds give the same file


@lru_cache(maxsize=None)
def zipped(files: Tuple[Path, ...]) -> bytes:
    """An archive of all seeds, with numbered names: files in two folders may have the same name. All targets of an encoding have the same."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        for number, path in enumerate(files):
            archive.writestr(zipfile.ZipInfo(f"{number:05}-{path.name[:100]}", EPOCH), path.read_bytes())
    return content.getvalue()


def options_of(regime: Regime, flags: Sequence[str]) -> str:
    """The content of an options file."""
    given = [f"max_len = {regime.max_length}", *(flag.lstrip("-").replace("=", " = ") for flag in flags)]
    return "\n".join(["[libfuzzer]", *given, "timeout = 10", "close_fd_mask = 0"]) + "\n"


def copy_target(target: Target, build: Path, out: Path) -> None:
    """Writes the four files of a target, for each regime."""
    for suffix, regime, flags in REGIMES:
        name = target.program + suffix
        shutil.copy(build / target.program, out / name)
        seeds = files_in([*target.seeds(ROOT, build / "seeds"), *target.texts(ROOT)])
        (out / f"{name}_seed_corpus.zip").write_bytes(zipped(tuple(seeds)))
        options = options_of(regime, flags)
        if target.dictionary(build / "seeds").is_file():
            shutil.copy(target.dictionary(build / "seeds"), out / f"{name}.dict")
            options += f"dict = {name}.dict\n"
        (out / f"{name}.options").write_text(options)


def main(words: List[str]) -> int:
    """Exit 0 if every target is copied, 2 after wrong usage."""
    if len(words) != 2:
        print("usage: copy_targets.py BUILD-FOLDER OUT-FOLDER", file=sys.stderr)
        return 2
    build, out = map(Path, words)
    write_seeds(all_seeds(ROOT / "vectors"), build / "seeds")
    for target in read_targets(ROOT):
        copy_target(target, build, out)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
