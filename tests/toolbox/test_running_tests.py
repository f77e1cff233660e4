"""run_test and run_lint with the real runners: counts, the failing ones, and what they say."""

from __future__ import annotations

import json
import os
import pwd
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest

from askfirst.policy.rules import ToolboxSettings
from askfirst.toolbox import reports_of_tests as reports
from askfirst.toolbox import toolchain
from askfirst.toolbox.linting import _READ as LINT_READERS
from askfirst.toolbox.linting import run_lint
from askfirst.toolbox.running import shortened
from askfirst.toolbox.testing import run_test
from tests.toolbox.support import called, data, error, git, organisation, repository

FILES = {
    "test_a.py": "import pytest\ndef test_good(): pass\ndef test_bad():\n    assert 1 == 2\n"
    "@pytest.mark.skip\ndef test_skipped(): pass\n",
    "case_b.py": "import unittest\nclass B(unittest.TestCase):\n    def test_good(self): pass\n"
    "    def test_bad(self): self.assertEqual(1, 2)\n",
}


def wrapped(path: Path, program: str) -> None:
    path.write_text(f'#!/bin/sh\nexec "{program}" "$@"\n')
    path.chmod(0o755)


@pytest.fixture
def python_project(project: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.delenv("PYTEST_ADDOPTS", raising=False)  # of whoever runs these tests
    organisation("profiles: [python-dev, node-dev, rust-dev, go-dev]")
    for name, text in FILES.items():
        (project / name).write_text(text)
    (project / "pytest.ini").write_text("[pytest]\n")
    # The interpreter of the tests has pytest; the one on the PATH may not.
    (project / ".venv/bin").mkdir(parents=True)
    wrapped(project / ".venv/bin/python", sys.executable)
    return project


def test_pytest_in_numbers(python_project: Path) -> None:
    found = data(called(run_test, python_project, "test_a.py"))
    assert found["counts"] == {"passed": 1, "failed": 1, "skipped": 1} and not found["ok"] and found["exit_code"] == 1
    assert [f["id"] for f in found["failures"]] == ["test_a::test_bad"]
    assert any("assert 1 == 2" in line for line in found["failures"][0]["lines"])
    assert found["output"] == "" and found["duration_s"] > 0


@pytest.mark.parametrize("strategy, holds", [("HEAD:2", "more line"), ("TAIL:3", "1 failed"), ("TAIL:100", "1 failed")])
def test_output_is_cut_as_told(python_project: Path, strategy: str, holds: str) -> None:
    found = data(called(run_test, python_project, "test_a.py", strategy))
    assert holds in found["output"] and "<testcase" not in found["output"]


@pytest.mark.parametrize("strategy", ["", "MIDDLE:3", "HEAD", "HEAD:", "HEAD:-1", "TAIL:x", "HEAD:99999999"])
def test_an_odd_strategy_is_refused(python_project: Path, strategy: str) -> None:
    assert error(called(run_test, python_project, "", strategy))[0] == "InvalidArgument"


def test_one_test_by_its_name(python_project: Path) -> None:
    assert data(called(run_test, python_project, "test_a.py::test_good"))["counts"]["passed"] == 1


@pytest.mark.parametrize(
    "target, code",
    [
        ("--pdb", "InvalidArgument"),
        ("-p evil", "InvalidArgument"),
        ("../other", "OutsideProject"),
        ("/etc", "OutsideProject"),
        ("missing.py", "FileNotFound"),
        ("a\nb", "InvalidArgument"),
    ],
)
def test_a_target_is_a_place_of_the_project(python_project: Path, target: str, code: str) -> None:
    assert error(called(run_test, python_project, target))[0] == code


def test_a_run_that_fails_without_a_failing_test_says_why(python_project: Path) -> None:
    (python_project / "test_broken.py").write_text("import nothing_of_that_name\n")
    found = data(called(run_test, python_project, "test_broken.py"))
    assert not found["ok"] and "nothing_of_that_name" in json.dumps(found)


def test_unittest_in_numbers(python_project: Path) -> None:
    (python_project / "pytest.ini").unlink()
    (python_project / "test_a.py").unlink()
    (python_project / "setup.py").write_text("")
    found = data(called(run_test, python_project, "case_b.py"))
    assert found["runner"] == "unittest" and found["counts"] == {"passed": 1, "failed": 1, "skipped": 0}
    assert found["failures"][0]["id"] == "case_b.B.test_bad"


@pytest.mark.needs("node")
def test_nodes_own_runner(python_project: Path) -> None:
    for name in ("pytest.ini", *FILES):
        (python_project / name).unlink()
    (python_project / "package.json").write_text('{"scripts": {"test": "node --test"}}')
    text = "const t = require('node:test');\nt('good', () => {});\nt('bad', () => { throw new Error('no') });\n"
    (python_project / "a.test.js").write_text(text)
    found = data(called(run_test, python_project))
    assert found["runner"] == "node" and found["counts"] == {"passed": 1, "failed": 1, "skipped": 0}
    assert "no" in json.dumps(found["failures"])


@pytest.mark.needs("cargo")
def test_cargo_in_numbers(python_project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = Path(pwd.getpwuid(os.getuid()).pw_dir)  # rustup looks for its toolchains there
    monkeypatch.setenv("RUSTUP_HOME", os.environ.get("RUSTUP_HOME", str(home / ".rustup")))
    monkeypatch.setenv("CARGO_HOME", os.environ.get("CARGO_HOME", str(home / ".cargo")))
    for name in ("pytest.ini", *FILES):
        (python_project / name).unlink()
    (python_project / "Cargo.toml").write_text('[package]\nname = "a"\nversion = "0.1.0"\nedition = "2021"\n')
    (python_project / "src").mkdir()
    code = "#[test]\nfn good() {}\n#[test]\nfn bad() { assert_eq!(1, 2); }\n#[test]\n#[ignore]\nfn later() {}\n"
    (python_project / "src/lib.rs").write_text(code)
    repository(python_project)
    found = data(called(run_test, python_project))
    assert found["counts"] == {"passed": 1, "failed": 1, "skipped": 1}, found
    assert found["failures"][0]["id"] == "bad" and "assertion" in json.dumps(found["failures"])


def test_a_project_says_its_own_command(python_project: Path) -> None:
    own = ToolboxSettings(test=".venv/bin/python -m pytest -q test_a.py", lint="make lint")
    assert toolchain.test_runner(str(python_project), own).kind == "pytest"
    assert toolchain.lint_runner(str(python_project), own) == type(toolchain.test_runner(str(python_project), own))(
        "", ("make", "lint"), "toolchain"
    )


@pytest.mark.parametrize(
    "files, kind, argv",
    [
        ({"package.json": '{"devDependencies": {"vitest": "1"}}'}, "vitest", ("npx", "vitest", "run")),
        ({"package.json": '{"devDependencies": {"jest": "1"}}'}, "jest", ("npx", "jest")),
        ({"Cargo.toml": ""}, "cargo", ("cargo", "test")),
        ({"go.mod": ""}, "go", ("go", "test")),
        ({"pom.xml": ""}, "maven", ("mvn", "-B", "test")),
        ({"pom.xml": "", "mvnw": ""}, "maven", ("./mvnw", "-B", "test")),
        ({"build.gradle.kts": "", "gradlew": ""}, "gradle", ("./gradlew", "test")),
        ({"pyproject.toml": "[tool.pytest.ini_options]\n"}, "pytest", ("python3", "-m", "pytest")),
        ({"pyproject.toml": "[project]\nname='a'\n"}, "unittest", ("python3", "-m", "unittest")),
    ],
)
def test_the_manifests_say_what_tests(project: Path, files: dict[str, str], kind: str, argv: tuple[str, ...]) -> None:
    for name, text in files.items():
        (project / name).write_text(text)
    found = toolchain.test_runner(str(project), ToolboxSettings())
    assert (found.kind, found.argv) == (kind, argv)


def test_without_a_manifest_the_way_out_is_said(project: Path) -> None:
    assert error(called(run_test, project)) == ("NoToolchain", "no manifest here says how to test")


GO = """{"Action":"run","Package":"m/a","Test":"TestGood"}
{"Action":"pass","Package":"m/a","Test":"TestGood","Elapsed":0}
{"Action":"output","Package":"m/a","Test":"TestBad","Output":"    a_test.go:5: no\\n"}
{"Action":"fail","Package":"m/a","Test":"TestBad","Elapsed":0}
{"Action":"skip","Package":"m/a","Test":"TestLater","Elapsed":0}
{"Action":"fail","Package":"m/a","Elapsed":0.1}
"""
JEST = json.dumps(
    {
        "testResults": [
            {
                "name": "/p/a.test.js",
                "assertionResults": [
                    {"fullName": "good", "status": "passed"},
                    {"fullName": "bad", "status": "failed", "failureMessages": ["Error: no\n    at a.js:1"]},
                    {"fullName": "later", "status": "pending"},
                ],
            }
        ]
    }
)


@pytest.mark.parametrize(
    "read, text, failed",
    [(reports.go, GO, "m/a::TestBad"), (reports.jest, f"noise\n{JEST}\n", "/p/a.test.js::bad")],
)
def test_reports_of_other_runners(read: Any, text: str, failed: str) -> None:
    """As Go 1.19 and jest 30 print them; test_real_runners.py tries both for real (`-m soak`)."""
    found = read(text)
    assert (found.passed, found.failed, found.skipped) == (1, 1, 1)
    assert [f.id for f in found.failures] == [failed] and "no" in " ".join(found.failures[0].lines)


# As surefire 2.22 and Gradle 4.4 wrote them, without properties and most of the trace.
SUREFIRE = """<?xml version="1.0" encoding="UTF-8"?>
<testsuite xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" name="ATest" time="0.065" tests="3" errors="0" \
skipped="1" failures="1">
  <testcase name="bad" classname="ATest" time="0.013">
    <failure message="no" type="java.lang.AssertionError">java.lang.AssertionError: no
\tat ATest.bad(ATest.java:4)
</failure>
  </testcase>
  <testcase name="good" classname="ATest" time="0"/>
  <testcase name="later" classname="ATest" time="0">
    <skipped/>
  </testcase>
</testsuite>
"""
GRADLE = """<?xml version="1.0" encoding="UTF-8"?>
<testsuite name="ATest" tests="3" skipped="1" failures="1" errors="0" hostname="build" time="0.003">
  <properties/>
  <testcase name="bad" classname="ATest" time="0.002">
    <failure message="java.lang.AssertionError: no" type="java.lang.AssertionError">java.lang.AssertionError: no
\tat ATest.bad(ATest.java:4)
</failure>
  </testcase>
  <testcase name="good" classname="ATest" time="0.0"/>
  <testcase name="later" classname="ATest" time="0.0">
    <skipped/>
  </testcase>
  <system-out><![CDATA[]]></system-out>
</testsuite>
"""


@pytest.mark.parametrize("text", [SUREFIRE, GRADLE], ids=["Maven", "Gradle"])
def test_reports_that_lie_in_files(text: str, tmp_path: Path) -> None:
    (tmp_path / "TEST-ATest.xml").write_text(text)
    (tmp_path / "TEST-Old.xml").write_text(text)
    os.utime(tmp_path / "TEST-Old.xml", (1, 1))  # of a run before
    found = reports.junit_files([str(tmp_path), str(tmp_path / "missing")], since=2)
    assert found is not None and (found.passed, found.failed, found.skipped) == (1, 1, 1)
    assert found.failures[0].id == "ATest::bad" and "AssertionError: no" in found.failures[0].lines[1]


def test_a_report_with_entities_is_not_read() -> None:
    assert reports.junit('<!DOCTYPE x [<!ENTITY a "b">]><testsuites/>') is None


def test_cut_text_says_so() -> None:
    assert (
        shortened("a\nb\nc", "HEAD:1") == "a\n… 2 more lines" and shortened("a\nb\nc", "TAIL:1") == "… 2 more lines\nc"
    )


# -- linting


def test_ruff_as_data(python_project: Path) -> None:
    ruff = Path(sys.executable).parent / "ruff"
    wrapped(python_project / ".venv/bin/ruff", str(ruff))
    (python_project / "messy.py").write_text("import os\nprint(1)\n")
    found = data(called(run_lint, python_project, "messy.py"))
    row = {"file": "messy.py", "line": 1, "rule": "F401", "fixable": True}
    assert found["linter"] == "ruff" and found["count"] == len(found["findings"]) and not found["ok"]
    (unused,) = [f for f in found["findings"] if f["rule"] == "F401"]
    assert {k: unused[k] for k in row} == row and "os" in unused["message"]


def test_only_changed_lines(python_project: Path) -> None:
    ruff = Path(sys.executable).parent / "ruff"
    wrapped(python_project / ".venv/bin/ruff", str(ruff))
    (python_project / "messy.py").write_text("import os\n")
    repository(python_project)
    (python_project / "messy.py").write_text("import os\nimport sys\n")
    (python_project / "new.py").write_text("import re\n")
    found = data(called(run_lint, python_project, changed_only=True))
    assert {(f["file"], f["line"]) for f in found["findings"]} == {("messy.py", 2), ("new.py", 1)}
    git(python_project, "add", "-A")


CLIPPY = json.dumps(
    {
        "reason": "compiler-message",
        "message": {
            "message": "unused variable",
            "level": "warning",
            "code": {"code": "unused_variables"},
            "spans": [{"file_name": "src/a.rs", "line_start": 3, "is_primary": True}],
            "children": [{"spans": [{"suggested_replacement": "_x"}]}],
        },
    }
)
ESLINT = json.dumps(
    [{"filePath": "src/a.js", "messages": [{"ruleId": "eqeqeq", "line": 3, "message": "m", "fix": {}}]}]
)
GOLANGCI = json.dumps(
    {"Issues": [{"FromLinter": "errcheck", "Text": "m", "Pos": {"Filename": "src/a.go", "Line": 3}, "Replacement": {}}]}
)


@pytest.mark.parametrize(
    "kind, text, rule",
    [
        ("clippy", f"{CLIPPY}\n", "unused_variables"),
        ("eslint", ESLINT, "eqeqeq"),
        ("golangci-lint", GOLANGCI, "errcheck"),
    ],
)
def test_reports_of_other_linters(kind: str, text: str, rule: str) -> None:
    (found,) = LINT_READERS[kind](text)
    assert (found.line, found.rule) == (3, rule) and found.file.startswith("src/a.")


def test_nothing_is_left_behind(python_project: Path) -> None:
    before = {p for p in python_project.rglob("*") if "__pycache__" not in p.parts and ".pytest_cache" not in p.parts}
    called(run_test, python_project, "test_a.py")
    after = {p for p in python_project.rglob("*") if "__pycache__" not in p.parts and ".pytest_cache" not in p.parts}
    assert after == before


def test_without_a_profile_a_person_is_asked(python_project: Path) -> None:
    organisation("profiles: []")
    code, said = error(called(run_test, python_project, "test_a.py"))
    assert code == "Denied" and "askfirst watch" in said


def test_a_list_of_programs_narrows(python_project: Path) -> None:
    organisation("profiles: [python-dev]\ntoolbox: {allowed_commands: [cargo]}")
    code, said = error(called(run_test, python_project, "test_a.py"))
    assert code == "Denied" and "cargo" in said


@pytest.mark.needs("bwrap")
def test_contained_where_the_box_is_on(python_project: Path) -> None:
    """Without a profile, and with a box, the tests run at once: without network, and with nothing to change outside."""
    organisation("box: unknown")
    outside = python_project.parent / "outside"
    (python_project / "pytest.ini").unlink()
    shutil.rmtree(python_project / ".venv")  # it leads to the tests' own environment, which the box does not show
    (python_project / "setup.py").write_text("")
    code = "import pathlib, unittest\nclass A(unittest.TestCase):\n    def test_x(self):\n        pass\n"
    code += f"    def test_out(self):\n        pathlib.Path('{outside}').write_text('x')\n"
    (python_project / "test_a.py").write_text(code)
    found = data(called(run_test, python_project, "test_a.py"))
    assert found["counts"] is not None and found["counts"]["passed"] >= 1, found
    assert found["command"].endswith("-m unittest -v test_a")
    assert not outside.exists()
