"""Continuous integration is honest: a flaky test or a missing tool fails it, and one place says what is checked."""

from __future__ import annotations

import datetime
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[1]
CI = ROOT / ".ci"
RERUN = CI / "rerun_failed.py"
# Fails as long as the file `seen` is not there, and makes it: so the second run passes.
FLAKY_TEST = """
from pathlib import Path
def test_flaky():
    seen = Path(__file__).with_name("seen")
    if not seen.exists():
        seen.touch()
        assert False
"""
TODAY = datetime.datetime.now(datetime.UTC).date()


@pytest.fixture(autouse=True)
def _own_options(monkeypatch: pytest.MonkeyPatch) -> None:
    """The options of the run that these tests belong to are not meant for the runs that they start."""
    monkeypatch.delenv("PYTEST_ADDOPTS", raising=False)


def entry(**changed: Any) -> dict[str, Any]:
    week = datetime.timedelta(days=7)
    row = {"test": "test_it.py::test_flaky", "reason": "a race", "date": TODAY - week, "expires": TODAY + week}
    return {**row, **changed}


def two_runs(directory: Path, test: str, listed: list[dict[str, Any]]) -> subprocess.CompletedProcess[str]:
    """A run of pytest and what `.ci/run` does after it, in a project of its own."""
    (directory / "test_it.py").write_text(test)
    (directory / "pytest.ini").write_text("[pytest]\n")
    (directory / "flaky.yaml").write_text(yaml.safe_dump(listed))
    first = subprocess.run([sys.executable, "-m", "pytest", "-q"], cwd=directory, capture_output=True, check=False)
    words = [str(first.returncode), "--dir", str(directory), "--flaky", str(directory / "flaky.yaml")]
    return subprocess.run(
        [sys.executable, str(RERUN), *words], cwd=directory, capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize(
    "test, listed, passes, says",
    [
        pytest.param("def test_good(): pass", [], True, "", id="nothing failed"),
        pytest.param(FLAKY_TEST, [], False, "FLAKY  test_it.py::test_flaky: failed, then passed alone", id="flaky"),
        pytest.param(FLAKY_TEST, [entry()], True, "known  test_it.py::test_flaky: flaky until", id="listed"),
        pytest.param(
            FLAKY_TEST,
            [entry(expires=TODAY - datetime.timedelta(days=1))],
            False,
            "its entry in flaky.yaml expired",
            id="expired",
        ),
        pytest.param(FLAKY_TEST, [entry(test="test_it.py::test_other")], False, "FLAKY ", id="another is listed"),
        pytest.param("def test_flaky(): assert False", [entry()], False, "failed twice", id="listed but broken"),
        pytest.param("def test_bad(): assert False", [], False, "BROKEN test_it.py::test_bad", id="broken"),
        pytest.param("import nothing_of_this_name", [], False, "", id="does not even load"),
        pytest.param("", [], False, "", id="no tests at all"),
        pytest.param("def test_good(): pass", [entry(reason=" ")], False, "`reason` is empty", id="no reason"),
        pytest.param("def test_good(): pass", [entry(expires="soon")], False, "are dates", id="no date"),
        pytest.param(
            "def test_good(): pass",
            [entry(expires=TODAY + datetime.timedelta(days=90))],
            False,
            "at most 60 days",
            id="listed for ever",
        ),
        pytest.param("def test_good(): pass", [{"test": "x"}], False, "needs exactly the keys", id="keys are missing"),
    ],
)
def test_a_second_run_never_hides_a_failure(
    test: str, listed: list[dict[str, Any]], passes: bool, says: str, tmp_path: Path
) -> None:
    done = two_runs(tmp_path, test, listed)
    assert (done.returncode == 0) is passes, done.stdout + done.stderr
    assert says in done.stdout + done.stderr


def test_the_list_of_flaky_tests_loads() -> None:
    done = subprocess.run([sys.executable, str(RERUN), "0"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


SKIPPING = {
    "a tool is missing": 'import pytest\n@pytest.mark.needs("no-such-program")\ndef test_it(): pass\n',
    "called in the test": 'from tests.needs import needs\ndef test_it(): needs("no-such-program")\n',
    "a plain skip": 'import pytest\ndef test_it(): pytest.skip("no time")\n',
    "a mark": 'import pytest\n@pytest.mark.skipif(True, reason="no time")\ndef test_it(): pass\n',
    "a whole file": 'import pytest\npytest.importorskip("no_such_module")\ndef test_it(): pass\n',
}


@pytest.mark.parametrize("how", SKIPPING)
@pytest.mark.parametrize("ci", ["", "true"])
def test_a_skip_is_a_failure_in_ci(how: str, ci: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    done = run_under_the_projects_conftest(SKIPPING[how], ci, tmp_path, monkeypatch)
    assert done.returncode == (2 if how == "a whole file" else 1) if ci else done.returncode in (0, 5), done.stdout
    assert ("skipped in CI" if ci else "1 skipped") in done.stdout


@pytest.mark.parametrize(
    "test",
    [
        'import pytest\ndef test_it(): pytest.skip("codex 1.0 is not installed; run .ci/install-agents")\n',
        "import pytest\n@pytest.mark.xfail(strict=True)\ndef test_it(): assert False\n",
    ],
)
def test_what_is_listed_or_expected_to_fail_is_no_failure_in_ci(
    test: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = run_under_the_projects_conftest(test, "true", tmp_path, monkeypatch)
    assert done.returncode == 0, done.stdout


def run_under_the_projects_conftest(
    test: str, ci: str, directory: Path, monkeypatch: pytest.MonkeyPatch
) -> subprocess.CompletedProcess[str]:
    monkeypatch.setenv("CI", ci)
    (directory / "test_it.py").write_text(test)
    (directory / "pytest.ini").write_text(f"[pytest]\npythonpath = {ROOT}\nmarkers = needs\n")
    command = [sys.executable, "-m", "pytest", "-p", "tests.conftest", "-rs", "test_it.py"]
    return subprocess.run(command, cwd=directory, capture_output=True, text=True, check=False)


# -- one place says what is checked -----------------------------------------------------------------------------------


def hooks() -> dict[str, dict[str, Any]]:
    config = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text())
    return {hook["id"]: hook for repository in config["repos"] for hook in repository["hooks"]}


def test_a_commit_is_checked_as_ci_checks_it() -> None:
    """The same commands, from the environment that is active instead of the one that CI makes."""
    of_ci = re.findall(r"^\.venv/bin/((?:ruff|mypy).*)$", (CI / "run").read_text(), re.MULTILINE)
    of_a_commit = [hook["entry"] for hook in hooks().values() if hook.get("stages") != ["commit-msg"]]
    assert of_ci == ["ruff format --check", "ruff check", "mypy"]
    assert of_a_commit == [f"python -m {command}" for command in of_ci]


@pytest.mark.parametrize(
    "message, problem",
    [
        ("Subject\n\nBecause.\n", ""),
        ("Subject\n\nBecause.\nAnd because.\n# a comment of git's\n", ""),
        ("Merge branch 'x'\n", ""),
        ("Subject\n", "there is no body"),
        ("Subject\n\n# a comment of git's\n", "there is no body"),
        ("Subject\n# ------------------------ >8 ------------------------\ndiff\n\nx", "there is no body"),
        ("Subject\nBecause.\n", "is not blank"),
        ("x" * 101 + "\n\nBecause.\n", "longer than 100"),
        ("\n", "is empty"),
    ],
)
def test_a_commit_says_why(message: str, problem: str, tmp_path: Path) -> None:
    file = tmp_path / "COMMIT_EDITMSG"
    file.write_text(message)
    command = [sys.executable, *hooks()["commit-says-why"]["entry"].split()[1:], str(file)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode == 0) is (not problem), done.stderr
    assert problem in done.stderr


def test_the_hooks_need_no_network() -> None:
    config = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text())
    assert [repository["repo"] for repository in config["repos"]] == ["local"]
    assert {hook["language"] for hook in hooks().values()} == {"system"}


WORKFLOWS = sorted((ROOT / ".github/workflows").glob("*.yml"))


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=lambda path: path.name)
def test_actions_are_pinned_and_rights_are_few(workflow: Path) -> None:
    text = workflow.read_text()
    for used in re.findall(r"uses: (.*)", text):
        assert re.fullmatch(r"[\w./-]+@[0-9a-f]{40} # v[\d.]+", used), used
    loaded = yaml.safe_load(text)
    assert loaded["permissions"] == {"contents": "read"}
    for name, job in loaded["jobs"].items():
        assert job["timeout-minutes"] <= 30, name
        written = {right for right, how in job.get("permissions", {}).items() if how == "write"}
        assert written <= {"id-token", "attestations"}, name
    assert "pull_request_target" not in text


def test_the_workflow_calls_what_everybody_can_call() -> None:
    jobs = yaml.safe_load((ROOT / ".github/workflows/ci.yml").read_text())["jobs"]
    matrix = jobs["test"]["strategy"]["matrix"]
    assert matrix["python"] == ["3.11", "3.12", "3.13", "3.14"] and matrix["os"] == ["ubuntu-latest", "macos-latest"]
    assert jobs["test"]["steps"][-1]["run"] == ".ci/run"
