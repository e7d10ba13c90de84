# SPDX-License-Identifier: MIT
"""Runs a script of harnesses/browser/ with the module, in Node.js or in a browser: lines in, lines out."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import List, Optional, Sequence

ROOT = Path(__file__).resolve().parents[3]
SCRIPTS = ROOT / "harnesses" / "browser"
MODULES = ROOT / "build" / "page"  # where scripts/setup page has npm install
PROGRAMS = {"chrome": ("chromium", "chromium-browser", "google-chrome"), "firefox": ("firefox-esr", "firefox")}
PLACES = ("node", *PROGRAMS)
SECONDS = 1800  # nothing here takes 300


def program_of(browser: str) -> Optional[str]:
    """The path of a browser, if it is installed."""
    return next(filter(None, map(shutil.which, PROGRAMS[browser])), None)


def absent(place: str) -> Optional[str]:
    """What is not installed of what a place needs."""
    if shutil.which("node") is None:
        return "Node.js"
    if place == "node":
        return None
    if not (MODULES / "node_modules" / "puppeteer-core").exists():
        return "puppeteer-core"
    return None if program_of(place) else place


def command(place: str, script: str, wasm: Path, *words: str) -> List[str]:
    """What runs it there."""
    if place == "node":
        return ["node", str(SCRIPTS / "in_node.mjs"), str(SCRIPTS / script), str(wasm), *words]
    return ["node", str(SCRIPTS / "in_browser.mjs"), str(MODULES), place, str(program_of(place)), str(SCRIPTS / script), str(wasm), *words]


def ask(line: Sequence[str], requests: Sequence[str]) -> List[str]:
    """The replies of a command, one for each request. Raises subprocess.SubprocessError if there are fewer or more."""
    done = subprocess.run(line, input="".join(f"{request}\n" for request in requests), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False, timeout=SECONDS)
    replies = done.stdout.splitlines()
    if done.returncode != 0 or len(replies) != len(requests):
        raise subprocess.SubprocessError(f"{' '.join(line)}: {len(replies)} replies to {len(requests)} requests, exit code {done.returncode}: {done.stderr[-2000:]}")
    return replies
