"""`askfirst log`: read the audit log."""

from __future__ import annotations

import argparse
import sys
import time
from itertools import islice
from typing import Any

from rich.text import Text

from askfirst import jsontext
from askfirst.audit.describe import author_of, outcome_of, subject_of
from askfirst.audit.filter import Filter
from askfirst.audit.read import Tail, read_backwards, total_bytes
from askfirst.cli.printing import plain_table
from askfirst.cli.records import add_filters, filter_of, read_with_progress
from askfirst.cli.times import log_time
from askfirst.text import console, one_line

EXAMPLES = """examples:
  askfirst log                              the last 40 records
  askfirst log --decision deny --since 1d   what was denied since yesterday
  askfirst log --text psql -n 0             everything about psql, from the beginning
  askfirst log --follow                     print new records as they come
  askfirst log --json | jq .rule            one JSON object per line

exit code: 0 records were found, 1 none
"""

LOOK_S = 0.3
STYLES = {"allow": "green", "contain": "cyan", "ask": "yellow", "deny": "red"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_filters(parser)
    parser.add_argument(
        "-n", "--lines", type=int, default=40, metavar="N", help="the last N records (default: 40; 0: all)"
    )
    parser.add_argument("-f", "--follow", action="store_true", help="print new records as they come")
    parser.add_argument("--json", action="store_true", help="print one JSON object per line, as in the log")


def run(args: argparse.Namespace) -> int:
    chosen = filter_of(args)
    if args.lines > 0:
        newest = (r for r in read_backwards() if chosen.takes(r))
        shown = list(islice(newest, args.lines))[::-1]
    else:
        shown = [r for r in read_with_progress(quiet=args.json) if chosen.takes(r)]
    if args.json:
        for record in shown:
            print(jsontext.dumps(record), flush=True)
    elif shown or not args.follow:
        _show_table(shown)
    if args.follow:
        _follow(chosen, shown[-1]["seq"] if shown else 0, as_json=args.json)
    return 0 if shown else 1


def _follow(chosen: Filter, last: int, *, as_json: bool) -> None:
    """New records as they come, until Ctrl-C."""
    tail = Tail(last)
    out = console()
    while True:
        for record in tail.look():
            if not chosen.takes(record):
                continue
            if as_json:
                print(jsontext.dumps(record), flush=True)
            else:
                out.print(_line(record), soft_wrap=True)
        sys.stdout.flush()
        time.sleep(LOOK_S)


def _line(record: dict[str, Any]) -> Text:
    shown = Text(f"{log_time(record.get('time', 0))}  ")
    shown.append(f"{outcome_of(record):<18} ", style=_style(record))
    return shown.append(f"{one_line(subject_of(record), 160)}  [{one_line(author_of(record), 60)}]")


def _style(record: dict[str, Any]) -> str:
    if record.get("kind") in ("alert", "violation") or record.get("severity") == "critical":
        return "bold red"
    return STYLES.get(str(record.get("decision", "")), "")


def _show_table(records: list[dict[str, Any]]) -> None:
    out = console()
    if not records:
        empty = "the log is empty; it is written when an agent's hook runs (`askfirst init`)"
        out.print("no record matches" if total_bytes() else empty)
        return
    narrow = out.width < 100
    one_day = narrow and len({log_time(r.get("time", 0))[:5] for r in records}) == 1
    columns = ("time", "decision", "what", "by") if narrow else ("time", "decision", "agent", "what", "by")
    table = plain_table(*columns, unbroken=("time", "decision"))
    for record in records:
        at = log_time(record.get("time", 0))
        cells: list[str | Text] = [at[6:] if one_day else at, Text(outcome_of(record), style=_style(record))]
        if not narrow:
            cells.append(one_line(str(record.get("agent", "")), 12))
        # What others wrote is text, never markup.
        table.add_row(*cells, Text(one_line(subject_of(record), 160)), Text(one_line(author_of(record), 60)))
    out.print(table)
