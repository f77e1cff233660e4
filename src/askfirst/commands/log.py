"""`askfirst log`: read the audit log."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from itertools import islice
from typing import Any

from rich.console import Console
from rich.text import Text

from askfirst import jsontext
from askfirst.audit.describe import author_of, outcome_of, subject_of
from askfirst.audit.filter import Filter
from askfirst.audit.read import Tail, read_backwards, total_bytes
from askfirst.cli.printing import plain_table
from askfirst.cli.records import add_filters, filter_of, read_with_progress
from askfirst.cli.times import log_time
from askfirst.report.stories import Story, last_stories, stories
from askfirst.store.ids import normal
from askfirst.text import console, one_line

EXAMPLES = """examples:
  askfirst log                              the last 40 calls and questions, one row each
  askfirst log --id 7f3a --tree             one of them, with every record behind it
  askfirst log --decision deny --since 1d   what was denied since yesterday
  askfirst log --text psql -n 0             everything about psql, from the beginning
  askfirst log --follow                     print new records as they come
  askfirst log --json | jq .rule            every record, one JSON object per line

exit code: 0 something was found, 1 nothing
"""

LOOK_S = 0.3
STYLES = {"allow": "green", "contain": "cyan", "ask": "yellow", "deny": "red"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_filters(parser)
    parser.add_argument(
        "--id", default="", metavar="ID", help="what a receipt shows: the id of a question, a grant, a run, or the head"
    )
    parser.add_argument("--tree", action="store_true", help="every record behind each row")
    parser.add_argument(
        "-n", "--lines", type=int, default=40, metavar="N", help="the last N rows (default: 40; 0: all)"
    )
    parser.add_argument("-f", "--follow", action="store_true", help="print new records as they come")
    parser.add_argument("--json", action="store_true", help="print one JSON object per record, as in the log")


def run(args: argparse.Namespace) -> int:
    chosen, named = filter_of(args), normal(args.id)

    def takes(story: Story) -> bool:
        return (not named or story.is_named(named)) and any(map(chosen.takes, story.records))

    if args.json:
        shown = _print_records(args, chosen, takes if named else None)
    else:
        found = _found(args, takes)
        if found or not args.follow:
            _show(found, tree=args.tree or (bool(named) and len(found) == 1))
        shown = [r for story in found for r in story.records]
    if args.follow:
        _follow(chosen, max((r["seq"] for r in shown), default=0), as_json=args.json)
    return 0 if shown else 1


def _found(args: argparse.Namespace, takes: Callable[[Story], bool]) -> list[Story]:
    if args.lines > 0:
        return last_stories(read_backwards(), args.lines, takes)
    return [story for story in stories(read_with_progress()) if takes(story)]


def _print_records(
    args: argparse.Namespace, chosen: Filter, takes: Callable[[Story], bool] | None
) -> list[dict[str, Any]]:
    if takes is not None:
        shown = [r for story in _found(args, takes) for r in story.records]
    elif args.lines > 0:
        newest = (r for r in read_backwards() if chosen.takes(r))
        shown = list(islice(newest, args.lines))[::-1]
    else:
        shown = [r for r in read_with_progress(quiet=True) if chosen.takes(r)]
    for record in shown:
        print(jsontext.dumps(record), flush=True)
    return shown


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


def _show(found: list[Story], *, tree: bool) -> None:
    out = console()
    if not found:
        empty = "the log is empty; it is written when an agent's hook runs (`askfirst init`)"
        out.print("nothing matches" if total_bytes() else empty)
        return
    if tree:
        for story in found:
            _show_tree(out, story)
        return
    width = out.width
    columns = ("time", "outcome", "what", "by", *(("why",) if width >= 130 else ()))
    one_day = width < 100 and len({log_time(s.last_word.get("time", 0))[:5] for s in found}) == 1
    table = plain_table(*columns, unbroken=("time", "outcome"))
    for story in found:
        at = log_time(story.records[0].get("time", 0))
        cells: list[str | Text] = [at[6:] if one_day else at, Text(story.outcome, style=_style(story.last_word))]
        tool = str(story.last_word.get("tool", ""))
        what = story.text if tool in ("", "Bash") or story.text.startswith(tool) else f"{tool} {story.text}"
        # What others wrote is text, never markup.
        cells += [Text(one_line(what, 160)), Text(one_line(story.by, 60))]
        if len(columns) > 4:
            cells.append(Text(one_line(story.reason, 80), style="dim"))
        table.add_row(*cells)
    out.print(table)


def _show_tree(out: Console, story: Story) -> None:
    """The whole story: what was asked, by whom it was answered, what was stored, what came of it."""
    head = Text(story.outcome, style=_style(story.last_word))
    out.print(Text.assemble(head, "  ", one_line(story.text, 400)), soft_wrap=True)
    last = story.last_word
    facts = {
        "id": story.id,
        "tool": last.get("tool", ""),
        "agent": last.get("agent", ""),
        "session": last.get("session", ""),
        "project": last.get("project", ""),
        "why": story.reason,
    }
    for name, value in facts.items():
        if value:
            out.print(Text(f"  {name:<8} {one_line(str(value), 300)}", style="dim"), soft_wrap=True)
    for number, record in enumerate(story.records, 1):
        branch = "└─" if number == len(story.records) else "├─"
        line = f"{branch} {log_time(record.get('time', 0))}  {record.get('kind', '')}: {outcome_of(record)}"
        more = f"  [{one_line(author_of(record), 80)}]" if author_of(record) else ""
        out.print(Text(f"  {line}{more}  {str(record.get('event_hash', ''))[:8]}"), soft_wrap=True)
        for scope in record.get("scopes", ()):
            out.print(Text(f"  {'│' if branch == '├─' else ' '}    {one_line(str(scope), 200)}", style="dim"))
    out.print("")
