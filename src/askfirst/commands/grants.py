"""`askfirst grants`: what people allowed and denied, and until when."""

from __future__ import annotations

import argparse
import time
from collections.abc import Mapping

from askfirst import jsontext
from askfirst.cli.printing import plain_table
from askfirst.cli.times import clock_time, roughly
from askfirst.cli.where import is_here
from askfirst.model import Duration, Grant
from askfirst.report.used import uses_of_permanent
from askfirst.store.grants import Denial, FileGrants, Use, grant_to
from askfirst.store.ids import shown
from askfirst.text import console, one_line

EXAMPLES = """examples:
  askfirst grants                     of this project
  askfirst grants --all               of every project
  askfirst grants --json
  askfirst forget 9k2m                take one back; also a denial
  askfirst remember 7f3a --session    the other way: make one yes count for longer
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--all", action="store_true", help="of every project")
    parser.add_argument("--json", action="store_true", help="print one JSON object per grant or denial, each on a line")


def run(args: argparse.Namespace) -> int:
    store = FileGrants()
    found = [g for g in store.all() if _is_in_force(g) and (args.all or is_here(g.project))]
    denials = [d for d in store.denials() if args.all or is_here(d.project)]
    uses = {**store.uses(), **uses_of_permanent(found)}
    if args.json:
        for grant in found:
            print(jsontext.dumps(_plain(grant, uses.get(grant.id, Use()))))
        for denial in denials:
            print(jsontext.dumps({"denied": True, **vars(denial)}))
    elif found or denials:
        _show(found, denials, uses)
    else:
        print("no grants" if args.all else "no grants in this project; `--all` shows those of every project")
    return 0


def _is_in_force(grant: Grant) -> bool:
    return grant.duration != Duration.TIMED or time.time() < grant.until


def _plain(grant: Grant, use: Use) -> dict[str, object]:
    duration = Duration(grant.duration).name.lower()
    return {**grant_to(grant), "duration": duration, "uses": use.count, "last_use": use.last}


def _show(found: list[Grant], denials: list[Denial], uses: Mapping[str, Use]) -> None:
    table = plain_table("id", "how long", "covers", "given for", "by", "used", "last used", unbroken=("id",))
    known = [*(g.id for g in found), *(d.id for d in denials)]
    for grant in found:
        use = uses.get(grant.id, Use())
        last = f"{roughly(time.time() - use.last)} ago" if use.last else "never"
        covers = "; ".join(s.shown for s in grant.scopes)
        cells = (shown(grant.id, known), _how_long(grant), covers, grant.text, grant.by, f"{use.count}×", last)
        table.add_row(*(one_line(cell, 300) for cell in cells))
    for denial in denials:
        why = f": {denial.reason}" if denial.reason else ""
        name = shown(denial.id, known) if denial.id else "-"
        cells = (name, f"session {denial.session[:8]}", f"DENIED{why}", denial.text, denial.by, "", "")
        table.add_row(*(one_line(cell, 300) for cell in cells))
    console().print(table)


def _how_long(grant: Grant) -> str:
    if grant.duration == Duration.SESSION:
        return f"session {grant.session[:8]}"
    return f"until {clock_time(grant.until)}" if grant.duration == Duration.TIMED else "permanent"
