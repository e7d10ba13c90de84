# SPDX-License-Identifier: MIT
"""libFuzzer: its command line, its folders, and its log."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Dict, List, Optional

from ..plan import SHORT, Piece
from .engine import INPUT_SECONDS, SANITIZERS, Figures, Material, codecs_that_ran

# Options for short inputs, where executions per second matter most. Costs of the defaults: entropic scheduling 25 % of the rate; edge
# counters 33 % (for short inputs they mostly measure length); -reduce_inputs 12.5 %, useless with -shrink=1, which already keeps the
# shortest input of each feature. The corpus is reloaded once a minute, as other engines write to it that often. Options for long inputs:
# no gradual growth of the length.
FOR_RATE = ("-entropic=0", "-use_counters=0", "-shrink=1", "-reduce_inputs=0", "-reload=60")
FOR_LENGTH = ("-len_control=0",)

FUZZING_SECONDS = 2  # for one input while fuzzing, because pieces of work may be short; the replay decides, with INPUT_SECONDS

STATUS = re.compile(r"^#(\d+)\s+\S.*?\bcov: (\d+) ft: (\d+) corp: (\d+)", re.MULTILINE)
EXECUTED = re.compile(r"^stat::number_of_executed_units: (\d+)", re.MULTILINE)


class LibFuzzer:
    """libFuzzer: one process, which ends at its first crash."""

    name = "libfuzzer"
    restarts = True
    overtime = FUZZING_SECONDS + 3.0  # beyond its time: it must itself report an input that is stuck

    def command(self, piece: Piece, material: Material, seconds: int, attempt: int) -> List[str]:
        """The command line of a run. libFuzzer ends when more whole seconds than -max_total_time are over, so one less is given."""
        artifacts = material.folder / "artifacts" / str(attempt)  # two runs may end at the same input
        corpus = material.corpus or material.folder / "corpus"
        for folder in (corpus, artifacts):
            folder.mkdir(parents=True, exist_ok=True)
        words = [str(material.program), f"-max_total_time={max(seconds - 1, 1)}", f"-seed={piece.seed + attempt}",
                 f"-max_len={piece.regime.max_length}", f"-timeout={FUZZING_SECONDS}", "-print_final_stats=1",
                 "-rss_limit_mb=2048", f"-artifact_prefix={artifacts}/"]
        words += FOR_RATE if piece.regime == SHORT else FOR_LENGTH
        if material.dictionary is not None:
            words.append(f"-dict={material.dictionary}")
        return [*words, str(corpus), *map(str, material.seeds)]

    def merge_command(self, program: Path, corpus: Path, into: Path, max_length: int, folder: Path) -> List[str]:
        """The command line that copies to `into` the fewest inputs of a corpus that reach the same code. Inputs at which the program ends
        are left out, and saved as crashes of `folder`."""
        artifacts = folder / "artifacts/merge"
        artifacts.mkdir(parents=True, exist_ok=True)
        return [str(program), "-merge=1", f"-max_len={max_length}", f"-timeout={INPUT_SECONDS}", "-rss_limit_mb=2048",
                f"-artifact_prefix={artifacts}/", str(into), str(corpus)]

    def give_back(self, material: Material) -> None:
        """Does nothing: libFuzzer itself writes into the common corpus."""

    def exchange(self, material: Material) -> None:
        """Does nothing: libFuzzer itself reads what others write into the corpus."""

    def environment(self, piece: Piece, material: Material) -> Dict[str, str]:
        """The environment variables of a run."""
        return SANITIZERS

    def figures(self, folder: Path, log: str) -> Figures:
        """The figures in its log."""
        statuses, executed = STATUS.findall(log), EXECUTED.findall(log)
        if not statuses:
            return Figures(executions=int(executed[-1]) if executed else 0, ran=codecs_that_ran(log))
        count, edges, features, corpus = map(int, statuses[-1])
        return Figures(int(executed[-1]) if executed else count, edges, features, corpus, ran=codecs_that_ran(log))

    def crashes(self, folder: Path) -> List[Path]:
        """The inputs at which it ended."""
        kinds = ("crash-*", "timeout-*", "oom-*")
        return sorted(path for kind in kinds for path in (folder / "artifacts").glob(f"*/{kind}"))

    def has_begun(self, log: str) -> bool:
        """True if it has begun to execute inputs."""
        return "INITED" in log

    def refusal(self, code: int, log: str, crashed: bool) -> Optional[str]:
        """The reason why it did not work; None if it did, even if it then crashed at an input."""
        complaint = re.search(r"^(fuzz_\w+|assay|ERROR): (?!libFuzzer: (?:deadly|timeout|out-of)).*", log, re.MULTILINE)
        if "fuzz target exited" in log or (code not in (0, 72) and not crashed):
            return complaint.group(0) if complaint else f"ended with exit code {code}"
        return None
