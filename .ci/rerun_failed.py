"""Tell broken tests from flaky ones: run what failed once more, alone, and judge both results.

    python .ci/rerun_failed.py STATUS       STATUS is the exit code of the run of pytest just before

A test that fails twice is broken. One that passes the second time is FLAKY, and that fails the run as well, unless
`.ci/flaky.yaml` lists it with a reason and a date that has not come yet. Nothing else turns a failure into a pass.
"""

from __future__ import annotations

import argparse
import datetime
import json
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import yaml

ROOT = Path(__file__).parents[1]
MAX_DAYS_LISTED = 60
PYTEST_TESTS_FAILED = 1  # every other exit code but 0 means that pytest itself could not do its work
PYTEST_NOTHING_RAN = 5


class Listed(NamedTuple):
    """One line of `.ci/flaky.yaml`."""

    test: str
    reason: str
    date: datetime.date
    expires: datetime.date


def listed(text: str) -> list[Listed]:
    """The tests that may be flaky for now. A list that says too little is refused."""
    entries = []
    for number, row in enumerate(yaml.safe_load(text) or [], 1):
        if not isinstance(row, dict) or set(row) != set(Listed._fields):
            raise SystemExit(f"flaky.yaml: entry {number}: needs exactly the keys {', '.join(Listed._fields)}")
        entry = Listed(**row)
        if not all(isinstance(day, datetime.date) for day in (entry.date, entry.expires)):
            raise SystemExit(f"flaky.yaml: entry {number}: `date` and `expires` are dates such as 2026-11-30")
        if not str(entry.reason).strip():
            raise SystemExit(f"flaky.yaml: entry {number}: `reason` is empty")
        if not 0 <= (entry.expires - entry.date).days <= MAX_DAYS_LISTED:
            raise SystemExit(f"flaky.yaml: entry {number}: `expires` is at most {MAX_DAYS_LISTED} days after `date`")
        entries.append(entry)
    return entries


def failed_tests(directory: Path) -> list[str]:
    """What pytest's own record of the last run calls failed."""
    record = directory / ".pytest_cache/v/cache/lastfailed"
    return sorted(json.loads(record.read_text(encoding="utf-8"))) if record.exists() else []


def judge(first: list[str], second: list[str], entries: list[Listed], today: datetime.date) -> tuple[list[str], bool]:
    """One line for each test that failed, and whether the run may pass."""
    known = {entry.test: entry for entry in entries}
    lines, passes = [], True
    for test in first:
        entry = known.get(test)
        if test in second:
            lines.append(f"BROKEN {test}: failed twice")
        elif entry is None:
            lines.append(f"FLAKY  {test}: failed, then passed alone")
        elif entry.expires < today:
            lines.append(f"FLAKY  {test}: its entry in flaky.yaml expired on {entry.expires}")
        else:
            lines.append(f"known  {test}: flaky until {entry.expires} ({entry.reason})")
            continue
        passes = False
    return lines, passes


def main(words: list[str]) -> int:
    parser = argparse.ArgumentParser(description="run failed tests again and tell broken from flaky")
    parser.add_argument("status", type=int, help="exit code of the run of pytest just before")
    parser.add_argument("--dir", type=Path, default=ROOT, help="where pytest ran")
    parser.add_argument("--flaky", type=Path, default=ROOT / ".ci/flaky.yaml", help="the list of known flaky tests")
    told = parser.parse_args(words)

    entries = listed(told.flaky.read_text(encoding="utf-8"))  # a broken list fails every run, not only unlucky ones
    first = failed_tests(told.dir)
    if told.status != PYTEST_TESTS_FAILED or not first:
        return int(told.status)

    print(f"== {len(first)} failed; once more, alone", flush=True)
    again = [sys.executable, "-m", "pytest", "-n0", "--last-failed", "--last-failed-no-failures", "none"]
    status = subprocess.run(again, cwd=told.dir, check=False).returncode
    if status not in (0, PYTEST_TESTS_FAILED, PYTEST_NOTHING_RAN):
        return status
    # A test that did not even run a second time has not passed a second time.
    second = first if status == PYTEST_NOTHING_RAN else failed_tests(told.dir)
    lines, passes = judge(first, second, entries, datetime.datetime.now(datetime.UTC).date())
    print("\n".join(lines), flush=True)
    return 0 if passes else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
