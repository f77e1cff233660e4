"""run_test: the project's tests, by the runner that its manifests name, as counts and failures instead of a screen of
text."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from askfirst.policy.rules import Layers
from askfirst.redact import redact
from askfirst.toolbox import reports_of_tests as reports
from askfirst.toolbox.place import Place, enter, of_service, service_root
from askfirst.toolbox.reports_of_tests import TestReport
from askfirst.toolbox.running import Gone, Ran, ToolCommand, run, shortened
from askfirst.toolbox.tool_result import Failure
from askfirst.toolbox.toolchain import Runner, as_word, test_runner

STRATEGIES = "FAILURES, HEAD:n or TAIL:n"


def run_test(
    place: Place, target: str = "", truncation_strategy: str = "FAILURES", *, gone: Gone | None = None
) -> dict[str, Any]:
    _check_strategy(truncation_strategy)
    layers = enter(place, "run_test", target=target)
    root = service_root(place, layers)
    runner = test_runner(root, layers.settings.toolbox)
    argv = (*runner.argv, *_ADDED.get(runner.kind, ()), *_Target(place, layers, root).words(runner.kind, target))
    began = time.time()
    ran = run(place, ToolCommand(argv, f"run_test {target}".strip(), root), gone=gone)
    return _result(runner, ran, _report(runner, ran, root, began), truncation_strategy)


def _result(runner: Runner, ran: Ran, report: TestReport | None, strategy: str) -> dict[str, Any]:
    found: dict[str, Any] = {
        "runner": runner.kind or runner.argv[0],
        "command": redact(ran.command),
        "exit_code": ran.code,
        "ok": ran.code == 0,
        "duration_s": round(ran.duration_s, 2),
    }
    if report is None:
        # Nothing was counted: what was printed is all there is to go by.
        strategy = "TAIL:40" if strategy == "FAILURES" else strategy
        return {**found, "counts": None, "failures": [], "output": shortened(ran.shown, strategy)}
    counts = {"passed": report.passed, "failed": report.failed, "skipped": report.skipped}
    failures = [{**f, "lines": [redact(line) for line in f["lines"]]} for f in reports.shown(report.failures)]
    found |= {"counts": counts, "failures": failures, "failures_cut": report.failed > len(failures)}
    if strategy == "FAILURES":
        # A run that failed without a failing test (a broken import, no test found) says why in its text only.
        said = shortened(redact(report.rest + ran.err), "TAIL:20") if ran.code and not failures else ""
    else:
        said = shortened(redact(report.rest + ran.err), strategy)
    return {**found, "output": said}


def _check_strategy(strategy: str) -> None:
    way, colon, number = strategy.partition(":")
    counted = way in ("HEAD", "TAIL") and bool(colon) and number.isascii() and number.isdigit() and len(number) < 7
    if strategy != "FAILURES" and not counted:
        raise Failure("InvalidArgument", f"truncation_strategy is {STRATEGIES}", "FAILURES is the shortest")


# What makes a runner print a report: it goes to standard output, so that nothing is left behind.
_ADDED: dict[str, tuple[str, ...]] = {
    "pytest": ("-q", "--junitxml=/dev/stdout"),
    "vitest": ("--reporter=json",),
    "jest": ("--json",),
    "node": ("--test-reporter=junit",),
    "go": ("-json",),
    "unittest": ("-v",),
}
# Where Maven and Gradle put their reports.
_DIRECTORIES = {
    "maven": ("target/surefire-reports", "target/failsafe-reports"),
    "gradle": ("build/test-results/test",),
}
_READ: dict[str, Callable[[str], TestReport | None]] = {
    "pytest": reports.junit_in,
    "node": reports.junit_in,
    "vitest": reports.jest,
    "jest": reports.jest,
    "go": reports.go,
    "cargo": reports.cargo,
    "unittest": reports.unittest,
}


def _report(runner: Runner, ran: Ran, root: str, began: float) -> TestReport | None:
    if runner.kind in _DIRECTORIES:
        directories = (os.path.join(root, d) for d in _DIRECTORIES[runner.kind])
        return reports.junit_files(directories, began - 1)
    read = _READ.get(runner.kind)
    return read(ran.err + ran.out if runner.kind == "unittest" else ran.out) if read is not None else None


# -- the target


@dataclass(frozen=True)
class _Target:
    """The words that name what is tested: a place in the project, or a name of a test; never an option."""

    place: Place
    layers: Layers
    root: str  # where the runner starts

    def words(self, kind: str, target: str) -> tuple[str, ...]:
        if not target:
            return ("./...",) if kind == "go" else ()
        if target.startswith("-") or any(not c.isprintable() for c in target):
            raise Failure("InvalidArgument", f"`{target}` is not a target", "give a file, a directory or a test's name")
        if kind in _NAMED:
            return (*_NAMED[kind][:-1], _NAMED[kind][-1] + target)
        if kind == "go":
            rest = "/..." if target.endswith("/...") else ""
            return ("./" + self._relative(target.removesuffix("/...")) + rest,)
        if kind == "unittest":
            return (self._module(target),)
        path, colons, name = target.partition("::")
        return (as_word(self._relative(path)) + colons + name,)

    def _module(self, target: str) -> str:
        """A file, or the name of a module; a name that is also a file's, or a link's, must be the project's."""
        is_path = "/" in target or target.endswith(".py") or os.path.lexists(os.path.join(self.root, target))
        return self._relative(target).removesuffix(".py").replace("/", ".") if is_path else target

    def _relative(self, path: str) -> str:
        return os.path.relpath(of_service(self.place, self.layers, path), self.root)


# Runners that take the name of a test, and how it is said.
_NAMED = {"cargo": ("",), "maven": ("-Dtest=",), "gradle": ("--tests", "")}
