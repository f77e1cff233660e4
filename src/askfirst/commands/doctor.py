"""`askfirst doctor`: is the gate there, does it answer, and who could switch it off? Each finding with the way out."""

from __future__ import annotations

import argparse
import json

from rich.text import Text

from askfirst.cli.where import directory
from askfirst.install.doctor import all_checks, told
from askfirst.text import console, visible

EXAMPLES = """\
examples:
  askfirst doctor            the current project
  askfirst doctor --tell     tries everything under `notify:` in your config.yaml, now
  askfirst doctor --json     the same for a program; exit code 1 when something fails
"""

MARKS = {"ok": "ok  ", "note": "note", "warn": "WARN", "fail": "FAIL"}
STYLES = {"ok": "green", "note": "cyan", "warn": "yellow", "fail": "bold red"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--dir", default=".", metavar="PROJECT", help="the project's directory (default: the current one)"
    )
    parser.add_argument("--tell", action="store_true", help="also send a test message to everybody under `notify:`")
    parser.add_argument("--json", action="store_true", help="one JSON object")


def run(args: argparse.Namespace) -> int:
    project = directory(args.dir)
    checks = [*all_checks(project), *(told(project) if args.tell else ())]
    failed = sum(c.level == "fail" for c in checks)
    if args.json:
        print(json.dumps({"ok": not failed, "checks": [vars(c) for c in checks]}, indent=2))
        return 1 if failed else 0
    out = console()
    for check in checks:
        mark = (MARKS[check.level], STYLES[check.level])
        out.print(Text.assemble(mark, f"  {check.name}: ", visible(check.text)), soft_wrap=True)
        if check.way_out and check.level != "ok":
            out.print(Text(f"      → {visible(check.way_out)}"), soft_wrap=True)
    out.print(f"{failed} of {len(checks)} checks failed" if failed else f"{len(checks)} checks, none failed")
    return 1 if failed else 0
