"""The schema as shipped, on the real server: what each role may do, and above all what it may not."""

from __future__ import annotations

import json
import os
import threading
from typing import Any

import psycopg
import pytest

from askfirst.errors import AskfirstError
from askfirst.team import anchors, schema
from askfirst.team.database import RefusedByDatabase, call, row, rows
from tests.team.server import LOGINS, Server, enrol

DIGEST = "d" * 64
ANYBODY = '{"default": ["*"]}'


def new_id() -> str:
    return os.urandom(13).hex()


def submit(connection: Any, name: str = "", **changed: Any) -> str:
    name = name or new_id()
    values: dict[str, Any] = {
        "id": name, "digest": DIGEST, "card": "{}", "kinds": ["default"], "approvals": 1, "may": ANYBODY,
        "self_ok": False, "local_ok": False, "machine": "machine-1", "host": "h", "project": "/p", "agent": "claude",
        "session": "s", "labels": [], "wait_s": 60,
    } | changed  # fmt: skip
    call(connection, "submit", *values.values())
    return name


def state(db: Server, name: str) -> str:
    with db.as_("olga") as connection:
        return str(row(connection, "SELECT state FROM askfirst.request WHERE id = %s", name)["state"])


# What must be refused: as whom, and what. {id} is a waiting request of ada_hook, {bob} one of bob_hook.
FORGERIES = [
    ("ada_hook", "UPDATE askfirst.request SET state = 'allowed' WHERE id = '{id}'"),
    ("ada_hook", "UPDATE askfirst.request SET local_ok = true, self_ok = true, approvals = 1 WHERE id = '{id}'"),
    ("ada_hook", "UPDATE askfirst.request SET expires = now() + interval '1 day' WHERE id = '{id}'"),
    ("ada_hook", "UPDATE askfirst.request SET digest = repeat('e', 64) WHERE id = '{id}'"),
    ("ada_hook", "INSERT INTO askfirst.answer VALUES ('{id}', 'bob', 'bob', 'allow', 'x', '', now())"),
    ("ada_hook", "INSERT INTO askfirst.request SELECT * FROM askfirst.request"),
    ("ada_hook", "DELETE FROM askfirst.request"),
    ("ada_hook", "DELETE FROM askfirst.answer"),
    ("ada_hook", "DELETE FROM askfirst.log"),
    ("ada_hook", "TRUNCATE askfirst.log"),
    ("ada_hook", "UPDATE askfirst.head SET seq = 0"),
    ("ada_hook", "SELECT * FROM askfirst.head"),
    ("ada_hook", "SELECT * FROM askfirst.log"),
    ("ada_hook", "INSERT INTO askfirst.log VALUES (99, now(), 'decided', '{id}', '', 'bob', 'bob', 'allowed', '', '')"),
    ("ada_hook", "INSERT INTO askfirst.told VALUES (repeat('0', 32))"),
    ("ada_hook", "SELECT askfirst.decide('{id}', '{digest}', 'allow', 'x', '')"),
    ("ada_hook", "SELECT askfirst.note('decided', '{id}', '', 'bob', 'allowed')"),
    ("ada_hook", "SELECT askfirst.enrol('ada_hook', 'bob')"),
    ("ada_hook", "UPDATE askfirst.member SET person = 'bob'"),
    ("ada_hook", "SELECT * FROM askfirst.member"),
    ("ada_hook", "SELECT askfirst.close('{id}', '{digest}', 'local', '', '')"),
    ("ada_hook", "SELECT askfirst.close('{id}', '{digest}', 'allowed', '', '')"),
    ("ada_hook", "SELECT askfirst.close('{bob}', '{digest}', 'withdrawn', '', '')"),
    ("ada_hook", "SELECT askfirst.push(0, 'version: 2', '', '')"),
    ("ada_hook", "SELECT askfirst.here('watch', 'h')"),
    ("ada_hook", "SET ROLE askfirst_approver"),
    ("ada_hook", "SET ROLE askfirst_owner"),
    ("ada_hook", "SET ROLE bob"),
    ("ada_hook", "SET SESSION AUTHORIZATION bob"),
    ("ada_hook", "GRANT askfirst_approver TO ada_hook"),
    ("ada_hook", "CREATE FUNCTION askfirst.caller2() RETURNS text LANGUAGE sql AS 'SELECT 1::text'"),
    ("ada_hook", "CREATE TABLE askfirst.x (y int)"),
    ("ada_hook", "ALTER FUNCTION askfirst.decide(text, text, text, text, text) SECURITY INVOKER"),
    ("ada_hook", "DROP FUNCTION askfirst.decide(text, text, text, text, text)"),
    ("ada_hook", "ALTER TABLE askfirst.request DISABLE ROW LEVEL SECURITY"),
    ("bob", "UPDATE askfirst.request SET state = 'allowed' WHERE id = '{id}'"),
    ("bob", "INSERT INTO askfirst.answer VALUES ('{id}', 'carol', 'carol', 'allow', 'x', '', now())"),
    ("bob", "UPDATE askfirst.answer SET person = 'carol'"),
    ("bob", "DELETE FROM askfirst.log"),
    ("bob", "SELECT askfirst.submit('{id}', '{digest}', '', '{{default}}', 1, '{{}}', true, true, '', '', '', '', "
     "'', '{{}}', 1)"),
    ("bob", "SELECT askfirst.close('{id}', '{digest}', 'local', '', '')"),
    ("bob", "SELECT askfirst.take('{id}', 'allowed')"),
    ("bob", "SELECT askfirst.decide('{id}', repeat('e', 64), 'allow', 'x', '')"),
    ("bob", "SELECT askfirst.decide('{id}', '{digest}', 'allowed', 'x', '')"),
    ("bob", "SELECT askfirst.enrol('bob', 'carol')"),
    ("bob", "SELECT askfirst.push(0, 'version: 2', '', '')"),
    ("bob", "SET ROLE askfirst_hook"),
    ("ada", "SELECT askfirst.decide('{id}', '{digest}', 'allow', 'x', '')"),  # ada's own machine asks
    ("olga", "UPDATE askfirst.log SET detail = ''"),
    ("olga", "SELECT askfirst.decide('{id}', '{digest}', 'allow', 'x', '')"),
    ("root_of_team", "SELECT askfirst.decide('{id}', '{digest}', 'allow', 'x', '')"),
    ("root_of_team", "UPDATE askfirst.request SET state = 'allowed'"),
    ("root_of_team", "DELETE FROM askfirst.log"),
]  # fmt: skip


def test_every_forgery_is_refused(db: Server) -> None:
    with db.as_("ada_hook") as ada, db.as_("bob_hook") as bob:
        names = {"id": submit(ada), "bob": submit(bob), "digest": DIGEST}
    passed = []
    for login, text in FORGERIES:
        with db.as_(login) as connection:
            try:
                connection.execute(text.format(**names).encode())
                passed.append((login, text))
            except psycopg.Error as error:
                assert not isinstance(error, (psycopg.errors.SyntaxError, psycopg.errors.UndefinedFunction)), (
                    text,
                    error,
                )
    assert passed == []
    assert state(db, names["id"]) == state(db, names["bob"]) == "waiting"


def test_names_in_a_temporary_schema_do_not_count(db: Server) -> None:
    """What a caller makes in pg_temp, or puts first in search_path, is not what the functions find."""
    with db.as_("ada_hook") as connection:
        name = submit(connection)
        connection.execute("CREATE TEMPORARY TABLE request (LIKE askfirst.request)")
        connection.execute("CREATE TEMPORARY TABLE member (login name, person text)")
        connection.execute("INSERT INTO member VALUES ('ada_hook', 'bob')")
        connection.execute("SET search_path = pg_temp, askfirst, public")
        assert call(connection, "whoami")[0]["person"] == "ada"
        with pytest.raises(RefusedByDatabase):
            call(connection, "close", name, DIGEST, "local", "", "")
    assert state(db, name) == "waiting"


def test_a_machine_sees_only_what_it_asked(db: Server) -> None:
    with db.as_("ada_hook") as ada, db.as_("bob_hook") as bob:
        mine, theirs = submit(ada), submit(bob)
        assert [r["id"] for r in rows(ada, "SELECT id FROM askfirst.request")] == [mine]
        assert call(ada, "answers_to", [mine, theirs])[0]["id"] == mine
        with pytest.raises(RefusedByDatabase, match="another request has the id"):
            submit(ada, theirs, card="other")


def test_a_login_that_asks_cannot_answer_whatever_it_belongs_to(db: Server) -> None:
    with db.as_("postgres") as connection:
        enrol(connection, {"two_sides": ("hook", "both")})
        connection.execute("GRANT askfirst_approver TO two_sides")
    try:
        with db.as_("ada_hook") as ada:
            name = submit(ada)
        with db.as_("two_sides") as connection, pytest.raises(RefusedByDatabase, match="cannot answer"):
            call(connection, "decide", name, DIGEST, "allow", "x", "")
    finally:
        with db.as_("postgres") as connection:
            connection.execute("DROP ROLE two_sides")


def test_who_is_not_enrolled_can_do_nothing(db: Server) -> None:
    with db.as_("postgres") as connection:
        connection.execute("DELETE FROM askfirst.member WHERE login IN ('bob', 'bob_hook')")
    with db.as_("ada_hook") as ada, db.as_("bob_hook") as hook, db.as_("bob") as bob:
        name = submit(ada)
        with pytest.raises(RefusedByDatabase, match="askfirst team member bob_hook"):
            submit(hook)
        with pytest.raises(RefusedByDatabase, match="not enrolled"):
            call(bob, "decide", name, DIGEST, "deny", "x", "")


@pytest.mark.parametrize(
    ("kinds", "approvals", "may", "said", "ends"),
    [
        (["default"], 1, {"default": ["*"]}, ["bob"], "allowed"),
        (["default"], 1, {"default": ["*", "!bob"]}, ["-bob"], "waiting"),
        (["danger"], 2, {"danger": ["*"]}, ["bob"], "waiting"),
        (["danger"], 2, {"danger": ["*"]}, ["bob", "bob"], "waiting"),
        (["danger"], 2, {"danger": ["*"]}, ["bob", "carol"], "allowed"),
        (["danger"], 2, {"danger": ["bob", "carol"]}, ["bob", "-dan", "carol"], "allowed"),
        (["danger", "publish"], 1, {"danger": ["bob"], "publish": ["carol"]}, ["bob"], "waiting"),
        (["danger", "publish"], 1, {"danger": ["bob"], "publish": ["carol"]}, ["bob", "carol"], "allowed"),
        (["default"], 1, {}, ["-bob"], "waiting"),
        (["default"], 1, {"default": ["*"]}, ["-ada"], "waiting"),
    ],
)
def test_who_may_allow(
    db: Server, kinds: list[str], approvals: int, may: dict[str, list[str]], said: list[str], ends: str
) -> None:
    """`-name`: is refused."""
    with db.as_("ada_hook") as ada:
        name = submit(ada, kinds=kinds, approvals=approvals, may=json.dumps(may))
    for person in said:
        with db.as_(person.removeprefix("-")) as connection:
            if person.startswith("-"):
                with pytest.raises(RefusedByDatabase):
                    call(connection, "decide", name, DIGEST, "allow", "x", "")
            else:
                call(connection, "decide", name, DIGEST, "allow", "x", "")
    assert state(db, name) == ends


def test_one_of_many_answers_wins(db: Server) -> None:
    with db.as_("ada_hook") as ada:
        name = submit(ada)
    states: list[str] = []

    def decide(person: str, verdict: str) -> None:
        with db.as_(person) as connection:
            states.append(str(call(connection, "decide", name, DIGEST, verdict, "x", "")[0]["state"]))

    threads = [threading.Thread(target=decide, args=(p, v)) for p in ("bob", "carol", "dan") for v in ("allow", "deny")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    won = [s for s in states if not s.startswith("was ")]
    assert len(won) == 1 and set(states) == {won[0], f"was {won[0]}"}
    assert state(db, name) == won[0]


def test_time_is_the_databases_own(db: Server) -> None:
    with db.as_("ada_hook") as ada:
        name = submit(ada, wait_s=60)
        with pytest.raises(RefusedByDatabase):
            submit(ada, wait_s=86400)
        # It cannot say that its own request has expired: that is a withdrawal.
        assert call(ada, "close", name, DIGEST, "expired", "", "c")[0]["state"] == "withdrawn"
        late = submit(ada, wait_s=60)
    with db.as_("postgres") as connection:
        connection.execute("UPDATE askfirst.request SET expires = now() - interval '1 second' WHERE id = %s", (late,))
    with db.as_("bob") as bob:
        assert call(bob, "decide", late, DIGEST, "allow", "x", "")[0]["state"] == "was expired"


def test_the_log_is_bound_and_a_change_is_found(db: Server) -> None:
    with db.as_("ada_hook") as ada, db.as_("bob") as bob:
        name = submit(ada)
        call(bob, "decide", name, DIGEST, "allow", "ünïcode ✓", "")
    with db.as_("olga") as auditor:
        number, broken = anchors.first_broken(auditor)
        assert (number, broken) == (row(auditor, "SELECT seq FROM askfirst.whoami()")["seq"], "")
        said = [r["what"] for r in rows(auditor, "SELECT what FROM askfirst.log ORDER BY seq DESC LIMIT 3")]
        assert said == ["decided", "allow", "asked"]
    for change, found in (
        ("UPDATE askfirst.log SET person = 'carol' WHERE seq = 3", "line 3 was changed"),
        ("UPDATE askfirst.log SET detail = detail || ' ' WHERE seq = 2", "line 2 was changed"),
        ("DELETE FROM askfirst.log WHERE seq = 1", "line 1 is missing"),
    ):
        with db.as_("postgres") as superuser, superuser.transaction(force_rollback=True):
            superuser.execute(change.encode())
            assert anchors.first_broken(superuser)[1] == found


def test_init_is_repeated_without_harm_and_migrates(cluster: Server) -> None:
    with cluster.as_("postgres", database="postgres") as connection:
        connection.execute("CREATE DATABASE older")
    try:
        with cluster.as_("postgres", database="older") as connection:
            assert schema.version_of(connection) == 0
            assert schema.apply(connection, upto=1) == (0, 1)
            for login, (_, person) in LOGINS.items():
                connection.execute("SELECT askfirst.enrol(%s::name, %s)", (login, person))
        with cluster.as_("ada_hook", database="older") as ada:
            name = submit(ada)
            with pytest.raises(RefusedByDatabase, match="askfirst team init"):
                call(ada, "anchor", "machine-1", "h", 1, "0" * 64)
        with cluster.as_("postgres", database="older") as connection:
            assert "CREATE TABLE askfirst.policy" in schema.missing(1)
            assert schema.apply(connection) == (1, schema.newest())
            assert schema.apply(connection) == (schema.newest(), schema.newest())
            assert schema.missing(schema.newest()) == ""
        with cluster.as_("ada_hook", database="older") as ada:
            assert call(ada, "anchor", "machine-1", "h", 1, "0" * 64)[0]["anchor"] is True
            assert call(ada, "answers_to", [name])[0]["state"] == "waiting"
    finally:
        with cluster.as_("postgres", database="postgres") as connection:
            connection.execute("DROP DATABASE older WITH (FORCE)")


def test_functions_are_written_as_the_file_promises(db: Server) -> None:
    """Every function that may write: definer's rights, a fixed search_path, and nothing for PUBLIC."""
    with db.as_("postgres") as connection:
        found = rows(
            connection,
            "SELECT p.proname, p.prosecdef, p.proconfig::text AS config, r.rolname AS owner, "
            "has_function_privilege('public', p.oid, 'EXECUTE') AS open "
            "FROM pg_proc p JOIN pg_roles r ON r.oid = proowner WHERE pronamespace = 'askfirst'::regnamespace",
        )
        super_ = row(
            connection,
            "SELECT rolsuper OR rolcanlogin OR rolcreaterole AS big FROM pg_roles WHERE rolname = 'askfirst_owner'",
        )
        tables = rows(
            connection,
            "SELECT relname FROM pg_class WHERE relnamespace = 'askfirst'::regnamespace AND relkind = 'r' AND "
            "(has_table_privilege('askfirst_hook', oid, 'INSERT,UPDATE,DELETE,TRUNCATE') OR "
            "has_table_privilege('askfirst_approver', oid, 'INSERT,UPDATE,DELETE,TRUNCATE') OR "
            "has_table_privilege('askfirst_admin', oid, 'INSERT,UPDATE,DELETE,TRUNCATE'))",
        )
    assert len(found) > 12 and not super_["big"] and tables == []
    for function in found:
        assert "search_path" in str(function["config"]), function
        assert function["owner"] == "askfirst_owner" and not function["open"], function
        assert function["prosecdef"] or function["proname"] in ("part", "is_among"), function


def test_what_the_database_says_no_to_is_an_error_of_askfirsts_own(db: Server) -> None:
    with db.as_("ada_hook") as ada, pytest.raises(AskfirstError):
        submit(ada, "not an id")
