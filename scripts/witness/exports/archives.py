# SPDX-License-Identifier: MIT
"""Archives whose bytes depend on the names and contents of their files only."""

from __future__ import annotations

import gzip
import io
import tarfile
import zipfile
from typing import Iterable, Tuple

Files = Iterable[Tuple[str, bytes]]


def tar_gz(files: Files) -> bytes:
    """A .tar.gz."""
    packed = io.BytesIO()
    with gzip.GzipFile(fileobj=packed, mode="wb", mtime=0) as compressed, \
            tarfile.open(fileobj=compressed, mode="w", format=tarfile.USTAR_FORMAT) as tar:  # type: ignore[arg-type]
        for name, content in files:
            entry = tarfile.TarInfo(name)
            entry.size = len(content)
            tar.addfile(entry, io.BytesIO(content))
    return packed.getvalue()


def zipped(files: Files) -> bytes:
    """A .zip, which a wheel and a jar are."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files:
            entry = zipfile.ZipInfo(name)  # of 1980
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, content, zipfile.ZIP_DEFLATED)
    return packed.getvalue()
