"""A view in a database is code: real files, made by SQLite, and what the gate says of reading them."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from askfirst.model import Decision
from askfirst.shell.tools.data.sql import calls_nothing_unknown
from askfirst.shell.tools.data.sqlite_schema import definitions
from tests.scorecard import Bench

PLAIN = "create table users(id integer primary key, name text default 'x'); create index i on users(name);"
HARMLESS = PLAIN + "create view v as select count(*) c, upper(name) from users group by name;"
EVIL = PLAIN + "create view v as select EDIT (name, 'touch x') from users;"
LONG = PLAIN + f"create view v as select '{'a' * 20000}', edit(name, 'touch x') from users;"
MANY = PLAIN + "".join(f"create table t{i}(a text default '{'x' * 80}');" for i in range(200))


def made(path: Path, script: str, encoding: str = "UTF-8") -> Path:
    """SQLite takes a view with a function that it does not have: only reading from it fails."""
    path.unlink(missing_ok=True)
    with sqlite3.connect(path) as database:
        database.executescript(f"pragma encoding='{encoding}'; {script}")
    database.close()
    return path


@pytest.mark.parametrize("encoding", ["UTF-8", "UTF-16le", "UTF-16be"])
@pytest.mark.parametrize("script, fine", [(HARMLESS, True), (MANY, True), (EVIL, False), (LONG, False)])
def test_every_definition_is_found(tmp_path: Path, script: str, encoding: str, fine: bool) -> None:
    content = made(tmp_path / "a.db", script, encoding).read_bytes()
    found = definitions(lambda at, size: content[at : at + size])
    assert found is not None and len(found) == script.count("create ")
    assert all(calls_nothing_unknown(text) for text in found) == fine


def test_a_file_that_is_cut_off_or_no_database_is_not_understood(tmp_path: Path) -> None:
    content = made(tmp_path / "a.db", LONG).read_bytes()
    for part in (content[:200], content[: len(content) // 2], b"x" * 200):
        assert definitions(lambda at, size, part=part: part[at : at + size]) is None  # type: ignore[misc]
    assert definitions(lambda at, size: None) is None
    assert definitions(lambda at, size: b"") == []


@pytest.mark.parametrize(
    "command, allowed",
    [
        ("sqlite3 good.db 'select * from v'", True),
        ("sqlite3 good.db 'select * from v' 2>/dev/null | head -5", True),
        ("sqlite3 evil.db .tables", True),
        ("sqlite3 -safe evil.db 'select * from v'", True),
        ("sqlite3 new.db 'select 1'", True),
        ("sqlite3 evil.db 'select * from v'", False),
        ("sqlite3 evil.db .fullschema", False),
        ("cp evil.db good.db; sqlite3 good.db 'select * from v'", False),
        ("cat evil.db > good.db; sqlite3 good.db 'select * from v'", False),
        ("cp evil.db new.db; sqlite3 new.db 'select * from v'", False),
        ("sqlite3 logged.db 'select * from v'", False),
        ("duckdb good.db 'select * from v'", False),
    ],
)
def test_reading_from_a_view_that_may_start_programs_asks(tmp_path: Path, command: str, allowed: bool) -> None:
    bench = Bench(tmp_path)
    made(bench.project / "good.db", HARMLESS)
    made(bench.project / "evil.db", EVIL)
    made(bench.project / "logged.db", HARMLESS)
    (bench.project / "logged.db-journal").write_bytes(b"x")
    assert (bench.judge(command).decision == Decision.ALLOW) == allowed
