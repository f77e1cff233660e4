"""run_lint: what a linter finds, as {file, line, rule, message, fixable}; of all files, or of changed lines only."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass, replace
from typing import Any

from askfirst.redact import redact
from askfirst.toolbox.git_reading import changed_lines
from askfirst.toolbox.place import Place, enter, of_service, service_root
from askfirst.toolbox.running import Gone, ToolCommand, run, shortened
from askfirst.toolbox.tool_result import Failure
from askfirst.toolbox.toolchain import Runner, as_word, lint_runner

MAX_FINDINGS = 500


@dataclass(frozen=True)
class LintFinding:
    file: str
    line: int
    rule: str
    message: str
    fixable: bool


def run_lint(place: Place, target: str = "", changed_only: bool = False, *, gone: Gone | None = None) -> dict[str, Any]:
    layers = enter(place, "run_lint", target=target)
    root = service_root(place, layers)
    runner = lint_runner(root, layers.settings.toolbox)
    words = _target(runner.kind, target, lambda path: os.path.relpath(of_service(place, layers, path), root))
    argv = (*runner.argv, *_added(place, runner, root), *words)
    ran = run(place, ToolCommand(argv, f"run_lint {target}".strip(), root), gone=gone)
    base = {"linter": runner.kind or runner.argv[0], "command": redact(ran.command), "exit_code": ran.code}
    found = _findings(runner.kind, ran.out, root, place.project)
    if found is None:
        # A command of the project's own, or a linter that could not start: its words are all there is.
        return {**base, "ok": ran.code == 0, "findings": None, "output": shortened(ran.shown, "TAIL:60")}
    if changed_only:
        lines = changed_lines(place)
        found = [f for f in found if f.line in lines.get(f.file, ())]
    shown = [asdict(f) | {"message": redact(f.message)} for f in found[:MAX_FINDINGS]]
    silent = bool(ran.code) and not found and not changed_only  # it failed, and not for what it found
    return {
        **base,
        "ok": not found and not silent,
        "count": len(found),
        "fixable": sum(f.fixable for f in found),
        "findings": shown,
        "truncated": len(found) > len(shown),
        "output": shortened(redact(ran.err), "TAIL:20") if silent else "",
    }


def _findings(kind: str, output: str, root: str, project: str) -> list[LintFinding] | None:
    """What the linter printed for machines; None where that is not known or cannot be read."""
    read = _READ.get(kind)
    try:
        return None if read is None else [_relative(f, root, project) for f in read(output)]
    except (ValueError, KeyError, TypeError, AttributeError):
        return None


def _target(kind: str, target: str, relative: Callable[[str], str]) -> tuple[str, ...]:
    if kind == "clippy":
        if target:
            raise Failure("InvalidArgument", "clippy looks at the whole crate", "leave the target out")
        return ()
    if target:
        if target.startswith("-"):
            raise Failure("InvalidArgument", f"`{target}` is not a target", "give a file or a directory")
        return (as_word(relative(target)),)
    return {"eslint": (".",), "golangci-lint": ("./...",)}.get(kind, ())


def _relative(finding: LintFinding, root: str, project: str) -> LintFinding:
    return replace(finding, file=os.path.relpath(os.path.join(root, finding.file), project))


_ADDED: dict[str, tuple[str, ...]] = {
    "ruff": ("--output-format=json",),
    "eslint": ("-f", "json"),
    "clippy": ("--message-format=json",),
}


def _added(place: Place, runner: Runner, root: str) -> tuple[str, ...]:
    """What makes a linter print for machines. golangci-lint has other words since version 2."""
    if runner.kind != "golangci-lint":
        return _ADDED.get(runner.kind, ())
    said = run(place, ToolCommand((runner.argv[0], "--version"), "run_lint", root), timeout_s=30).out
    old = re.search(r"version v?1\.", said) is not None
    return ("--out-format=json",) if old else ("--output.json.path=stdout",)


def _ruff(output: str) -> Iterator[LintFinding]:
    for row in json.loads(output):
        place = row.get("location") or {}
        rule = row.get("code") or "syntax"
        yield LintFinding(row["filename"], place.get("row", 0), rule, row["message"], bool(row.get("fix")))


def _eslint(output: str) -> Iterator[LintFinding]:
    for file in json.loads(output[max(0, output.find("[")) :]):
        for row in file["messages"]:
            rule = row.get("ruleId") or "syntax"
            yield LintFinding(file["filePath"], row.get("line", 0), rule, row["message"], "fix" in row)


def _clippy(output: str) -> Iterator[LintFinding]:
    for line in output.splitlines():
        row = json.loads(line) if line.startswith("{") else {}
        message: dict[str, Any] = row["message"] if row.get("reason") == "compiler-message" else {}
        for span in message.get("spans", ()):
            if span["is_primary"]:
                rule = (message.get("code") or {}).get("code") or message["level"]
                yield LintFinding(span["file_name"], span["line_start"], rule, message["message"], _has_fix(message))


def _has_fix(message: dict[str, Any]) -> bool:
    parts: Iterable[dict[str, Any]] = (message, *message.get("children", ()))
    return any(s.get("suggested_replacement") is not None for part in parts for s in part.get("spans", ()))


def _golangci(output: str) -> Iterator[LintFinding]:
    value, _ = json.JSONDecoder().raw_decode(output[max(0, output.find("{")) :])
    for row in value.get("Issues") or ():
        place = row["Pos"]
        fixable = bool(row.get("Replacement") or row.get("SuggestedFixes"))
        yield LintFinding(place["Filename"], place["Line"], row["FromLinter"], row["Text"], fixable)


_READ: dict[str, Callable[[str], Iterator[LintFinding]]] = {
    "ruff": _ruff,
    "eslint": _eslint,
    "clippy": _clippy,
    "golangci-lint": _golangci,
}
