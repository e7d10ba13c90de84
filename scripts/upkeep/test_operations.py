# SPDX-License-Identifier: MIT
"""A new operation of codecs is one row of codecs/operations.def, its member in codecs/codec.h, one function for each method, and
checks. Proved twice: by the places in which the names of operations stand today, and by an operation that is added to a copy."""
import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path
from typing import Dict, List, Set

ROOT = Path(__file__).resolve().parents[2]
ROWS: Dict[str, str] = dict(re.findall(r"^OPERATION\((\w+), +(\w+),", (ROOT / "codecs/operations.def").read_text(), re.MULTILINE))
METHODS = {"reference": ["codecs/reference/*.h"], "dfa": ["codecs/dfa/*.h"], "swar": ["codecs/swar/*"], "simd": ["codecs/simd/**/*"]}

# Whose subject is the operations: where they are declared and made, and where they are asked. A further file belongs here only
# if it is one of these; the wiring, the questions, the bench and the reports have the table.
MADE = ("codecs/codec.h", "codecs/operations.def", "codecs/reference/", "codecs/dfa/", "codecs/swar/", "codecs/simd/")
ASKED = ("harnesses/fuzz/", "harnesses/assay/sweep/", "harnesses/assay/vectors/", "harnesses/assay/tests/", "harnesses/museum/",
         "harnesses/subjects/", "harnesses/core/laws.def")
# Other files that use some operations in particular, and what for.
USED = {
    "codecs/api.c": "the interface for applications, by operation",
    "codecs/schemes/step.h": "what schemes lack",
    "harnesses/core/api_test.c": "tests that interface",
    "harnesses/core/assume_test.c": "violates an assumption about pieces",
    "harnesses/core/claim.c": "an encoding has the policies with which its reference decodes",
    "harnesses/core/convert.c": "a conversion decodes and encodes, by UTF-16 or by UTF-32",
    "harnesses/core/convert_test.c": "has a codec that decodes and encodes",
    "harnesses/core/offers_test.c": "the published loop has a few",
    "harnesses/core/promise.c": "a promise is about what is encoded and decoded",
    "harnesses/core/question.c": "ask_well_formed and ask_boundary",
    "harnesses/browser/digest.c": "digests of what is decoded",
    "harnesses/browser/module.c": "concatenation has a second input, and so an export of its own",
    "harnesses/cost/patterns.c": "decodes patterns to the units that are encoded",
    "harnesses/assay/bench/bench.h": "what is timed, under which policy, compared with which limit",
    "harnesses/assay/bench/differing.c": "encodes the character that stands for others",
    "harnesses/assay/bench/text.c": "makes its texts by encoding",
    "harnesses/assay/bench/random_text.c": "makes its texts by encoding",
    "harnesses/assay/check/failures.c": "the errors that spans reports are its output",
    "harnesses/assay/damage/damage.c": "asks which policies decode damaged text",
    "harnesses/assay/damage/measure.c": "damages text that it encodes, and decodes it",
    "harnesses/assay/damage/misread.c": "encodes text in one encoding and decodes it as another",
    "harnesses/assay/diff.c": "shows code points and units",
    "harnesses/assay/examine.c": "asks everything about one input",
    "harnesses/assay/explain/explain.c": "shows code points",
    "harnesses/assay/minimise/minimise.c": "encodes the character that stands for others",
    "harnesses/assay/museum/tiers.c": "asks for the verdicts that the complete tiers list",
    "harnesses/assay/prove/agree.c": "proves what decoders agree on",
    "harnesses/assay/prove/characters.c": "proves what characters are decoded to",
    "harnesses/assay/prove/texts.c": "makes its texts by encoding",
    "harnesses/assay/promises.c": "as promise.c",
    "harnesses/assay/run/hints.c": "names the member without which a codec takes no text in pieces",
    "harnesses/assay/run/expected.c": "requests of the protocol, each of which is answered by an operation",
    "harnesses/assay/run/plain.c": "the same",
    "harnesses/assay/run/positions.c": "the same",
    "harnesses/assay/run/reply.c": "the same",
    "harnesses/assay/run/request.c": "the same",
    "harnesses/assay/subject/decode.c": "the same",
    "harnesses/assay/subject/encode.c": "the same",
    "harnesses/assay/requests.def": "the same",
}


def sources() -> List[str]:
    listed = subprocess.run(["git", "ls-files", "-z", "codecs", "harnesses"], cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True)
    return [path for path in listed.stdout.split("\0") if re.search(r"\.(c|h|inc|def)$", path) and (ROOT / path).is_file()]


def named_in(text: str) -> Set[str]:
    """The operations that a file names: by OP_ID or OPERATION_BIT(ID), or by the member, unless that is an everyday word."""
    return {member for identifier, member in ROWS.items()
            if re.search(rf"\b(?:OP_|OPERATION_BIT\(){identifier}\b", text) or ("_" in member and re.search(rf"\b{member}\b", text))}


class Operations(unittest.TestCase):
    def test_are_listed_in_the_table_alone(self) -> None:
        self.assertEqual(len(ROWS), 12)
        elsewhere = {path: named_in((ROOT / path).read_text(encoding="utf-8")) for path in sources()
                     if not path.startswith(MADE + ASKED)}
        unexpected = {path: sorted(named) for path, named in elsewhere.items() if named and path not in USED}
        self.assertEqual(unexpected, {}, "these files name operations: loop over codecs/operations.def, or say in USED why not")
        self.assertEqual([path for path in USED if not elsewhere.get(path)], [], "these files name none any more")

    def test_are_one_function_for_each_method(self) -> None:
        for method, globs in METHODS.items():
            text = "\n".join(path.read_text(encoding="utf-8") for glob in globs for path in sorted(ROOT.glob(glob)) if path.is_file())
            for member in ROWS.values():
                with self.subTest(method=method, operation=member):
                    made = re.findall(rf"^(?:static|ALWAYS_INLINE|OPERATION_OF_ENGINE|KERNEL_PART|#define) .*\b{method}_{member}\b", text, re.MULTILINE)
                    self.assertEqual(len(made), 1, made)

    def test_are_asked_by_claims_and_vectors(self) -> None:
        for folder in ("harnesses/fuzz", "harnesses/assay/vectors"):
            named = set().union(*(named_in(path.read_text(encoding="utf-8")) for path in (ROOT / folder).glob("*.c")))
            self.assertEqual(sorted(set(ROWS.values()) - named), [], f"nothing in {folder} asks these")


class Addition(unittest.TestCase):
    """An operation `reversed` is added to a copy of the tree."""

    def setUp(self) -> None:
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.root = Path(scratch.name)
        for folder in ("codecs", "harnesses"):
            shutil.copytree(ROOT / folder, self.root / folder)
        self.edit("codecs/operations.def", "\n#undef OPERATION", '\nOPERATION(REVERSED, reversed, "reversed", CONVERT, uint8_t, uint8_t, "byte", n, REVERSED)\n#undef OPERATION')
        self.edit("codecs/codec.h", "};\n\n/* What the struct had when", "    struct assay_result (*reversed)(enum assay_policy policy, const uint8_t *bytes, size_t byte_count, uint8_t *out,\n"
                  "                                    size_t capacity);\n};\n\n/* What the struct had when")

    def edit(self, path: str, before: str, after: str) -> None:
        text = (self.root / path).read_text(encoding="utf-8")
        self.assertEqual(text.count(before), 1, (path, before))
        (self.root / path).write_text(text.replace(before, after), encoding="utf-8")

    def compile(self, *words: str) -> subprocess.CompletedProcess:
        return subprocess.run(["cc", "-std=c11", "-D_DEFAULT_SOURCE", "-Wall", "-Wextra", "-Werror", *words], cwd=self.root,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)

    def add_to_the_reference(self) -> None:
        self.edit("codecs/reference/loop.h", "\n#endif\n", """
static struct assay_result reference_reversed(const struct encoding *encoding, enum assay_policy policy, const uint8_t *bytes,
                                              size_t byte_count, uint8_t *out, size_t capacity)
{
    struct assay_result result = {.status = (encoding->policies >> policy & 1) == 0 ? ASSAY_UNSUPPORTED : ASSAY_OK};
    for (; result.status == ASSAY_OK && result.read < byte_count && result.read < capacity; result.read++)
        out[result.written++] = bytes[byte_count - 1 - result.read];
    return result;
}

#endif
""")

    def test_takes_a_row_a_member_and_a_function(self) -> None:
        self.add_to_the_reference()
        (self.root / "main.c").write_text(r"""
#include "harnesses/core/question.h"
#include <stdio.h>
#include <string.h>
extern const struct assay_codec codec_utf8_reference;
int main(void)
{
    struct question question = {.operation = OP_REVERSED, .policy = ASSAY_POLICY_WHATWG, .input = "abc", .input_count = 3};
    question.capacity = capacity_for(OP_REVERSED, 3);
    struct answer answer = ask(seat_new(), &codec_utf8_reference, &question, AT_END);
    printf("%s %d %d %.*s\n", operation_name(OP_REVERSED), operation_has_policy(OP_REVERSED),
           codec_offers(&codec_utf8_reference, OP_REVERSED, ASSAY_POLICY_SKIP), (int)answer.result.written, (const char *)answer.output);
    return 0;
}
""", encoding="utf-8")
        built = self.compile("-o", "main", "main.c", "codecs/reference/utf8.c", "harnesses/core/question.c", "harnesses/core/operation.c", "harnesses/core/arena.c", "harnesses/core/dice.c")
        self.assertEqual(built.returncode, 0, built.stdout)
        said = subprocess.run([str(self.root / "main")], stdout=subprocess.PIPE, text=True, check=True).stdout
        self.assertEqual(said, "reversed 1 1 cba\n")
        others = self.compile("-fsyntax-only", "-DBASE=codec_utf8_reference", "harnesses/core/report.c", "harnesses/core/compare.c",
                              "harnesses/museum/partial.c", "harnesses/assay/bench/measure.c")
        self.assertEqual(others.returncode, 0, others.stdout)

    def test_without_the_function_is_refused(self) -> None:
        built = self.compile("-fsyntax-only", "codecs/reference/utf8.c")
        self.assertNotEqual(built.returncode, 0)
        self.assertIn("reference_reversed", built.stdout)


if __name__ == "__main__":
    unittest.main()
