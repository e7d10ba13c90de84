# SPDX-License-Identifier: MIT
"""The shared library and the headers: what is exported, in which languages the headers are clean, and whether extensions of Python
and Node keep running with the next minor version.

With ASSAY_LIBRARY=all, the headers are compiled by every compiler in every standard, and the next minor version is built (minutes)."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import unittest
from pathlib import Path
from typing import Dict, List, Set

ROOT = Path(__file__).resolve().parents[2]
CODECS = ROOT / "codecs"
BINDINGS = Path(__file__).resolve().parent / "bindings"
BUILD = Path(os.environ.get("ASSAY", str(ROOT / "build" / "assay"))).parent
LIBRARY = BUILD / "libutf8-assay.so"
ALL = os.environ.get("ASSAY_LIBRARY") == "all"
WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Werror"]

# Standards from the oldest to the newest; a compiler without the last name knows the one before it.
STANDARDS = {"c": ["c99", "c11", "c17", "c2x", "c23"], "c++": ["c++11", "c++14", "c++17", "c++20", "c++2b", "c++23"]}
COMPILERS = {"c": ["gcc", "clang"], "c++": ["g++", "clang++"]}

# Programs that use what a header has.
SOURCES = {
    "codec.h": """
static bool validate(const uint8_t *bytes, size_t byte_count, struct assay_span *error)
{
    (void)bytes;
    (void)error;
    return byte_count == 0;
}
extern const struct assay_codec assay_codec;
const struct assay_codec assay_codec = {ASSAY_CODEC_HEADER("utf-8", "mine"), MEMBER validate REST};
size_t start(struct assay_stream *stream);
size_t start(struct assay_stream *stream)
{
    assay_stream_start(stream, ASSAY_POLICY_WHATWG);
    return ASSAY_DECODED_MAX(ASSAY_CODEC_LEAST_SIZE);
}
""",
    "utf8_assay.h": """
int use(void);
int use(void)
{
    struct utf8_assay_error error;
    return utf8_assay_validate(UTF8_ASSAY_UTF_8, "", 0, &error) == UTF8_ASSAY_OK;
}
""",
    "assay_vectors.h": """
size_t use(void);
size_t use(void)
{
    return assay_vectors[ASSAY_VECTOR_COUNT - 1].byte_count;
}
"""}

PYTHON_SCRIPT = r"""
import codecs, random, sys
sys.path.insert(0, sys.argv[1])
import utf8_binding
text = open(sys.argv[2], "rb").read()
assert utf8_binding.validate("d\u00e4".encode()) is None
assert utf8_binding.validate(b"ab\xc0\x80") == (2, 1, "overlong")
assert utf8_binding.decode(text) == text.decode("utf-8", "replace")
for size in (1, 7, 4096):
    assert utf8_binding.decode_file(sys.argv[2], size) == text.decode("utf-8", "replace"), size
print([line.split()[-1] for line in open("/proc/self/maps") if "libutf8-assay" in line][0])
"""

NODE_SCRIPT = r"""
const fs = require("fs"), path = require("path"), assert = require("assert");
const binding = require(path.join(process.argv[1], "utf8_binding.node")), text = fs.readFileSync(process.argv[2]);
const expected = new TextDecoder("utf-8", {ignoreBOM: true}).decode(text);
assert.strictEqual(binding.validate(Buffer.from("d\u00e4")), null);
assert.strictEqual(binding.validate(Buffer.from("6162c080", "hex")), "2 1 overlong");
assert.strictEqual(binding.decode(text), expected);
for (const size of [1, 7, 4096]) {
    const stream = binding.start(), parts = [];
    for (let at = 0; at < text.length; at += size)
        parts.push(binding.feed(stream, text.subarray(at, at + size), false));
    assert.strictEqual(parts.join("") + binding.feed(stream, Buffer.alloc(0), true), expected, `pieces of ${size}`);
}
assert.throws(() => binding.decode("no buffer"), /Buffer/);
console.log(fs.readFileSync("/proc/self/maps", "ascii").split("\n").find(line => line.includes("libutf8-assay")).split(/ +/)[5]);
"""

DAMAGED = "caf\u00e9 \u0434\u0430 \u8329 \U0001F600 ".encode() * 300 + b"\xff\xe4\xb8 \xed\xa0\x80\xf0\x9f\x98"


def run(*command: object, **options: object) -> "subprocess.CompletedProcess[str]":
    """Runs a program and captures its output."""
    return subprocess.run([str(word) for word in command], capture_output=True, encoding="utf-8", check=False, **options)  # type: ignore[call-overload]


def declared() -> Set[str]:
    """The functions that utf8_assay.h declares."""
    return set(re.findall(r"^[a-z].*?\b(utf8_assay_\w+)\(", (CODECS / "utf8_assay.h").read_text("utf-8"), re.M))


class LibraryTest(unittest.TestCase):
    """What the build made."""

    folder: Path

    @classmethod
    def setUpClass(cls) -> None:
        """A folder for extensions."""
        if not LIBRARY.exists():
            raise unittest.SkipTest(f"{BUILD} is not an ordinary build: it has no {LIBRARY.name}")
        cls.folder = Path(tempfile.mkdtemp(prefix="assay-library-"))
        (cls.folder / "text").write_bytes(DAMAGED)

    @classmethod
    def tearDownClass(cls) -> None:
        """Removes it."""
        shutil.rmtree(cls.folder)

    def tool(self, name: str) -> str:
        """The path of a tool; skips the test if there is none."""
        path = shutil.which(name)
        if path is None:
            self.skipTest(f"{name} is not installed")
        return path

    def done(self, *command: object, **options: object) -> str:
        """The output of a program that must succeed."""
        result = run(*command, **options)
        self.assertEqual(result.returncode, 0, result.stdout[-2000:] + result.stderr[-4000:])
        return result.stdout

    def exported(self, library: Path) -> Dict[str, str]:
        """The functions and data that a shared object exports, and the version of each."""
        lines = [line.split() for line in self.done(self.tool("nm"), "-D", "--defined-only", library).splitlines()]
        names = [line[2].partition("@@") for line in lines if line[1] != "A"]
        return {name: version for name, _, version in names}

    # ---- symbols --------------------------------------------------------------------------------

    def test_the_shared_library_exports_its_interface_only(self) -> None:
        """Each function of utf8_assay.h, with the version of the interface, which the soname has, too."""
        version = re.search(r"^#define UTF8_ASSAY_API_VERSION (\d+)$", (CODECS / "utf8_assay.h").read_text("utf-8"), re.M)
        assert version is not None
        self.assertGreater(len(declared()), 10)
        self.assertEqual(self.exported(LIBRARY), {name: f"UTF8_ASSAY_{version[1]}" for name in declared()})
        dynamic = self.done(self.tool("readelf"), "-d", LIBRARY)
        self.assertIn(f"soname: [libutf8-assay.so.{version[1]}]", dynamic)
        needed = set(re.findall(r"NEEDED.*\[(.*)\]", dynamic))
        self.assertLessEqual({name for name in needed if not name.startswith("ld-linux")}, {"libc.so.6"})

    def test_a_shared_object_with_the_static_library_exports_nothing_of_it(self) -> None:
        """The archive is position-independent, and its symbols are hidden."""
        source, library = self.folder / "own.c", self.folder / "own.so"
        source.write_text('#include "registry.h"\n#include "utf8_assay.h"\nsize_t own(void);\n'
                          'size_t own(void) { return registry_count() + utf8_assay_validate(UTF8_ASSAY_UTF_8, "", 0, NULL); }\n', "ascii")
        self.done(self.tool("cc"), "-shared", "-fPIC", f"-I{CODECS}", source, BUILD / "libutf8-assay.a", "-ldl", "-o", library)
        self.assertEqual(set(self.exported(library)), {"own"})

    # ---- headers --------------------------------------------------------------------------------

    def assert_header_is_clean(self, header: str, language: str, compiler: str, standards: List[str]) -> int:
        """Compiles a use of the header in each standard that the compiler knows; returns how many these are."""
        known = 0
        for standard in standards:
            command = [compiler, f"-std={standard}", f"-x{language}", "-fsyntax-only", "-", f"-I{CODECS}", f"-I{BUILD / 'forms'}"]
            if run(*command, input="").returncode != 0:
                continue
            known += 1
            designated = language == "c" or standard in ("c++20", "c++2b", "c++23")
            absent = ", ".join(["NULL"] * 12)
            source = SOURCES[header].replace("MEMBER", ".validate =" if designated else "").replace("REST", "" if designated else f", {absent}")
            if language == "c++" and designated:
                command += ["-Wno-missing-field-initializers"]
            done = run(*command[:3], *WARNINGS, *command[3:], input=f'#include "{header}"\n{source}')
            self.assertEqual(done.returncode, 0, f"{header} with {compiler} -std={standard}:\n{done.stderr[:2000]}")
        return known

    def test_headers_are_clean_in_every_standard(self) -> None:
        """With all warnings as errors; by one compiler in the oldest and the newest standard, and the long header of the vectors in the
        oldest, unless everything is requested."""
        self.assertTrue((BUILD / "forms" / "assay_vectors.h").is_file())
        for language, compilers in COMPILERS.items():
            standards = STANDARDS[language]
            ends = standards if ALL else [standards[0], *standards[-2:]]
            for compiler in compilers if ALL else compilers[:1]:
                self.tool(compiler)
                for header in ("codec.h", "utf8_assay.h"):
                    self.assertGreaterEqual(self.assert_header_is_clean(header, language, compiler, ends), 4 if ALL else 2, compiler)
                self.assert_header_is_clean("assay_vectors.h", language, compiler, standards if ALL else standards[:1])

    # ---- extensions of other languages ----------------------------------------------------------

    def build_extension(self, source: str, headers: Path, result: str) -> None:
        """Compiles a binding as its first lines say, with the headers where an installation has them."""
        include = self.folder / "include"
        include.mkdir(exist_ok=True)
        if not (include / "utf8-assay").exists():
            (include / "utf8-assay").symlink_to(CODECS)
        self.done(self.tool("cc"), "-std=c11", "-Wall", "-Wextra", "-Werror", "-O1", "-shared", "-fPIC", f"-I{headers}", f"-I{include}",
                  BINDINGS / source, f"-L{BUILD}", "-lutf8-assay", "-o", self.folder / result)

    def python_extension(self) -> List[object]:
        """Builds the extension of Python; returns the command that tests it."""
        headers = Path(sysconfig.get_paths()["include"])
        if not (headers / "Python.h").is_file():
            self.skipTest(f"{headers} has no Python.h (Debian: python3-dev)")
        self.build_extension("python.c", headers, f"utf8_binding{sysconfig.get_config_var('EXT_SUFFIX')}")
        return [sys.executable, "-c", PYTHON_SCRIPT, self.folder, self.folder / "text"]

    def node_addon(self) -> List[object]:
        """Builds the addon of Node; returns the command that tests it."""
        node = self.tool("node")
        headers = Path(node).resolve().parents[1] / "include" / "node"
        if not (headers / "node_api.h").is_file():
            self.skipTest(f"{headers} has no node_api.h (Debian: libnode-dev)")
        self.build_extension("node.c", headers, "utf8_binding.node")
        return [node, "-e", NODE_SCRIPT, self.folder, self.folder / "text"]

    def assert_runs_with(self, command: List[object], libraries: Path) -> str:
        """Runs a test of an extension with the library in a folder; returns the name of the library's file."""
        used = self.done(*command, env={**os.environ, "LD_LIBRARY_PATH": str(libraries)}).strip()
        self.assertEqual(Path(used).parent, libraries.resolve())
        return Path(used).name

    def test_python_extension(self) -> None:
        """It validates, decodes and streams a file as Python does."""
        self.assertEqual(self.assert_runs_with(self.python_extension(), BUILD), LIBRARY.resolve().name)

    def test_node_addon(self) -> None:
        """It validates, decodes and streams a file as TextDecoder does."""
        self.assertEqual(self.assert_runs_with(self.node_addon(), BUILD), LIBRARY.resolve().name)

    def next_minor(self) -> Path:
        """Builds the library of a next minor version, which has one more function, from a copy of the sources; returns its folder."""
        copy, build = self.folder / "next", self.folder / "next" / "b"
        for name in self.done("git", "-C", ROOT, "ls-files", "--", ":!corpus/text").splitlines():
            if (ROOT / name).is_file():
                (copy / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(ROOT / name, copy / name)
        lists, header, source = copy / "CMakeLists.txt", copy / "codecs" / "utf8_assay.h", copy / "codecs" / "api.c"
        major, minor = re.findall(r"project\(utf8-assay VERSION (\d+)\.(\d+)", lists.read_text("utf-8"))[0]
        lists.write_text(re.sub(r"(project\(utf8-assay VERSION )[\d.]+", rf"\g<1>{major}.{int(minor) + 1}.0", lists.read_text("utf-8")), "utf-8")
        header.write_text(header.read_text("utf-8").replace("unsigned utf8_assay_api_version(void);", "unsigned utf8_assay_api_version(void);\n"
                                                            "int utf8_assay_added(void);"), "utf-8")
        source.write_text(source.read_text("utf-8") + "\nint utf8_assay_added(void)\n{\n    return 1;\n}\n", "utf-8")
        self.done("cmake", "-S", copy, "-B", build, "-G", "Ninja", "-DCMAKE_C_FLAGS=-O0", "-DCMAKE_BUILD_TYPE=None")
        self.done("cmake", "--build", build, "--target", "shared", "-j2")
        return build

    @unittest.skipUnless(ALL, "ASSAY_LIBRARY=all builds a next minor version")
    def test_extensions_run_with_the_next_minor_version(self) -> None:
        """What was linked with this version runs with the library of the next one, which has more functions."""
        commands = [self.python_extension(), self.node_addon()]
        build = self.next_minor()
        self.assertEqual(set(self.exported(build / "libutf8-assay.so")), declared() | {"utf8_assay_added"})
        for command in commands:
            name = self.assert_runs_with(command, build)
            self.assertNotEqual(name, LIBRARY.resolve().name)


if __name__ == "__main__":
    unittest.main()
