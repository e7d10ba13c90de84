# SPDX-License-Identifier: MIT
"""Builds assay.wasm: the codecs as a WebAssembly module, by preset wasm."""

from __future__ import annotations

import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
BUILT = ROOT / "build" / "wasm"


def build(target: str = "assay") -> Path:
    """Returns the module. Raises OSError or subprocess.SubprocessError, with the output, if it cannot be built."""
    for command in (["cmake", "--preset", "wasm"], ["cmake", "--build", str(BUILT), "--target", target]):
        done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        if done.returncode != 0:
            raise subprocess.SubprocessError(f"{' '.join(command)} failed; scripts/setup page installs what it needs:\n{done.stdout[-2000:]}")
    return BUILT / f"{target}.wasm"
