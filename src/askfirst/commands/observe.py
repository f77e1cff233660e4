"""`askfirst observe`: what the gate would have decided, and the switch to enforcing."""

from __future__ import annotations

import argparse

from askfirst import audit, jsontext
from askfirst.approval.person import require_person, who
from askfirst.cli.printing import counted, plain_table
from askfirst.cli.records import read_with_progress
from askfirst.cli.times import clock_time
from askfirst.cli.where import directory
from askfirst.report.observed import ObservedReport, observed_report
from askfirst.report.simulate import as_plain
from askfirst.store.observe import enforce, observing_since
from askfirst.text import console, one_line

EXAMPLES = """examples:
  askfirst init --observe        begin: calls are judged and logged, nothing is enforced
  askfirst observe report        what would have been allowed, asked and denied, and what would change that
  askfirst observe report --json
  askfirst observe stop          from now on the gate decides

exit code of `report`: 0 there is something to report, 1 nothing was observed
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("what", choices=("report", "stop", "status"), help="what to do")
    parser.add_argument("--project", metavar="DIR", default=".", help="whose calls (default: this directory)")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(args: argparse.Namespace) -> int:
    if args.what == "stop":
        return _stop()
    since = observing_since()
    if args.what == "status":
        said = f"observing since {clock_time(since)}: nothing is enforced" if since else "the gate decides"
        print(jsontext.dumps({"observing_since": since}) if args.json else said)
        return 0
    report = observed_report(read_with_progress(quiet=args.json), directory(args.project))
    if args.json:
        print(jsontext.dumps(_plain(report)))
    elif report.calls:
        _show(report)
    else:
        print("no call of this project was observed yet; `askfirst init --observe` begins")
    return 0 if report.calls else 1


def _stop() -> int:
    require_person("observe stop")
    was = enforce()
    if was:
        audit.append("config", {"what": "enforcing: the gate decides", "by": who()}, durable=True)
    print("the gate decides from now on" if was else "the gate decides already")
    return 0


def _plain(report: ObservedReport) -> dict[str, object]:
    return {
        "calls": report.calls,
        "decisions": report.decisions,
        "denied": [{"text": text, "reason": reason} for text, reason in report.denied],
        "causes": [{"cause": cause, "prompts": prompts} for cause, prompts in report.causes],
        "with_session": as_plain(report.session),
        "profiles": [vars(p) for p in report.profiles],
        "rules": [s.as_json() for s in report.rules],
    }


def _show(report: ObservedReport) -> None:
    out = console()
    counts = ", ".join(f"{report.decisions.get(k, 0)} {word}" for k, word in _WORDS)
    out.print(f"{counted(report.calls, 'call')} observed: {counts}")
    mean, median, _ = report.session.per_session()
    out.print(f"answering Session: {mean:.1f} prompts a session on average, {median:g} in the median")
    if report.causes:
        table = plain_table("would ask", "calls")
        for cause, prompts in report.causes:
            table.add_row(cause, str(prompts))
        out.print()
        out.print(table)
    for text, reason in report.denied[:10]:
        out.print(f"would be denied: {one_line(text, 80)}: {one_line(reason, 80)}", soft_wrap=True)
    for effect in report.profiles:
        fits = f", and {effect.fits} is here" if effect.fits else ""
        out.print(f"profiles: [{effect.name}] saves {counted(effect.saves, 'prompt')}{fits}", soft_wrap=True)
    if report.contained:
        missing = f" ({report.box})" if report.box else ""
        saved = counted(report.contained, "prompt")
        out.print(f"box: unknown saves {saved}: they would run contained{missing}", soft_wrap=True)
    for rule in report.rules[:10]:
        out.print(f"{one_line(rule.entry, 200)} saves {counted(rule.prompts_saved, 'prompt')}", soft_wrap=True)
    if observing_since():
        out.print("\n`askfirst observe stop` makes the gate decide.")


_WORDS = (("allow", "would run"), ("ask", "would ask"), ("deny", "would be denied"))
