# SPDX-License-Identifier: MIT
"""The installed tree, under a path with spaces and non-ASCII letters, the packages, and programs that use them.

With ASSAY_PACKAGES=all, lintian reads the .deb, too (20 s)."""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import re
import shlex
import shutil
import subprocess
import tarfile
import tempfile
import unittest
from pathlib import Path
from typing import List, Sequence, Set

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("ASSAY", str(ROOT / "build" / "assay"))).parent
VECTORS = ROOT / "vectors"

ALL = os.environ.get("ASSAY_PACKAGES") == "all"

SHARED = (BUILD / "libutf8-assay.so").resolve().name

# The installed files, without vectors and tables, relative to the prefix.
EXPECTED = {
    "bin/assay", "lib/libutf8-assay.a", "lib/libutf8-assay.so", "lib/libutf8-assay.so.1", f"lib/{SHARED}", "lib/pkgconfig/utf8-assay.pc",
    "lib/cmake/utf8-assay/utf8-assay-config.cmake", "lib/cmake/utf8-assay/utf8-assay-config-version.cmake",
    "lib/cmake/utf8-assay/utf8-assay-shared.cmake", "lib/cmake/utf8-assay/utf8-assay-static.cmake",
    "include/utf8-assay/utf8_assay.h", "include/utf8-assay/codec.h", "include/utf8-assay/registry.h",
    "include/utf8-assay/built_in.h", "include/utf8-assay/cpu.h",
    "include/utf8-assay/codecs.def", "include/utf8-assay/assay_vectors.h", "share/doc/utf8-assay/README.md",
    "share/doc/utf8-assay/COMPATIBILITY.md", "share/doc/utf8-assay/changelog.gz", "share/doc/utf8-assay/copyright", "share/utf8-assay/raw.tar.gz", "share/utf8-assay/index.html",
    "share/man/man1/assay.1.gz", "share/bash-completion/completions/assay", "share/zsh/site-functions/_assay",
    "share/fish/vendor_completions.d/assay.fish",
}

APPLICATION = r"""
#include <utf8-assay/utf8_assay.h>
#include <stdio.h>

int main(void)
{
    struct utf8_assay_error error;
    int status = utf8_assay_validate(UTF8_ASSAY_UTF_8, "ab\xC0", 3, &error);
    printf("%d, %d at %d\n", (int)utf8_assay_api_version(), status, (int)error.offset);
}
"""

CONSUMER = r"""
#include <utf8-assay/assay_vectors.h>
#include <utf8-assay/codec.h>
#include <utf8-assay/registry.h>
#include <stdio.h>

int main(void)
{
    size_t wrong = 0, codecs = 0;
    for (size_t i = 0; i < registry_count(); i++) {
        const struct assay_codec *codec = registry_at(i)->codec;
        if (!registry_runs(registry_at(i)) || strcmp(codec->encoding, "utf-8") != 0)
            continue;
        codecs++;
        for (size_t j = 0; j < ASSAY_VECTOR_COUNT; j++)
            if (strcmp(assay_vectors[j].encoding, "utf-8") == 0)
                wrong += codec->validate(assay_vectors[j].bytes, assay_vectors[j].byte_count, NULL) !=
                         (assay_vectors[j].span_count == 0);
    }
    printf("%d, %d, %zu wrong\n", codecs >= 4, ASSAY_VECTOR_COUNT > 3000, wrong);
}
""".replace("#include <stdio.h>", "#include <stdio.h>\n#include <string.h>")

NODE_SCRIPT = r"""
import vectors from "utf8-assay-vectors";
console.log(vectors.encodings().join());
console.log(vectors.categories("utf-8").join());
console.log(vectors.load("utf-8", "overlong").version);
console.log(vectors.bytes("C080").join());
for (const [encoding, category] of [["utf-9", "overlong"], ["utf-8", "../cesu-8/overlong"]])
  try {
    vectors.load(encoding, category);
  } catch (error) {
    console.log(String(error).split(":").slice(0, 2).join(":"));
  }
"""

CMAKE_LISTS = """
cmake_minimum_required(VERSION 3.16)
project(consumer LANGUAGES C)
find_package(utf8-assay 0.1 REQUIRED COMPONENTS shared static vectors)
add_executable(consumer consumer.c)
target_link_libraries(consumer PRIVATE utf8-assay::static)
add_executable(application application.c)
target_link_libraries(application PRIVATE utf8-assay::shared)
if(NOT EXISTS ${utf8-assay_VECTORS_DIR}/schema.json)
  message(FATAL_ERROR "no vectors in ${utf8-assay_VECTORS_DIR}")
endif()
find_package(utf8-assay QUIET COMPONENTS fortran)
if(utf8-assay_FOUND)
  message(FATAL_ERROR "a component is found that there is not")
endif()
"""


def run(*command: object, **options: object) -> "subprocess.CompletedProcess[str]":
    """Runs a program and captures its output."""
    words = [str(word) for word in command]
    return subprocess.run(words, capture_output=True, encoding="utf-8", errors="surrogateescape",
                          check=False, **options)  # type: ignore[call-overload]


def files_of(folder: Path) -> Set[str]:
    """The files below a folder, and links, whose target may be in another component."""
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file() or path.is_symlink()}


def files_of_checkout() -> Set[str]:
    """The vectors, without files that other programs left there and without what only a build uses."""
    return {name for name in files_of(VECTORS) if "__pycache__" not in name and not name.endswith((".tgz", "CMakeLists.txt"))
            and not any(part.startswith(".") for part in name.split("/"))}


def broken_sums(folder: Path) -> List[str]:
    """The lines of SHA256SUMS that are wrong."""
    lines = (folder / "SHA256SUMS").read_text("ascii").splitlines()
    assert lines
    return [line for line in lines if not (folder / line.split("  ")[1]).is_file()
            or hashlib.sha256((folder / line.split("  ")[1]).read_bytes()).hexdigest() != line.split("  ")[0]]


def absent_paths(document: Path, places: Sequence[Path]) -> List[str]:
    """The links of a document that lead nowhere, and the words in it that are paths of the checkout but of none of the places."""
    text = document.read_text("utf-8")
    links = [link for link in re.findall(r"\]\(([^)#]+)\)", text) if "://" not in link]
    words = [word.strip(".,;:") for word in re.split(r"[\s`|()'\"=]+", text) if re.search(r"[a-z]/|\w\.[a-z]", word)]
    named = [word for word in words if word.startswith(("build/", "./build/")) or (ROOT / word).exists()]
    return [name for name in links if not (document.parent / name).exists()] + [
        name for name in named if not any((place / name).exists() for place in (document.parent, *places))]


def debug_sections(library: Path) -> List[str]:
    """The sections of an archive or a program that are for a debugger."""
    return re.findall(r"\s(\.z?debug_\w+)\s", subprocess.run(["readelf", "-SW", library], check=True, text=True, stdout=subprocess.PIPE).stdout)


def is_ordinary_build() -> bool:
    """True if there is a build that can be installed."""
    cache = BUILD / "CMakeCache.txt"
    if not cache.is_file() or not (BUILD / "forms.stamp").is_file():
        return False
    return not any(line.startswith("ASSAY_SANITIZE:") and not line.endswith("=")
                   for line in cache.read_text("utf-8").splitlines())


class PackagesTest(unittest.TestCase):
    """Tests of one installed tree, whose prefix has spaces and non-ASCII letters."""

    @classmethod
    def setUpClass(cls) -> None:
        """Installs."""
        if not is_ordinary_build():
            raise unittest.SkipTest(f"{BUILD} is not an ordinary build")
        cls.temporary = Path(tempfile.mkdtemp(prefix="assay pr\u00e4fix \u65e5 "))
        cls.prefix = cls.temporary / "us r"
        done = run("cmake", "--install", BUILD, "--prefix", cls.prefix)
        if done.returncode:
            raise AssertionError(done.stdout + done.stderr)
        (cls.temporary / "consumer.c").write_text(CONSUMER, "ascii")
        (cls.temporary / "application.c").write_text(APPLICATION, "ascii")

    @classmethod
    def tearDownClass(cls) -> None:
        """Removes the tree."""
        shutil.rmtree(cls.temporary)

    def tool(self, name: str) -> str:
        """The path of a tool; skips the test if there is none."""
        path = shutil.which(name)
        if path is None:
            self.skipTest(f"{name} is not installed")
        return path

    def assert_tree(self, prefix: Path, more: Set[str]) -> None:
        """Asserts that the prefix holds the expected files and no others, with correct sums."""
        installed = files_of(prefix)
        configured = {name for name in installed if re.fullmatch(r"lib/cmake/utf8-assay/utf8-assay-(shared|static)-\w+\.cmake", name)}
        self.assertEqual(len(configured), 2)  # named for the build type
        share = "share/utf8-assay"
        tables = {f"{share}/tsv/{path.parent.name}/{path.stem}.tsv" for path in VECTORS.glob("*/*.json")}
        vectors = {f"{share}/vectors/{name}" for name in files_of_checkout()}
        self.assertEqual(installed, EXPECTED | more | configured | tables | vectors)
        self.assertEqual(broken_sums(prefix / share / "vectors"), [])
        with tarfile.open(prefix / share / "raw.tar.gz") as raw:
            names = raw.getnames()
        self.assertEqual(len(names), len(set(names)))
        self.assertGreater(len(names), 3000)
        self.assertIn("raw/index.tsv", names)

    def assert_documents(self, prefix: Path) -> None:
        """Asserts that the READMEs name only what is installed."""
        share = prefix / "share" / "utf8-assay"
        documents = [*(prefix / "share" / "doc").rglob("*.md"), *share.rglob("*.md")]
        self.assertEqual(len(documents), 5)
        for document in documents:
            self.assertEqual(absent_paths(document, (prefix, share, prefix / "include" / "utf8-assay")), [], document)

    # ---- the installed tree ---------------------------------------------------------------------

    def test_installs_what_it_should(self) -> None:
        """The expected files, with correct sums."""
        self.assert_tree(self.prefix, set())
        self.assert_documents(self.prefix)

    def test_a_document_that_names_what_is_not_installed_is_seen(self) -> None:
        """A link that leads nowhere, a path of the checkout, a program in its build folder."""
        document = self.temporary / "named.md"
        document.write_text("[x](absent.md) [y](named.md) `scripts/generate`, and `build/assay list`; bin/assay. See vectors/FORMAT.md.", "ascii")
        self.assertEqual(absent_paths(document, (self.prefix, self.prefix / "share" / "utf8-assay")), ["absent.md", "scripts/generate", "build/assay"])

    def test_the_library_is_configured_without_the_json_library(self) -> None:
        """Codecs and fuzz targets are built; the command line is not, with a message. Nothing is installed before all is built: `cmake
        --install` fails with a message that names what is missing and the command that builds it, also if only the last target is missing."""
        folder = self.temporary / "without"
        done = run("cmake", "-S", ROOT, "-B", folder, "-G", "Ninja", "-DJANSSON_LIBRARY=", "-DJANSSON_INCLUDE_DIR=")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("assay needs jansson", done.stderr)
        rules = (folder / "build.ninja").read_text("utf-8")
        self.assertIn("build fuzz_decode:", rules)
        self.assertNotIn("build assay:", rules)
        files = {"codecs": "libutf8-assay.a", "shared": SHARED, "texts": "texts.stamp", "forms": "forms.stamp"}
        for built in ([], ["codecs", "shared", "forms"]):  # neither is whole
            for target in built:
                (folder / files[target]).touch()
            done = run("cmake", "--install", folder, "--prefix", self.temporary / "nowhere")
            self.assertEqual(done.returncode, 1)
            absent = [target for target in files if target not in built]
            lines = "".join(f"    {target}: {folder}/{files[target]}\n" for target in absent)
            self.assertIn(f"Nothing is installed, because these targets are not built:\n\n{lines}\n  First:\n\n    cmake --build '{folder}' --target {' '.join(absent)}\n", done.stderr)
            self.assertFalse((self.temporary / "nowhere").exists())

    def test_the_program_runs_where_it_is_installed(self) -> None:
        """It lists codecs, and checks them with the installed vectors."""
        assay = self.prefix / "bin" / "assay"
        listed = run(assay, "list", cwd="/")
        self.assertEqual(listed.returncode, 0, listed.stderr)
        self.assertIn("utf-8/reference", listed.stdout)
        done = run(assay, "check", "utf-8/overlong/*", cwd="/")
        count = json.loads((VECTORS / "utf-8" / "overlong.json").read_text("ascii"))["count"]
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stdout, rf"(?m)^{count} cases on .* 0 cases failed$")

    def test_the_installed_program_says_that_it_has_no_texts_to_measure(self) -> None:
        """The corpus is not installed: ASCII is measured, and the message names the option for others."""
        done = run(self.prefix / "bin" / "assay", "bench", "--no-peers", "--seconds", "0", "-c", "shift", "--operation", "validate", "--size", "64", cwd="/")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("no folder corpus/text beside this program, so ASCII is the only text; --text @FILE measures another\n", done.stderr)

    def test_the_program_takes_the_installed_vectors_and_no_others(self) -> None:
        """With a wrong vector in a moved tree, the check fails; with the checkout's vectors it would pass."""
        moved = self.temporary / "moved"
        (moved / "bin").mkdir(parents=True)
        shutil.copy(self.prefix / "bin" / "assay", moved / "bin")
        shutil.copytree(self.prefix / "share" / "utf8-assay" / "vectors" / "utf-8", moved / "share/utf8-assay/vectors/utf-8")
        path = moved / "share/utf8-assay/vectors/utf-8/overlong.json"
        path.write_text(path.read_text("ascii").replace('"whatwg":"FFFD,FFFD"', '"whatwg":"FFFD"', 1), "ascii")
        done = run(moved / "bin" / "assay", "check", "utf-8/overlong/*", cwd=ROOT)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertRegex(done.stdout, r"(?m) 1 case failed$")

    def test_the_program_finds_its_vectors_without_proc(self) -> None:
        """In a root that has the program, its libraries and the vectors, and nothing else; /proc is not mounted there."""
        alone = [self.tool("unshare"), "--user", "--map-root-user"]
        if run(*alone, "true").returncode != 0:
            self.skipTest("a process may not have a root of its own here")
        root = self.temporary / "root"
        program = root / "opt" / "bin" / "assay"
        program.parent.mkdir(parents=True)
        shutil.copy(self.prefix / "bin" / "assay", program)
        shutil.copytree(self.prefix / "share/utf8-assay/vectors/utf-8", root / "opt/share/utf8-assay/vectors/utf-8")
        for library in re.findall(r"(/\S+) \(0x", run(self.tool("ldd"), program).stdout):
            (root / library[1:]).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(library, root / library[1:])
        for path in ("/opt/bin/assay", "opt/bin/assay"):
            done = run(*alone, "chroot", root, path, "check", "-q", "utf-8/overlong/*")
            self.assertEqual(done.returncode, 0, done.stderr)

    def test_find_package_is_enough(self) -> None:
        """Another project builds programs with CMake, with either library."""
        source = self.temporary / "with cmake"
        source.mkdir()
        for name in ("consumer.c", "application.c"):
            shutil.copy(self.temporary / name, source)
        (source / "CMakeLists.txt").write_text(CMAKE_LISTS, "ascii")
        configured = run("cmake", "-G", "Ninja", "-S", source, "-B", source / "b", f"-DCMAKE_PREFIX_PATH={self.prefix}")
        self.assertEqual(configured.returncode, 0, configured.stderr)
        built = run("cmake", "--build", source / "b")
        self.assertEqual(built.returncode, 0, built.stdout + built.stderr)
        self.assertEqual(run(source / "b" / "consumer").stdout, "1, 1, 0 wrong\n")
        self.assertEqual(run(source / "b" / "application").stdout, "1, 1 at 2\n")
        refused = run("cmake", "-G", "Ninja", "-S", source, "-B", source / "none", "-DCMAKE_DISABLE_FIND_PACKAGE_utf8-assay=1")
        self.assertNotEqual(refused.returncode, 0)

    def test_pkg_config_is_enough(self) -> None:
        """A compiler builds the program of the installed README with the flags of pkg-config: with the shared library, and a static one."""
        tool, compiler = self.tool("pkg-config"), self.tool("cc")
        ((program_text, output),) = re.findall(r"```c\n(.*?)```\n```text\n(.*?)```", (self.prefix / "share/doc/utf8-assay/README.md").read_text("utf-8"), re.S)
        (self.temporary / "readme.c").write_text(program_text, "ascii")
        for name, options in (("shared", []), ("static", ["-static"])):
            found = run(tool, "--cflags", "--libs", *(["--static"] if options else []), "utf8-assay",
                        env={**os.environ, "PKG_CONFIG_PATH": str(self.prefix / "lib" / "pkgconfig")})
            self.assertEqual(found.returncode, 0, found.stderr)
            program = self.temporary / f"{name} with pkg-config"
            built = run(compiler, "-std=c11", "-Wall", "-Wextra", "-Werror", self.temporary / "readme.c", "-o", program, *options,
                        *shlex.split(found.stdout))
            self.assertEqual(built.returncode, 0, built.stderr)
            done = run(program, env={**os.environ, "LD_LIBRARY_PATH": "" if options else str(self.prefix / "lib")})
            self.assertEqual((done.stdout, done.stderr), (output, ""))
            if not options:
                self.assertNotEqual(run(program, env={}).returncode, 0)

    def test_components_are_installed_alone(self) -> None:
        """Together they are all that is installed, and no file is in two."""
        seen: Set[str] = set()
        for component, sample in (("runtime", f"lib/{SHARED}"), ("development", "lib/libutf8-assay.so"), ("vectors", "include/utf8-assay/assay_vectors.h")):
            folder = self.temporary / component
            done = run("cmake", "--install", BUILD, "--prefix", folder, "--component", component)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn(sample, files_of(folder))
            self.assertEqual(files_of(folder) & seen, set())
            seen |= files_of(folder)
        self.assertEqual(seen, files_of(self.prefix))

    def test_the_headers_are_good_cplusplus(self) -> None:
        """C++ can include and link the interface."""
        compiler = self.tool("c++")
        source, program = self.temporary / "consumer.cc", self.temporary / "with c++"
        source.write_text("#include <utf8-assay/registry.h>\n#include <utf8-assay/utf8_assay.h>\n"
                          'int main() { return registry_reference("utf-8")->validate(nullptr, 0, nullptr) &&\n'
                          '                    utf8_assay_validate(UTF8_ASSAY_UTF_8, "a", 1, nullptr) == UTF8_ASSAY_OK ? 0 : 1; }\n', "ascii")
        built = run(compiler, "-Wall", "-Wextra", "-Werror", f"-I{self.prefix / 'include'}", source,
                    self.prefix / "lib" / "libutf8-assay.a", "-ldl", "-o", program)
        self.assertEqual(built.returncode, 0, built.stderr)
        self.assertEqual(run(program).returncode, 0)

    # ---- packages -------------------------------------------------------------------------------

    def pack(self, generator: str, pattern: str) -> Path:
        """Makes a package with CPack, in a folder outside the build."""
        self.tool("cpack")
        folder = self.temporary / f"packed {generator}"
        done = run("cpack", "-G", generator, "-B", folder, "--config", BUILD / "CPackConfig.cmake")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        found = list(folder.glob(pattern))
        self.assertEqual(len(found), 1, pattern)
        return found[0]

    def test_the_archive_holds_the_same(self) -> None:
        """.tar.gz, of one folder, which runs where it is unpacked."""
        package = self.pack("TGZ", "utf8-assay-*.tar.gz")
        folder = self.temporary / "unpacked"
        with tarfile.open(package) as archive:
            archive.extractall(folder)
        (top,) = folder.iterdir()
        self.assertEqual(f"{top.name}.tar.gz", package.name)
        self.assert_tree(top, set())
        self.assertEqual([debug_sections(top / name) for name in ("bin/assay", "lib/libutf8-assay.a", "lib/libutf8-assay.so")], [[]] * 3)
        done = run(top / "bin" / "assay", "check", "-q", "utf-8/overlong/*", cwd="/")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertFalse(str(ROOT).encode() in (top / "bin" / "assay").read_bytes(), "bin/assay names the checkout")

    @unittest.skipUnless(ALL, "a .deb takes CPack 13 seconds: scripts/test --long makes it")
    def test_the_debian_package_holds_the_same(self) -> None:
        """A .deb, under /usr, with its dependencies and what Debian requires: a changelog, the licences of all its files, no debug
        information."""
        tool = self.tool("dpkg-deb")
        package = self.pack("DEB", "utf8-assay_*.deb")
        self.assertEqual(run(tool, "-x", package, self.temporary / "debian").returncode, 0)
        usr = self.temporary / "debian" / "usr"
        self.assert_tree(usr, {"share/doc/utf8-assay/changelog.Debian.gz", "share/lintian/overrides/utf8-assay"})
        self.assert_documents(usr)
        self.assertEqual([debug_sections(usr / name) for name in ("bin/assay", "lib/libutf8-assay.a", "lib/libutf8-assay.so")], [[]] * 3)
        self.assertNotEqual(debug_sections(BUILD / "libutf8-assay.a"), [])
        copyright_ = (usr / "share/doc/utf8-assay/copyright").read_text("utf-8")
        self.assertRegex(copyright_, r"(?s)\AFormat: https.*\nFiles: vectors/\*\nCopyright: .*\nLicense: CC0-1\.0\n.*\nLicense: Expat\n Permission .*\nLicense: CC0-1\.0\n ")
        with gzip.open(usr / "share/man/man1/assay.1.gz", "rt") as manual, gzip.open(usr / "share/doc/utf8-assay/changelog.gz") as changes:
            self.assertIn("\n.TH ", manual.read())
            self.assertEqual(changes.read(), (ROOT / "CHANGELOG.md").read_bytes())
        done = run(self.tool("lintian"), "--allow-root", "--fail-on", "error,warning", package)
        self.assertEqual((done.returncode, done.stdout), (0, ""), done.stderr)
        fields = dict(line.split(": ", 1) for line in run(tool, "-f", package).stdout.splitlines() if ": " in line)
        self.assertEqual((fields["Package"], fields["Section"]), ("utf8-assay", "devel"))
        self.assertIn("libjansson4", fields["Depends"])
        done = run(self.temporary / "debian" / "usr" / "bin" / "assay", "check", "-q", "utf-8/overlong/*", cwd="/")
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_npm_packs_vectors_and_schema(self) -> None:
        """The expected files; the unpacked package has correct sums, and Node can require it."""
        npm, node = self.tool("npm"), self.tool("node")
        folder = self.temporary / "npm"
        folder.mkdir()
        quiet = {**os.environ, "npm_config_cache": str(folder / "cache"), "npm_config_offline": "true",
                 "npm_config_update_notifier": "false"}
        done = run(npm, "pack", "--json", "--pack-destination", folder, VECTORS, env=quiet)
        self.assertEqual(done.returncode, 0, done.stderr)
        (package_info,) = json.loads(done.stdout)
        data = files_of_checkout()
        self.assertEqual({one["path"] for one in package_info["files"]}, data)
        with tarfile.open(folder / package_info["filename"]) as archive:
            archive.extractall(folder / "node_modules")
        package = folder / "node_modules" / "utf8-assay-vectors"
        (folder / "node_modules" / "package").rename(package)
        self.assertEqual(files_of(package), data)
        self.assertEqual(broken_sums(package), [])
        self.assertEqual([absent_paths(document, ()) for document in package.rglob("*.md")], [[]] * 3)
        script = "console.log(require('utf8-assay-vectors/utf-8/overlong.json').category)"
        self.assertEqual(run(node, "-e", script, cwd=folder).stdout, "overlong\n")
        (folder / "use.mjs").write_text(NODE_SCRIPT, "ascii")
        done = run(node, "use.mjs", cwd=folder)
        categories = sorted(path.stem for path in (VECTORS / "utf-8").glob("*.json"))
        encodings = sorted(path.parent.name for path in VECTORS.glob("*/overlong.json"))
        version = json.loads((VECTORS / "package.json").read_text("ascii"))["version"]
        self.assertLess(set(encodings), set(done.stdout.splitlines()[0].split(",")), done.stderr)
        self.assertEqual(done.stdout.splitlines()[1:], [",".join(categories), version, "192,128", "RangeError: no encoding 'utf-9'; there are",
                                                        "RangeError: utf-8 has no category '../cesu-8/overlong'; it has"], done.stderr)
        checked = run(node, package / "examples" / "check.mjs", package)
        self.assertEqual(checked.returncode, 0, checked.stderr)


if __name__ == "__main__":
    unittest.main()
