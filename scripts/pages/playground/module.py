# SPDX-License-Identifier: MIT
"""Builds assay.wasm: the codecs as a WebAssembly module, by preset wasm."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
BUILT = ROOT / "build" / "wasm"


def build(target: str = "assay") -> Path:
    """Returns the module. Raises OSError or subprocess.SubprocessError, with the output and then what to do, if it cannot be built. Says that it builds,
    which takes about 20 s of processor time the first time."""
    print(f"building  {BUILT.relative_to(ROOT)}", file=sys.stderr, flush=True)
    for command in (["cmake", "--preset", "wasm"], ["cmake", "--build", str(BUILT), "--target", target]):
        done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        if done.returncode != 0:
            raise subprocess.SubprocessError(f"{' '.join(command)}\n{done.stdout[-2000:].rstrip()}\nThe module is not built; scripts/setup page installs what that needs.")
    return BUILT / f"{target}.wasm"
