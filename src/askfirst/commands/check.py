"""`askfirst check`: validates the rule files and runs their examples. Every mistake has its place."""

from __future__ import annotations

import argparse
import os
import time
from typing import Any

from rich.text import Text

from askfirst import jsontext
from askfirst.cli.printing import counted
from askfirst.cli.where import directory
from askfirst.errors import ConfigError
from askfirst.policy.config import explain, parse_org, parse_project
from askfirst.policy.every_error import every_error
from askfirst.policy.rules import Problem, Rule, Settings
from askfirst.policy.yamltext import decode
from askfirst.store import paths, rulefiles
from askfirst.store.layers import org_files, settings_of
from askfirst.store.trust import is_trusted
from askfirst.text import console, visible

EXAMPLES = """examples:
  askfirst check                                 the organisation's files and this project's
  askfirst check .askfirst/allowed_commands.yaml
  askfirst check --org new-config.yaml           an organisation's file that is not installed yet
  askfirst check --json

exit code: 0 all files are good, 1 at least one is not
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "files", nargs="*", metavar="FILE", help="check FILE as a project's file (default: all files in force)"
    )
    parser.add_argument(
        "--org", metavar="FILE", action="append", default=[], help="check FILE as an organisation's file"
    )
    parser.add_argument("--project", metavar="DIR", default=".", help="the project (default: this directory)")
    parser.add_argument("--json", action="store_true", help="print one JSON object per file, each on a line")


def run(args: argparse.Namespace) -> int:
    project = directory(args.project)
    given = [(f, "org") for f in args.org] + [(f, "project") for f in args.files]
    chosen = given or [*((f, "org") for f in paths.org_files()), (paths.project_file(project), "project")]
    results = [_check(os.path.abspath(f), kind, project, must_exist=bool(given)) for f, kind in chosen]
    for result in results:
        if args.json:
            print(jsontext.dumps(result))
        else:
            _show(result)
    return 1 if any(r["problem"] or r["left_out"] for r in results) else 0


def _check(path: str, kind: str, project: str, *, must_exist: bool) -> dict[str, Any]:
    result: dict[str, Any] = {
        "file": path,
        "kind": kind,
        "exists": os.path.lexists(path),
        "problem": "",
        "entries": 0,
        "examples": 0,
        "left_out": [],
        "problems": [],
        "warnings": [],
    }
    try:
        if kind == "org":
            # A weaker file may name the profiles that a stronger one defines.
            known = tuple(p.name for p in _settings().own_profiles)
            file = rulefiles.org_file(path, profiles=known, fresh=True)
            if file is not None:
                own = (r for p in file.profiles for r in p.rules)
                _count(result, (*file.blocked, *file.allowed, *file.dangerous, *own), file.problems)
        else:
            _check_project(result, path, project)
        if must_exist and not result["exists"]:
            raise ConfigError("no such file", file=path, hint="is the path right?")
    except ConfigError as error:
        result.update(problem=str(error), message=explain(error), line=error.line, column=error.column, hint=error.hint)
        result["problems"] = [_told(one) for one in _every_error(path, kind)]
    return result


def _told(error: ConfigError) -> dict[str, Any]:
    return {"problem": str(error), "message": explain(error), "line": error.line, "column": error.column}


def _every_error(path: str, kind: str) -> list[ConfigError]:
    """All that is wrong with a file that cannot be used, so that it can be fixed in one go."""
    settings = _settings()
    known = tuple(p.name for p in settings.own_profiles)

    def problems(text: str) -> tuple[Problem, ...]:
        if kind == "org":
            return parse_org(text, path, profiles=known).problems
        return parse_project(text, path, most=settings.max_project_commands, profiles=known).problems

    try:
        data = rulefiles.read_file(path)
        return every_error(decode(data, path), path, problems) if data is not None else []
    except ConfigError:
        return []


def _check_project(result: dict[str, Any], path: str, project: str) -> None:
    inside = project if path.startswith(project + "/") else ""
    data = rulefiles.read_file(path, inside=inside)
    if data is None:
        return
    settings = _settings()
    known = tuple(p.name for p in settings.own_profiles)
    most = settings.max_project_commands
    rules = rulefiles.project_rules(path, data, project, most=most, profiles=known, fresh=True)
    _count(result, rules.rules, rules.problems)
    if path == paths.project_file(project) and not is_trusted(path, data):
        result["warnings"].append("not trusted yet, so its entries do not count; run `askfirst trust`")
    result["trusted"] = is_trusted(path, data)


def _settings() -> Settings:
    """The organisation may lower the number of entries, and defines profiles. Where its own file is broken, that file's
    result says so."""
    try:
        return settings_of(org_files())
    except ConfigError:
        return Settings()


def _count(result: dict[str, Any], rules: tuple[Rule, ...], problems: tuple[Problem, ...]) -> None:
    for error in map(ConfigError.of, problems):
        result["left_out"].append(_told(error))
    result["entries"] = len(rules)
    result["examples"] = sum(len(r.match) + len(r.not_match) for r in rules)
    now = time.time()
    for rule in rules:
        if rule.void:
            result["warnings"].append(f"line {rule.origin.line}: {rule.void}; it asks")
        elif rule.expires and rule.expires <= now:
            result["warnings"].append(f"line {rule.origin.line}: the entry `{rule.name}` has expired, so it asks again")
        if rule.old:
            shown = ", ".join(f"`{rule.name} {a}`".replace(" `", "`") for a in rule.args)
            result["warnings"].append(
                f"line {rule.origin.line}: allows less than in version 1: {shown} and nothing behind it; "
                f"`askfirst migrate` shows what to write"
            )
    narrowed = [rule for rule in rules if rule.old_env]
    if narrowed:
        shown = ", ".join(f"`{rule.name}` (line {rule.origin.line})" for rule in narrowed)
        result["warnings"].append(
            f"allows less than in version 1 where a variable in front says where it acts (`STAGE=prod`): {shown}; "
            f"name the variable in `env`, as `NAME` or `NAME=value`"
        )


def _show(result: dict[str, Any]) -> None:
    out = console()
    if result["problem"]:
        for told in result["problems"] or [result]:
            out.print(Text(f"✗ {visible(told['message'], newlines=True)}", style="red"), soft_wrap=True)
        is_org = result["kind"] == "org"
        effect = "everything is denied until this file is fixed" if is_org else "none of its entries count"
        out.print(Text(f"  {effect}"), soft_wrap=True)
    elif not result["exists"]:
        out.print(Text(f"- {result['file']}: does not exist, which is fine", style="dim"), soft_wrap=True)
    else:
        entries, examples = counted(result["entries"], "entry", "entries"), counted(result["examples"], "example")
        good = not result["left_out"]
        mark, style = ("✓", "green") if good else ("!", "yellow")
        out.print(Text(f"{mark} {result['file']}: {entries}, {examples}", style=style), soft_wrap=True)
    for left_out in result["left_out"]:
        out.print(Text(f"✗ {visible(left_out['message'], newlines=True)}", style="red"), soft_wrap=True)
        out.print(Text("  this entry does not count; the others do"), soft_wrap=True)
    for warning in result["warnings"]:
        out.print(Text(f"  note: {visible(warning)}", style="yellow"), soft_wrap=True)
