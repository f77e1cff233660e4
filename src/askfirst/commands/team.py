"""`askfirst team`: a team answers, through a PostgreSQL database."""

from __future__ import annotations

import argparse
import difflib
import getpass
import json
import os
import re
import secrets
import signal
import sys
import time
from typing import Any

from rich.console import Console

from askfirst.approval.person import require_person
from askfirst.cli.printing import counted, plain_table
from askfirst.cli.teamwork import joined_here, of_team
from askfirst.cli.times import clock_time, roughly
from askfirst.errors import AskfirstError, UsageError
from askfirst.store import team_policy
from askfirst.store.layers import org_files, settings_of
from askfirst.text import console, one_line, visible

EXAMPLES = """examples:
  askfirst team init "host=db.example.org dbname=team user=dba sslmode=verify-full"          show the SQL
  askfirst team init "host=db.example.org dbname=team user=dba sslmode=verify-full" --yes    and apply it
  askfirst team member ada_laptop --person ada --as hook        a login for a machine, and whose it is
  askfirst team member ada --person ada --as approver
  askfirst team join "host=db.example.org dbname=team user=ada_laptop sslmode=verify-full"
  askfirst team join "host=… user=ada …" --as approver --key ~/.ssh/id_ed25519_sk
  askfirst team relay                 one per machine: answers arrive at once instead of within two seconds
  askfirst team status
  askfirst team policy push config.yaml
  askfirst team report --days 7

A password comes from the DSN, from PGPASSWORD, or from a question, and is kept in a private password file.
needs the extra: pip install 'askfirst[team]'
"""

HIDDEN_LAG = "how far behind is not shown: `GRANT pg_read_all_stats TO askfirst_owner` has not been possible"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    init = actions.add_parser("init", help="show the SQL that the database lacks; --yes applies it")
    init.add_argument("dsn", help="how to reach the database, as a login that may create roles and schemas")
    init.add_argument("--yes", action="store_true", help="apply it, in one transaction")
    join = actions.add_parser("join", help="store this user's part: where the database is, and as whom")
    join.add_argument("dsn", help="how to reach the database: `host=… dbname=… user=… sslmode=verify-full`")
    join.add_argument(
        "--as", dest="side", choices=("hook", "approver", "auditor", "admin"), default="hook",
        help="what this login is for: asking (default), answering, reading, administration",
    )  # fmt: skip
    join.add_argument("--key", default="", metavar="FILE", help="the SSH key that answers are signed with")
    join.add_argument(
        "--no-tls", action="store_true", help="also where the server's name is not checked: for tries only"
    )
    member = actions.add_parser("member", help="say which person a login is; with --as, make the login")
    member.add_argument("login")
    member.add_argument("--person", required=True, help="the person's name, as the signers' file and `roles` call them")
    member.add_argument(
        "--as", dest="side", choices=("hook", "approver", "auditor", "admin"), default="", help="make the login"
    )
    member.add_argument("--dsn", default="", help="as whom (default: as you joined with --as admin)")
    status = actions.add_parser("status", help="reachable, as whom, what waits, who is there, how far copies lag")
    status.add_argument("--json", action="store_true", help="print one JSON object")
    relay = actions.add_parser("relay", help="run this machine's relay, until it is stopped")
    relay.add_argument("--quiet", action="store_true", help="say nothing")
    _add_policy(actions.add_parser("policy", help="the organisation's rules in the database"))
    report = actions.add_parser("report", help="who asked, who answered, how long it took, what is asked most")
    report.add_argument("--days", type=int, default=30, help="over how many days (default: 30)")
    how = report.add_mutually_exclusive_group()
    how.add_argument("--json", action="store_true", help="print one JSON object")
    how.add_argument("--csv", action="store_true", help="print it for a spreadsheet")
    how.add_argument("--svg", metavar="FILE", default="", help="write a picture")


def _add_policy(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="policy", required=True, metavar="ACTION")
    log = actions.add_parser("log", help="every version: who pushed it, and when")
    log.add_argument("--json", action="store_true", help="print one JSON object per version, each on a line")
    diff = actions.add_parser("diff", help="what a pull would change here, or a push of FILE there")
    diff.add_argument("file", nargs="?", default="", help="a file to compare with the newest version")
    push = actions.add_parser("push", help="make FILE the newest version")
    push.add_argument("file")
    push.add_argument("--message", default="", metavar="TEXT", help="why")
    pull = actions.add_parser("pull", help="let the newest version count here")
    pull.add_argument("--version", type=int, default=0, metavar="N", help="another version than the newest")


def run(args: argparse.Namespace) -> int:
    actions = {
        "init": _init,
        "join": _join,
        "member": _member,
        "status": _status,
        "relay": _relay,
        "policy": _policy,
        "report": _report,
    }
    return actions[args.action](args)


def _init(args: argparse.Namespace) -> int:
    version, sql = of_team("administer").lacking(_with_password(args.dsn))
    if not sql:
        print(f"nothing to do: the schema is version {version}")
        return 0
    if not args.yes:
        print(sql)
        what = f"lacks this (it has version {version})" if version else "has no schema of askfirst yet"
        print(f"-- the database {what}; apply it with --yes", file=sys.stderr)
        return 0
    require_person("team init")
    before, after = of_team("administer").init(_with_password(args.dsn))
    print(f"done: version {before} → {after}" if before else f"done: version {after}")
    print("next: `askfirst team member LOGIN --person NAME --as hook|approver|auditor|admin --dsn …` for each login")
    return 0


def _member(args: argparse.Namespace) -> int:
    require_person("team member")
    if not re.fullmatch("[A-Za-z0-9._@-]{1,64}", args.person):
        raise UsageError("--person is a name of letters, digits and ._@-, as in the file of signers")
    work = of_team("administer")
    dsn = _with_password(args.dsn) if args.dsn else work.required("admin")[1]
    password = secrets.token_urlsafe(24) if args.side else ""
    try:
        made = work.enrol(dsn, args.login, args.person, args.side, password)
    except AskfirstError as error:
        if "create role" in str(error):
            raise AskfirstError(f'{error}: name a login that may, with --dsn "user=dba …"') from None
        raise
    print(f"{args.login} is {args.person}" + (f", in askfirst_{args.side}" if args.side else ""))
    if made:
        print(f"its password (shown once): {password}", file=sys.stderr)
    return 0


def _join(args: argparse.Namespace) -> int:
    require_person("team join")
    if args.key and args.side not in ("approver", "admin"):
        raise UsageError("--key is for those who answer, or push rules: --as approver, --as admin")
    _, part = of_team("administer").take_part(args.side, _with_password(args.dsn), key=args.key, plain=args.no_tls)
    print(f"joined as {args.side}: {part.login} is {part.person or 'nobody in particular'}")
    if args.side == "hook":
        print("requests of this machine now wait at the team's, too; `askfirst team relay` brings answers at once")
    elif args.side == "approver":
        signed = "" if args.key else "; answers are not signed: join again with --key"
        print(f"answer with `askfirst watch --team`, `askfirst serve --team` or `askfirst approve ID --team`{signed}")
    return 0


def _with_password(dsn: str) -> str:
    """The DSN with its password, from the environment or typed, where neither it nor a password file has one."""
    info = of_team("database").conninfo
    given = info.conninfo_to_dict(dsn)
    if given.get("password") or given.get("passfile") or given.get("sslcert") or os.environ.get("PGPASSFILE"):
        return dsn
    password = os.environ.get("PGPASSWORD", "")
    if not password and sys.stdin.isatty():
        password = getpass.getpass(f"password of {given.get('user', 'this login')} (empty: none): ")
    return str(info.make_conninfo(dsn, password=password)) if password else dsn


def _status(args: argparse.Namespace) -> int:
    found = of_team("administer").status(joined_here())
    well = all(side["reachable"] for side in found["sides"].values())
    if args.json:
        print(json.dumps(found, default=str))
        return 0 if well else 1
    for side, state in found["sides"].items():
        print(f"{side:9} {_side_words(state)}")
        for line in _side_lines(state) if state["reachable"] else ():
            print(f"{'':9} {line}")
    if "hook" in found["sides"]:
        print(
            f"relay     {'running' if found['relay'] else 'none: hooks poll every two seconds (`askfirst team relay`)'}"
        )
        if found["last_round"]["why"]:
            print(f"          last round: {visible(found['last_round']['why'])}")
    if found["to_send"]:
        print(f"to send   {counted(found['to_send'], 'event')}, with the next round")
    return 0 if well else 1


def _side_words(state: dict[str, Any]) -> str:
    where = f"{state['login']} at {state['host'] or 'a socket'}, {state['database']}"
    if not state["reachable"]:
        return f"{visible(where)}: NOT REACHABLE: {visible(state['why'])}"
    return visible(f"{where}: {state['person'] or 'not enrolled'}, {', '.join(state['groups']) or 'no group'}")


def _side_lines(state: dict[str, Any]) -> list[str]:
    there = ", ".join(f"{t['kind']} of {t['login']} on {t['host']}" for t in state["there"])
    lines = [
        f"waiting {state['waiting']}; there: {visible(there) or 'nobody'}; log {counted(state['log_lines'], 'line')}; "
        f"answers in {state['round_trip_ms']:.0f} ms"
    ]
    if state["schema"] < state["schema_of_this_askfirst"]:
        lines.append(
            f"its schema is version {state['schema']}, this askfirst knows {state['schema_of_this_askfirst']}: an "
            "administrator runs `askfirst team init`"
        )
    if not state["notifications"]:
        lines.append("notifications do not arrive (a pooler in transaction mode?): polled every two seconds")
    for copy in state["standbys"]:
        behind = f"{copy['sync']}, {copy['lag_s']:.1f} s behind" if copy["sync"] else HIDDEN_LAG
        lines.append(visible(f"copy {copy['name']}: {behind}"))
    if not state["synchronous"]:
        lines.append("no synchronous copy: a fail-over may forget the last answers (they are then asked again)")
    return lines


def _relay(args: argparse.Namespace) -> int:
    stopped: list[int] = []
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, lambda *_: stopped.append(1))
    _, dsn = of_team("administer").required("hook")
    policy = of_team("versions")

    def say(line: str) -> None:
        if not args.quiet:
            print(f"{clock_time(time.time())} {visible(line)}", file=sys.stderr, flush=True)

    def follow(connection: Any) -> None:
        try:
            team = settings_of(org_files()).team
            before = team_policy.version()
            now = policy.follow(connection, required=team is not None and team.policy_required)
            if now != before:
                say(f"version {now} of the team's rules is in force")
        except AskfirstError as error:
            say(f"the team's rules: {error}")

    of_team("relay").Relay(dsn, say=say, stop=lambda: bool(stopped), on_policy=follow).run()
    return 0


def _policy(args: argparse.Namespace) -> int:
    return {"log": _policy_log, "diff": _policy_diff, "push": _policy_push, "pull": _policy_pull}[args.policy](args)


def _versions(newest: int = 0) -> Any:
    _, dsn = of_team("administer").required("hook", "approver", "admin", "auditor")
    return of_team("database").briefly(dsn, lambda c: of_team("versions").versions(c, newest=newest))


def _policy_log(args: argparse.Namespace) -> int:
    found = _versions()
    if args.json:
        for version in found:
            print(json.dumps({k: getattr(version, k) for k in ("version", "person", "login", "at", "words")}))
        return 0
    here = team_policy.version()
    table = plain_table("version", "pushed", "by", "why", "", unbroken=("version", "pushed"))
    for version in found:
        signed = "signed" if version.signature else "not signed"
        mark = f"{signed}{', in force here' if version.version == here else ''}"
        table.add_row(
            str(version.version), clock_time(version.at), visible(version.person), one_line(version.words, 200), mark
        )
    console().print(table if found else "no version was pushed yet: `askfirst team policy push FILE`")
    return 0


def _policy_diff(args: argparse.Namespace) -> int:
    newest = next(iter(_versions(1)), None)
    there = newest.content if newest is not None else ""
    name = f"version {newest.version}" if newest is not None else "nothing"
    if args.file:
        old, new, names = there, _read(args.file), (name, args.file)
    else:
        old, new, names = (
            (team_policy.content() or b"").decode(),
            there,
            (f"version {team_policy.version()}, here", name),
        )
    return _print_diff(console(), old, new, names)


def _print_diff(out: Console, old: str, new: str, names: tuple[str, str]) -> int:
    lines = list(difflib.unified_diff(old.splitlines(), new.splitlines(), *names, lineterm=""))
    for line in lines or ["no difference"]:
        out.print(visible(line), style={"+": "green", "-": "red"}.get(line[:1]), soft_wrap=True)
    return 1 if lines else 0


def _read(path: str) -> str:
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except (OSError, ValueError) as error:
        raise AskfirstError(f"{path}: cannot be read: {error}") from None


def _policy_push(args: argparse.Namespace) -> int:
    require_person("team policy push")
    work = of_team("administer")
    joined, dsn = work.required("admin")
    content, policy, database = _read(args.file), of_team("versions"), of_team("database")
    with database.connect(dsn) as connection:
        number = policy.push(connection, content, key=joined.key, words=args.message)
    signed = "" if joined.key else "; it is not signed, so most machines will not take it (join with --key)"
    print(
        f"version {number} is the newest{signed}; machines take it with `askfirst team policy pull`, or by their relay"
    )
    return 0


def _policy_pull(args: argparse.Namespace) -> int:
    require_person("team policy pull")
    found = _versions()
    wanted = next((v for v in found if not args.version or v.version == args.version), None)
    if wanted is None:
        raise AskfirstError("no such version; `askfirst team policy log` lists them")
    here = team_policy.version()
    if wanted.version < here and not args.version:
        raise AskfirstError(
            f"the database has version {wanted.version}, and version {here} is in force here: it went back to an older "
            f"state; to go back, too: askfirst team policy pull --version {wanted.version}"
        )
    _print_diff(
        console(),
        (team_policy.content() or b"").decode(),
        wanted.content,
        (f"version {here}", f"version {wanted.version}"),
    )
    of_team("versions").keep(wanted)
    print(f"version {wanted.version} is in force here")
    return 0


def _report(args: argparse.Namespace) -> int:
    if not 1 <= args.days <= 3650:
        raise UsageError("--days is a number from 1 to 3650")
    work = of_team("tally")
    found = work.report(joined_here(), args.days)
    if args.json:
        print(json.dumps(found.as_json()))
    elif args.csv:
        print(work.as_csv(found), end="")
    elif args.svg:
        with open(args.svg, "w", encoding="utf-8") as file:
            file.write(work.as_svg(found))
        print(f"wrote {args.svg}")
    else:
        _show_report(console(), found)
    return 0


def _show_report(out: Console, found: Any) -> None:
    total = found.total
    out.print(f"{counted(total.count, 'request')} in {counted(found.days, 'day')}")
    for title, lines in (("asked", found.askers), ("answered", found.answerers), ("most asked", found.texts)):
        table = plain_table(title, "requests", "allowed", "denied", "unanswered", "median", "slowest")
        for line in lines:
            cells = (line.count, line.allowed, line.denied, line.unanswered)
            times = (line.median_s, line.slowest_s) if line.allowed + line.denied else ()
            table.add_row(visible(line.name), *map(str, cells), *map(roughly, times))
        out.print("")
        out.print(table if lines else f"{title}: nobody")
