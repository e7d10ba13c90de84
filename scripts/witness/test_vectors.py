# SPDX-License-Identifier: MIT
"""The vectors as they lie in the checkout: format, promises, and what the set claims about itself."""

from __future__ import annotations

import copy
import json
import re
import unittest
from functools import lru_cache
from pathlib import Path
from typing import Any, Callable, Dict

from witness import conversion, ledger, outputs, position_lines, schema, vectors
from witness.policies import POLICIES
from witness.rows import ENCODINGS

ROOT = Path(__file__).resolve().parent.parent.parent
FOLDER = ROOT / vectors.FOLDER
LARGEST = 18_000_000
FEWEST_UTF_8_CASES = 3000


@lru_cache(maxsize=None)
def on_disk() -> Dict[str, Any]:
    """Every file of vectors, parsed once, by path; tests change copies."""
    paths = sorted(FOLDER.glob("*/*.json"))
    return {path.relative_to(ROOT).as_posix(): json.loads(path.read_text("ascii")) for path in paths}


class FormatTest(unittest.TestCase):
    """The schema and the files."""

    @classmethod
    def setUpClass(cls) -> None:
        """Reads all files once."""
        cls.schema = json.loads((FOLDER / "schema.json").read_text("ascii"))
        cls.files = on_disk()

    def check(self, file: Any) -> list:
        """Why a file breaks the schema."""
        return schema.failures(file, self.schema, self.schema)

    def test_every_file_fits_the_schema(self) -> None:
        """All files, of which there are some."""
        self.assertGreater(len(self.files), 0)
        for path, file in self.files.items():
            self.assertEqual(self.check(file)[:5], [], path)

    def test_the_schema_is_strict(self) -> None:
        """Each way to damage a case is noticed, in the first case of every file."""
        def damage(change: Callable[[Dict[str, Any]], Any], file: Any) -> Any:
            """A file of one case, changed."""
            damaged = copy.deepcopy({**file, "tests": file["tests"][:1]})
            change(damaged)
            return damaged

        for path, file in self.files.items():
            changes = [lambda f, key=key: f["tests"][0].pop(key) for key in file["tests"][0]]
            changes += [lambda f, key=key: f.pop(key) for key in file]
            changes += [lambda f: f["tests"][0].update(extra=1), lambda f: f.update(extra=1),
                        lambda f: f["tests"][0].update(id="no id"), lambda f: f.update(kind="decoded"),
                        lambda f: f.update(count="3"), lambda f: f.update(tests=[]), lambda f: f.update(count=True),
                        lambda f: f["tests"][0].update(comment="caf\u00e9")]
            for number, change in enumerate(changes):
                self.assertNotEqual(self.check(damage(change, file)), [], (path, number))

    def test_the_schema_knows_every_policy(self) -> None:
        """A misspelt, missing or additional policy is refused."""
        for path, file in self.files.items():
            for field in ("outputs", "emitted", "limits", "utf32_limits", "utf16_limits"):
                case = copy.deepcopy(file["tests"][0])
                if field not in case:
                    continue
                self.assertEqual(list(case[field]), file["policies"], path)
                case[field]["replace"] = case[field].pop("whatwg")
                self.assertNotEqual(self.check({**file, "tests": [case]}), [], path)

    def test_policies_are_those_of_the_encoding(self) -> None:
        """A file says which its tests have; each test has these and no other."""
        for path, file in self.files.items():
            own = conversion.LOOSE if file["kind"] == "convert" else ENCODINGS[file["encoding"]].policies
            self.assertEqual(tuple(file["policies"]), own, path)
            for case in file["tests"]:
                for field in ("outputs", "emitted", "limits", "utf32_limits", "utf16_limits"):
                    self.assertEqual(list(case.get(field, file["policies"])), file["policies"], case["id"])

    def test_agrees_with_a_real_validator(self) -> None:
        """If the jsonschema package is installed, it finds the same in right and in damaged files."""
        try:
            import jsonschema
        except ImportError:
            self.skipTest("the package jsonschema is not installed")
        jsonschema.Draft202012Validator.check_schema(self.schema)
        validator = jsonschema.Draft202012Validator(self.schema)
        kinds = set()
        for path, file in self.files.items():
            small = {**file, "tests": [file["tests"][0], file["tests"][-1]]}
            self.assertTrue(validator.is_valid(small), path)
            for key in [] if file["kind"] in kinds else file["tests"][0]:  # one file of a kind is as good as another
                damaged = {**file, "tests": [{name: value for name, value in file["tests"][0].items() if name != key}]}
                self.assertFalse(validator.is_valid(damaged), (path, key))
            kinds.add(file["kind"])
        self.assertEqual(len(kinds), 9)

    def test_headers_say_what_is_there(self) -> None:
        """Counts, paths, ids, and a note for each flag and no other."""
        for path, file in self.files.items():
            self.assertEqual(path, f"{vectors.FOLDER}/{file['encoding']}/{file['category']}.json")
            self.assertEqual(file["count"], len(file["tests"]), path)
            flags = {flag for case in file["tests"] for flag in case["flags"]}
            self.assertEqual(flags, set(file["notes"]), path)
            for case in file["tests"]:
                self.assertTrue(case["id"].startswith(f"{file['encoding']}/{file['category']}/"), case["id"])

    def test_says_where_a_file_breaks_the_schema(self) -> None:
        """The path of the value, and what is wrong with it, not that no alternative matches."""
        file = copy.deepcopy(self.files["vectors/utf-8/overlong.json"])
        outputs_ = file["tests"][7]["outputs"]
        outputs_["wathwg"] = outputs_.pop("whatwg")
        self.assertEqual(self.check(file)[0], "$.tests[7].outputs: whatwg is missing")

    def test_refuses_a_keyword_it_does_not_know(self) -> None:
        """The small validator refuses keywords that it does not implement."""
        with self.assertRaises(ValueError):
            schema.failures(1, {"maximum": 0}, {})

    def test_format_page_names_every_field(self) -> None:
        """FORMAT.md is the whole format."""
        page = (FOLDER / "FORMAT.md").read_text("ascii")
        words = set(re.findall(r"[a-z0-9_-]+", page))
        fields = {key for file in self.files.values() for case in file["tests"][:1] for key in case} | {
            key for file in self.files.values() for key in file}
        self.assertEqual(fields - words, set())
        self.assertEqual(set(POLICIES) - words, set())


class ClaimsTest(unittest.TestCase):
    """What the set says about itself."""

    def test_no_two_cases_have_the_same_bytes_and_purpose(self) -> None:
        """Within a category, what goes in is different each time; the museum may show two bugs on the same bytes."""
        for path, file in on_disk().items():
            seen: Dict[str, str] = {}
            for case in file["tests"]:
                given = json.dumps([case.get(key) for key in ("bytes", "pieces", "units", "input", "to", "left", "right")]
                                   + [stream["pieces"] for stream in case.get("streams", [])])
                if file["category"].startswith("museum"):
                    given += str(case["flags"])
                self.assertEqual(seen.setdefault(given, case["id"]), case["id"], path)

    def test_is_large_enough_and_small_enough(self) -> None:
        """At least 3,000 readable cases for UTF-8, in at most 18,000,000 bytes."""
        files = on_disk()
        self.assertGreaterEqual(sum(file["count"] for file in files.values() if file["encoding"] == "utf-8"),
                                FEWEST_UTF_8_CASES)
        self.assertLessEqual(sum(path.stat().st_size for path in FOLDER.rglob("*") if path.is_file()), LARGEST)

    def test_well_formed_means_no_spans_and_one_output(self) -> None:
        """The parts of a case agree with each other."""
        for file in on_disk().values():
            for case in file["tests"]:
                if "spans" not in case:
                    continue
                self.assertEqual(case["well_formed"], case["spans"] == [], case["id"])
                outputs_ = case.get("outputs") or {policy: "|".join(groups) for policy, groups in case["emitted"].items()}
                if case["well_formed"]:
                    self.assertEqual(len(set(outputs_.values())), 1, case["id"])


class LedgerTest(unittest.TestCase):
    """Released ids."""

    @classmethod
    def setUpClass(cls) -> None:
        """Reads the ledger and the files once."""
        cls.pinned = outputs.read_ledger(ROOT)
        cls.current = {**outputs.case_digests(on_disk()), **position_lines.case_digests()}

    def test_promises_are_kept(self) -> None:
        """No released id is gone, and none asks for something else."""
        self.assertEqual(ledger.broken_promises(self.pinned, self.current), [])

    def test_notices_a_changed_expectation(self) -> None:
        """A changed output, span, piece or byte of a released case fails; a better comment or flag does not."""
        case = on_disk()["vectors/utf-8/overlong.json"]["tests"][0]
        pinned = {case["id"]: [vectors.digest(case), "1.0.0", "-"]}
        for change, broken in (({"comment": "better"}, 0), ({"flags": []}, 0), ({"bytes": "C081"}, 1),
                               ({"outputs": {**case["outputs"], "jdk": "FFFD"}}, 1), ({"spans": []}, 1),
                               ({"well_formed": True}, 1)):
            now = {case["id"]: vectors.digest({**case, **change})}
            self.assertEqual(len(ledger.broken_promises(pinned, now)), broken, change)
        self.assertEqual(len(ledger.broken_promises(pinned, {})), 1)

    def test_a_release_pins_what_is_new_and_leaves_what_is_old(self) -> None:
        """The version since which an id stands never changes."""
        after = ledger.with_release({"x/a": ["1", "0.1.0", "-"]}, {"x/a": "1", "x/b": "2"}, "0.2.0")
        self.assertEqual(after, {"x/a": ["1", "0.1.0", "-"], "x/b": ["2", "0.2.0", "-"]})
        self.assertEqual(ledger.parse(ledger.render(after)), after)

    def test_every_id_is_pinned(self) -> None:
        """What this version has, and what an earlier one had, with the version that retired it."""
        self.assertEqual(set(self.current) - set(self.pinned), set())
        gone = [name for name in self.pinned if name not in self.current]
        self.assertEqual({self.pinned[name][2] for name in gone}, {"0.3.0"})
        self.assertEqual({name if name in ledger.RETIRED else ledger.category_of(name) for name in gone}, set(ledger.RETIRED))

    def test_an_id_of_a_retired_category_is_not_used_again(self) -> None:
        """Such an id does not count as removed."""
        pinned = ledger.with_release({"utf-8/block-edge/a": ["1", "0.1.0", "-"]}, {}, "0.3.0")
        self.assertEqual(pinned, {"utf-8/block-edge/a": ["1", "0.1.0", "0.3.0"]})
        self.assertEqual(ledger.broken_promises(pinned, {}), [])
        self.assertEqual(len(ledger.broken_promises(pinned, {"utf-8/block-edge/a": "1"})), 1)

    def test_a_retired_id_is_not_used_again(self) -> None:
        """The others of its category stand, and it stays in the ledger."""
        one = "generalized-utf-8/convert/to-utf-16le-eda0bdedb2a9"
        pinned = ledger.with_release({one: ["1", "0.2.0", "-"], "generalized-utf-8/convert/x": ["2", "0.2.0", "-"]}, {}, "0.3.0")
        self.assertEqual(pinned, {one: ["1", "0.2.0", "0.3.0"], "generalized-utf-8/convert/x": ["2", "0.2.0", "-"]})
        self.assertEqual(ledger.parse(ledger.render(pinned)), pinned)
        self.assertEqual(len(ledger.broken_promises(pinned, {one: "1", "generalized-utf-8/convert/x": "2"})), 1)
        self.assertEqual(len(ledger.broken_promises(pinned, {})), 1)

    def test_refuses_a_damaged_ledger(self) -> None:
        """A missing head, a short line, a case of no category, an id twice."""
        for text in ("", "category\n", f"{ledger.HEAD}\nx\t1.0.0\t-\na\n", f"{ledger.HEAD}\na\t1\n",
                     f"{ledger.HEAD}\nx\t1.0.0\t-\na\t1\na\t1\n"):
            with self.assertRaises(ValueError, msg=repr(text)):
                ledger.parse(text)


if __name__ == "__main__":
    unittest.main()
