"""`askfirst log`: read the audit log."""

from __future__ import annotations

import argparse
import datetime
import os
import sys
import time
from collections import deque
from collections.abc import Iterator
from typing import Any

from askfirst import jsontext
from askfirst.report.select import Filter, moment
from askfirst.store import audit_read
from askfirst.text import console, one_line

EXAMPLES = """examples:
  askfirst log                              the last 40 records
  askfirst log --decision deny --since 1d   what was refused today
  askfirst log --text psql -n 0             everything about psql, from the beginning
  askfirst log --follow                     go on as new records come
  askfirst log --json | jq .rule            one JSON object a line
"""

STYLES = {"allow": "green", "ask": "yellow", "deny": "red"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_filters(parser)
    parser.add_argument("-n", "--lines", type=int, default=40, metavar="N", help="the last N records (default 40; 0 is all)")
    parser.add_argument("-f", "--follow", action="store_true", help="go on as new records come")
    parser.add_argument("--json", action="store_true", help="one JSON object a line, as in the log")


def add_filters(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--since", metavar="TIME", help="not older than: `2h`, `7d`, `2026-11-16`, `2026-11-16T09:30`")
    parser.add_argument("--until", metavar="TIME", help="not newer than")
    parser.add_argument("--project", metavar="DIR", help="of this project")
    parser.add_argument("--agent", help="of this agent (`claude`, `codex`, …)")
    parser.add_argument("--session", metavar="ID", help="of this session; a prefix is enough")
    parser.add_argument("--kind", help="verdict, question, answer, grant, revoke, write, config, alert, violation, …")
    parser.add_argument("--decision", choices=("allow", "ask", "deny"))
    parser.add_argument("--layer", help="hardcoded_block, org_block, org_allow, builtin_allow, project_allow, grant, nothing")
    parser.add_argument("--text", help="with this text in the command, the reason or the rule")


def filter_of(args: argparse.Namespace) -> Filter:
    project = args.project or ""
    return Filter(
        since=moment(args.since) if args.since else 0.0,
        until=moment(args.until) if args.until else 0.0,
        project=os.path.realpath(project) if project and os.path.isdir(project) else project,
        agent=args.agent or "",
        session=args.session or "",
        kind=args.kind or "",
        decision=args.decision or "",
        layer=(args.layer or "").lower().replace("-", "_").replace(" ", "_"),
        text=args.text or "",
    )


def run(args: argparse.Namespace) -> int:
    chosen = filter_of(args)
    matching = (r for r in read_with_progress(quiet=args.json) if chosen.takes(r))
    shown = list(deque(matching, maxlen=args.lines) if args.lines > 0 else matching)
    if args.json:
        for record in shown:
            print(jsontext.dumps(record), flush=True)
    else:
        show_table(shown)
    if args.follow:
        last = shown[-1]["seq"] if shown else 0
        for record in follow(last):
            if chosen.takes(record):
                print(jsontext.dumps(record) if args.json else line_of(record), flush=True)
    return 0 if shown else 1


def read_with_progress(*, quiet: bool = False) -> Iterator[dict[str, Any]]:
    """All records; a progress bar on standard error where a long log meets a terminal."""
    total = audit_read.total_bytes()
    if quiet or total < 5_000_000 or not sys.stderr.isatty():
        yield from audit_read.records()
        return
    from rich.progress import Progress

    with Progress(console=console(stderr=True), transient=True) as progress:
        task = progress.add_task("reading the log", total=total)
        for record in audit_read.records():
            progress.advance(task, 350)
            yield record


def follow(last: int) -> Iterator[dict[str, Any]]:
    """New records as they come. Reading from the file in force is enough: a rotation is noticed by its first number."""
    while True:
        fresh = [r for path in audit_read.files()[-2:] for r in _records_of(path) if r.get("seq", 0) > last]
        for record in fresh:
            last = record["seq"]
            yield record
        time.sleep(0.3)


def _records_of(path: str) -> Iterator[dict[str, Any]]:
    with open(path, "rb") as file:
        for line in file:
            try:
                yield jsontext.loads(line)
            except ValueError:
                continue


def when(at: float) -> str:
    return datetime.datetime.fromtimestamp(at).strftime("%m-%d %H:%M:%S")


def decision_of(record: dict[str, Any]) -> str:
    answer = record.get("answer")
    state = answer.get("state", "") if isinstance(answer, dict) else record.get("state", "")
    decision = str(record.get("decision", "") or record["kind"])
    return f"{decision} ({state})" if state else decision


def origin_of(record: dict[str, Any]) -> str:
    layer = str(record.get("layer", "")).replace("_", " ")
    rule = str(record.get("rule", ""))
    return f"{layer}: {rule}" if layer and rule else layer or rule


def line_of(record: dict[str, Any]) -> str:
    what, by = one_line(str(record.get("text", "")), 90), one_line(origin_of(record), 60)
    return f"{when(record.get('time', 0))}  {decision_of(record):<18} {what}  [{by}]"


def show_table(records: list[dict[str, Any]]) -> None:
    from rich.table import Table
    from rich.text import Text

    out = console()
    if not records:
        out.print("no records; the log is written when an agent's hook runs (`askfirst init`)")
        return
    table = Table(box=None, pad_edge=False, header_style="bold")
    for name in ("time", "decision", "agent", "what", "by"):
        table.add_column(name, no_wrap=name in ("time", "decision"), overflow="fold" if name == "what" else "ellipsis")
    for record in records:
        style = STYLES.get(str(record.get("decision", "")), "")
        table.add_row(
            when(record.get("time", 0)),
            Text(decision_of(record), style=style),
            one_line(str(record.get("agent", "")), 12),
            one_line(str(record.get("text", "") or record.get("reason", "")), 160),
            one_line(origin_of(record), 60),
        )
    out.print(table)
