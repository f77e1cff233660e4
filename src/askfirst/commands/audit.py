"""`askfirst audit`: verify the log's chain, show its head, export it."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable

from askfirst import jsontext
from askfirst.commands.log import add_filters, filter_of, read_with_progress
from askfirst.report.export import FORMATS
from askfirst.store import audit, audit_read
from askfirst.text import console, visible

EXAMPLES = """examples:
  askfirst audit verify                     is the chain whole? what is still good?
  askfirst audit head                       keep this elsewhere: only an anchor shows that the end was cut off
  askfirst audit verify --expect-head 3f2a…
  askfirst audit export --format cef --since 1d > today.cef
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    verify = actions.add_parser("verify", help="walk the chain and name every break")
    verify.add_argument(
        "--expect-head", default="", metavar="HASH", help="a head seen earlier; the log must contain it (8 characters at least)"
    )
    verify.add_argument("--json", action="store_true")
    head = actions.add_parser("head", help="number and hash of the last record")
    head.add_argument("--json", action="store_true")
    export = actions.add_parser("export", help="records for another system")
    export.add_argument("--format", choices=sorted(FORMATS), default="jsonl")
    add_filters(export)


def run(args: argparse.Namespace) -> int:
    if args.action == "verify":
        return verify(args)
    if args.action == "head":
        number, event_hash = audit.head()
        print(jsontext.dumps({"seq": number, "head": event_hash}) if args.json else f"record {number}  {event_hash}")
        return 0
    chosen = filter_of(args)
    write = FORMATS[args.format]
    for record in read_with_progress(quiet=False):
        if chosen.takes(record):
            print(write(record))
    return 0


def verify(args: argparse.Namespace) -> int:
    with _progress(quiet=args.json) as advance:
        report = audit_read.verify(expect_head=args.expect_head, progress=advance)
    if args.json:
        problems = [dict(p.items()) for p in report.problems]
        print(jsontext.dumps({**dict(report.items()), "problems": problems, "good": report.good}))
        return 0 if report.good else 1
    out = console()
    for problem in report.problems:
        out.print(f"{problem.file}:{problem.line}: {visible(problem.what)}", style="red", soft_wrap=True)
    span = f"records {report.first} to {report.last}" if report.records else "no records"
    out.print(
        f"{'good' if report.good else 'NOT GOOD'}: {span}, {report.records} hold, {report.sealed} torn and sealed, {report.files} files"
    )
    out.print(f"head: {report.head}")
    if not report.good:
        out.print("what holds is still evidence: `askfirst log --json` reads it; compare the head with one kept elsewhere")
    elif not args.expect_head:
        out.print("a log that was cut off at its end looks whole: keep the head elsewhere and use --expect-head")
    return 0 if report.good else 1


class _progress:
    """A bar for long logs on a terminal, nothing otherwise."""

    def __init__(self, *, quiet: bool) -> None:
        self.total = audit_read.total_bytes()
        self.on = not quiet and self.total > 5_000_000 and sys.stderr.isatty()

    def __enter__(self) -> Callable[[int], None] | None:
        if not self.on:
            return None
        from rich.progress import Progress

        self.bar = Progress(console=console(stderr=True), transient=True)
        self.bar.start()
        task = self.bar.add_task("verifying", total=self.total)
        return lambda count: self.bar.advance(task, count)

    def __exit__(self, *_: object) -> None:
        if self.on:
            self.bar.stop()
