# SPDX-License-Identifier: MIT
"""What COMPATIBILITY.md promises to compiled programs and loadable codecs: interface.txt lists functions, numbers, sizes and layouts of
the two headers, on a 64-bit system, and each line of it still holds. If nothing but lines is missing, add those that the test prints."""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path
from typing import List

from packages.test_library import declared

HERE = Path(__file__).resolve().parent
CODECS = HERE.parents[1] / "codecs"
HEADERS = {"utf8_assay.h": "UTF8_ASSAY_API_VERSION", "codec.h": "ASSAY_ABI_VERSION"}
NO_NUMBERS = ("FAULTS", "POLICIES", "CODEC_HEADER", "_COUNT", "_H")  # ends of names: lists, an initialiser, counts, which may grow
ARGUMENT = "100"  # of macros that compute a size


def facts_of(header: str, text: str) -> List[str]:
    """The version, the functions, and expressions for all numbers of a header, as statements of C that print them."""
    compiled = subprocess.run(["cc", "-std=c11", "-E", "-P", f"-I{CODECS}", "-xc", "-"], input=text, capture_output=True, text=True, check=True).stdout
    own = " ".join(re.sub(r'extern "C" \{', "", compiled).split())
    macros = [f"{name}({ARGUMENT})" if argument else name for name, argument in re.findall(r"^#define ((?:UTF8_)?ASSAY_\w+)(\(\w+\))? +\S", text, re.M)
              if not name.endswith(NO_NUMBERS)]
    enumerators = [name for body in re.findall(r"\benum (?:utf8_)?assay_\w+ \{([^}]*)\}", own) for name in re.findall(r"(?:^|,) ?(\w+)", body)
                   if not name.endswith(NO_NUMBERS)]
    said = [f'printf("number %s %llu\\n", "{name}", (unsigned long long)({name}));' for name in [*macros, *enumerators]]
    for struct, body in re.findall(r"\bstruct ((?:utf8_)?assay_\w+) \{([^}]*)\}", own):
        said.append(f'printf("size struct {struct} %zu\\n", sizeof(struct {struct}));')
        for declaration in body.strip().rstrip(";").split(";"):
            named = re.search(r"\(\*(\w+)\)\(", declaration) or re.search(r"(\w+(?:, \w+)*)(?:\[\w+\])?$", declaration)
            assert named is not None, declaration
            said += [f'printf("member %s at %zu: %s\\n", "{struct}.{name}", offsetof(struct {struct}, {name}), "{declaration.strip()}");' for name in named[1].split(", ")]
    functions = re.findall(r"(?<=[;}] )([^;{}]*\butf8_assay_\w+\([^)]*\));", own)
    return said + [f'puts("function {function}");' for function in functions]


def interface(folder: Path) -> List[str]:
    """The lines that interface.txt should have, of the headers in a folder."""
    lines = []
    for header, version in HEADERS.items():
        text = (folder / header).read_text("utf-8")
        program = f'#include <stdio.h>\n#include "{header}"\nint main(void)\n{{\n' + "\n".join(facts_of(header, text)) + "\nreturn 0;\n}\n"
        with tempfile.TemporaryDirectory() as made:
            subprocess.run(["cc", "-std=c11", "-w", f"-I{folder}", "-xc", "-", "-o", f"{made}/facts"], input=program, text=True, check=True)
            lines += [f"# {header}, {version}", *subprocess.run([f"{made}/facts"], capture_output=True, text=True, check=True).stdout.splitlines()]
    return lines


def differences(written: List[str], found: List[str]) -> List[str]:
    """What is wrong, a line each."""
    return ([f"no longer so, and the version is the same: {line}" for line in written if line not in found] +
            [f"new, and not in interface.txt: {line}" for line in found if line not in written])


@unittest.skipIf(shutil.which("cc") is None or subprocess.run(["getconf", "LONG_BIT"], capture_output=True, text=True, check=False).stdout.strip() != "64",
                 "NOT RUN: there is no cc, or the system has not 64 bits")
class InterfaceTest(unittest.TestCase):
    """The headers of the checkout, and copies of them with a change."""

    WRITTEN = (HERE / "interface.txt").read_text("utf-8").splitlines()

    def test_nothing_that_was_released_has_changed(self) -> None:
        """If a line must change, so must the version of its header: then the list is written anew."""
        found = interface(CODECS)
        self.assertEqual(sum(line.startswith("function ") for line in found), len(declared()))
        self.assertGreater(len(found), 120)
        self.assertEqual(differences(self.WRITTEN, found), [])

    def test_a_change_is_seen(self) -> None:
        """Another number, a member elsewhere, another type, a longer struct, a function that is gone, a new one."""
        for header, old, new, said in (
                ("utf8_assay.h", "UTF8_ASSAY_SKIP = 6", "UTF8_ASSAY_SKIP = 9", "no longer so, and the version is the same: number UTF8_ASSAY_SKIP 6"),
                ("utf8_assay.h", "uint64_t state[12]", "uint64_t state[13]", "no longer so, and the version is the same: size struct utf8_assay_stream 96"),
                ("utf8_assay.h", "    int status; ", "    short status; ", "no longer so, and the version is the same: member utf8_assay_result.status at 0: int status"),
                ("utf8_assay.h", "unsigned utf8_assay_api_version(void);", "", "no longer so, and the version is the same: function unsigned utf8_assay_api_version(void)"),
                ("utf8_assay.h", "unsigned utf8_assay_api_version(void);", "unsigned utf8_assay_api_version(void);\nunsigned utf8_assay_new(void);",
                 "new, and not in interface.txt: function unsigned utf8_assay_new(void)"),
                ("codec.h", "offsetof(struct assay_codec, to_well_formed)", "sizeof(struct assay_codec)", "no longer so, and the version is the same: number ASSAY_CODEC_LEAST_SIZE 120"),
                ("codec.h", "    size_t utf32_units;\n    size_t utf16_units;", "    size_t utf16_units;\n    size_t utf32_units;",
                 "no longer so, and the version is the same: member assay_count.utf32_units at 8: size_t utf32_units"),
                ("codec.h", "X(SKIP, ", "X(NEW, \"new\", \"\") X(SKIP, ", "no longer so, and the version is the same: number ASSAY_POLICY_SKIP 6")):
            with self.subTest(change=new), tempfile.TemporaryDirectory() as name:
                for other in HEADERS:
                    shutil.copy(CODECS / other, name)
                text = (Path(name) / header).read_text("utf-8")
                self.assertEqual(text.count(old), 1)
                (Path(name) / header).write_text(text.replace(old, new), "utf-8")
                self.assertIn(said, differences(self.WRITTEN, interface(Path(name))))


if __name__ == "__main__":
    unittest.main()
