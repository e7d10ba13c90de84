# SPDX-License-Identifier: MIT
"""The codecs in one file: compiled, asked the golden vectors, and called from other languages.

The ordinary tests compile two small amalgamations: three encodings in portable C, and UTF-16 with all instruction sets. With
ASSAY_AMALGAMATION=all they compile the usual one and one of all encodings with all instruction sets, by gcc and by clang (minutes)."""

from __future__ import annotations

import ctypes
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Dict, Iterator, List, NamedTuple, Set, Tuple

from amalgamation.amalgam import only_called
from amalgamation.expansion import Condition, Expansion
from amalgamation.names import declared, separated
from amalgamation.registry import Registry

ROOT = Path(__file__).resolve().parents[2]
CODECS = ROOT / "codecs"
PROGRAMS = Path(__file__).resolve().parent / "programs"
ASSAY = Path(os.environ.get("ASSAY", str(ROOT / "build" / "assay")))
LIBRARY = ASSAY.parent / "libutf8-assay.a"
WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Werror"]
STANDARD = ["-std=c11", *WARNINGS, "-fPIC"]
ALL = os.environ.get("ASSAY_AMALGAMATION") == "all"

# What the C library and the compiler's have; malloc is not among it.
USED = {"_GLOBAL_OFFSET_TABLE_", "__cpu_features2", "__cpu_model", "__stack_chk_fail", "bcmp", "getenv", "memcmp", "memcpy", "memmove",
        "memset", "strcmp", "strcspn", "strlen", "strspn"}


class Variant(NamedTuple):
    """An amalgamation, and how it is compiled."""

    name: str
    options: List[str]
    encodings: List[str]
    compiler: str
    optimisation: str


REGISTRY = Registry(CODECS / "codecs.def")
EVERY = list(REGISTRY.encodings)
ISAS = ["--isas", ",".join(isa for isa in REGISTRY.isas if any(codec.needs == isa for codec in REGISTRY.codecs))]
ORDINARY = [Variant("portable", ["--encodings", "utf-8,wtf-8,cesu-8", "--isas", ""], ["utf-8", "wtf-8", "cesu-8"], "cc", "-O1"),
            Variant("utf-16", ["--encodings", "utf-16le,wtf-16be", *ISAS], ["utf-16le", "wtf-16be"], "cc", "-O1")]
LONG = [Variant(f"{name} by {compiler}", options, EVERY, compiler, "-O2") for compiler in ("gcc", "clang")
        for name, options in (("usual", []), ("all", ["--encodings", ",".join(EVERY), *ISAS]))]
VARIANTS = LONG if ALL else ORDINARY
MOST_CODE = 400_000  # bytes of functions in the usual file, all encodings, for x86-64


# Values of ASSAY_WITHOUT: each of the other codecs is then the fastest.
TAKEN_AWAY = ["", "avx512", "avx512,avx2", "avx512,avx2,sse41"]


def run(*command: object, **options: object) -> "subprocess.CompletedProcess[str]":
    """Runs a program and captures its output."""
    return subprocess.run([str(word) for word in command], capture_output=True, encoding="utf-8", check=False, **options)  # type: ignore[call-overload]


class AmalgamationTest(unittest.TestCase):
    """Amalgamations are written and compiled once, when a test first needs them."""

    folder: Path

    @classmethod
    def setUpClass(cls) -> None:
        """A folder for all of it."""
        cls.folder = Path(tempfile.mkdtemp(prefix="assay-amalgamation-"))

    @classmethod
    def tearDownClass(cls) -> None:
        """Removes it."""
        shutil.rmtree(cls.folder)

    def done(self, *command: object, **options: object) -> str:
        """The output of a program that must succeed."""
        result = run(*command, **options)
        self.assertEqual(result.returncode, 0, result.stdout[-4000:] + result.stderr[-4000:])
        return result.stdout

    def tool(self, name: str) -> str:
        """The path of a tool; skips the test if there is none."""
        path = shutil.which(name)
        if path is None:
            self.skipTest(f"{name} is not installed")
        return path

    def compiled(self, variant: Variant) -> Path:
        """The folder with the two files and the object."""
        folder = self.folder / variant.name
        if not (folder / "utf8_assay.o").exists():
            self.done(ROOT / "scripts" / "amalgamate", "--out", folder, *variant.options)
            self.done(self.tool(variant.compiler), *STANDARD, variant.optimisation, "-c", folder / "utf8_assay.c", "-o", folder / "utf8_assay.o")
        return folder

    # ---- the file ---------------------------------------------------------------------------------

    def test_exports_its_interface_only_and_needs_the_c_library_only(self) -> None:
        """No other global symbol, no allocation, and nothing that runs before main."""
        declared_here = set(re.findall(r"^(?:unsigned|const char \*|enum \w+|struct \w+) ?\*?(utf8_assay_\w+)\(", (CODECS / "utf8_assay.h").read_text("utf-8"), re.M))
        self.assertGreater(len(declared_here), 10)
        for variant in VARIANTS:
            with self.subTest(variant.name):
                item = self.compiled(variant) / "utf8_assay.o"
                symbols = [line.split()[-2:] for line in self.done(self.tool("nm"), item).splitlines()]
                exported = {name for kind, name in symbols if kind.isupper() and kind != "U"}
                needed: Set[str] = {name for kind, name in symbols if kind == "U"}
                self.assertEqual(exported, declared_here)
                self.assertEqual(needed - USED, set())
                self.assertNotRegex(self.done(self.tool("readelf"), "-SW", item), r"\.(init_array|ctors)")

    def implementations(self, library: Path, encoding_id: str) -> Dict[str, str]:
        """Each implementation of an encoding that this CPU runs, and the ASSAY_WITHOUT that makes it the fastest."""
        script = (f"import ctypes; library = ctypes.CDLL({str(library)!r}); library.utf8_assay_implementation.restype = ctypes.c_char_p;"
                  f"print(library.utf8_assay_implementation({encoding_id}).decode())")
        found: Dict[str, str] = {}
        for without in TAKEN_AWAY:
            found.setdefault(self.done(sys.executable, "-c", script, env={**os.environ, "ASSAY_WITHOUT": without}).strip(), without)
        return found

    def questions(self) -> Iterator[Tuple[str, Path, str, str]]:
        """What the golden vectors are asked: a name, a loadable codec, its encoding, and a value of ASSAY_WITHOUT; each implementation once."""
        interface = (CODECS / "utf8_assay.h").read_text("utf-8")
        for variant in VARIANTS:
            folder = self.compiled(variant)
            for encoding in variant.encodings:
                name = f"UTF8_ASSAY_{encoding.replace('-', '_').upper().replace('UTF_16_', 'UTF_16')}"
                number = re.search(rf"\b{name} = (\d+),", interface)
                assert number is not None, name
                library = folder / f"{encoding}.so"
                self.done(self.tool("cc"), *STANDARD, "-shared", f"-DENCODING=\"{encoding}\"", f"-DENCODING_ID={name}", f"-I{CODECS}",
                          PROGRAMS / "golden.c", folder / "utf8_assay.o", "-o", library)
                for implementation, without in self.implementations(library, number[1]).items():
                    yield f"{variant.name}, {encoding} by {implementation}", library, encoding, without

    def test_golden_vectors_hold(self) -> None:
        """Asks the interface every question of the vectors that it can answer, for each encoding and each instruction set; the whole
        positions tier if everything is requested."""
        def ask(question: Tuple[str, Path, str, str]) -> str:
            _, library, encoding, without = question
            return self.done(ASSAY, "check", "-q", "--codec", library, "-c", "amalgamation", f"{encoding}/{'*' if ALL else '[!p]*'}",
                             env={**os.environ, "ASSAY_WITHOUT": without})

        asked = 0
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            for question, answer in [(question, pool.submit(ask, question)) for question in self.questions()]:
                with self.subTest(question[0]):
                    found = re.search(r"^([\d,]+) cases on 1 codec: (\d+) answers compared.*\b0 cases failed$", answer.result(), re.M)
                    assert found is not None, answer.result()
                    asked += int(found[2])
                    if ALL:
                        print(f"{question[0]}: {found[0]}", flush=True)
        self.assertGreater(asked, 1_000_000)

    def test_instruction_sets_are_chosen_at_run_time(self) -> None:
        """As in the library: the last codec that `assay list` shows as running, without the instruction sets that the environment takes
        away."""
        folder = self.compiled(VARIANTS[-1])
        library = folder / "chosen.so"
        self.done(self.tool("cc"), "-shared", folder / "utf8_assay.o", "-o", library)
        script = ("import ctypes; library = ctypes.CDLL(%r); library.utf8_assay_implementation.restype = ctypes.c_char_p;"
                  "print(library.utf8_assay_implementation(8).decode())" % str(library))
        for without in TAKEN_AWAY:
            environment = {**os.environ, "ASSAY_WITHOUT": without}
            names = [line.split("/")[1] for line in self.done(ASSAY, "list", "-e", "utf-16le", env=environment).split()]
            expected = [name for name in names if name not in ("reference", "shift")][-1]
            self.assertEqual(self.done(sys.executable, "-c", script, env=environment).strip(), expected, without)

    def test_options_that_name_nothing_are_refused(self) -> None:
        """Exit 2, and which names there are."""
        for options, message in ((["--encodings", "utf-9"], "no encoding 'utf-9'; there are: utf-8,"),
                                 (["--isas", "mmx"], "no instruction set 'mmx'; there are: sse41,"),
                                 (["--encodings", ""], "--encodings names none; there are: utf-8,"),
                                 (["--encodings", "utf-8,wtf-8,utf-8"], "--encodings names utf-8 twice"),
                                 (["--simd", "utf-9"], "no encoding 'utf-9'"), (["--simd", "utf-8,utf-8"], "--simd names utf-8 twice"),
                                 (["--encodings", "wtf-8", "--simd", "utf-8"], "--simd names utf-8, which --encodings does not"),
                                 (["--isas", "avx2,avx2"], "--isas names avx2 twice"), (["--out", ""], "--out names no folder"), (["--isas", "", "--simd", "wtf-8"], "--isas names none")):
            result = run(ROOT / "scripts" / "amalgamate", "--out", self.folder / "none", *options)
            self.assertEqual(result.returncode, 2)
            self.assertIn(message, result.stderr)
            self.assertFalse((self.folder / "none").exists())

    def test_writes_both_files_or_none(self) -> None:
        """If one of them cannot be written, the other stays as it was."""
        for name in ("utf8_assay.h", "utf8_assay.c"):
            folder = self.folder / f"without {name}"
            (folder / name).mkdir(parents=True)
            result = run(ROOT / "scripts" / "amalgamate", "--out", folder, "--encodings", "utf-16le", "--isas", "")
            self.assertEqual((result.returncode, result.stdout), (2, ""))
            self.assertIn(f"{name} is a folder; remove it, or choose another --out", result.stderr)
            self.assertEqual([path.name for path in folder.iterdir()], [name])

    def test_instruction_sets_are_for_utf_8_or_what_was_named(self) -> None:
        """SSE4.1, which takes more code than any other, is included only on request."""
        for options, isas, encodings in (([], ["avx2", "avx512"], ["utf8"]), (["--encodings", "wtf-8,utf-16le"], ["avx2", "avx512"], ["utf16le", "wtf8"]),
                                         (["--encodings", "wtf-8,utf-8", "--simd", "wtf-8", "--isas", "sse41"], ["sse41"], ["wtf8"]),
                                         (["--simd", "", "--isas", "avx2"], [], [])):
            self.done(ROOT / "scripts" / "amalgamate", "--out", self.folder / "chosen", *options)
            rows = re.findall(r"(?m)^CODEC\((\w+), *\w+, *[\w/.]+, *(sse41|avx2|avx512)\)", (self.folder / "chosen" / "utf8_assay.c").read_text("utf-8"))
            self.assertEqual((sorted({isa for _, isa in rows}), sorted({encoding for encoding, _ in rows})), (isas, encodings), options)

    @unittest.skipUnless(ALL, "compiles all encodings: with ASSAY_AMALGAMATION=all")
    def test_usual_file_has_little_code(self) -> None:
        """Code of all encodings, without tables."""
        if os.uname().machine != "x86_64":
            self.skipTest("the limit is for x86-64")
        for variant in (variant for variant in VARIANTS if not variant.options):
            sizes = dict(re.findall(r"^(\.\w+)\s+(\d+)", self.done(self.tool("size"), "-A", self.compiled(variant) / "utf8_assay.o"), re.M))
            self.assertTrue(0 < int(sizes[".text"]) < MOST_CODE, (variant.name, sizes))

    def test_threads_may_make_the_first_call_at_the_same_time(self) -> None:
        """Each function for each encoding; ThreadSanitizer sees no race."""
        if run(self.tool("cc"), "-fsanitize=thread", "-x", "c", "-", "-o", self.folder / "empty", input="int main(void) { return 0; }").returncode != 0:
            self.skipTest("cc has no ThreadSanitizer")
        folder = self.compiled(ORDINARY[0])
        self.done(self.tool("cc"), *STANDARD, "-O1", "-fsanitize=thread", f"-I{folder}", PROGRAMS / "race.c", folder / "utf8_assay.c", "-o", folder / "race", "-lpthread")
        for _ in range(5):
            self.assertEqual(self.done(folder / "race"), "8 threads, 0 wrong answers\n")

    # ---- documents --------------------------------------------------------------------------------

    def test_examples_print_what_they_say(self) -> None:
        """The six of API.md, with the installed library's code."""
        blocks = re.findall(r"```c\n(.*?)```\n```text\n(.*?)```", (CODECS / "API.md").read_text("utf-8"), re.S)
        self.assertEqual(len(blocks), 6)
        for number, (source, expected) in enumerate(blocks):
            with self.subTest(number):
                path = self.folder / f"example{number}.c"
                path.write_text(source, "utf-8")
                program = path.with_suffix("")
                self.done(self.tool("cc"), *STANDARD, f"-I{CODECS}", path, LIBRARY, "-ldl", "-o", program)
                self.assertEqual(self.done(program, stdin=subprocess.DEVNULL).rstrip("\n"), expected.rstrip("\n"))

    @unittest.skipUnless(ALL, "measures: with ASSAY_AMALGAMATION=all")
    def test_a_file_is_decoded_faster_than_by_other_libraries(self) -> None:
        """At least twice as fast as iconv and ICU, which take ten times as long, and faster than simdutf, if it is installed; all with the same
        output. Each is the least of 50 times."""
        folder = self.compiled(VARIANTS[0])
        (folder / "text").write_bytes(b"".join(path.read_bytes() for path in sorted((ROOT / "corpus" / "text").glob("*.txt"))))
        source, measured = PROGRAMS / "decode_file.c", {}
        for name, compiler, options in (("ours", "cc", [f"-I{folder}", str(source), str(folder / "utf8_assay.o")]),
                                        ("iconv", "cc", ["-DWITH_ICONV", str(source)]), ("icu", "cc", ["-DWITH_ICU", str(source), "-licuuc"]),
                                        ("simdutf", "c++", ["-x", "c++", "-DWITH_SIMDUTF", str(source), "-lsimdutf"])):
            built = run(self.tool(compiler), "-O2", "-DROUNDS=50", *options, "-o", folder / name)
            with self.subTest(name):
                if built.returncode != 0 and name in ("icu", "simdutf"):
                    self.skipTest(f"{name} is not installed")
                self.assertEqual(built.returncode, 0, built.stderr)
                measured[name] = [int(word) for word in self.done(folder / name, folder / "text").split()]
                self.assertEqual(measured[name][:2], measured["ours"][:2])
                if name != "ours":
                    self.assertLess(measured["ours"][2] * (1 if name == "simdutf" else 2), measured[name][2], measured)

    # ---- other languages --------------------------------------------------------------------------

    def shared_object(self) -> Path:
        """The first variant as a shared object."""
        folder = self.compiled(VARIANTS[0])
        library = folder / "libutf8_assay_test.so"
        self.done(self.tool("cc"), "-shared", folder / "utf8_assay.o", "-o", library)
        return library

    def test_cplusplus_links_it(self) -> None:
        """C++11, without a warning."""
        folder = self.compiled(VARIANTS[0])
        program = folder / "cplusplus"
        self.done(self.tool("c++"), "-std=c++11", *WARNINGS, f"-I{folder}", PROGRAMS / "link.cc", folder / "utf8_assay.o", "-o", program)
        self.assertEqual(self.done(program), "0 6 00E9 FFFD\n")

    def test_python_calls_it(self) -> None:
        """By ctypes; its answers are those of Python's decoder."""
        class Error(ctypes.Structure):
            """struct utf8_assay_error"""
            _fields_ = [("offset", ctypes.c_size_t), ("length", ctypes.c_size_t), ("fault", ctypes.c_int), ("incomplete", ctypes.c_int)]

        class Result(ctypes.Structure):
            """struct utf8_assay_result"""
            _fields_ = [("status", ctypes.c_int), ("read", ctypes.c_size_t), ("written", ctypes.c_size_t), ("error", Error)]

        library = ctypes.CDLL(str(self.shared_object()))
        library.utf8_assay_convert.restype = library.utf8_assay_count.restype = Result
        library.utf8_assay_fault_name.restype = ctypes.c_char_p
        size = ctypes.c_size_t
        for text in (b"", b"caf\xc3\xa9", b"\xf0\x9f\x98\x80\xff", b"\xe4\xb8" * 3000, "\u0434\u0430".encode() * 900 + b"\xed\xa0\x80"):
            needed = library.utf8_assay_count(1, 32, 1, text, size(len(text))).written
            units = (ctypes.c_uint16 * needed)()
            result = library.utf8_assay_convert(1, 32, 1, text, size(len(text)), units, size(needed))
            self.assertEqual((result.status, result.read, result.written), (0, len(text), needed))
            self.assertEqual(bytes(units), text.decode("utf-8", "replace").encode("utf-16-le"))
        error = Error()
        self.assertEqual(library.utf8_assay_validate(1, b"ab\xc0\x80", size(4), ctypes.byref(error)), 1)
        self.assertEqual((error.offset, error.length, library.utf8_assay_fault_name(error.fault)), (2, 1, b"overlong"))

    def test_rust_calls_it(self) -> None:
        """By `extern "C"`."""
        compiler = self.tool("rustc")
        folder = self.compiled(VARIANTS[0])
        if run(compiler, "--version").returncode != 0:
            self.skipTest("rustc does not run")
        program = folder / "rust"
        self.done(compiler, "--edition", "2021", "-C", f"link-arg={folder / 'utf8_assay.o'}", PROGRAMS / "link.rs", "-o", program)
        self.assertEqual(self.done(program), "0 6 00E9 FFFD\n")

    def test_node_calls_it(self) -> None:
        """By an addon; its answers are those of TextDecoder."""
        node = self.tool("node")
        headers = Path(node).resolve().parents[1] / "include" / "node"
        if not (headers / "node_api.h").is_file():
            self.skipTest(f"{headers} has no node_api.h (Debian: libnode-dev)")
        folder = self.compiled(VARIANTS[0])
        self.done(self.tool("cc"), "-std=c11", "-shared", "-fPIC", f"-I{headers}", f"-I{folder}", PROGRAMS / "addon.c", folder / "utf8_assay.o",
                  "-o", folder / "addon.node")
        script = ("const {toUtf16} = require('./addon.node'), bytes = Buffer.from('636166c3a920ff', 'hex');"
                  "console.log(toUtf16(bytes) === new TextDecoder().decode(bytes), toUtf16(bytes).length)")
        self.assertEqual(self.done(node, "-e", script, cwd=folder), "true 6\n")


class PartsTest(unittest.TestCase):
    """The parts of the writer."""

    def test_conditions_are_true_false_or_not_known(self) -> None:
        """Three values."""
        known: Dict[str, bool] = {"A": True, "B": False}
        for expression, value in (("defined(A)", True), ("!defined A", False), ("defined(B) || defined(A)", True), ("defined(B) && defined(C)", False),
                                  ("defined(A) && defined(C)", None), ("defined(A) || defined(C)", True), ("!(defined(B) || defined(B))", True),
                                  ("__GNUC__ > 4", None), ("defined(C)", None)):
            self.assertIs(Condition(expression, known.get).value, value, expression)

    def test_names_of_file_scope_are_found(self) -> None:
        """Exactly the names of file scope are found."""
        text = """
        struct tag { int member; };
        enum kind { FIRST, SECOND = 2 * (3) };
        typedef uint16_t word __attribute__((vector_size(16)));
        typedef struct { int part[2]; } vec;
        static const int table[2] = {one, two}, other = 3; /* hidden(1); */
        static inline int function(int parameter) { int local = call(parameter); return local; }
        """
        self.assertEqual(declared(text), {"tag", "kind", "FIRST", "SECOND", "word", "vec", "table", "other", "function"})

    def test_names_of_file_scope_get_a_prefix(self) -> None:
        """Names that macros paste get it, too; names in strings, comments and rows do not."""
        text = "#define WIDEN(n) static void widen_by_##n(void) {}\nWIDEN(2)\nstatic int f(void) { return g; } /* f */\nint g = \"g\"[0];\nOPERATION(f, g)\nwiden_by_2();\n"
        self.assertEqual(separated(text, "x_", ["WIDEN"], set()),
                         "#define WIDEN(n) static void x_widen_by_##n(void) {}\nWIDEN(2)\nstatic int x_f(void) { return x_g; } /* f */\n"
                         "int x_g = \"g\"[0];\nOPERATION(f, g)\nx_widen_by_2();\n")

    def test_only_operations_that_are_called_are_there(self) -> None:
        """By the name of their member."""
        rows = "/* OPERATION(id) */\nOPERATION(A, count, x)\nOPERATION(B, count_up, x)\n#undef OPERATION\n"
        self.assertEqual(only_called(rows, "codec->count_up(1); count(2);"), "/* OPERATION(id) */\nOPERATION(B, count_up, x)\n#undef OPERATION\n")

    def test_directives_are_resolved_where_they_can_be(self) -> None:
        """Includes, guards, conditionals on our macros; not those on the compiler's."""
        with tempfile.TemporaryDirectory() as name:
            root = Path(name).resolve()
            (root / "a.h").write_text("#ifndef A_H\n#define A_H\n#include <string.h>\nint a;\n#endif\n")
            (root / "a.c").write_text('#include "a.h"\n#include "a.h"\n#ifdef OURS\nint no;\n#else\nint yes;\n#endif\n#ifdef __clang__\nint it;\n#endif\n')
            expansion = Expansion(root, {"A_H", "OURS"}, {}, set(), set())
            expansion.expand(root / "a.c")
            lines = [line for line in expansion.text().splitlines() if line.strip() and "----" not in line]
            self.assertEqual(lines, ["int a;", "int yes;", "#ifdef __clang__", "int it;", "#endif"])
            self.assertEqual(list(expansion.system), ["<string.h>"])
            (root / "b.c").write_text('#include "none.h"\n')
            with self.assertRaisesRegex(ValueError, "no such file"):
                expansion.expand(root / "b.c")

    def test_each_encoding_has_portable_c(self) -> None:
        """An amalgamation works on any processor."""
        for identifier in REGISTRY.encodings.values():
            self.assertTrue([codec for codec in REGISTRY.codecs if (codec.encoding, codec.needs) == (identifier, "ANY")], identifier)


if __name__ == "__main__":
    unittest.main()
