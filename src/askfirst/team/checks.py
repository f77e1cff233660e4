"""What `askfirst doctor` finds out about a team: TLS, the role, and privileges, by trying what must be refused."""

from __future__ import annotations

import os
import stat
import subprocess
from collections.abc import Iterator

from psycopg import conninfo

from askfirst.errors import AskfirstError
from askfirst.install.check import FAIL, NOTE, OK, WARN, Check
from askfirst.store import ids, team_policy
from askfirst.team import mailbox, schema
from askfirst.team.database import Connection, RefusedByDatabase, briefly, call, row, rows
from askfirst.team.hearing import Ear
from askfirst.team.joined import APPROVER, HOOK, SIDES, Joined, joined, passfile, signers_file

# What each side must not be able to do. Each is tried in a transaction that is undone.
FORBIDDEN = {
    HOOK: (
        "UPDATE askfirst.request SET state = 'allowed'",
        "INSERT INTO askfirst.answer SELECT id, 'x', 'x', 'allow', '', '', now() FROM askfirst.request",
        "DELETE FROM askfirst.log",
        "SELECT askfirst.decide('', '', 'allow', '', '')",
        "SELECT askfirst.enrol('x', 'x')",
        "SET ROLE askfirst_owner",
        "SET ROLE askfirst_approver",
    ),
    APPROVER: (
        "UPDATE askfirst.request SET state = 'allowed'",
        "INSERT INTO askfirst.answer SELECT id, 'x', 'x', 'allow', '', '', now() FROM askfirst.request",
        "DELETE FROM askfirst.log",
        "SELECT askfirst.enrol('x', 'x')",
        "SELECT askfirst.push(0, '', '', '')",
        "SET ROLE askfirst_owner",
    ),
}


def team_checks() -> Iterator[Check]:
    try:
        found = joined()
    except AskfirstError as error:
        yield Check(FAIL, "team", str(error), "askfirst team join")
        return
    if found is None:
        return
    yield from _files(found)
    for side in SIDES:
        if found.dsn(side):
            try:
                yield from _connected(found.dsn(side), side)
            except AskfirstError as error:
                yield Check(FAIL, "team", f"{side}: {error}", "look at the server and at `askfirst team status`")
    if found.hook:
        relay = "a relay runs" if mailbox.relay_is_at_work() else "no relay runs: hooks poll every two seconds"
        yield Check(OK if "no " not in relay else NOTE, "team", relay, "askfirst team relay")
        if found.approver:
            yield Check(
                WARN,
                "team",
                "the login that asks and the one that answers are on one machine: only the signature keeps an agent "
                "from answering",
                "answer from another machine, or keep the key behind a touch or a confirmation (`ssh-add -c`)",
            )


def _connected(dsn: str, side: str) -> list[Check]:
    return briefly(dsn, lambda connection: list(_side(connection, dsn, side)), limit_s=15.0)


def _files(found: Joined) -> Iterator[Check]:
    secret, signers = _stat(passfile()), _stat(signers_file())
    if secret is not None and secret.st_mode & 0o077:
        yield Check(FAIL, "team", f"{passfile()}: others can read it", f"chmod 600 {passfile()}")
    if signers is not None and (signers.st_mode & (stat.S_IWGRP | stat.S_IWOTH) or signers.st_uid != 0):
        text = f"{signers_file()}: not only root can write it, and so approve"
        yield Check(WARN, "team", text, f"chown root {signers_file()}; chmod 644 {signers_file()}")
    if found.hook and signers is None:
        text = f"{signers_file()} is missing: no signed answer can be checked, so a yes of the team is refused"
        yield Check(WARN, "team", text, "put the team's public keys there, as `ssh-keygen` calls allowed signers")
    yield from _key(found)
    yield from _rules()


def _stat(path: str) -> os.stat_result | None:
    try:
        return os.stat(path)
    except OSError:
        return None


def _key(found: Joined) -> Iterator[Check]:
    if found.approver and not found.key:
        yield Check(WARN, "team", "answers are not signed", "askfirst team join DSN --as approver --key ~/.ssh/KEY")
    if found.key and _is_open(os.path.expanduser(found.key)):
        text = f"{found.key} has no passphrase: whoever runs as you can sign"
        yield Check(WARN, "team", text, f"ssh-keygen -p -f {found.key}, or a FIDO2 key")


def _rules() -> Iterator[Check]:
    try:
        version = team_policy.version() if team_policy.in_force() else 0
        if version:
            yield Check(OK, "team", f"rules from the database: version {version}")
    except AskfirstError as error:
        yield Check(FAIL, "team", str(error), "askfirst team policy pull")


def _is_open(key: str) -> bool:
    """Whether a private key can be read without a passphrase."""
    if key.endswith(".pub") or not os.path.exists(key):
        return False
    ran = subprocess.run(["ssh-keygen", "-y", "-P", "", "-f", key], capture_output=True, check=False, timeout=10)
    return ran.returncode == 0 and not ran.stdout.startswith(b"sk-")


def _side(connection: Connection, dsn: str, side: str) -> Iterator[Check]:
    who = call(connection, "whoami")[0]
    if who["groups"] != [f"askfirst_{side}"]:
        groups = ", ".join(who["groups"]) or "none"
        yield Check(
            FAIL, "team", f"{side}: {who['login']} belongs to {groups}", f"one login, one group: askfirst_{side}"
        )
    elif not who["person"]:
        way = f"askfirst team member {who['login']} --person NAME"
        yield Check(FAIL, "team", f"{side}: {who['login']} is not enrolled as a person", way)
    else:
        yield Check(OK, "team", f"{side}: {who['login']} is {who['person']}")
    yield _tls(connection, dsn, side)
    version = schema.version_of(connection)
    if version != schema.newest():
        yield Check(
            WARN, "team", f"the schema is version {version}, this askfirst's {schema.newest()}", "askfirst team init"
        )
    if side in (HOOK, APPROVER) and not Ear(connection).works(dsn):
        text = f"{side}: notifications do not arrive, so answers are polled for every two seconds"
        yield Check(WARN, "team", text, "connect to the server itself, or to a pooler in session mode")
    if row(connection, "SELECT rolsuper AS yes FROM pg_roles WHERE rolname = session_user")["yes"]:
        yield Check(FAIL, "team", f"{side}: {who['login']} is a superuser", "use a login of its own")
    passed = [text for text in FORBIDDEN.get(side, ()) if _is_possible(connection, text)]
    if side == HOOK:
        passed += ["an approval of its own request"] if _can_approve_itself(connection) else []
    for text in passed:
        yield Check(
            FAIL, "team", f"{side}: could do what must be refused: {text}", "askfirst team init; look at its grants"
        )
    if not passed and side in FORBIDDEN:
        yield Check(OK, "team", f"{side}: {len(FORBIDDEN[side])} things that must be refused are refused")


def _tls(connection: Connection, dsn: str, side: str) -> Check:
    given = conninfo.conninfo_to_dict(dsn)
    ssl = rows(connection, "SELECT ssl, version FROM pg_stat_ssl WHERE pid = pg_backend_pid()")
    if str(given.get("host", "")).startswith("/"):
        return Check(OK, "team", f"{side}: a socket of this machine")
    if not ssl or not ssl[0]["ssl"]:
        return Check(FAIL, "team", f"{side}: the connection is not encrypted", "sslmode=verify-full sslrootcert=…")
    if given.get("sslmode") != "verify-full":
        text = f"{side}: {ssl[0]['version']}, but the server's name is not checked (sslmode={given.get('sslmode')})"
        return Check(WARN, "team", text, "sslmode=verify-full sslrootcert=…")
    return Check(OK, "team", f"{side}: {ssl[0]['version']}, the server's name is checked")


def _is_possible(connection: Connection, text: str) -> bool:
    try:
        with connection.transaction(force_rollback=True):
            rows(connection, f"{text}{' RETURNING 1' if text.startswith(('UPDATE', 'INSERT', 'DELETE')) else ''}")
    except RefusedByDatabase:
        return False
    except AskfirstError:
        return True  # it failed for another reason than privileges: that is not what keeps it out
    return True


def _can_approve_itself(connection: Connection) -> bool:
    """A request of its own, closed as answered on this machine although it needs another person: must be refused."""
    own = ids.new_id()
    try:
        with connection.transaction(force_rollback=True):
            rows(
                connection,
                "SELECT askfirst.submit(%s, %s, '{}', '{default}', 1, '{}', false, false, 'doctor--', "
                "'', '', '', '', '{}', 1)",
                own,
                "0" * 64,
            )
            call(connection, "close", own, "0" * 64, "local", "", "")
    except AskfirstError:
        return False
    return True
