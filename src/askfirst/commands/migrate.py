"""`askfirst migrate`: write a rule file of version 1 as version 2, after showing what would change."""

from __future__ import annotations

import argparse
import difflib
import os
import sys

from rich.text import Text

from askfirst import audit
from askfirst.approval.person import require_person
from askfirst.cli.prompt import drop_typed_ahead
from askfirst.cli.where import directory
from askfirst.digest import sha256_hex
from askfirst.errors import AskfirstError
from askfirst.policy.yamltext import decode
from askfirst.store import paths, rulefiles
from askfirst.store.allowlist import rewrite
from askfirst.store.yaml_migrate import migrated
from askfirst.text import console, visible

EXAMPLES = """examples:
  askfirst migrate                    this project's file: the difference, then a question
  askfirst migrate --exact            patterns stay as they are: `run build` means these two words and no more
  askfirst migrate --yes              no question
  askfirst migrate ~/.config/askfirst/config.yaml

In version 1 `args: ["run build"]` let anything follow. Now a pattern describes the whole list of arguments, in files of
both versions; `...` at its end says that anything may follow. Without --exact this command writes that out, so that
each entry allows what it used to. `askfirst check` lists the entries.

exit code: 0 migrated or nothing to do, 1 not changed
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("files", nargs="*", metavar="FILE", help="the rule files (default: this project's)")
    parser.add_argument("--project", metavar="DIR", default=".", help="the project (default: this directory)")
    parser.add_argument("--exact", action="store_true", help="add no `...`: what became narrower stays narrower")
    parser.add_argument("--yes", action="store_true", help="do not ask")


def run(args: argparse.Namespace) -> int:
    project = directory(args.project)
    files = [os.path.abspath(f) for f in args.files] or [paths.project_file(project)]
    return max(_migrate(path, args) for path in files)


def _migrate(path: str, args: argparse.Namespace) -> int:
    data = rulefiles.read_file(path)
    if data is None:
        raise AskfirstError(f"{path}: no such rule file")
    old = decode(data, path)
    new = migrated(old, exact=args.exact, file=path)
    if new == old:
        print(f"{path}: nothing to do, it is version 2")
        return 0
    _show(path, old, new)
    require_person("migrate")
    if not args.yes and not _yes():
        print("nothing changed")
        return 1
    audit.append("config", {"what": "migrated", "file": path, "sha256": sha256_hex(new.encode())}, durable=True)
    rewrite(path, old, new)
    print(f"{path}: version 2{'; `askfirst check` says whether its examples still hold' if args.exact else ''}")
    return 0


def _show(path: str, old: str, new: str) -> None:
    out = console()
    styles = {"+": "green", "-": "red", "@": "dim"}
    for line in difflib.unified_diff(old.splitlines(), new.splitlines(), path, "version 2", lineterm=""):
        out.print(Text(visible(line), style=styles.get(line[:1], "")), soft_wrap=True)


def _yes() -> bool:
    drop_typed_ahead()  # what was typed before the question is no answer to it
    sys.stderr.write("Write it? [y/N] ")
    sys.stderr.flush()
    return sys.stdin.readline().strip().lower() in ("y", "yes")
