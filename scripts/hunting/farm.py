# SPDX-License-Identifier: MIT
"""AFL++ across machines: one instance here, whose queue is exchanged with those of the others by way of a folder.

Run it on each machine, with another --name and the same --exchange: a folder that all machines share, or HOST:FOLDER for rsync. Every
minute the instance copies its queue there and fetches those of the others, which AFL++ then reads. The seed chooses the schedule and the
variations of an instance, as AFL++'s documentation recommends. Give one instance --cmplog; on each machine, give one the corpus of a
libFuzzer that runs there, such as --corpus build/hunt/corpus/decode/long. There is no report: crashing inputs are in
DIR/sync/NAME/crashes, and `build/assay diff @FILE` explains one.

    machine1$ python3 scripts/hunting/farm.py --name one --exchange /shared/afl --target decode --seconds 86400
    machine2$ python3 scripts/hunting/farm.py --name two --exchange /shared/afl --target decode --seconds 86400
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Dict, Sequence

sys.path[0] = str(Path(__file__).resolve().parent.parent)

from hunting.engines.afl import Afl, parse_stats  # noqa: E402
from hunting.engines.engine import Material  # noqa: E402
from hunting.options import ROOT, positive  # noqa: E402
from hunting.plan import LONG, Piece, Way, variations  # noqa: E402
from hunting.processes import said, start, stop  # noqa: E402
from hunting.targets import Target, read_targets  # noqa: E402
from hunting.trees import Tree, build, tree_folder  # noqa: E402
from hunting.exits import CannotRun, last_lines  # noqa: E402
from witness.corpus import all_seeds, write_seeds  # noqa: E402

POLL_SECONDS = 0.5


def copy_new(source: Path, into: Path) -> None:
    """Copies the files `id:*` that `into` does not hold yet. Each appears whole, by a rename, so that no process reads half a file."""
    into.mkdir(parents=True, exist_ok=True)
    for path in source.glob("id:*"):
        if not (into / path.name).exists():
            fresh = into / f".{path.name}.new"
            shutil.copyfile(path, fresh)
            os.replace(fresh, into / path.name)


def exchange(sync: Path, name: str, place: str) -> None:
    """Copies our queue to the place of exchange, and the queues of the others to ours."""
    if ":" in place:
        for command in (["rsync", "-a", "--ignore-existing", f"{sync / name / 'queue'}/", f"{place}/{name}/queue/"],
                        ["rsync", "-a", "--ignore-existing", f"--exclude=/{name}/", f"{place}/", f"{sync}/"]):
            done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            if done.returncode != 0:  # a network may fail for a while; the next exchange copies the rest
                print(f"farm: {' '.join(command)}: {done.stdout.strip().splitlines()[-1:]}", file=sys.stderr)
        return
    copy_new(sync / name / "queue", Path(place) / name / "queue")
    for other in Path(place).iterdir():
        if other.name != name and (other / "queue").is_dir():
            copy_new(other / "queue", sync / other.name / "queue")


def run_instance(target: Target, given: argparse.Namespace, trees: Dict[str, Tree]) -> int:
    """Fuzzes and exchanges until the time is over. Returns the number of inputs that it saved as crashes or hangs."""
    folder: Path = given.out
    sync = folder / "sync"
    shutil.rmtree(folder / "seeds", ignore_errors=True)
    seed = given.seed or random.SystemRandom().randrange(1, 1 << 31)
    piece = Piece(target, Way("afl", "afl", LONG, given.cmplog), 0, given.seconds, seed, variations=variations(seed))
    write_seeds(all_seeds(ROOT / "vectors"), folder / "vectors")
    material = Material(trees["afl"].program(target), target.seeds(ROOT, folder / "vectors"), target.dictionary(folder / "vectors"), folder, trees["plain"].mutator,
                        given.corpus, trees["cmplog"].program(target) if given.cmplog else None)
    afl = Afl(given.name)
    environment = {**afl.environment(piece, material), "AFL_AUTORESUME": "1", "AFL_IMPORT_FIRST": "1", "AFL_SYNC_TIME": str(max(given.every // 60, 1))}
    print(f"{given.name}: seed {seed}, {' '.join([piece.schedule, *piece.variations])}{' cmplog' * given.cmplog}", flush=True)
    log = folder / f"{given.name}.log"
    process = start(afl.command(piece, material, given.seconds, 0), log, environment)
    try:
        exchanged = time.monotonic()
        while process.poll() is None:
            time.sleep(POLL_SECONDS)
            if time.monotonic() > exchanged + given.every:
                exchange(sync, given.name, given.exchange)
                afl.exchange(material)
                exchanged = time.monotonic()
    finally:
        stop(process)
    stats = sync / given.name / "fuzzer_stats"
    if process.returncode != 0 or not stats.is_file():
        raise CannotRun(f"afl-fuzz ended with exit code {process.returncode}; the end of {log}:\n{last_lines(log)}")
    exchange(sync, given.name, given.exchange)
    afl.give_back(material)
    figures = parse_stats(said(stats))
    print(f"{given.name}: {figures['execs_done']} executions, {figures['corpus_count']} inputs, {figures['corpus_imported']} of them "
          f"from others, {figures['saved_crashes']} crashes, {figures['saved_hangs']} hangs")
    return int(figures["saved_crashes"]) + int(figures["saved_hangs"])


def main(words: Sequence[str]) -> int:
    """Returns the exit code: 0 if nothing was found, 1 if something was, 2 if it could not run."""
    targets = {target.name: target for target in read_targets(ROOT)}
    parser = argparse.ArgumentParser(prog="scripts/hunting/farm.py", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--name", required=True, help="the name of this instance; no two may have the same")
    parser.add_argument("--exchange", required=True, metavar="PLACE", help="a folder, or HOST:FOLDER for rsync")
    parser.add_argument("--target", choices=sorted(targets), default="decode", metavar="NAME", help="default %(default)s")
    parser.add_argument("--seconds", type=positive, default=3600, metavar="N", help="default %(default)s")
    parser.add_argument("--every", type=positive, default=60, metavar="N", help="seconds between exchanges (default %(default)s)")
    parser.add_argument("--seed", type=positive, metavar="N", help="seed of the random numbers; no two may have the same (default: a random one; it is printed)")
    parser.add_argument("--cmplog", action="store_true", help="with CmpLog, which records the operands of comparisons; for one or two instances of all")
    parser.add_argument("--corpus", type=Path, metavar="DIR", help="the corpus of a libFuzzer, with which inputs are exchanged")
    parser.add_argument("--out", type=Path, default=ROOT / "build/farm", metavar="DIR", help="default build/farm")
    given = parser.parse_args(words)
    given.out.mkdir(parents=True, exist_ok=True)
    try:
        if ":" not in given.exchange:
            Path(given.exchange).mkdir(parents=True, exist_ok=True)
        trees = {name: Tree(name, tree_folder(ROOT, name)) for name in ("afl", "plain", *["cmplog"] * given.cmplog)}
        for tree in trees.values():
            build(tree, ROOT, [targets[given.target]], given.out)
        return int(run_instance(targets[given.target], given, trees) > 0)
    except FileNotFoundError as error:
        print(f"farm: {error.filename} is not there; scripts/setup hunt installs it", file=sys.stderr)
    except (CannotRun, OSError) as error:
        print(f"farm: {error}", file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
