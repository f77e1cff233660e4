"""Setting a team up: the schema, the members, this user's part, and how it goes."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass
from typing import Any

from psycopg import conninfo

from askfirst.errors import AskfirstError, UsageError
from askfirst.team import mailbox, schema
from askfirst.team.database import Connection, briefly, call, connect, row, rows, said
from askfirst.team.hearing import Ear
from askfirst.team.joined import ADMIN, APPROVER, AUDITOR, HOOK, Joined, join, joined, keep_password

LONG_S = 60.0


def required(*sides: str) -> tuple[Joined, str]:
    """What was joined, and the DSN of the first of these sides. Raises where none was."""
    found = joined()
    dsn = found.best(*sides) if found is not None else ""
    if found is None or not dsn:
        raise AskfirstError(f"not joined as {' or '.join(sides)}: `askfirst team join DSN --as {sides[0]}`")
    return found, dsn


def lacking(dsn: str) -> tuple[int, str]:
    """The version of the database's schema, and the SQL that it lacks."""
    version = briefly(dsn, schema.version_of, limit_s=LONG_S)
    return version, schema.missing(version)


def init(dsn: str) -> tuple[int, int]:
    with connect(dsn, statement_s=LONG_S) as connection:
        return schema.apply(connection)


def enrol(dsn: str, login: str, person: str, group: str, password: str) -> bool:
    """Say whose login it is; with a group, make the login, or put it into the group. Whether it was made, and so has
    this password."""
    with connect(dsn, statement_s=LONG_S) as connection, said(), connection.transaction():
        made = bool(group) and _make_login(connection, login, group, password)
        call(connection, "enrol", login, person)
    return made


def _make_login(connection: Connection, login: str, group: str, password: str) -> bool:
    found = rows(connection, "SELECT FROM pg_roles WHERE rolname = %s", login)
    if not found:
        rows(connection, "SELECT set_config('askfirst.password', %s, true)", password)
        connection.execute(
            _anonymous(
                "EXECUTE format('CREATE ROLE %%I LOGIN PASSWORD %%L', {login}, current_setting('askfirst.password'))",
                login,
            )
        )
    others = [g for g in (HOOK, APPROVER, AUDITOR, ADMIN) if g != group]
    in_others = [
        g
        for g in others
        if found and row(connection, "SELECT pg_has_role(%s, %s, 'MEMBER') AS yes", login, f"askfirst_{g}")["yes"]
    ]
    if in_others:
        raise UsageError(f"{login} belongs to askfirst_{in_others[0]} already: a login has one side only")
    connection.execute(_anonymous(f"EXECUTE format('GRANT askfirst_{group} TO %%I', {{login}})", login))
    return not found


def _anonymous(statement: str, login: str) -> bytes:
    """A statement about a role, which takes no parameters, with the name quoted by the server."""
    quoted = "'" + login.replace("'", "''") + "'"
    text = statement.replace("{login}", quoted).replace("%%", "%")
    return f"DO $askfirst$ BEGIN {text}; END $askfirst$".encode()


@dataclass(frozen=True)
class Login:
    """What a user is about to join."""

    dsn: str  # without its password
    login: str
    person: str
    groups: tuple[str, ...]
    encrypted: bool
    checked: bool  # the server's name, too


def look(dsn: str) -> Login:
    """Connect as the new login would."""
    given = conninfo.conninfo_to_dict(dsn)

    def ask(connection: Connection) -> tuple[dict[str, Any], bool]:
        ssl = rows(connection, "SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()")
        return call(connection, "whoami")[0], bool(ssl and ssl[0]["ssl"])

    who, encrypted = briefly(dsn, ask, limit_s=10.0)
    local = all(host.startswith("/") for host, _ in servers(given))
    return Login(
        dsn=conninfo.make_conninfo("", **{k: v for k, v in given.items() if k != "password"}),
        login=str(who["login"]),
        person=str(who["person"]),
        groups=tuple(str(g).removeprefix("askfirst_") for g in who["groups"]),
        encrypted=encrypted or local,
        checked=given.get("sslmode") == "verify-full" or local,
    )


def servers(given: dict[str, Any]) -> list[tuple[str, str]]:
    """(host, port) of each server that a DSN names: several where one of them may fail."""
    hosts = str(given.get("host") or given.get("hostaddr") or "").split(",")
    ports = str(given.get("port") or "").split(",")
    return list(zip(hosts, ports if len(ports) == len(hosts) else ports[:1] * len(hosts), strict=True))


def take_part(side: str, dsn: str, *, key: str = "", plain: bool = False) -> tuple[Joined, Login]:
    """Store this user's part. The password goes into a private file, never beside the address."""
    part = look(dsn)
    if side not in part.groups:
        raise AskfirstError(
            f"{part.login} belongs to {', '.join(part.groups) or 'no group of askfirst'}, not to {side}"
        )
    if not part.person and side != AUDITOR:
        raise AskfirstError(f"{part.login} is not enrolled: `askfirst team member {part.login} --person NAME`")
    if not part.checked and not plain:
        what = "is encrypted, but the server's name is not checked" if part.encrypted else "is not encrypted"
        raise AskfirstError(f"the connection {what}; add sslmode=verify-full and sslrootcert, or use --no-tls")
    if key and not os.path.exists(os.path.expanduser(key)):
        raise AskfirstError(f"{key}: no such key")
    own_key = os.path.abspath(os.path.expanduser(key)) if key else ""
    return join(side, _without_secret(dsn, part), key=own_key), part


def _without_secret(dsn: str, part: Login) -> str:
    """The DSN to store: a password in it goes into the password file, for each of the servers."""
    given = conninfo.conninfo_to_dict(dsn)
    if not given.get("password"):
        return part.dsn
    words = [str(given.get(name) or "*") for name in ("dbname", "user", "password")]
    files = [keep_password(host or "*", port or "*", *words) for host, port in servers(given)]
    return conninfo.make_conninfo(part.dsn, passfile=files[0])


def status(found: Joined) -> dict[str, Any]:
    """How it goes, for people and programs; what cannot be reached says why."""
    sides = {side: _side(found.dsn(side)) for side in (HOOK, APPROVER, AUDITOR, ADMIN) if found.dsn(side)}
    last = mailbox.last_round()
    return {
        "sides": sides,
        "relay": mailbox.relay_is_at_work(),
        "last_round": {"good": last.good, "why": last.why, "fresh": last.is_fresh()},
        "to_send": sum(1 for _ in mailbox.to_send()),
    }


def _side(dsn: str) -> dict[str, Any]:
    given = conninfo.conninfo_to_dict(dsn)
    shown = {"host": given.get("host", ""), "database": given.get("dbname", ""), "login": given.get("user", "")}
    try:
        return {**shown, **briefly(dsn, lambda connection: _state(connection, dsn), limit_s=10.0), "reachable": True}
    except AskfirstError as error:
        return {**shown, "reachable": False, "why": str(error)}


def _state(connection: Connection, dsn: str) -> dict[str, Any]:
    started = time.monotonic()
    who = call(connection, "whoami")[0]
    took_s = time.monotonic() - started
    waiting = row(
        connection, "SELECT count(*) AS n FROM askfirst.request WHERE state = 'waiting' AND expires > clock_timestamp()"
    )
    there = rows(
        connection,
        "SELECT kind, login::text, host FROM askfirst.presence WHERE seen > clock_timestamp() - interval '60 seconds' "
        "ORDER BY kind, login, host",
    )
    version = schema.version_of(connection)
    sync = row(connection, "SELECT current_setting('synchronous_standby_names') AS names")["names"]
    return {
        "person": who["person"],
        "groups": [str(g).removeprefix("askfirst_") for g in who["groups"]],
        "round_trip_ms": round(took_s * 1000, 1),
        "schema": version,
        "schema_of_this_askfirst": schema.newest(),
        "log_lines": who["seq"],
        "waiting": waiting["n"],
        "there": there,
        "notifications": Ear(connection).works(dsn),
        "standbys": call(connection, "standbys") if version >= 3 else [],
        "synchronous": bool(sync),
    }
