"""`askfirst log`: read the audit log."""

from __future__ import annotations

import argparse
import datetime
import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import islice
from typing import TYPE_CHECKING, Any

from askfirst import jsontext
from askfirst.audit.describe import author_of, outcome_of, subject_of
from askfirst.audit.filter import Filter, moment
from askfirst.audit.read import Tail, read_backwards, read_records, total_bytes
from askfirst.errors import UsageError
from askfirst.model import Layer
from askfirst.text import console, one_line, visible

if TYPE_CHECKING:
    from rich.text import Text

EXAMPLES = """examples:
  askfirst log                              the last 40 records
  askfirst log --decision deny --since 1d   what was refused today
  askfirst log --text psql -n 0             everything about psql, from the beginning
  askfirst log --follow                     go on as new records come
  askfirst log --json | jq .rule            one JSON object a line
"""

LONG_BYTES = 5_000_000  # from here on a bar shows how far it is
LOOK_S = 0.3
STYLES = {"allow": "green", "ask": "yellow", "deny": "red"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_filters(parser)
    parser.add_argument(
        "-n", "--lines", type=int, default=40, metavar="N", help="the last N records (default 40; 0 is all)"
    )
    parser.add_argument("-f", "--follow", action="store_true", help="go on as new records come")
    parser.add_argument("--json", action="store_true", help="one JSON object a line, as in the log")


def add_filters(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--since", metavar="TIME", help="not older than: `2h`, `7d`, `2026-11-16`, `2026-11-16T09:30`")
    parser.add_argument("--until", metavar="TIME", help="not newer than")
    parser.add_argument("--project", metavar="DIR", help="of this project")
    parser.add_argument("--agent", help="of this agent (`claude`, `codex`, …)")
    parser.add_argument("--session", metavar="ID", help="of this session; a prefix is enough")
    parser.add_argument("--kind", help="verdict, question, answer, grant, revoke, write, config, alert, violation, …")
    parser.add_argument("--decision", choices=("allow", "ask", "deny"), help="with this outcome")
    parser.add_argument(
        "--layer", help="hardcoded_block, org_block, org_allow, builtin_allow, project_allow, grant, nothing"
    )
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
        layer=_layer(args.layer or ""),
        text=args.text or "",
    )


def _layer(named: str) -> str:
    """A layer's name in any spelling. A mistyped one would match nothing, and nothing found is an answer too."""
    name = named.lower().replace("-", "_").replace(" ", "_")
    known = [layer.name.lower() for layer in Layer]
    if name and name not in known:
        raise UsageError(f"there is no layer `{visible(named)}`; there are {', '.join(known)}")
    return name


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
        show_table(shown)
    if args.follow:
        follow(chosen, shown[-1]["seq"] if shown else 0, as_json=args.json)
    return 0 if shown else 1


def read_with_progress(*, quiet: bool = False) -> Iterator[dict[str, Any]]:
    """All records; a progress bar on standard error where a long log meets a terminal."""
    with progress("reading the log", quiet=quiet) as advance:
        yield from read_records(progress=advance)


@contextmanager
def progress(words: str, *, quiet: bool) -> Iterator[Callable[[int], None] | None]:
    """Something to call with the bytes that were read: a bar for long logs on a terminal, nothing otherwise."""
    total = total_bytes()
    if quiet or total < LONG_BYTES or not sys.stderr.isatty():
        yield None
        return
    from rich.progress import Progress

    read = shown = 0
    with Progress(console=console(stderr=True), transient=True) as bar:
        task = bar.add_task(words, total=total)

        def advance(count: int) -> None:
            nonlocal read, shown
            read += count
            if read - shown > total // 200:  # drawing at every record would take longer than reading them
                shown = read
                bar.update(task, completed=read)

        yield advance


def follow(chosen: Filter, last: int, *, as_json: bool) -> None:
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
                out.print(line_of(record), soft_wrap=True)
        sys.stdout.flush()
        time.sleep(LOOK_S)


def when(at: float) -> str:
    return datetime.datetime.fromtimestamp(at).strftime("%m-%d %H:%M:%S")


def line_of(record: dict[str, Any]) -> Text:
    from rich.text import Text

    shown = Text(f"{when(record.get('time', 0))}  ")
    shown.append(f"{outcome_of(record):<18} ", style=style_of(record))
    return shown.append(f"{one_line(subject_of(record), 160)}  [{one_line(author_of(record), 60)}]")


def style_of(record: dict[str, Any]) -> str:
    if record.get("kind") in ("alert", "violation") or record.get("severity") == "critical":
        return "bold red"
    return STYLES.get(str(record.get("decision", "")), "")


def show_table(records: list[dict[str, Any]]) -> None:
    from rich.table import Table
    from rich.text import Text

    out = console()
    if not records:
        empty = "no records; the log is written when an agent's hook runs (`askfirst init`)"
        out.print("no such record in the log" if total_bytes() else empty)
        return
    narrow = out.width < 100
    today = narrow and len({when(r.get("time", 0))[:5] for r in records}) == 1
    table = Table(box=None, pad_edge=False, header_style="bold")
    for name in ("time", "decision", "agent", "what", "by"):
        if name != "agent" or not narrow:
            table.add_column(name, no_wrap=name in ("time", "decision"), overflow="fold")
    for record in records:
        at = when(record.get("time", 0))
        cells: list[str | Text] = [at[6:] if today else at, Text(outcome_of(record), style=style_of(record))]
        if not narrow:
            cells.append(one_line(str(record.get("agent", "")), 12))
        # What others wrote is text, never markup.
        table.add_row(*cells, Text(one_line(subject_of(record), 160)), Text(one_line(author_of(record), 60)))
    out.print(table)
