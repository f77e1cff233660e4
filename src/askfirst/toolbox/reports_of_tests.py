"""Reads what test runners print for machines: how many passed and failed, and the first lines of each failure.

A report that cannot be read is no failure of the tests: the counts are then unknown, and the exit code speaks.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any
from xml.etree import ElementTree

MAX_FAILURES = 50
MAX_FAILURE_LINES = 12
MAX_LINE_CHARS = 400
MAX_TRIED = 1000  # lines of the output that might begin the report


@dataclass(frozen=True)
class Failed:
    id: str
    lines: tuple[str, ...]


@dataclass(frozen=True)
class TestReport:
    passed: int = 0
    failed: int = 0
    skipped: int = 0
    failures: tuple[Failed, ...] = ()
    rest: str = ""  # what was printed for people, beside the report

    def __add__(self, other: TestReport) -> TestReport:
        return TestReport(
            self.passed + other.passed,
            self.failed + other.failed,
            self.skipped + other.skipped,
            (self.failures + other.failures)[: MAX_FAILURES + 1],  # one more than is shown
            self.rest + other.rest,
        )


def first_lines(text: str) -> tuple[str, ...]:
    """The end of a traceback says what went wrong, its beginning where: both, where it is long."""
    lines = [line[:MAX_LINE_CHARS] for line in text.strip("\n").splitlines()]
    if len(lines) <= MAX_FAILURE_LINES:
        return tuple(lines)
    half = MAX_FAILURE_LINES // 2
    return (*lines[:half], f"… {len(lines) - 2 * half} lines …", *lines[-half:])


# -- JUnit's XML: pytest, node, Maven, Gradle


def junit(text: str) -> TestReport | None:
    try:
        root = ElementTree.fromstring(text, ElementTree.XMLParser(target=_NoEntities()))
    except (ElementTree.ParseError, ValueError):
        return None
    return sum(map(_case, root.iter("testcase")), TestReport())


class _NoEntities(ElementTree.TreeBuilder):
    """A report has no document type, and whoever declares one may declare entities that grow without end."""

    def doctype(self, name: str, public: str | None, system: str | None) -> None:
        raise ValueError("a report has no document type")


def _case(case: ElementTree.Element) -> TestReport:
    name = "::".join(filter(None, (case.get("classname"), case.get("name"))))
    bad = [e for e in case if e.tag in ("failure", "error")]
    if bad:
        said = "\n".join(filter(None, (bad[0].get("message", ""), bad[0].text or "")))
        return TestReport(failed=1, failures=(Failed(name, first_lines(said)),))
    return TestReport(skipped=1) if case.find("skipped") is not None else TestReport(passed=1)


def junit_in(output: str) -> TestReport | None:
    """A report that was printed among other things."""
    begin = output.rfind("<?xml")
    begin = begin if begin >= 0 else output.find("<testsuite")
    ends = [at + len(end) for end in ("</testsuites>", "</testsuite>") if (at := output.rfind(end)) >= 0]
    if begin < 0 or not ends or max(ends) < begin:
        return None
    found = junit(output[begin : max(ends)])
    return replace(found, rest=output[:begin] + output[max(ends) :]) if found is not None else None


def junit_files(directories: Iterable[str], since: float) -> TestReport | None:
    """The files that this run wrote below a build directory."""
    found: TestReport | None = None
    for directory in directories:
        for name in sorted(os.listdir(directory)) if os.path.isdir(directory) else ():
            path = os.path.join(directory, name)
            if name.endswith(".xml") and os.path.isfile(path) and os.path.getmtime(path) >= since:
                with open(path, encoding="utf-8", errors="replace") as file:
                    report = junit(file.read(64 << 20))
                found = (found or TestReport()) + report if report is not None else found
    return found


# -- JSON: jest, vitest, go


def jest(output: str) -> TestReport | None:
    """jest and vitest print one object of the same form, among other lines."""
    value, rest = _object_in(output, "testResults")
    files = value.get("testResults")
    if not isinstance(files, list):
        return None
    return sum(map(_jest_file, files), TestReport(rest=rest))


def _jest_file(file: Any) -> TestReport:
    cases = [c for c in file.get("assertionResults", ()) if isinstance(c, dict)]
    if not cases and file.get("status") == "failed":
        return TestReport(
            failed=1, failures=(Failed(str(file.get("name", "")), first_lines(str(file.get("message", "")))),)
        )
    report = TestReport()
    for case in cases:
        name, status = f"{file.get('name', '')}::{case.get('fullName', '')}", case.get("status")
        if status == "failed":
            said = "\n".join(map(str, case.get("failureMessages") or ()))
            report += TestReport(failed=1, failures=(Failed(name, first_lines(said)),))
        else:
            report += TestReport(passed=1) if status == "passed" else TestReport(skipped=1)
    return report


def _object_in(output: str, key: str) -> tuple[dict[str, Any], str]:
    """The JSON object with this key that begins a line, and everything else."""
    for start in islice(re.finditer(r"^\{", output, re.MULTILINE), MAX_TRIED):
        try:
            value, end = json.JSONDecoder().raw_decode(output, start.start())
        except (ValueError, RecursionError):
            continue
        if isinstance(value, dict) and key in value:
            return value, output[: start.start()] + output[end:]
    return {}, output


def go(output: str) -> TestReport | None:
    """`go test -json`: an event a line."""
    report, said, rest = TestReport(), dict[str, list[str]](), list[str]()
    seen, with_failures = False, set[str]()
    for line in output.splitlines():
        event = _event(line)
        if event is None:
            rest.append(line)
            continue
        seen = True
        name = "::".join(filter(None, (event.get("Package"), event.get("Test"))))
        action = event.get("Action")
        if action == "output":
            said.setdefault(name, []).append(str(event.get("Output", "")).rstrip("\n"))
        elif event.get("Test") and action in ("pass", "skip"):
            report += TestReport(passed=1) if action == "pass" else TestReport(skipped=1)
        elif action in ("fail", "build-fail") and (event.get("Test") or name not in with_failures):
            with_failures.add(str(event.get("Package")))  # which fails, too, and is counted already
            report += TestReport(failed=1, failures=(Failed(name, first_lines("\n".join(said.get(name, ())))),))
    return replace(report, rest="\n".join(rest)) if seen else None


def _event(line: str) -> dict[str, Any] | None:
    try:
        value = json.loads(line) if line.startswith("{") else None
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) and "Action" in value else None


# -- text: cargo, unittest

_CARGO_CASE = re.compile(r"^test (.+?)(?: - should panic)? \.\.\. (ok|FAILED|ignored)", re.MULTILINE)
_CARGO_SAID = re.compile(r"^---- (.+?) stdout ----\n(.*?)(?=^---- |^failures:|\Z)", re.MULTILINE | re.DOTALL)


def cargo(output: str) -> TestReport | None:
    cases = _CARGO_CASE.findall(output)
    if not cases and "test result:" not in output:
        return None
    said = dict(_CARGO_SAID.findall(output))
    states = [state for _, state in cases]
    failures = tuple(Failed(name, first_lines(said.get(name, ""))) for name, state in cases if state == "FAILED")
    return TestReport(states.count("ok"), len(failures), states.count("ignored"), failures, output)


_UNITTEST_SUM = re.compile(r"^Ran (\d+) tests? in ", re.MULTILINE)
_UNITTEST_COUNT = re.compile(r"(failures|errors|skipped|expected failures|unexpected successes)=(\d+)")
_UNITTEST_SAID = re.compile(r"^={70}\n(?:ERROR|FAIL): (\S+) \(([^)]*)\)(.*?)(?=^={70}|^-{70}\nRan|\Z)", re.M | re.S)


def unittest(output: str) -> TestReport | None:
    total = _UNITTEST_SUM.search(output)
    if total is None:
        return None
    counts = {name: int(n) for name, n in _UNITTEST_COUNT.findall(output[total.end() :])}
    failed = sum(counts.get(key, 0) for key in ("failures", "errors", "unexpected successes"))
    skipped = counts.get("skipped", 0)
    failures = tuple(Failed(_unittest_id(*m[:2]), first_lines(m[2])) for m in _UNITTEST_SAID.findall(output))
    return TestReport(int(total.group(1)) - failed - skipped, failed, skipped, failures, output)


def _unittest_id(name: str, place: str) -> str:
    """`tests.a.Case.test_x`: newer versions say the whole name in brackets, older ones only the class."""
    return place if place.endswith(f".{name}") else f"{place}.{name}"


def shown(failures: Iterable[Failed]) -> Iterator[dict[str, Any]]:
    for failed in list(failures)[:MAX_FAILURES]:
        yield {"id": failed.id, "lines": list(failed.lines)}
