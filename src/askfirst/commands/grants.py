"""`askfirst grants`: what people allowed, and until when."""

from __future__ import annotations

import argparse
import os
import time

from askfirst import jsontext
from askfirst.cli.answering import ago, until_words
from askfirst.model import Duration, Grant
from askfirst.text import console, one_line

EXAMPLES = """examples:
  askfirst grants                     of this project
  askfirst grants --all               of every project
  askfirst grants --json
  askfirst revoke 9k2m                take one back
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--all", action="store_true", help="of every project")
    parser.add_argument("--json", action="store_true", help="for programs")


def run(args: argparse.Namespace) -> int:
    from askfirst.store.grants import FileGrants, Use, grant_to

    store = FileGrants()
    here = os.path.realpath(os.getcwd())
    found = [
        g
        for g in store.all()
        if is_alive(g) and (args.all or here == g.project or here.startswith(g.project.rstrip("/") + "/"))
    ]
    uses = store.uses()
    if args.json:
        for grant in found:
            use = uses.get(grant.id, Use())
            value = {
                **grant_to(grant),
                "duration": Duration(grant.duration).name.lower(),
                "uses": use.count,
                "last_use": use.last,
            }
            print(jsontext.dumps(value))
        return 0
    if not found:
        print("no grants" + ("" if args.all else " for this project; --all shows every project's"))
        return 0
    from rich.table import Table

    from askfirst.store.ids import shown

    table = Table(box=None, pad_edge=False, header_style="bold")
    for name in ("id", "how long", "covers", "given for", "by", "used", "last"):
        table.add_column(name, overflow="fold", no_wrap=name == "id")
    known = [g.id for g in found]
    for grant in found:
        use = uses.get(grant.id, Use())
        last = f"{ago(time.time() - use.last)} ago" if use.last else "never"
        covers = "; ".join(s.shown for s in grant.scopes)
        cells = (shown(grant.id, known), how_long(grant), covers, grant.text, grant.by, f"{use.count}×", last)
        table.add_row(*(one_line(cell, 300) for cell in cells))
    console().print(table)
    return 0


def is_alive(grant: Grant) -> bool:
    return grant.duration != Duration.TIMED or time.time() < grant.until


def how_long(grant: Grant) -> str:
    if grant.duration == Duration.SESSION:
        return f"session {grant.session[:8]}"
    return f"until {until_words(grant.until)}" if grant.duration == Duration.TIMED else "permanent"
