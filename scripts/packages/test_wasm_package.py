# SPDX-License-Identifier: MIT
"""The npm package assay-wasm: packed, unpacked, and used from JavaScript and TypeScript."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import unittest
from pathlib import Path

from packages.wasm.package import version
from pages.playground import module
from pages.playground.runner import PLACES, SCRIPTS, absent, ask, command

ROOT = Path(__file__).resolve().parents[2]
TYPESCRIPT = ROOT / "build" / "page" / "node_modules" / "typescript" / "bin" / "tsc"
EVERYTHING = os.environ.get("ASSAY_PLAYGROUND") == "all"
SECONDS = 600  # nothing here takes 60

USE = r"""
import { load, open, Assay } from 'assay-wasm';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
const assay = await load(), say = (value) => console.log(JSON.stringify(value));
say([assay.encodings, assay.policies, assay.faults]);
say(Object.getOwnPropertyNames(Assay.prototype).filter((name) => name !== 'constructor').sort());
say([Object.keys(assay).sort(), assay instanceof Assay]);
const [failed, of] = [[], {validate: 0, outputs: 0}];
for (const {bytes, well_formed, outputs, spans} of JSON.parse(readFileSync(process.argv[2], 'utf-8')).tests) {
  const input = Uint8Array.from(bytes === '-' ? [] : bytes.match(/../g), (pair) => parseInt(pair, 16));
  of.validate++;
  if ((assay.validate(input) === null) !== well_formed || JSON.stringify(assay.spans(input)) !== JSON.stringify(spans)) failed.push(bytes);
  for (const [policy, output] of Object.entries(outputs)) {
    of.outputs++;
    const got = Array.from(assay.decode(input, {policy}).units, (unit) => unit.toString(16).toUpperCase()).join(',') || '-';
    if (got !== output) failed.push(`${bytes} ${policy}`);
  }
}
say([failed, of]);
const problem = (use) => { try { return use(); } catch (error) { return `${error.name}: ${error.message}`; } };
say([() => assay.validate('text'), () => assay.decode(new Uint16Array(1)), () => assay.encode([65]), () => assay.validate(Uint8Array.of(65), {encoding: 'latin1'}),
     () => assay.text(Uint8Array.of(65, 255), {policy: 'strict'}), () => assay.text(new Uint8Array(), {policy: 'ignore'}),
     () => { const stream = assay.stream(); stream.feed(Uint8Array.of(65), true); return stream.feed(Uint8Array.of(65)); },
     () => { const stream = assay.stream({policy: 'strict'}); stream.feed(Uint8Array.of(255)); return stream.feed(Uint8Array.of(65)); },
     () => assay.text(Uint8Array.of(0xED, 0xA0, 0x80), {encoding: 'wtf-8'}).charCodeAt(0), () => assay.text(new Uint8Array(100000).fill(65)).length,
     () => assay.encode(Uint16Array.of(0xD83D, 0xDE00)).units.length, () => assay.decode(Uint8Array.of(65, 66), {limit: 1}).status,
     () => assay.convert(Uint8Array.of(0xC3, 0xA9, 0xFF), {from: 'utf-8', to: 'utf-16be'}).units.join(), () => assay.convert(Uint8Array.of(65, 0xFF), {from: 'utf-8', to: 'wtf-8', policy: 'strict'}).error.offset,
     () => assay.convert(Uint8Array.of(65), {from: 'latin1'}), () => assay.text(Uint8Array.of(0xEF, 0xBB, 0xBF, 65), {encoding: 'utf-8-sig'}), () => assay.text(Uint8Array.of(0xEF, 0xBB, 0xBF, 65)).length,
     () => assay.decode(Uint8Array.of(0xFE, 0xFF, 0, 65, 0, 66), {encoding: 'utf-16be-sig', limit: 1}).units.join(), () => assay.encode(Uint16Array.of(65), {encoding: 'utf-8-sig'})].map(problem));
const another = await open(readFileSync(createRequire(import.meta.url).resolve('assay-wasm/assay.wasm')));
say(another.text(Uint8Array.of(0xE2, 0x82, 0xAC)));
"""
IN_BROWSER = r"""
import { load } from './index.mjs';
export async function begin() {
  const assay = await load();
  return (hex) => {
    const bytes = Uint8Array.from(hex.split(' '), (pair) => parseInt(pair, 16)), { offset, fault } = assay.validate(bytes);
    return `${assay.text(bytes)} ${offset} ${fault}`;
  };
}
"""
SAID = ["TypeError: bytes are a Uint8Array", "TypeError: bytes are a Uint8Array", "TypeError: units are a Uint32Array or a Uint16Array",
        "RangeError: there is no codec latin1/...", "TypeError: ill-formed at 1: invalid-lead", "RangeError: there is no policy ignore",
        "RangeError: the stream has ended: begin another", "RangeError: the stream has ended: begin another", 0xD800, 100000, 4, "full",
        "0,233,255,253", 1, "RangeError: there is no codec latin1/...", "A", 2, "65", "RangeError: there is no codec utf-8-sig/..."]

TYPED = r"""
import { load, type Answer, type ErrorSpan, type Policy, type Stream } from 'assay-wasm';
const assay = await load();
const bytes = Uint8Array.of(0xC0);
const error: ErrorSpan | null = assay.validate(bytes, { encoding: 'wtf-8' });
const units: Uint16Array = assay.decode(bytes, { units: 'utf-16', policy: 'jdk' }).units;
const scalars: Answer<Uint32Array> = assay.decode(bytes, { limit: 3 });
const stream: Stream<Uint32Array> = assay.stream({ policy: 'strict' });
const policies: Policy[] = assay.policies;
export const all: [string | undefined, number, number, string, number, number] =
  [error?.fault, units.length, scalars.read, stream.feed(bytes, true).status, policies.length, assay.spans(bytes).total];
export const converted: Uint8Array = assay.convert(bytes, { from: 'utf-16le-sig', to: 'utf-8' }).units, text: string = assay.text(bytes, { encoding: 'utf-8-sig' });
"""
WRONG = {
    "assay.validate('text')": "string", "assay.validate(bytes, { encoding: 'latin1' })": "latin1", "assay.text(bytes, { policy: 'ignore' })": "ignore",
    "const one: Uint16Array = assay.decode(bytes).units": "Uint32Array", "assay.decode(bytes, { units: 'utf-8' })": "utf-8", "new Assay()": "private",
    "assay.encode(new Uint16Array(1), { encoding: 'utf-8-sig' })": "utf-8-sig", "assay.convert(bytes, { from: 'latin1' })": "latin1",
}


class WasmPackageTest(unittest.TestCase):
    """What npm packs, in a folder node_modules."""

    @classmethod
    def setUpClass(cls) -> None:
        """Makes the package; the module is built if all is asked, else one that is there is taken."""
        cls.npm, cls.node = shutil.which("npm"), shutil.which("node")
        if cls.npm is None or cls.node is None:
            raise unittest.SkipTest("NOT LOOKED AT: the npm package assay-wasm, as there is no npm or Node.js (scripts/setup page installs them)")
        wasm = module.build() if EVERYTHING else module.BUILT / "assay.wasm"
        if not wasm.exists():
            raise unittest.SkipTest("NOT LOOKED AT: the npm package assay-wasm, as the module is not built (scripts/assay-wasm builds it)")
        cls.folder = Path(tempfile.mkdtemp(prefix="assay-wasm-test-"))
        cls.addClassCleanup(shutil.rmtree, cls.folder, ignore_errors=True)
        cls.make = [sys.executable, str(ROOT / "scripts/assay-wasm"), "--module", str(wasm), str(cls.folder / "made")]
        subprocess.run(cls.make, stdout=subprocess.PIPE, check=True, timeout=SECONDS)
        quiet = {**os.environ, "npm_config_cache": str(cls.folder / "cache"), "npm_config_offline": "true", "npm_config_update_notifier": "false"}
        done = subprocess.run([cls.npm, "pack", "--json", "--pack-destination", str(cls.folder), str(cls.folder / "made")], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True, check=True, env=quiet, timeout=SECONDS)
        (cls.packed,) = json.loads(done.stdout)
        with tarfile.open(cls.folder / cls.packed["filename"]) as archive:
            archive.extractall(cls.folder / "node_modules")
        cls.package = cls.folder / "node_modules" / "assay-wasm"
        (cls.folder / "node_modules" / "package").rename(cls.package)

    def run_node(self, name: str, text: str, *words: str) -> str:
        """What a module says that is beside node_modules."""
        (self.folder / name).write_text(text, "utf-8")
        done = subprocess.run([str(self.node), name, *words], cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, timeout=SECONDS)
        self.assertEqual(done.returncode, 0, done.stdout)
        return done.stdout

    def test_holds_all_files(self) -> None:
        """npm packs every file that the command writes, in the version of the project; a folder that is there is not written to."""
        self.assertEqual({one["path"] for one in self.packed["files"]}, {path.name for path in (self.folder / "made").iterdir()})
        self.assertEqual((self.packed["name"], self.packed["version"]), ("assay-wasm", version()))
        again = subprocess.run(self.make, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False, timeout=SECONDS)
        self.assertEqual((again.returncode, again.stderr), (2, f"assay-wasm: {self.folder / 'made'} already exists\n"))

    def test_readme_is_true(self) -> None:
        """Each example prints what its comments say."""
        examples = re.findall(r"```js\n(.*?)```", (self.package / "README.md").read_text("utf-8"), re.S)
        self.assertEqual(len(examples), 2)
        for index, example in enumerate(examples):
            expected = re.findall(r"console\.log\(.*\); // (.*)\n", example)
            self.assertGreater(len(expected), 1)
            said = self.run_node(f"readme{index}.mjs", example).replace("\N{REPLACEMENT CHARACTER}", r"\uFFFD")
            self.assertEqual(said.splitlines(), expected)

    def test_answers_and_refuses(self) -> None:
        """Golden cases by the package alone; the words of the types are those of the module; wrong input is refused in a sentence."""
        lines = self.run_node("use.mjs", USE, str(ROOT / "vectors/utf-8/surrogate.json")).splitlines()
        words, methods, (members, is_assay), (failed, asked), said, text = map(json.loads, lines)
        declared = (self.package / "words.d.ts").read_text("ascii")
        typed = [json.loads(f"[{found}]".replace(" |", ",")) for found in re.findall(r"= (.*);", declared)]
        self.assertEqual([typed[0], typed[1], ["none", *typed[2]]], words)
        types = (self.package / "assay.d.ts").read_text("ascii").split("export class Assay {")[1]
        self.assertEqual(sorted(set(re.findall(r"^  (\w+)\(", types, re.M))), methods)
        self.assertEqual((sorted(re.findall(r"^  readonly (\w+):", types, re.M)), is_assay), (members, True))
        self.assertEqual(failed, [])
        self.assertGreater(min(asked.values()), 100)
        self.assertEqual((said, text), (SAID, "\N{EURO SIGN}"))

    def test_loads_in_browsers(self) -> None:
        """load() fetches the module from beside index.mjs, and answers; without it, it says what is missing."""
        missing = {place: absent(place) for place in PLACES[1:]}
        if not EVERYTHING or all(missing.values()):
            self.skipTest("NOT LOOKED AT: assay-wasm in browsers" + (f", as there is no {', no '.join(filter(None, missing.values()))}" if EVERYTHING else ", which scripts/test --long asks"))
        for place in (place for place, name in missing.items() if name is None):
            for name in ("whole", "without-module"):
                folder = self.folder / place / name
                shutil.copytree(self.package, folder)
                (folder / "begin.mjs").write_text(IN_BROWSER, "utf-8")
            line = command(place, "begin.mjs", self.package / "assay.wasm")
            path = line.index(str(SCRIPTS / "begin.mjs"))
            line[path] = str(self.folder / place / "whole" / "begin.mjs")
            self.assertEqual(ask(line, ["41 E2 82 AC FF", "ED A0 80"]), ["A\N{EURO SIGN}\N{REPLACEMENT CHARACTER} 4 invalid-lead", "\N{REPLACEMENT CHARACTER}" * 3 + " 0 surrogate"])
            (folder / "assay.wasm").unlink()
            line[path] = str(folder / "begin.mjs")
            with self.assertRaisesRegex(subprocess.SubprocessError, "was answered with 404: the package's assay.wasm must be beside its index.mjs"):
                ask(line, ["41"])

    def test_types(self) -> None:
        """TypeScript accepts right use, and refuses each wrong one, at its line."""
        if not TYPESCRIPT.exists():
            self.skipTest("NOT LOOKED AT: the types of assay-wasm, as there is no TypeScript (scripts/setup page installs it)")
        head = ["import { load, Assay } from 'assay-wasm';", "const assay = await load(), bytes = new Uint8Array(1);"]
        (self.folder / "right.mts").write_text(TYPED, "utf-8")
        (self.folder / "wrong.mts").write_text("\n".join([*head, *(f"{{ {wrong}; }}" for wrong in WRONG)]), "utf-8")
        done = subprocess.run([str(self.node), str(TYPESCRIPT), "--noEmit", "--strict", "--target", "es2022", "--module", "nodenext", "--lib", "es2022,dom",
                               "right.mts", "wrong.mts"], cwd=self.folder, stdout=subprocess.PIPE, text=True, check=False, timeout=SECONDS)
        said = done.stdout.replace("\n  ", " ").splitlines()  # what belongs to an error is indented
        self.assertEqual(len(said), len(WRONG), done.stdout)
        for line, (error, (wrong, word)) in enumerate(zip(said, WRONG.items()), len(head) + 1):
            self.assertRegex(error, rf"^wrong\.mts\({line},\d+\): error .*{re.escape(word)}", wrong)


if __name__ == "__main__":
    unittest.main()
