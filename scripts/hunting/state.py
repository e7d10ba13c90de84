# SPDX-License-Identifier: MIT
"""What --resume needs of an interrupted hunt: its options, and the pieces of work that are done."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Dict, List

from .files import write_file
from .exits import CannotRun

FORMAT = 1


@dataclass
class State:
    """The content of state.json, which is replaced in one step after each finished piece."""

    path: Path
    asked: Dict[str, Any]
    done: List[Dict[str, Any]] = field(default_factory=list)  # rows of the report's table
    seconds: float = 0.0  # of fuzzing, in all sessions

    def write(self) -> None:
        """Replaces the file."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        content = {"format": FORMAT, "asked": self.asked, "done": self.done, "seconds": self.seconds}
        write_file(self.path, json.dumps(content, indent=1).encode() + b"\n")

    def end(self) -> None:
        """Deletes the file: a finished hunt has nothing to resume."""
        self.path.unlink(missing_ok=True)


def read(path: Path) -> State:
    """Reads the state that an interrupted hunt left. Raises CannotRun if there is none, or if it cannot be read."""
    try:
        content = json.loads(path.read_text())
        if content["format"] != FORMAT:
            raise ValueError(f"format {content['format']} instead of {FORMAT}")
        return State(path, dict(content["asked"]), list(content["done"]), float(content["seconds"]))
    except FileNotFoundError as error:
        raise CannotRun(f"--resume: {path.parent} holds no interrupted hunt") from error
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise CannotRun(f"--resume: {path} cannot be read ({error}); remove it and start a new hunt") from error
