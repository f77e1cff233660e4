"""`askfirst box`: what runs, or has run, contained; stop it, or reach a server in it."""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Iterable
from dataclasses import asdict

from askfirst.approval.person import require_person
from askfirst.box import dropped, engines, health, runs, session
from askfirst.box.forwarding import Forwarder
from askfirst.box.supervisor import listening
from askfirst.cli.printing import plain_table
from askfirst.cli.times import clock_time
from askfirst.cli.where import is_here
from askfirst.errors import AskfirstError
from askfirst.redact import redact
from askfirst.store import ids, paths
from askfirst.text import console, one_line

EXAMPLES = """examples:
  askfirst box status             which engine holds contained commands here, and what runs in them
  askfirst box list               what ran contained in this project, newest first, and what became of it
  askfirst box forward 3000       open http://127.0.0.1:3000 in your browser: it reaches the server in the box
  askfirst box stop               end everything that still runs contained
  askfirst undo 7f3a              take back what a contained run changed
  askfirst apply 7f3a             apply what was kept aside
"""
MAX_LISTED = 30


def add_arguments(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    status = actions.add_parser("status", help="engines and sessions")
    status.add_argument("--try", action="store_true", dest="anew", help="try the engines again now")
    listed = actions.add_parser("list", help="contained runs of this project")
    listed.add_argument("--all", action="store_true", help="of every project, and all of them")
    stop = actions.add_parser("stop", help="end what still runs contained")
    stop.add_argument("id", nargs="?", help="only this run")
    forward = actions.add_parser("forward", help="reach a server in a box")
    forward.add_argument("port", type=int, help="the port that the server listens on, in its box")
    forward.add_argument("--to", type=int, metavar="PORT", help="the port of this machine (default: the same)")
    forward.add_argument(
        "--run", default="", metavar="ID", help="the box of this run (default: the only one that runs)"
    )
    for each in (status, listed, stop):
        each.add_argument("--json", action="store_true", help="print JSON")
    run_one = actions.add_parser("run")
    run_one.add_argument("id")


def run(args: argparse.Namespace) -> int:
    actions = {"status": _status, "list": _list, "stop": _stop, "forward": _forward, "run": _run}
    return actions[args.action](args)


def _status(args: argparse.Namespace) -> int:
    if args.anew:
        _try_clients_again()
    found = health.doctor(anew=args.anew)
    sessions = [s for s in health.sessions() if s.holder or s.active]
    engine = engines.available()
    if args.json:
        value = {
            "engine": engine.name if engine else None,
            "engines": [asdict(h) for h in found],
            "sessions": [asdict(s) for s in sessions],
        }
        print(json.dumps(value))
    else:
        _print_engines(found, engine.name if engine else "")
        running = sum(len(s.active) for s in sessions)
        print(f"{running} contained {'command runs' if running == 1 else 'commands run'} now")
    return 0 if engine else 1


def _try_clients_again() -> None:
    """Those that ran a contained command as it was are believed once more."""
    require_person("box status --try")
    dropped.forget()


def _print_engines(found: tuple[health.Health, ...], used: str) -> None:
    table = plain_table("engine", "", "", unbroken=("engine",))
    for each in found:
        way_out = f"; {each.way_out}" if each.way_out else ""
        table.add_row(each.subject, "used" if each.subject == used else "", each.text + way_out)
    console().print(table)


def _list(args: argparse.Namespace) -> int:
    found = [run for run in runs.everything() if args.all or is_here(run.plan.project)]
    found = found if args.all else found[:MAX_LISTED]
    if args.json:
        print(json.dumps([_plain(run) for run in found]))
        return 0
    if not found:
        print(
            "nothing ran contained" if args.all else "nothing ran contained in this project; `--all` shows the others"
        )
        return 0
    table = plain_table("id", "when", "command", "exit", "changed", "kept aside", unbroken=("id", "when"))
    known = [run.id for run in found]
    for each in found:
        table.add_row(ids.shown(each.id, known), *_cells(each))
    console().print(table)
    places = _places(found)
    for place, each in places.items():
        which = f" --run {ids.shown(each.id, known)}" if len(places) > 1 else ""
        for port in _ports(place):
            print(f"a server in the box listens on port {port}: `askfirst box forward {port}{which}` reaches it")
    return 0


def _places(found: Iterable[runs.Run]) -> dict[str, runs.Run]:
    """The sessions in which one of these runs goes on, each with such a run."""
    return {health.session_of(run): run for run in found if _running(run)}


def _ports(place: str) -> list[int]:
    """Of the network that the runs of a session share."""
    holder = session.named_process(os.path.join(place, "holder"))
    return listening(holder) if holder else []


def _cells(run: runs.Run) -> tuple[str, ...]:
    when, command = clock_time(run.created), one_line(redact(run.plan.command), 60)
    done = run.finished
    if done is None:
        return when, command, "runs" if _running(run) else "", "", ""
    kept = ", ".join(one_line(k.path, 40) for k in done.kept[:3])
    code = "runs" if _running(run) else str(done.exit_code)
    return when, command, code, str(len(done.changed) or ""), kept


def _plain(run: runs.Run) -> dict[str, object]:
    done = run.finished
    return {
        "id": run.id,
        "created": run.created,
        "engine": run.engine,
        "project": run.plan.project,
        "session": run.plan.session,
        "command": redact(run.plan.command),
        "running": _running(run),
        "report": asdict(done) if done else None,
    }


def _running(run: runs.Run) -> bool:
    return any(name == run.id for name, _ in session.active(health.session_of(run)))


def _stop(args: argparse.Namespace) -> int:
    only = runs.find(args.id).id if args.id else ""
    stopped = []
    root = paths.private_dir("box", "sessions")
    for name in os.listdir(root):
        place = os.path.join(root, name)
        for run_id, pid in session.active(place):
            if not only or run_id == only:
                session.kill(pid)
                stopped.append(run_id)
        if not only:
            session.end(place)
    if args.json:
        print(json.dumps({"stopped": stopped}))
    else:
        print(f"stopped {', '.join(i[:6] for i in stopped)}" if stopped else "nothing runs contained")
    return 0


def _forward(args: argparse.Namespace) -> int:
    require_person("box forward")
    named = runs.find(args.run) if args.run else None
    places = {health.session_of(named): named} if named else _places(runs.everything())
    if not places:
        raise AskfirstError("nothing runs contained, so there is no server to reach; see `askfirst box list`")
    if len(places) > 1:
        several = ", ".join(f"{run.id[:6]} ({one_line(run.plan.command, 30)})" for run in places.values())
        raise AskfirstError(f"several sessions run something contained: {several}; say which with --run ID")
    (place,) = places
    forwarder = Forwarder(place, args.port, args.port if args.to is None else args.to)
    print(f"http://127.0.0.1:{forwarder.port} reaches port {args.port} in the box; Ctrl-C ends it", flush=True)
    try:
        forwarder.run()
    except KeyboardInterrupt:
        return 0
    return 0


def _run(args: argparse.Namespace) -> int:
    """What the line in place of a contained command does, by the id alone; a run can be used once."""
    place = os.path.join(runs.root(), args.id)
    os.execv(runs.interpreter(), [runs.interpreter(), "-I", "-S", runs.START, place])
