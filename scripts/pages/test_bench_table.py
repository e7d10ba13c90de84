# SPDX-License-Identifier: MIT
"""`scripts/bench-table`: ratios of rows, merging, and refused figures."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import unittest
import uuid
from pathlib import Path
from typing import Any, Dict, List
from unittest import mock

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))
from pages import bench_table  # pylint: disable=wrong-import-position

ASSAY = Path(os.environ.get("ASSAY", ROOT / "build" / "assay"))
CALM = {**os.environ, "ASSAY_BENCH_NEIGHBOUR": "1", "ASSAY_BENCH_CLOCK": "1"}  # the readings of the calibrator
COMPILER = shutil.which(os.environ.get("CC", "cc"))


def cell(row: str, text: str, ours: float, *peers: float, differs: bool = False) -> Dict[str, Any]:
    """A cell of 1000 bytes that two processes measured; times are in ns."""
    runners: List[Dict[str, Any]] = [{"name": "avx2", "kind": "codec", "minimum_ns": ours, "processes_ns": [ours, ours]}]
    runners += [{"name": f"p{i}", "kind": "peer", "minimum_ns": time, "processes_ns": [time, time]} for i, time in enumerate(peers)]
    if differs:
        runners[0] = {"name": "avx2", "kind": "codec", "differs": True}
    return {"row": row, "text": text, "bytes": 1000, "strings": 10, "runners": runners}


def build(*cells: Dict[str, Any]) -> Dict[str, Any]:
    """What one run came to."""
    return {"runs": [str(uuid.uuid4())], "machine": {"compiler": "gcc", "processor": "P", "ghz": 3.0}, "version": "1", "codec": "avx2", "peers": ["p0", "p1"], "cells": list(cells)}


def alone(one: Dict[str, Any]) -> Dict[str, Any]:
    """The cell as one process writes it."""
    return {**one, "runners": [{key: value for key, value in runner.items() if key != "processes_ns"} for runner in one["runners"]]}


def is_running(process: str) -> bool:
    """Whether a process with this number has a command line: one that has ended has none."""
    try:
        return Path("/proc", process, "cmdline").read_bytes() != b""
    except OSError:
        return False


def merged_cells(*cells: Dict[str, Any]) -> List[Dict[str, Any]]:
    """The build that a file with these cells is."""
    return bench_table.merge([[build(*json.loads(json.dumps(cells)))]])


class BenchTableTest(unittest.TestCase):
    """Figures that are known, and one run."""

    def test_a_row_has_least_middle_and_most_beside_the_best_peer(self) -> None:
        """The peer that is fastest for each text counts."""
        report = build(cell("validate 128K", "a", 10, 20, 30), cell("validate 128K", "b", 10, 90, 15), cell("validate 128K", "c", 10, 40, 99))
        text = bench_table.as_text(bench_table.merge([[report]]))
        self.assertIn("| validate 128K | 1.50 (b), 2.00, 4.00 (c) |", text)

    def test_damaged_text_is_compared_with_own_clean_rate(self) -> None:
        """For the same text; for English, that of French."""
        row = "lossy-utf16 128K ~1"
        report = build(cell("to-utf16 128K", "ru-cyrillic", 10), cell("to-utf16 128K", "fr-latin", 30), cell(row, "ru-cyrillic~1", 20, 99), cell(row, "en-latin~1", 40, 80))
        self.assertIn(f"| {row}, of own clean rate | 0.50 (ru-cyrillic~1), 0.62, 0.75 (en-latin~1) |", bench_table.as_text(bench_table.merge([[report]])))

    def test_runs_are_merged(self) -> None:
        """Each runner at its best; a codec that differed once is not timed, and is reported."""
        row = "validate 128K"
        merged = bench_table.merge([[build(cell(row, "a", 10, 20))], [build(cell(row, "a", 9.8, 20.4), cell(row, "b", 1, 1))]])
        self.assertEqual(len(merged), 1)
        self.assertIn(f"| {row} | 1.00 (b), 1.52, 2.04 (a) |", bench_table.as_text(merged))
        self.assertEqual(merged[0]["differs"], [])
        merged = bench_table.merge([[build(cell(row, "a", 10, 20))], [build(cell(row, "a", 0, 20, differs=True))]])
        self.assertEqual(merged[0]["differs"], [row])
        self.assertIn(f"| {row} | - |", bench_table.as_text(merged))

    def test_a_run_is_merged_once(self) -> None:
        """Its processes would agree with themselves; a file that has it among others is refused, too."""
        row = "validate 128K"
        one, two = build(cell(row, "a", 10, 20)), build(cell(row, "a", 9.8, 20.4))
        both = bench_table.merge([[one], [two]])
        self.assertEqual(both[0]["runs"], one["runs"] + two["runs"])
        for runs in ([[one], [one]], [both, [two]], [[build()], both, both]):
            with self.assertRaisesRegex(bench_table.Trouble, "the same run, by gcc, twice"):
                bench_table.merge(runs)

    def test_runs_of_other_machines_are_columns_of_their_own(self) -> None:
        """And those of other versions."""
        one = build(cell("validate 128K", "a", 10, 20))
        for other in ({**build(), "machine": {**one["machine"], "processor": "Z80"}}, {**build(), "version": "2"}):
            self.assertEqual(len(bench_table.merge([[one], [other]])), 2)

    def test_a_peer_that_differs_is_named(self) -> None:
        """Else a table would seem to have compared with it."""
        wrong = cell("validate 128K", "a", 10, 20, 5)
        wrong["runners"][2] = {"name": "p1", "kind": "peer", "differs": True}
        self.assertIn("Not timed, since the answer was not the reference's:\n\n- p1: validate 128K, a", bench_table.as_text(bench_table.merge([[build(wrong)]])))
        self.assertNotIn("Not timed", bench_table.as_text(bench_table.merge([[build(cell("validate 128K", "a", 10, 20))]])))

    def test_replaced_readings_are_said(self) -> None:
        """In a table that is made from several runs, too."""
        replaced = {**build(cell("validate 128K", "a", 10, 20)), "calibrator": "replaced"}
        self.assertIn("readings of the calibrator were replaced", bench_table.as_text(bench_table.merge([[build()], [replaced]])))
        self.assertNotIn("calibrator", bench_table.as_text(bench_table.merge([[build()]])))

    def test_noisy_figures_are_left_out_and_counted(self) -> None:
        """Two quiet figures replace them, even slower ones; one is not enough; without, the row says so."""
        row = "validate 128K"
        noisy, quiet = alone(cell(row, "a", 10, 20)), alone(cell(row, "a", 11, 22))
        noisy["runners"][0]["noisy"] = noisy["runners"][1]["noisy"] = True
        for runs in ([noisy], [noisy, noisy], [noisy, quiet], [quiet]):
            self.assertIn(f"| {row} | noisy |", bench_table.as_text(merged_cells(*runs)))
        self.assertIn(f"| {row} | 3.00 (b), 3.00, 3.00 (b); of 2 texts 1 noisy |", bench_table.as_text(merged_cells(noisy, cell(row, "b", 10, 30))))
        for runs in ([noisy, quiet, quiet], [quiet, noisy, quiet]):
            self.assertEqual([runner["minimum_ns"] for runner in merged_cells(*runs)[0]["cells"][0]["runners"]], [11, 22])
            self.assertIn(f"| {row} | 2.00 (a), 2.00, 2.00 (a) |", bench_table.as_text(merged_cells(*runs)))

    def test_figures_that_are_others_in_the_next_process_are_refused(self) -> None:
        """The figures of each process are shown. A peer with two rates does not matter if another one is faster than both."""
        row, refused = "to-utf16 128K", "| to-utf16 128K | unsteady |"
        steady = [alone(cell(row, "a", 10, time)) for time in (20, 20.5)]
        self.assertIn("| 2.00 (a), 2.00, 2.00 (a) |", bench_table.as_text(merged_cells(*steady)))
        self.assertNotIn("nsteady", bench_table.as_text(merged_cells(*steady)))
        for cells in ([alone(cell(row, "a", 10, time)) for time in (20, 20.7)], [alone(cell(row, "a", time, 20)) for time in (11, 10)], [*steady, alone(cell(row, "a", 10, 25))]):
            self.assertIn(refused, bench_table.as_text(merged_cells(*cells)))
            self.assertIn("| 2.00 (a), 2.00, 2.00 (a) |", bench_table.as_text(merged_cells(*cells), margin=30))
        text = bench_table.as_text(merged_cells(*(alone(cell(row, "a", 10, 20, time)) for time in (30, 40))))
        self.assertIn("| 2.00 (a), 2.00, 2.00 (a) |", text)
        self.assertIn("- to-utf16 128K, a, p1: 33.33, 25.00 GB/s", text)
        self.assertIn(refused, bench_table.as_text(merged_cells(*(alone(cell(row, "a", 10, 20, time)) for time in (19, 40)))))

    def test_processes_at_different_clocks_are_compared_by_cycles(self) -> None:
        """A time at half the clock is half as long at the clock of the first process; if a cell has no clock, its times are used as they
        are."""
        row = "validate 128K"
        fast, slow = ({**alone(cell(row, "a", ours, peer)), "ghz": ghz} for ours, peer, ghz in ((10, 20, 3.0), (20, 40, 1.5)))
        for file in ([build(fast, slow)], [build(fast)], [{**build(slow), "machine": {**build()["machine"], "ghz": 1.5}}]):
            self.assertEqual(bench_table.merge([file, [build(fast)]])[0]["cells"][0]["runners"][0]["processes_ns"], [10.0] * (len(file[0]["cells"]) + 1) if file[0]["machine"]["ghz"] == 3 else [20.0, 20.0])
        without = [{key: value for key, value in one.items() if key != "ghz"} for one in (fast, slow)]
        self.assertIn("unsteady", bench_table.as_text(merged_cells(*without)))
        self.assertIn("| 2.00 (a), 2.00, 2.00 (a) |", bench_table.as_text(merged_cells(fast, slow)))

    def test_two_runs_are_compared(self) -> None:
        """Ratios and times that neither run refuses; those that differ by more than the tolerance are named."""
        row = "validate 128K"
        before, = bench_table.merge([[build(cell(row, "a", 10, 20), cell(row, "b", 10, 20), cell(row, "c", 10, 20), cell(row, "d", 10, 20))]])
        now, = bench_table.merge([[build(cell(row, "a", 10.4, 20), cell(row, "b", 11, 20), cell(row, "c", 1, 2), cell(row, "e", 1, 2))]])
        now["cells"][2]["runners"][0]["processes_ns"] = [1, 2]
        compared = bench_table.compare(now, before, 3, 5)
        self.assertEqual(compared["ratios"], (3, 2, [f"{row}, b: 2, now 1.818"]))
        self.assertEqual((compared["times"].figures, compared["times"].accepted), (6, 5))
        self.assertIn(f"2 of 3 ratios are accepted in both runs, 1 of them within 5 %.\n- {row}, b: 2, now 1.818\n", bench_table.comparison_text(compared, Path("old"), 5))
        self.assertEqual(bench_table.compare(now, before, 3, 11)["ratios"].differing, [])

    def test_every_row_has_a_name_of_its_own(self) -> None:
        """By which it is chosen; other texts keep the damage of the row."""
        names = [row.name for row in bench_table.all_rows()]
        self.assertEqual(len(names), len(set(names)))
        row, = bench_table.rows_of(["lossy-utf16 128K ~10"], "ascii,ru-cyrillic")
        self.assertEqual(row.texts, ["ascii~10", "ru-cyrillic~10"])
        self.assertEqual(bench_table.rows_of(["none"], None), [])
        with self.assertRaisesRegex(bench_table.Trouble, "no row is called 'valdate"):
            bench_table.rows_of(["validate 1*", "valdate 1*"], None)

    def test_what_is_no_report_is_refused(self) -> None:
        """Whatever is missing in a file to merge is named."""
        with tempfile.TemporaryDirectory() as folder:
            path, whole = Path(folder) / "t.json", {"assay_bench_table": 1, "builds": [build(cell("validate 128K", "a", 10, 20))]}
            path.write_text(json.dumps(whole), encoding="utf-8")
            self.assertEqual(bench_table.read_builds(path), whole["builds"])
            for wrong in ("", "[]", "{}", '{"assay_bench_table": 1}', '{"assay_bench_table": 1, "builds": [{}]}', '{"assay_bench_table": 1, "builds": [3]}',
                          json.dumps(whole).replace('"bytes"', '"byte"'), json.dumps(whole).replace('"minimum_ns"', '"ns"')):
                path.write_text(wrong, encoding="utf-8")
                with self.assertRaises(bench_table.Trouble, msg=wrong):
                    bench_table.read_builds(path)

    @unittest.skipUnless(ASSAY.is_file() and COMPILER, "no assay, or no compiler")
    def test_refuses_a_peer_with_another_rate_in_each_process(self) -> None:
        """A planted one: 2 ms a call in one process, none in the next. With a margin that allows it, there is a ratio."""
        with tempfile.TemporaryDirectory() as folder:
            peer = str(Path(folder) / "peer.so")
            subprocess.run([str(COMPILER), "-shared", "-fPIC", f'-DCOUNTER="{folder}/count"', f"-I{ROOT}/codecs", str(ROOT / "harnesses/assay/tests/codecs/two_rates.c"), "-o", peer], check=True)
            kept, command = Path(folder) / "kept", [sys.executable, "-B", str(ROOT / "scripts" / "bench-table"), "--build", str(ASSAY.parent), "--peer", peer]
            measured = ["--seconds", "0", "--processes", "2", "--text", "ascii", "--row", "validate 128K", "--json", str(kept)]
            for more, margin, ratio in ((measured, "5", "unsteady"), (["--merge", str(kept), "--row", "none"], "1e9", r"\d+\.\d\d \(ascii\), .*")):
                done = subprocess.run([*command, *more, "--margin", margin], capture_output=True, text=True, check=False, env=CALM)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertRegex(done.stdout, rf"(?m)^\| validate 128K \| {ratio} \|$")
                self.assertEqual(len(re.findall(r"(?m)^- validate 128K, ascii, two_rates: [0-9.]+, [0-9.]+ GB/s$", done.stdout)), int(margin == "5"))

    def test_the_processes_of_a_row_are_as_far_apart_as_the_run_allows(self) -> None:
        """The second process of a row comes after the first one of every row."""
        order: List[str] = []

        def answer(command: List[str]) -> Any:
            if "list" in command:
                return [{"codec": name, "runs": True, "emulated": False} for name in ("avx2", *(["peer"] if "--codec" in command else []))]
            order.append(command[command.index("--operation") + 1])
            return {"machine": {"ghz": 1}, "version": "1", "cells": [{"text": "ascii", "runners": []}]}

        rows = bench_table.rows_of(["validate 128K", "to-utf16 128K"], "ascii")
        with tempfile.TemporaryDirectory() as folder, mock.patch.object(bench_table, "run_json", answer), mock.patch.object(bench_table, "offers", lambda *_: True):
            (Path(folder) / "assay").touch()
            measured = bench_table.measure(Path(folder), "peer.so", None, "avx2", rows, [], [], 2)
        self.assertEqual(order, ["validate", "to-utf16", "validate", "to-utf16"])
        self.assertEqual([cell["row"] for cell in measured["cells"]], ["validate 128K", "to-utf16 128K"] * 2)

    @unittest.skipUnless(ASSAY.is_file() and COMPILER, "no assay, or no compiler")
    def test_measures_and_writes_what_was_chosen(self) -> None:
        """As text and JSON; the output can be merged; exit code 2 if something cannot be measured."""
        with tempfile.TemporaryDirectory() as folder:
            path, peer = Path(folder) / "t.json", str(Path(folder) / "peer.so")
            subprocess.run([str(COMPILER), "-shared", "-fPIC", "-DSLOW=0", f"-I{ROOT}/codecs", str(ROOT / "harnesses/assay/tests/codecs/sluggish.c"), "-o", peer], check=True)
            command = [sys.executable, "-B", str(ROOT / "scripts" / "bench-table"), "--build", str(ASSAY.parent), "--peer", peer]
            short = [*command, "--seconds", "0", "--processes", "2", "--margin", "1e9", "--text", "ascii", "--row", "to-utf16 1..64", "--row", "validate 1..64"]
            done = subprocess.run([*short, "--json", str(path)], capture_output=True, text=True, check=False, env=CALM)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("no peer offers to-utf16: to-utf16 1..64 is left out", done.stderr)
            self.assertRegex(done.stdout, r"\| validate 1\.\.64 \| \d+\.\d\d \(ascii\), ")
            report = json.loads(path.read_text(encoding="utf-8"))
            self.assertEqual([row["name"] for row in report["rows"]], ["validate 1..64"])
            self.assertFalse("direct" in report["builds"][0]["cells"][0]["runners"][1])
            subprocess.run([*short, "--direct", "slug*", "--json", str(path)], capture_output=True, check=True, env=CALM)
            self.assertTrue(json.loads(path.read_text(encoding="utf-8"))["builds"][0]["cells"][0]["runners"][1]["direct"])
            path.write_text(json.dumps(report), encoding="utf-8")
            again = subprocess.run([*command, "--merge", str(path), "--row", "none", "--margin", "1e9"], capture_output=True, text=True, check=False)
            self.assertEqual((again.returncode, again.stdout), (0, done.stdout), again.stderr)
            again = subprocess.run([*command, "--merge", str(path), "--merge", str(path), "--row", "none"], capture_output=True, text=True, check=False)
            self.assertEqual((again.returncode, again.stdout), (2, ""))
            self.assertIn("readings of the calibrator were replaced", done.stdout)
            beside = [*command, "--row", "none", "--merge", str(path), "--margin", "5"]
            report["builds"][0]["cells"][0]["runners"] = [{**runner, "processes_ns": [runner["minimum_ns"]] * 2} for runner in report["builds"][0]["cells"][0]["runners"]]
            path.write_text(json.dumps(report), encoding="utf-8")
            for factor, code in ((1, 0), (2, 1)):
                runner = report["builds"][0]["cells"][0]["runners"][0]
                runner.update(minimum_ns=runner["minimum_ns"] * factor, processes_ns=[runner["minimum_ns"] * factor] * 2)
                old = Path(folder) / "old.json"
                old.write_text(json.dumps(report), encoding="utf-8")
                done = subprocess.run([*beside, "--compare", str(old)], capture_output=True, text=True, check=False)
                self.assertEqual(done.returncode, code, done.stderr)
                self.assertIn(f"1 of 1 ratios are accepted in both runs, {1 - code} of them within 5 %.", done.stdout)
            old.write_text(json.dumps({**report, "builds": []}), encoding="utf-8")
            done = subprocess.run([*beside, "--compare", str(old)], capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 2)
            self.assertIn("no ratio is accepted both here and in", done.stderr)
            for wrong in (["--compare", str(ROOT / "README.md")], ["--build", folder], ["--codec", "nonsense"], ["--direct", "nobody"], ["--direct", "slug*,nobody"], ["--peer", "/nowhere.so"], ["--merge", str(ROOT / "README.md")],
                          ["--through", "nonsense"], ["--through", '"'], ["--text", "ascii,ascii"], ["--margin", "nan"], ["--tolerance", "-5"], ["--build", str(ASSAY.parent)], ["--processes", "1"], ["--seconds", "0.5"], ["--json", f"{folder}/none/t.json", "--seconds", "3600"]):
                done = subprocess.run([*short, *wrong], capture_output=True, text=True, check=False)
                self.assertEqual((done.returncode, done.stdout), (2, ""), wrong)
                self.assertRegex(done.stderr, r"(?m)^bench-table: ", wrong)

    @unittest.skipUnless(ASSAY.is_file() and COMPILER, "no assay, or no compiler")
    def test_leaves_nothing_when_it_is_ended(self) -> None:
        """Neither a file without figures nor an `assay bench` that goes on."""
        with tempfile.TemporaryDirectory() as folder:
            path, begun, peer = Path(folder) / "t.json", Path(folder) / "begun", str(Path(folder) / "peer.so")
            subprocess.run([str(COMPILER), "-shared", "-fPIC", "-DSLOW=0", f"-I{ROOT}/codecs", str(ROOT / "harnesses/assay/tests/codecs/sluggish.c"), "-o", peer], check=True)
            through = f"sh -c 'echo $$ > {begun}; exec \"$0\" \"$@\"'"
            command = [sys.executable, "-B", str(ROOT / "scripts" / "bench-table"), "--build", str(ASSAY.parent), "--peer", peer, "--through", through, "--seconds", "7200",
                       "--text", "ascii", "--row", "validate 1..64", "--json", str(path)]
            with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=CALM) as running:
                while running.poll() is None and not (begun.is_file() and begun.read_text("ascii").endswith("\n")):
                    time.sleep(0.05)
                running.terminate()
                _, complaint = running.communicate()
            self.assertEqual(running.returncode, 2, complaint)
            self.assertIn("interrupted before a row was measured", complaint)
            self.assertEqual(sorted(one.name for one in Path(folder).iterdir()), ["begun", "peer.so"])
            deadline = time.monotonic() + 60  # it was killed, and may take a moment to end
            while is_running(begun.read_text("ascii").strip()):
                self.assertLess(time.monotonic(), deadline, "it goes on")
                time.sleep(0.05)

    def test_a_peer_that_crashes_is_not_left_out_in_silence(self) -> None:
        """The table would have the ratio to the other peers only."""
        with tempfile.TemporaryDirectory() as folder:
            peer = str(Path(folder) / "dying.so")
            subprocess.run([str(COMPILER), "-shared", "-fPIC", '-DNAME="dying"', "-DEND=abort()", "-DWHEN=1", f"-I{ROOT}/codecs",
                            str(ROOT / "harnesses/assay/tests/codecs/dying.c"), "-o", peer], check=True)
            done = subprocess.run([sys.executable, "-B", str(ROOT / "scripts" / "bench-table"), "--build", str(ASSAY.parent), "--peer", peer,
                                   "--text", "ascii", "--row", "validate 1..64"], capture_output=True, text=True, check=False, env=CALM)
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertIn("dying.so: validate ends with exit code 1: ", done.stderr)


if __name__ == "__main__":
    unittest.main()
