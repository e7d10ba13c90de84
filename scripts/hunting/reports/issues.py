# SPDX-License-Identifier: MIT
"""Opens an issue for each key that a hunt found, or comments on the existing issue: for the nightly hunt, which runs unattended.

    python3 scripts/hunting/reports/issues.py SUMMARY.json

Needs GitHub's `gh`, with a token that may write issues. A closed issue is opened again, because its finding shows again.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, Dict, List

PREFIX = "hunt: "
NEW_MAX = 20  # new issues in one night: a mistake that all codecs share has a key for each
LIST_MAX = 1000
BODY_CHARACTERS_MAX = 60000  # GitHub takes 65,536


def gh(words: List[str], text: str = "") -> str:
    """The output of `gh`; raises an error if it fails."""
    return subprocess.run(["gh", *words], input=text, stdout=subprocess.PIPE, text=True, check=True).stdout


def body(finding: Dict[str, Any], summary: Dict[str, Any]) -> str:
    """The text of an issue: the letter, and when and where it was found."""
    hunt = f"{summary['began']}, seed {summary['options']['seed']}, {summary['cpu']}"
    run = os.environ.get("GITHUB_RUN_ID")
    place = f"\n\nInput, original and case: artifact `hunt` of {os.environ['GITHUB_SERVER_URL']}/{os.environ['GITHUB_REPOSITORY']}/actions/runs/{run}" if run else ""
    letter = finding["letter"].rstrip()[:BODY_CHARACTERS_MAX]
    return f"```text\n{letter}\n```\n\nFound by {finding['found_by']} in the hunt of {hunt}, commit {os.environ.get('GITHUB_SHA', 'unknown')}.{place}\n"


def tell(summary: Dict[str, Any]) -> List[str]:
    """Opens the issues, or comments on them. Returns a line for each key."""
    known = {row["title"]: row for row in json.loads(gh(["issue", "list", "--state", "all", "--limit", str(LIST_MAX), "--json", "number,title,state"]))}
    lines, new = [], 0
    for finding in summary["findings"]:
        title, text = PREFIX + finding["key"], body(finding, summary)
        row = known.get(title)
        if row is not None:
            if row["state"] == "CLOSED":
                gh(["issue", "reopen", str(row["number"])])
            gh(["issue", "comment", str(row["number"]), "--body-file", "-"], text)
            lines.append(f"added to #{row['number']}: {finding['key']}")
        elif new < NEW_MAX:
            new += 1
            lines.append(f"opened {gh(['issue', 'create', '--title', title, '--body-file', '-'], text).strip()}: {finding['key']}")
        else:
            lines.append(f"not opened, as {NEW_MAX} were: {finding['key']}")
    return lines


def main(words: List[str]) -> int:
    """Returns the exit code: 0 if all was reported, 2 if not."""
    if len(words) != 1:
        print(__doc__, file=sys.stderr)
        return 2
    try:
        for line in tell(json.loads(Path(words[0]).read_text())):
            print(line)
    except (OSError, ValueError, KeyError, subprocess.CalledProcessError) as error:
        print(f"issues: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
