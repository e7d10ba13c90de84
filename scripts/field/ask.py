# SPDX-License-Identifier: MIT
"""Asks the subjects that are installed about one input, and groups them by their answers."""

from __future__ import annotations

import argparse
import fnmatch
import json
import os
import shutil
import signal
import subprocess
import sys
import textwrap
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Callable, Dict, List, NamedTuple, Optional

from hunting.subject_hunt import NoAnswer, offered, speaker_of
from subjects.deviations import flat
from subjects.subjects import ASSAY, installed, rows

TEXT_SHOWN = 60  # characters of a group's text


class Answer(NamedTuple):
    """What a subject says: replies without their IDs; None if it does not offer that."""
    subject: str
    verdict: Optional[str]
    policy: str  # of the text: `own`, or the first policy that it offers
    text: Optional[str]
    trouble: str = ""  # in place of replies


def asked(name: str, encoding: str, data: str) -> Answer:
    """The answer of one subject. `data`: the bytes in hex."""
    speaker = speaker_of(name)
    try:
        speaker.start()
        operations, policies = offered(speaker, encoding)
        policy = next((one for one in ("own", *policies) if one in policies and one != "strict"), "")
        verdict, text = (speaker.ask([request])[0] if is_offered else None for is_offered, request in (
            ("validate" in operations, f"validate {encoding} {data}"), (bool(policy), f"decode {encoding} {policy} {data}")))
        return Answer(name, verdict, policy, text)
    except (NoAnswer, OSError) as problem:
        return Answer(name, None, "", None, str(problem).splitlines()[0])
    finally:
        speaker.stop()


def explained(encoding: str, given: str) -> Dict[str, Any]:
    """What `assay explain --json` says of the input. Ends the program if that refuses it."""
    done = subprocess.run([ASSAY, "explain", "--json", "-e", encoding, given], stdout=subprocess.PIPE, check=False)
    if done.returncode not in (0, 1):
        sys.exit(2)
    facts: Dict[str, Any] = json.loads(done.stdout)
    return facts


def verdict_of(reply: str) -> str:
    """A verdict with the offset, where that is stated: "ill-formed at 1"."""
    words = reply.split()
    if words[:1] == ["ok"]:
        return "well-formed"
    return "ill-formed" + (f" at {words[1]}" if len(words) > 1 and words[1].isdigit() else "") if words[:1] == ["error"] else reply


def text_of(reply: str) -> str:
    """A text, its scalar values in one group; anything else as it was said."""
    words = reply.split()
    return flat(words[1]) or "-" if words[:1] == ["ok"] and len(words) > 1 else reply


def grouped(answers: Dict[str, str]) -> Dict[str, List[str]]:
    """The subjects of each answer, the most frequent one first."""
    groups: Dict[str, List[str]] = {}
    for subject, answer in answers.items():
        groups.setdefault(answer, []).append(subject)
    return dict(sorted(groups.items(), key=lambda group: (-len(group[1]), group[0])))


def standard_of(facts: Dict[str, Any]) -> str:
    """What the standard says of the input."""
    error = facts["spans"][0] if facts["spans"] else None
    return f"ill-formed at {error['offset']}" if error else "well-formed"


def policies_of(facts: Dict[str, Any]) -> Dict[str, List[str]]:
    """The policies under which each text is right. `strict` has none if the input is ill-formed."""
    texts: Dict[str, List[str]] = {}
    for name, decoded in facts["policies"].items():
        if not decoded["stopped"]:
            texts.setdefault(",".join(f"{point:X}" for point in decoded["code_points"]) or "-", []).append(name)
    return texts


def said(answers: List[Answer], field: str, read: Callable[[str], str]) -> Dict[str, List[str]]:
    """The groups of what was answered; `skip` is no answer."""
    replies = {one.subject: getattr(one, field) for one in answers}
    return grouped({subject: read(reply) for subject, reply in replies.items() if reply is not None and reply.split()[:1] != ["skip"]})


def report_of(facts: Dict[str, Any], answers: List[Answer], lacking: int) -> Dict[str, Any]:
    """What --json prints."""
    verdicts, texts, policies = said(answers, "verdict", verdict_of), said(answers, "text", text_of), policies_of(facts)
    return {"encoding": facts["encoding"], "bytes": facts["bytes"], "standard": standard_of(facts),
            "verdicts": [{"verdict": verdict, "subjects": names} for verdict, names in verdicts.items()],
            "texts": [{"text": text, "policies": policies.get(text, []), "subjects": names} for text, names in texts.items()],
            "no_answer": {one.subject: one.trouble for one in answers if one.trouble}, "not_installed": lacking}


def is_wrong(verdict: str, standard: str) -> bool:
    """True if a verdict, or its offset, is not the standard's."""
    return verdict != standard and not (verdict == "ill-formed" and standard.startswith("ill-formed"))


def judgement(group: Dict[str, Any], standard: str) -> str:
    """What is printed beside a text: the policies that it is right under, unless the input is well-formed and all give the same."""
    if standard == "well-formed":
        return "" if group["policies"] else "   not the standard's"
    return f"   as {', '.join(group['policies'])}" if group["policies"] else "   under no policy"


def show_progress(line: str) -> None:
    """On a terminal, a line that the next one replaces."""
    if sys.stderr.isatty():
        print(f"\r\033[K{line}", end="", file=sys.stderr, flush=True)


def print_group(head: str, names: List[str]) -> None:
    """A line, and below it the names."""
    print(f"  {head}  ({len(names)})")
    print(textwrap.fill(" ".join(names), min(100, shutil.get_terminal_size().columns), initial_indent="      ", subsequent_indent="      ", break_on_hyphens=False))


def print_report(report: Dict[str, Any]) -> None:
    """The report as text."""
    print(f"{report['encoding']}, {len(report['bytes']) // 2} byte{'' if len(report['bytes']) == 2 else 's'}; the standard: {report['standard']}")
    if report["verdicts"]:
        print("\nverdict")
    for group in report["verdicts"]:
        print_group(group["verdict"] + ("   not the standard's" if is_wrong(group["verdict"], report["standard"]) else ""), group["subjects"])
    if report["texts"]:
        print("\ntext, by the practice of each")
    for group in report["texts"]:
        text = group["text"][:TEXT_SHOWN] + ("..." if len(group["text"]) > TEXT_SHOWN else "")
        print_group(text + judgement(group, report["standard"]), group["subjects"])
    for name, why in report["no_answer"].items():
        print(f"\n  {name} gave no answer: {why}")
    if report["not_installed"]:
        print(f"\n{report['not_installed']} subjects are not installed (scripts/setup subjects installs what it can)")


def main() -> int:
    """Exit code 0 = all verdicts are the standard's, 1 = one is not, or a subject gave no answer, 2 = nothing could be asked."""
    parser = argparse.ArgumentParser(prog="scripts/field-ask", allow_abbrev=False,
                                     description="Asks the decoders of harnesses/subjects/ that are installed about one input: the verdict, and the text by the practice of each.",
                                     epilog="exit code: 0 = all verdicts are the standard's, 1 = one is not, or a subject gave no answer, 2 = nothing could be asked. "
                                            "An adapter that must be compiled first is compiled once. `build/assay diff --subject A --subject B INPUT` shows two of them in full.")
    parser.add_argument("input", metavar="INPUT", help="as of build/assay explain: bytes in hex, @FILE, or the id of a golden case")
    parser.add_argument("subjects", nargs="*", metavar="SUBJECT", help="names of subjects, or globs (default: all that are installed)")
    parser.add_argument("-e", "--encoding", default="utf-8", help="the encoding of the input (default utf-8)")
    parser.add_argument("--json", action="store_true", help="the same as JSON")
    given = parser.parse_args()
    for number in (signal.SIGPIPE, signal.SIGINT):  # neither a pager that ends early nor Ctrl-C prints a traceback
        signal.signal(number, signal.SIG_DFL)
    facts = explained(given.encoding, given.input)
    chosen = [row for row in rows() if not given.subjects or any(fnmatch.fnmatchcase(row.name, glob) for glob in given.subjects)]
    unknown = [glob for glob in given.subjects if not any(fnmatch.fnmatchcase(row.name, glob) for row in chosen)]
    if unknown:
        parser.error(f"no row of subjects.def is named {' or '.join(unknown)}")
    show_progress("looking for what is installed")
    here = [subject.name for subject, version in installed(chosen) if version is not None]
    answers = []
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        for answer in pool.map(lambda name: asked(name, given.encoding, facts["bytes"] or "-"), here):
            answers.append(answer)
            show_progress(f"{len(answers)} of {len(here)} have answered")
    show_progress("")
    report = report_of(facts, answers, len(chosen) - len(here))
    if not report["verdicts"] and not report["texts"]:
        print(f"scripts/field-ask: none of {len(here)} installed subjects can be asked about {given.encoding}", file=sys.stderr)
        return 2
    if given.json:
        print(json.dumps(report, indent=2))
    else:
        print_report(report)
    return 1 if report["no_answer"] or any(is_wrong(group["verdict"], report["standard"]) for group in report["verdicts"]) else 0
