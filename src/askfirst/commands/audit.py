"""`askfirst audit`: verify the log's chain, show its head, export it."""

from __future__ import annotations

import argparse

from askfirst import audit, jsontext
from askfirst.audit.verify import Report, verify_chain
from askfirst.commands.log import add_filters, filter_of, progress, read_with_progress
from askfirst.report.export import FORMATS
from askfirst.text import console, visible

EXAMPLES = """examples:
  askfirst audit verify                     is the chain whole? what is still good?
  askfirst audit head                       keep this elsewhere: only an anchor shows that the end was cut off
  askfirst audit verify --expect-head 3f2a…
  askfirst audit export --format cef --since 1d > today.cef
"""

MAX_SPANS = 12


def add_arguments(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    verify = actions.add_parser("verify", help="walk the chain and name every break")
    verify.add_argument(
        "--expect-head",
        default="",
        metavar="HASH",
        help="a head seen earlier; the log must contain it (8 characters at least)",
    )
    verify.add_argument("--json", action="store_true", help="for programs")
    head = actions.add_parser("head", help="number and hash of the last record")
    head.add_argument("--json", action="store_true", help="for programs")
    export = actions.add_parser("export", help="records for another system")
    export.add_argument(
        "--format", choices=sorted(FORMATS), default="jsonl", help="JSON lines (default), CEF, or OpenTelemetry records"
    )
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
    with progress("verifying", quiet=args.json) as advance:
        report = verify_chain(expect_head=args.expect_head, progress=advance)
    if args.json:
        problems = [dict(p.items()) for p in report.problems]
        print(jsontext.dumps({**dict(report.items()), "problems": problems, "good": report.good}))
        return 0 if report.good else 1
    out = console()
    for problem in report.problems:
        out.print(f"{problem.file}:{problem.line}: {visible(problem.what)}", style="red", soft_wrap=True)
    out.print(
        f"{'good' if report.good else 'NOT GOOD'}: {summary(report)}",
        style="" if report.good else "bold red",
        soft_wrap=True,
    )
    out.print(f"head: {report.head}", soft_wrap=True)
    if not report.good:
        spans = [f"{first} to {last}" if first != last else str(first) for first, last in report.spans]
        more = f", and {len(spans) - MAX_SPANS} more runs" if len(spans) > MAX_SPANS else ""
        out.print(
            f"still good, each run unbroken in itself: {', '.join(spans[:MAX_SPANS]) or 'nothing'}{more}",
            soft_wrap=True,
        )
        out.print(
            "`askfirst log --json` reads what is left; compare it with a copy or a head kept elsewhere", soft_wrap=True
        )
    elif not args.expect_head:
        out.print(
            "a log that was cut off at its end looks whole: keep the head elsewhere and use --expect-head",
            soft_wrap=True,
        )
    return 0 if report.good else 1


def summary(report: Report) -> str:
    """How many records hold, in how many files, and what was sealed."""
    if not report.files:
        return "the log is empty"
    records = f"{report.records} record{'' if report.records == 1 else 's'} ({report.first} to {report.last})"
    files = f"{report.files} file{'' if report.files == 1 else 's'}"
    torn = f"; {report.sealed} torn by a writer that died, and sealed" if report.sealed else ""
    return f"{records} in {files} hold{torn}"
