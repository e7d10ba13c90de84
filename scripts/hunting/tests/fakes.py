# SPDX-License-Identifier: MIT
"""Every program that a hunt starts, as a fake: the name says which one it is. An input that holds a `!` diverges; the variable FAKE of
the environment says how else to behave.

A hunt starts twenty of them and test_hunt.py a hundred hunts, so this file is compiled once, and what takes long to import, as json,
signal and subprocess do, is imported where it is needed.
"""

import os
import sys
import time

name, words, how = os.path.basename(sys.argv[0]).replace("-broad", "").replace("-fake", ""), sys.argv[1:], os.environ.get("FAKE", "").split()
option = {word.partition("=")[0]: word.partition("=")[2] for word in words if word.startswith("-")}
LETTER = "utf-8/%s differs from utf-8/reference\n  asked         validate; verdict differs\nfinding utf8-validate-%s-verdict"
libraries = [word.partition("=")[2] for word in words if word.startswith("--codec=")] or os.environ.get("ASSAY_CODECS", "").split(":")


def content(path):
    """The bytes of a file."""
    with open(path, "rb") as file:
        return file.read()


def write(path, content, mode="wb"):
    """Writes a file, or adds to it."""
    with open(path, mode) as file:
        file.write(content)


loaded = [content(path).decode().split("/") for path in libraries if path and not path.endswith("odd.so")]
marks = {**{name: b"?" for _, name in loaded}, "fake": b"!", **({"twin": b"!"} if "twins" in how else {})}  # a byte that each codec does not take


def say(*lines):
    """Prints lines at once."""
    print("\n".join(lines), flush=True)


def files(paths):
    """The files of folders and the paths that are files."""
    for path in paths:
        if os.path.isdir(path):
            yield from sorted(os.path.join(folder, name) for folder, _, names in os.walk(path) for name in names)
        elif os.path.isfile(path):
            yield path


def stay(seconds):
    """What an engine does with its time."""
    if "fills-the-disk" in how:
        write(os.environ["FULL"] + "/filling", bytes(4 << 20), "ab")
    if "stubborn" in how:
        import signal
        import subprocess
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        child = subprocess.Popen(["sleep", "1000"], start_new_session=True)
        write(os.environ["PIDS"], b"%d\n%d\n" % (os.getpid(), child.pid), "ab")
        seconds = 1000
    if "hasty" in how or ("hasty-once" in how and not os.path.exists(os.environ["PIDS"])):
        return write(os.environ["PIDS"], b"")  # as an engine that gives up before its time
    try:
        time.sleep(seconds)
    except KeyboardInterrupt:
        pass  # as engines do, it ends well when asked to


def cmake():
    """Configures, or builds: each target is a copy of this program."""
    if "--build" not in words:
        folder = words[words.index("-B") + 1]
        os.makedirs(folder, exist_ok=True)
        write(folder + "/CMakeCache.txt", b"CMAKE_C_COMPILER:STRING=gcc\n")
        return 0
    if "no-build" in how:
        say("engine.c:1: error: it does not compile")
        return 1
    for program in words[words.index("--target") + 1:]:
        path = os.path.join(words[words.index("--build") + 1], program)
        if os.path.isdir(path):
            continue
        write(path, content(sys.argv[0]))
        os.chmod(path, 0o755)
    return 0


def assay():
    """`assay list` and `assay diff`."""
    import json
    if words[0] == "list":
        say(json.dumps([{"encoding": "utf-8", "codec": name, "needs": needs, "runs": needs == "any", "emulated": False}
                        for name, needs in (("reference", "any"), ("fake", "any"), ("wide", "avx9"), ("broad", "avx512"), *((name, "any") for name in marks if name == "twin"))]
                       + [{"encoding": encoding, "codec": name, "needs": "any", "runs": True, "emulated": False} for encoding, name in loaded]))
        return 0
    if any(library.endswith("odd.so") for library in libraries):
        return 2  # as if it could not be loaded
    asked = content(words[-1][1:])
    wrong = [name for name, mark in marks.items() if mark in asked]
    if "--json" in words:
        say(json.dumps({"codecs": [{"codec": name, "well_formed": name not in wrong} for name in ("reference", *marks)]}))
        return 1 if wrong else 0
    say(*(f"key utf8-validate-{name}-verdict" for name in wrong) if wrong else ["no divergence"], *([f"again build/assay diff {words[-1]}"] if words[0] == "diff" else []))
    return 1 if wrong else 0


def afl():
    """afl-fuzz."""
    if "afl-refuses" in how:
        say("", "[-] PROGRAM ABORT : Pipe at the beginning of 'core_pattern'", "         Location : main(), x.c:1")
        return 1
    folder = words[words.index("-o") + 1] + "/default"
    os.makedirs(folder + "/crashes")
    if "afl-finds" in how:
        write(folder + "/crashes/id:000000,sig:06", b"noise ! noise")
    if "afl-crashes-once" in how:
        write(folder + "/crashes/id:000001,sig:06", b"noise")
    stay(int(words[words.index("-V") + 1]))
    write(folder + "/fuzzer_stats", b"execs_done : %d\nedges_found : 7\n" % (0 if "afl-idle" in how else 1000))
    return 0


def fuzz():
    """A target: with libFuzzer's option it fuzzes, else it replays."""
    if "-max_total_time" in option:
        say("#9 DONE cov: 5 ft: 6 corp: 7/8b exec/s: 9", "stat::number_of_executed_units: 500")
        known = os.environ.get("ASSAY_KNOWN", "").split(":")
        for name, mark in marks.items():
            if "libfuzzer-finds" in how and f"utf8-validate-{name}-verdict" not in known:
                write(option["-artifact_prefix"] + "crash-1", b"xxxxxxxx" + mark + b"yyyyyyyy")
                say(LETTER % (name, name))
                return 77
        stay(int(option["-max_total_time"]))
        return 0
    if "LLVM_PROFILE_FILE" in os.environ:
        if "no-replay" in how:
            return 3
        if "no-profile" not in how:
            write(os.environ["LLVM_PROFILE_FILE"], b"", "ab")
    paths = [word for word in words if not word.startswith("-")]
    bad = [(path, name) for path in files(paths) for name, mark in marks.items() if mark in content(path)]
    for path, name in bad:
        say(LETTER % (name, name), f"in {path}")
    say(f"ran decode reference {' '.join(marks)}{' broad' * ('emulated' in sys.argv[0])} (10 answers compared, 0 skipped)")
    return 1 if bad else 0


def profdata():
    """llvm-profdata."""
    write(words[words.index("-o") + 1], b"", "ab")
    return 0


def cov():
    """llvm-cov."""
    import json
    source = os.path.join(words[-1], "../../../codecs/reference/utf8.c")
    say(json.dumps({"data": [{"files": [{"filename": os.path.normpath(source), "segments": [[1, 1, 5, True], [4, 1, 0, True], [4, 9, 0, False]], "branches": []}]}]}))
    return 0

PROGRAMS = {"cmake": cmake, "assay": assay, "afl-fuzz": afl, "llvm-profdata": profdata, "llvm-cov": cov}


def main():
    """Ends as the program of this name does."""
    sys.exit(PROGRAMS.get(name, fuzz)())
