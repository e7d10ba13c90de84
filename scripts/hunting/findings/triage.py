# SPDX-License-Identifier: MIT
"""From an input that stopped a fuzzer to findings: replayed, keyed, minimised, explained, written."""

from __future__ import annotations

import json
import platform
import shlex
import signal
import time
from dataclasses import dataclass, field
from datetime import datetime, timezone
from pathlib import Path
from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence, Set, Tuple

from ..engines.engine import INPUT_SECONDS, SANITIZERS
from ..files import write_file
from ..options import Options
from ..processes import run
from ..targets import Target
from ..trees import Tree
from ..exits import CannotRun, Enough
from .evidence import LETTER_HEAD, keys, letters, marks, sanitizer_report
from .minimise import minimise
from .opinions import Opinion, as_json, case, of_rows, opinions, which_is_wrong
from .store import EXPLANATION, Finding, Store, is_about

MINIMISE_SECONDS = 5.0  # at least, if that much time is left
STUCK_SECONDS = 1.0  # for one input while an endless loop is minimised: far longer than a normal input takes
EXPLAINED_BEFORE = 8  # bytes
OTHERS_TRIED = 5  # of the small inputs of other findings, and as many of other encodings
ROUNDS = 2  # of all programs, for a crash that none of them shows
AGAIN_SECONDS = 4 * INPUT_SECONDS
TELLING = ("libfuzzer", "msan", "emulated")  # trees whose programs report more about a crash than that it happened
THOROUGH = {"ASSAY_EFFORT": "thorough"}


@dataclass(frozen=True)
class Origin:
    """The origin of an input."""

    target: Target
    by: str  # "corpus", an engine and its regime, or what else passed it to triage
    seed: Optional[int] = None


@dataclass
class Evidence:
    """The letters of an input by key, and the command that printed them; or where it was tried in vain."""

    letters: Dict[str, str]
    command: Tuple[str, ...] = ()
    tree: str = "plain"
    vain: Tuple[str, ...] = ()  # the trees whose programs replayed a crash that did not come again, one for each try


@dataclass
class Triage:
    """Judges inputs; holds all that this needs."""

    options: Options
    trees: Dict[str, Tree]
    store: Store
    work: Path
    compilers: Dict[str, str]
    say: Callable[[str], None] = print
    minimise_seconds: float = 60.0  # for all findings of the hunt together
    seen: Set[Path] = field(default_factory=set)
    not_shown: List[Tuple[str, Path]] = field(default_factory=list)
    enough: Optional[str] = None  # the key that the hunt is to end at
    smallest: Dict[str, Dict[bytes, bool]] = field(default_factory=dict)  # minimised inputs of findings, by encoding, and whether nothing was left to try
    replays: Dict[Tuple[str, str, bytes], Dict[str, str]] = field(default_factory=dict)  # results of letters_of()
    asked: Dict[Tuple[str, bytes], Tuple[Dict[str, Dict[str, Any]], List[Opinion]]] = field(default_factory=dict)  # results of ask_others()

    # ---- showing an input again ----------------------------------------------------------------

    def witnesses(self, target: Target) -> List[Tuple[str, Tuple[str, ...]]]:
        """The programs that can replay an input, the plain replayer first, because it asks every question and needs no engine."""
        rows = [(tree, (str(self.trees[tree].program(target)),)) for tree in ("plain", "odd") if tree in self.trees]
        for tree in TELLING:
            if tree in self.trees:
                rows.append((tree, (str(self.trees[tree].program(target)), f"-timeout={INPUT_SECONDS // 2}")))
        if "afl" in self.trees:
            rows.append(("afl", (str(self.trees["afl"].program(target)),)))
        return rows

    def ask(self, target: Target, tree: str, command: Tuple[str, ...], path: Path, seconds: float) -> Dict[str, str]:
        """The letters by key that one program prints for an input. Raises CannotRun if it could not replay the input."""
        env = {**SANITIZERS, **self.options.loading, **(THOROUGH if tree in TELLING else {})}
        outcome = run([*command, str(path)], self.work / "triage.log", seconds, env, knock=signal.SIGALRM)
        found = letters(outcome.said)
        if found or (outcome.code == 0 and not outcome.timed_out):
            return found
        prefix = key_prefix(target)
        report = sanitizer_report(outcome.said)
        if report:
            return {f"{prefix}-{report[0]}": report[1] + "\n"}
        if outcome.timed_out:
            return {f"{prefix}-timeout": f"{target.program} had not ended after {seconds:g} seconds\n"}
        if outcome.died_of is not None:
            return {f"{prefix}-{outcome.died_of.lower()}": f"{target.program} died of {outcome.died_of}\n"}
        raise CannotRun(f"{' '.join(command)} could not replay {path} (exit code {outcome.code}): "
                        f"{outcome.said.strip()[-500:]}")

    def examine(self, target: Target, path: Path) -> Evidence:
        """The evidence of the first program that prints a letter, or that explains a crash (TELLING). If a program crashes without either,
        the next one is tried; if none explains the crash, the evidence of the first crash."""
        wordless = Evidence({})
        for tree, command in self.witnesses(target):
            found = self.ask(target, tree, command, path, INPUT_SECONDS + 2)
            evidence = Evidence(found, command, tree)
            if any(LETTER_HEAD.match(letter) for letter in found.values()):
                return evidence
            if found and tree in TELLING:
                return evidence
            if found and not wordless.letters:
                wordless = evidence
        return wordless

    def known_already(self, path: Path, target: Target, log: str) -> bool:
        """True if the engine's log, or for a slow input a short replay, shows a known finding, which is then counted."""
        report = sanitizer_report(log)
        if report and not letters(log) and self.count_if_known(f"{key_prefix(target)}-{report[0]}"):
            return True
        if not is_about_time(path) or not any(key.endswith("-timeout") for key in self.store.findings):
            return False
        tree, command = self.witnesses(target)[0]
        found = self.ask(target, tree, command, path, 2 * STUCK_SECONDS)
        return any(self.count_if_known(key) for key in found)

    def count_if_known(self, key: str) -> bool:
        """Counts one more occurrence of a key. Returns True if it has a finding."""
        self.store.count_all([key])
        return key in self.store.findings

    # ---- one input -------------------------------------------------------------------------------

    def take(self, path: Path, origin: Origin, log: str) -> List[str]:
        """Judges an input that stopped an engine, and writes its new findings. Returns their keys. Does nothing if the hunt is about to
        end; the input stays in its place for the next hunt."""
        if self.enough:
            return []
        self.seen.add(path)
        if self.known_already(path, origin.target, log):
            return []
        evidence = self.examine(origin.target, path)
        if all(key.endswith("-timeout") for key in evidence.letters):  # or if there is none
            evidence = self.examine(origin.target, path)
        if not evidence.letters and is_about_time(path):
            self.not_shown.append((origin.by, path))  # the machine was busy, or stopped for some time
            return []
        if not evidence.letters:
            evidence.letters = letters(log)
        if not evidence.letters:
            evidence = self.not_again(origin)
        new = [key for key in evidence.letters if key not in self.store.findings]
        self.store.count_all(evidence.letters)
        data = path.read_bytes()
        likely = data
        for key in new:
            likely = self.record(key, data, likely, origin, evidence)
        if self.options.fail_fast:
            plant, known = self.options.plant, self.store.findings
            self.enough = next((key for key in new if plant is None or is_about(known[key].info, plant)), None)
        return new

    def not_again(self, origin: Origin) -> Evidence:
        """The evidence of a crash that did not come again when all programs were tried twice."""
        trees = [tree for tree, _ in self.witnesses(origin.target)]
        letter = f"{origin.target.program} crashed at this input under {origin.by}, and did not come again in {ROUNDS * len(trees)} tries, " \
                 f"{ROUNDS} with each of these builds: {', '.join(trees)}\n"
        return Evidence({f"{key_prefix(origin.target)}-not-again": letter}, vain=tuple(ROUNDS * trees))

    def end_if_enough(self) -> None:
        """Raises Enough if the finding that ends the hunt is written."""
        if self.enough:
            raise Enough(self.enough)

    def record(self, key: str, data: bytes, likely: bytes, origin: Origin, evidence: Evidence) -> bytes:
        """Writes the finding of one key of an input. Returns the minimised input. `likely` is the minimised input of another key."""
        small, finished = data, False
        letter = evidence.letters[key]
        if evidence.command:
            small, finished = self.small_of(key, data, likely, origin.target, evidence)
            letter = self.letters_of(small, origin.target, evidence).get(key, letter)
        folder = self.store.folder / key
        again = self.again(key, evidence, folder, origin.target)
        info = self.info(key, letter, origin, evidence)
        said, info["opinions"], info["probably_wrong"] = self.others_say(small, origin.target, info["codec"])
        info.update({"bytes": len(small), "bytes_original": len(data), "minimised": finished, "again": again})
        finding = Finding(key, folder, f"{letter.rstrip()}\n{said}  {'again':<13} {again}\n", again, info)
        self.store.add(finding, {"input": small, "original": data, "letter.txt": finding.letter.encode(),
                                 "repro.txt": f"{again}\n".encode(), EXPLANATION: self.explained(small, letter, info["codec"], origin.target).encode(),
                                 "case.json": as_json(case(origin.target.encoding, small))})
        self.check_again(finding, evidence, origin.target)
        self.say(f"found     {key}, by {origin.by}")
        return small

    def small_of(self, key: str, data: bytes, likely: bytes, target: Target, evidence: Evidence) -> Tuple[bytes, bool]:
        """The minimised input of a key, and True if it was minimised for this key and nothing was left to try. `likely` is that of another key
        of the input. What was minimised to the end for one encoding is not minimised again for others."""
        small = self.small_already(key, data, likely, target, evidence)
        known = self.smallest.setdefault(target.encoding, {})
        if small in known:
            return small, False
        if any(others.get(small) for others in self.smallest.values()):
            known[small] = True
            return small, False
        small, finished = self.shrink(key, small, target, evidence)
        known.setdefault(small, finished)
        return small, finished

    def small_already(self, key: str, data: bytes, likely: bytes, target: Target, evidence: Evidence) -> bytes:
        """The shortest minimised input of another finding that has this key, too; else the input itself. One mistake often has many keys, in
        many encodings; minimising for each would take too long."""
        own = list(self.smallest.get(target.encoding, {}))[-OTHERS_TRIED:]
        others = sorted({small for known in self.smallest.values() for small in known}, key=lambda small: (len(small), small))[:OTHERS_TRIED]
        for small in sorted(dict.fromkeys([likely, *reversed(own), *others]), key=len):
            if small != data and len(small) <= len(data) and key in self.letters_of(small, target, evidence):
                return small
        return data

    def others_say(self, data: bytes, target: Target, codec: Optional[str]) -> Tuple[str, Dict[str, str], Optional[str]]:
        """The opinions of the witness and of third parties: as lines of the letter, as data, and the codec that is probably wrong."""
        rows, heard = self.asked.get((target.encoding, data)) or self.ask_others(data, target)
        wrong = which_is_wrong(heard, rows["reference"], rows[codec]) if codec in rows and "reference" in rows else None
        lines = [f"  {opinion.decoder:<13} {opinion.sentence}\n" for opinion in heard]
        if wrong is not None:
            lines.append(f"  {'so':<13} {wrong} is probably wrong: all others that were asked agree with the other one\n")
        return "".join(lines), {opinion.decoder: opinion.sentence for opinion in heard}, wrong

    def ask_others(self, data: bytes, target: Target) -> Tuple[Dict[str, Dict[str, Any]], List[Opinion]]:
        """The rows of all codecs, and the opinions of all other decoders; kept in `asked` for the other keys of the input."""
        path = self.work / "candidate"
        path.write_bytes(data)
        plain = self.trees["plain"]
        subjects = [path for path in plain.subjects if path not in self.options.codecs] if target.encoding == "utf-8" else []
        rows = self.side_by_side(path, target, subjects)
        if not rows and subjects:
            self.say(f"note      {', '.join(subject.stem for subject in subjects)} could not be asked; see {self.work / 'others.log'}")
            rows = self.side_by_side(path, target, [])
        heard = opinions(target.encoding, data) + of_rows(rows[subject.stem] for subject in subjects if subject.stem in rows)
        self.asked[target.encoding, data] = rows, heard
        return rows, heard

    def side_by_side(self, path: Path, target: Target, subjects: Sequence[Path]) -> Dict[str, Dict[str, Any]]:
        """The rows of `assay diff` by codec, loadable ones included; none if it fails."""
        command = [str(self.trees["plain"].assay), "diff", "--json", "-e", target.encoding,
                   *(f"--codec={library}" for library in (*self.options.codecs, *subjects)), f"@{path}"]
        outcome = run(command, self.work / "others.log", 2 * INPUT_SECONDS, knock=signal.SIGALRM)
        answered = outcome.code in (0, 1) and outcome.said.startswith("{")
        return {row["codec"]: row for row in json.loads(outcome.said)["codecs"]} if answered else {}

    def explained(self, data: bytes, letter: str, codec: Optional[str], target: Target) -> str:
        """What `assay explain` says of an input, from a little before the bytes that the letter is about; an empty string if it fails."""
        path = self.work / "candidate"
        path.write_bytes(data)
        begin = max(min(marks(letter, codec), default=0) - EXPLAINED_BEFORE, 0)
        outcome = run([str(self.trees["plain"].assay), "explain", "-e", target.encoding, f"--from={begin}", f"@{path}"], self.work / "explain.log", INPUT_SECONDS, knock=signal.SIGALRM)
        return outcome.said if outcome.code in (0, 1) else ""

    def shrink(self, key: str, data: bytes, target: Target, evidence: Evidence) -> Tuple[bytes, bool]:
        """The smallest input found that still has this key, and True if nothing was left to try."""
        candidate = self.work / "candidate"
        stuck = key.endswith("-timeout")
        seconds = STUCK_SECONDS if stuck else INPUT_SECONDS
        command = tuple(f"-timeout={int(STUCK_SECONDS)}" if stuck and word.startswith("-timeout=") else word
                        for word in evidence.command)

        def shows(content: bytes) -> bool:
            candidate.write_bytes(content)
            found = self.ask(target, evidence.tree, command, candidate, seconds + 2)
            return key in found

        began = time.monotonic()
        outcome = minimise(data, shows, began + time_to_minimise(self.minimise_seconds, stuck))
        self.minimise_seconds -= time.monotonic() - began
        return outcome

    def letters_of(self, data: bytes, target: Target, evidence: Evidence) -> Dict[str, str]:
        """The letters by key that the same program prints for another input; kept for the other keys that are looked for in it."""
        question = (target.name, evidence.tree, data)
        if question not in self.replays:
            path = self.work / "candidate"
            path.write_bytes(data)
            self.replays[question] = self.ask(target, evidence.tree, evidence.command, path, INPUT_SECONDS + 2)
        return self.replays[question]

    # ---- what is written about it ----------------------------------------------------------------

    def shown(self, path: Path) -> str:
        """The path relative to the checkout, if it is inside it."""
        try:
            return str(path.relative_to(self.options.root))
        except ValueError:
            return str(path)

    def again(self, key: str, evidence: Evidence, folder: Path, target: Target) -> str:
        """The shell command that shows the finding again, from the checkout's top folder."""
        path = self.shown(folder / "input")
        if evidence.tree == "plain":
            clock = ["timeout", "-s", "ALRM", str(INPUT_SECONDS)] if key.endswith("-timeout") else []
            encoding = [] if target.encoding == "utf-8" else ["-e", target.encoding]
            loaded = [f"--codec={self.shown(library)}" for library in self.options.codecs]
            return shlex.join([*clock, self.shown(self.trees["plain"].assay), "diff", *encoding, *loaded, f"@{path}"])
        effort = THOROUGH if evidence.tree in TELLING else {}
        options = evidence.command[1:] if key.endswith("-timeout") else ()
        return typed({**self.loading(), **effort}, [self.shown(Path(evidence.command[0])), *options, path])

    def loading(self) -> Dict[str, str]:
        """Options.loading, with paths relative to the checkout."""
        return {name: ":".join(map(self.shown, self.options.codecs)) for name in self.options.loading}

    def check_again(self, finding: Finding, evidence: Evidence, target: Target) -> None:
        """Runs the command that is about to be printed. If it shows nothing, replaces it by the replayer's command."""
        for _ in range(2):
            outcome = run(["sh", "-c", finding.again], self.work / "again.log", AGAIN_SECONDS, SANITIZERS,
                          self.options.root)
            shown = finding.key in keys(outcome.said) or outcome.code < 0 or outcome.code > 2  # every output has the path, which has the key
            finding.info["shown_again"], finding.info["shows"] = shown, keys(outcome.said)
            if shown or evidence.tree != "plain":
                break
            replayer = [self.shown(self.trees["plain"].program(target)), self.shown(finding.folder / "input")]
            again = typed(self.loading(), replayer)
            finding.letter = finding.letter.replace(finding.again, again)
            finding.again = finding.info["again"] = again
        if not finding.info["shown_again"] and not evidence.vain:
            finding.letter += "  but           it did not show again when that was tried\n"
        write_file(finding.folder / "info.json", json.dumps(finding.info, indent=2).encode() + b"\n")
        write_file(finding.folder / "letter.txt", finding.letter.encode())
        write_file(finding.folder / "repro.txt", f"{finding.again}\n".encode())

    def info(self, key: str, letter: str, origin: Origin, evidence: Evidence) -> Dict[str, Any]:
        """The data of a finding, for info.json."""
        head = LETTER_HEAD.match(letter)
        differs = head is not None and head.group(2) != "breaks the law"
        codec = head.group(1) if head is not None and differs else None
        operation, _, differing = key.partition("-")[2].rpartition(f"-{codec}-") if differs else (None, None, None)
        info: Dict[str, Any] = {
            "key": key, "target": origin.target.name, "encoding": origin.target.encoding, "codec": codec,
            "operation": operation, "field": differing, "found_by": origin.by, "seed": origin.seed,
            "found_at": datetime.now(timezone.utc).isoformat(timespec="seconds"), "shown_by": evidence.tree,
            "cpu": cpu_model(), "compiler": self.compilers.get(evidence.tree, "unknown"), "not_again_in": len(evidence.vain) or None,
        }
        plant = self.options.plant
        info["plant"] = plant.name if plant is not None and is_about(info, plant) else None
        return info

    # ---- findings from before --------------------------------------------------------------------

    def recheck(self) -> None:
        """Replays the findings of earlier hunts. Those that still show are findings of this hunt, too. Raises CannotRun if one cannot be
        read."""
        targets = {target.name: target for target in self.options.targets}
        for folder in self.store.earlier():
            try:
                info = json.loads((folder / "info.json").read_text())
                letter = (folder / "letter.txt").read_text()
                key, target = info["key"], targets.get(info["target"])
            except (OSError, ValueError, KeyError) as error:
                raise CannotRun(f"{folder} is not a finding that can be read ({error}); move it away") from error
            if target is None or folder.name != key:
                continue
            if key in self.examine(target, folder / "input").letters:
                self.store.remember(Finding(key, folder, letter, info["again"], info, from_before=True))
            else:
                self.store.gone.append(key)


def time_to_minimise(seconds_left: float, stuck: bool) -> float:
    """The seconds for minimising the next finding: half of the time left for all findings, at least MINIMISE_SECONDS (3 times that for an
    endless loop), at most all that is left. Half, because there may be only one finding."""
    return min(max(MINIMISE_SECONDS * (3 if stuck else 1), seconds_left / 2), max(seconds_left, 0.0))


def typed(environment: Mapping[str, str], words: Sequence[str]) -> str:
    """A command with its environment variables, quoted for a shell."""
    return " ".join([*(f"{name}={shlex.quote(value)}" for name, value in environment.items()), shlex.join(words)])


def key_prefix(target: Target) -> str:
    """The beginning of keys without a letter: the encoding and the target, because no codec is named."""
    return f"{target.encoding.replace('-', '')}-{target.name}"


def is_about_time(path: Path) -> bool:
    """True if an engine saved this input because it took too long."""
    return path.name.startswith("timeout-") or path.parent.name == "hangs"


def cpu_model() -> str:
    """The model name of this processor."""
    try:
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()
