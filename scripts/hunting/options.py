# SPDX-License-Identifier: MIT
"""The command line of the hunt."""

from __future__ import annotations

import argparse
import fnmatch
import os
import random
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Dict, List, Optional, Sequence, Tuple

from .plan import DEEP_SECONDS, ENGINE_NAMES
from .targets import Plant, Target, read_plants, read_targets
from .exits import CannotRun

ROOT = Path(__file__).resolve().parents[2]
PER_PROCESSOR_MAX = 16

DESCRIPTION = """\
Hunts for an input on which two decoders differ: builds the fuzz targets, replays the corpus, fuzzes every
target with every engine, and writes report.html and .txt, summary.json, junit.xml and a folder for each finding."""

EPILOG = """\
exit code: 0 = nothing found; 1 = a finding (whatever else went wrong is in the report); 2 = could not run as
asked, and nothing found; 130 = interrupted. ASSAY_WITHOUT=ISA,... takes instruction sets away.
scripts/hunt --subjects NAME,... and scripts/hunt -- COMMAND... are another hunt: of decoders that are processes (harnesses/subjects/),
or of a plain program (-- --plain PROGRAM...); --help after
--subjects is its own."""


@dataclass(frozen=True)
class Options:
    """The options of a hunt."""

    seconds: int
    targets: Tuple[Target, ...]
    engines: Tuple[str, ...]
    jobs: int
    seed: int
    out: Path
    plant: Optional[Plant]
    expect: Tuple[str, ...]
    install: bool
    resume: bool
    keep: Optional[str]
    coverage: bool
    fail_fast: bool
    root: Path = ROOT
    codecs: Tuple[Path, ...] = ()  # shared libraries, each a loadable codec

    @property
    def seeds(self) -> Path:
        """The folder of the seeds that the hunt makes from the vectors."""
        return self.out / "seeds"

    @property
    def loading(self) -> Dict[str, str]:
        """The environment variable by which fuzz targets and replayers load the codecs of --codec."""
        return {"ASSAY_CODECS": ":".join(map(str, self.codecs))} if self.codecs else {}


def positive(text: str) -> int:
    """A whole number of at least 1."""
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError(f"{text} is less than 1")
    return value


def workers(text: str) -> int:
    """A number of workers, at most PER_PROCESSOR_MAX for each processor."""
    value, most = positive(text), PER_PROCESSOR_MAX * processors()
    if value > most:
        raise argparse.ArgumentTypeError(f"{text} is more than {most}, {PER_PROCESSOR_MAX} for each processor")
    return value


def folder(text: str) -> Path:
    """A folder whose name can be printed in a report."""
    if not text:
        raise argparse.ArgumentTypeError("it is empty; '.' is the folder one is in")
    if not text.isprintable():
        raise argparse.ArgumentTypeError(f"{text!r} cannot be written down as text")
    return Path(text)


def library(text: str) -> Path:
    """The path of a shared library; without a colon, because ASSAY_CODECS separates paths by colons."""
    path = Path(text).resolve()
    if not path.is_file():
        raise argparse.ArgumentTypeError(f"there is no file {text}")
    if ":" in str(path) or not str(path).isprintable():
        raise argparse.ArgumentTypeError(f"{str(path)!r} has a colon or a control character in it; give the library another path")
    return path


def choose(parser: argparse.ArgumentParser, option: str, text: str, known: Sequence[str]) -> List[str]:
    """The words of a list separated by commas, each of them known, without repetitions."""
    words = list(dict.fromkeys(text.split(",")))
    for word in words:
        if word not in known:
            parser.error(f"{option}: there is no '{word}'; there are {', '.join(known)}")
    return words


def match(parser: argparse.ArgumentParser, option: str, text: str, known: Sequence[str]) -> List[str]:
    """The known words that the patterns of a list match; each pattern must match at least one."""
    chosen: List[str] = []
    for pattern in text.split(","):
        matching = fnmatch.filter(known, pattern)
        if not matching:
            parser.error(f"{option}: there is no '{pattern}'; there are {', '.join(known)}")
        chosen += matching
    return list(dict.fromkeys(chosen))


def build_parser(targets: Sequence[Target], plants: Sequence[str]) -> argparse.ArgumentParser:
    """The parser of all options."""
    parser = argparse.ArgumentParser(prog="scripts/hunt", description=DESCRIPTION, epilog=EPILOG, allow_abbrev=False,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=positive, default=60, metavar="N", help="how long to fuzz, in all (default 60)")
    parser.add_argument("--targets", metavar="PATTERN,...",
                        help=f"which targets (default: all {len(targets)}; with a plant, those of its encoding): for UTF-8 the names of claims, "
                        f"{', '.join(target.name for target in targets if target.encoding == 'utf-8')}; for other encodings "
                        "CLAIM-ENCODING, as in 'decode-wtf-8', 'stream*', '*-utf-16?e'")
    parser.add_argument("--engine", default=",".join(ENGINE_NAMES), metavar="NAME,...", help="which engines (default: %(default)s)")
    parser.add_argument("--jobs", type=workers, metavar="N", help="how many at a time (default: as many as processors)")
    parser.add_argument("--seed", type=positive, metavar="N", help="seed of all random numbers (default: a random one; it is printed)")
    parser.add_argument("--out", type=folder, metavar="DIR",
                        help="where everything goes (default: build/hunt in the checkout, with a plant build/hunt-PLANT, with a codec "
                        "build/hunt-LIBRARY)")
    parser.add_argument("--plant", metavar="NAME", help=f"register a decoder with one mistake, which must be found: {', '.join(plants)}")
    parser.add_argument("--canary", dest="plant", action="store_const", const="canary", help="the same as --plant canary")
    parser.add_argument("--codec", type=library, action="append", default=[], metavar="LIBRARY",
                        help="hunt with a decoder of yours, too (a shared library that exports `assay_codec`; codecs/codec.h), through the targets "
                        "of its encoding; again for more")
    parser.add_argument("--expect", default="", metavar="ISA,...", help="fail if codecs for one of these do not run here")
    parser.add_argument("--resume", action="store_true",
                        help="continue the hunt in --out that was interrupted or ended early, with its options")
    parser.add_argument("--fail-fast", action="store_true",
                        help="end when the first new finding is written (with a plant, the first of the plant); "
                        "--resume continues after it, to the end unless this option is given again")
    parser.add_argument("--coverage", action="store_true",
                        help="afterwards, report which lines of the codecs the corpora reach (as every hunt of ten minutes does)")
    parser.add_argument("--keep", metavar="KEY", help="hunt nothing: put this finding of an earlier hunt into corpus/found")
    parser.add_argument("--no-install", dest="install", action="store_false",
                        help="install nothing; only say what is missing")
    return parser


def processors() -> int:
    """The number of processors that this process may use; in a container, the machine may have more."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def parse(words: Sequence[str], root: Path = ROOT) -> Options:
    """The options that the words of a command line ask for. Wrong words end the program with exit code 2, as argparse does."""
    targets = {target.name: target for target in read_targets(root)}
    plants = {plant.name: plant for plant in read_plants(root)}
    parser = build_parser(list(targets.values()), list(plants))
    given = parser.parse_args(words)
    engines = choose(parser, "--engine", given.engine, list(ENGINE_NAMES))
    if given.plant is not None:
        choose(parser, "--plant", given.plant, list(plants))
    chosen = match(parser, "--targets", given.targets, list(targets)) if given.targets is not None else \
        [name for name, target in targets.items() if given.plant is None or target.encoding == plants[given.plant].encoding]
    if given.plant is not None and given.codec:
        parser.error("--plant and --codec: a plant shows whether a hunt finds what is wrong with ours; take one of the two")
    libraries = tuple(dict.fromkeys(given.codec))
    out = given.out or root / "build" / "-".join(["hunt", *([given.plant] if given.plant else [path.stem for path in libraries])])
    if out.exists() and not out.is_dir():
        parser.error(f"--out: {out} is not a folder")
    if os.environ.get("ASSAY_CODECS"):
        parser.error("ASSAY_CODECS is set, but a hunt takes loadable codecs by an option: --codec ./libmine.so")
    return Options(given.seconds, tuple(targets[name] for name in chosen), tuple(engines), given.jobs or processors(),
                   given.seed or random.SystemRandom().randrange(1, 1 << 31), out.resolve(), plants.get(given.plant),
                   tuple(isa for isa in given.expect.split(",") if isa), given.install, given.resume, given.keep,
                   given.coverage or given.seconds >= DEEP_SECONDS, given.fail_fast, root, libraries)


def asked(options: Options) -> Dict[str, Any]:
    """The options that --resume restores, as data."""
    return {"seconds": options.seconds, "targets": [target.name for target in options.targets], "engines": list(options.engines),
            "jobs": options.jobs, "seed": options.seed, "plant": options.plant.name if options.plant else None,
            "expect": list(options.expect), "coverage": options.coverage, "codecs": list(map(str, options.codecs))}


def resumed(options: Options, before: Dict[str, Any]) -> Options:
    """The options of a resumed hunt: those of `asked` from `before`, all others as given now. Raises CannotRun if the two contradict each
    other, or if a target or an engine of then no longer exists."""
    targets = {target.name: target for target in read_targets(options.root)}
    plants = {plant.name: plant for plant in read_plants(options.root)}
    if options.plant is not None and options.plant.name != before.get("plant"):
        raise CannotRun(f"--resume: that hunt was {'of the plant ' + before['plant'] if before.get('plant') else 'without a plant'}, not of the "
                        f"plant {options.plant.name}; start a new hunt, or leave --plant out")
    if options.codecs and list(map(str, options.codecs)) != before.get("codecs", []):
        raise CannotRun(f"--resume: that hunt was with {', '.join(before.get('codecs', [])) or 'no codec that is loaded'}; start a new hunt, or leave --codec out")
    try:
        return replace(options, seconds=before["seconds"], targets=tuple(targets[name] for name in before["targets"]),
                       engines=tuple(before["engines"]), jobs=before["jobs"], seed=before["seed"],
                       plant=plants.get(before["plant"]), expect=tuple(before["expect"]),
                       coverage=options.coverage or before.get("coverage", False), codecs=tuple(map(Path, before.get("codecs", []))))
    except KeyError as error:
        raise CannotRun(f"--resume: that hunt cannot go on, for there is no {error} any more; start a new hunt") from error
    except TypeError as error:
        raise CannotRun(f"--resume: what that hunt was asked for cannot be read ({error}); start a new hunt") from error
