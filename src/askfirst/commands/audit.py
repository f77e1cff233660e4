"""`askfirst audit`: verify the log's chain, repair its end, show its head, export it."""

from __future__ import annotations

import argparse

from rich.console import Console

from askfirst import audit, jsontext
from askfirst.approval.person import require_person, who
from askfirst.audit.upkeep import repair
from askfirst.audit.verify import Report, verify_chain
from askfirst.cli.printing import counted
from askfirst.cli.records import add_filters, filter_of, progress, read_with_progress
from askfirst.cli.teamwork import joined_here, of_team
from askfirst.report.export import FORMATS
from askfirst.text import console, visible

EXAMPLES = """examples:
  askfirst audit verify                     is the chain whole? which records are still good?
  askfirst audit repair                     the log's end is damaged, and everything is denied: seal it and go on
  askfirst audit head                       keep this elsewhere: only then a log that was cut off is noticed
  askfirst audit verify --expect-head 3f2a…
  askfirst audit verify --team              against the heads that the team's database has kept, and its own log
  askfirst audit export --format cef --since 1d > today.cef
"""

MAX_SPANS = 12


def add_arguments(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    verify = actions.add_parser("verify", help="verify the chain and name every break")
    verify.add_argument(
        "--expect-head",
        default="",
        metavar="HASH",
        help="a head seen earlier, at least 8 characters of it; the log must contain it",
    )
    verify.add_argument("--team", action="store_true", help="against the heads in the team's database, and its own log")
    verify.add_argument("--json", action="store_true", help="print one JSON object")
    repairing = actions.add_parser(
        "repair", help="seal a damaged end with a record that names it, so that the log, and the gate, go on"
    )
    repairing.add_argument("--json", action="store_true", help="print one JSON object")
    head = actions.add_parser("head", help="print number and hash of the last record")
    head.add_argument("--json", action="store_true", help="print one JSON object")
    export = actions.add_parser("export", help="print the records for another system")
    export.add_argument(
        "--format", choices=sorted(FORMATS), default="jsonl", help="JSON lines (default), CEF, or OpenTelemetry records"
    )
    add_filters(export)


def run(args: argparse.Namespace) -> int:
    return {"verify": _verify, "repair": _repair, "head": _head, "export": _export}[args.action](args)


def _repair(args: argparse.Namespace) -> int:
    require_person("audit repair")
    done = repair(who())
    if args.json:
        print(jsontext.dumps({"repaired": done is not None, **(vars(done) if done is not None else {})}))
    elif done is None:
        print("nothing to repair: the log ends in a record. `askfirst audit verify` looks at all of it")
    else:
        behind = f"{done.damaged_bytes} damaged bytes behind record {done.after} are sealed; they stay in the file"
        print(f"{behind}\nhead: {done.head}\nthe gate can write its log again; `askfirst audit verify` shows the whole")
    return 0


def _head(args: argparse.Namespace) -> int:
    number, event_hash = audit.head()
    print(jsontext.dumps({"seq": number, "head": event_hash}) if args.json else f"record {number}  {event_hash}")
    return 0


def _export(args: argparse.Namespace) -> int:
    chosen = filter_of(args)
    write = FORMATS[args.format]
    for record in read_with_progress(quiet=False):
        if chosen.takes(record):
            print(write(record))
    return 0


def _verify(args: argparse.Namespace) -> int:
    heads: tuple[tuple[int, str], ...] = ()
    team: list[str] = []
    intact = True
    if args.team:
        heads, team, intact = of_team("anchors").kept(joined_here())
    with progress("verifying", quiet=args.json) as advance:
        report = verify_chain(expect_head=args.expect_head, anchored=heads, progress=advance)
    good = report.good and intact
    if args.json:
        problems = [vars(p) for p in report.problems]
        more = {"team": team} if args.team else {}
        print(jsontext.dumps({**vars(report), "problems": problems, "good": good, **more}))
        return 0 if good else 1
    out = console()
    if report.good:
        _show_good(out, report, anchored=bool(args.expect_head or heads))
    else:
        _show_broken(out, report)
    for line in team:
        out.print(visible(line), soft_wrap=True)
    return 0 if good else 1


def _show_good(out: Console, report: Report, *, anchored: bool) -> None:
    out.print(f"good: {_summary(report)}", soft_wrap=True)
    out.print(f"head: {report.head}", soft_wrap=True)
    if not anchored:
        out.print(
            "a log that was cut off at its end still looks whole: keep the head elsewhere and use --expect-head",
            soft_wrap=True,
        )


def _show_broken(out: Console, report: Report) -> None:
    for problem in report.problems:
        out.print(f"{problem.file}:{problem.line}: {visible(problem.what)}", style="red", soft_wrap=True)
    out.print(f"NOT GOOD; still intact: {_summary(report)}", style="bold red", soft_wrap=True)
    out.print(f"head: {report.head}", soft_wrap=True)
    spans = [f"{first} to {last}" if first != last else str(first) for first, last in report.spans]
    more = f", and {len(spans) - MAX_SPANS} more runs" if len(spans) > MAX_SPANS else ""
    out.print(
        f"unbroken runs of records: {', '.join(spans[:MAX_SPANS]) or 'none'}{more}",
        soft_wrap=True,
    )
    out.print(
        "`askfirst log --json` reads what is left; compare it with a copy or a head kept elsewhere", soft_wrap=True
    )


def _summary(report: Report) -> str:
    """How many records are intact, in how many files, and what was sealed."""
    if not report.files:
        return "the log is empty"
    records = (
        f"{counted(report.records, 'record')} ({report.first} to {report.last}) in {counted(report.files, 'file')}"
    )
    torn = f"; {report.sealed} torn by a writer that died, and sealed" if report.sealed else ""
    sealed = f"; {counted(report.repaired, 'damaged end')} sealed by `audit repair`" if report.repaired else ""
    removed = f"; {counted(report.removed, 'record')} before them removed for their age" if report.removed else ""
    return f"{records}{torn}{sealed}{removed}"
