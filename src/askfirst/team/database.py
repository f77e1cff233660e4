"""The database, as short calls: one connection, a few seconds, and every failure is `Unreachable` or the server's own
words. Only this module and the courier know psycopg."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

import psycopg
from psycopg import conninfo, errors
from psycopg.rows import dict_row

from askfirst.errors import AskfirstError
from askfirst.text import one_line

Row = dict[str, Any]
Connection = psycopg.Connection[Row]
T = TypeVar("T")

WAIT_S = 3.0  # for the database, in all: a person may be at this machine
# A connection that a firewall has forgotten is noticed after seconds, not hours.
_CAREFUL = {
    "connect_timeout": "3",
    "keepalives_idle": "5",
    "keepalives_interval": "2",
    "keepalives_count": "2",
    "tcp_user_timeout": "6000",
    "target_session_attrs": "read-write",
    "application_name": "askfirst",
}


class Unreachable(AskfirstError):
    """The database is not there, or not in time."""


class RefusedByDatabase(AskfirstError):
    """The database answered, and said no."""


def connect(dsn: str, *, statement_s: float = 0.0) -> Connection:
    """A connection in autocommit: each statement is one transaction. Raises Unreachable or RefusedByDatabase."""
    with said():
        given = conninfo.conninfo_to_dict(dsn)
        careful = {name: value for name, value in _CAREFUL.items() if name not in given}
        if "," in str(given.get("host") or "") and "connect_timeout" in careful:
            careful["connect_timeout"] = (
                "2"  # of each server: the least that libpq knows, so that the next has its turn
            )
        whole = conninfo.make_conninfo(dsn, **careful)
        options = f"{given.get('options') or ''} -c statement_timeout={int((statement_s or WAIT_S) * 1000)}".strip()
        try:
            return _connected(conninfo.make_conninfo(whole, options=options))
        except psycopg.OperationalError as error:
            if "unsupported startup parameter" not in str(error):
                raise
            return _connected(whole)  # PgBouncer takes no options; the callers' own limits remain


def _connected(dsn: str) -> Connection:
    # Nothing is prepared: the next statement may come to another connection of a pooler.
    return psycopg.connect(dsn, autocommit=True, row_factory=dict_row, prepare_threshold=None)


@contextmanager
def said() -> Iterator[None]:
    """The database's errors as askfirst's own, in one line."""
    try:
        yield
    except (errors.InsufficientPrivilege, errors.RaiseException, errors.NoDataFound, errors.IntegrityError) as error:
        raise RefusedByDatabase(one_line(error.diag.message_primary or str(error), 500)) from error
    except (errors.InvalidPassword, errors.InvalidAuthorizationSpecification) as error:
        raise RefusedByDatabase(one_line(str(error), 500)) from error
    except (errors.UndefinedFunction, errors.UndefinedTable, errors.InvalidSchemaName) as error:
        words = one_line(error.diag.message_primary or str(error), 300)
        raise RefusedByDatabase(f"{words}; an administrator runs `askfirst team init`") from error
    except psycopg.Error as error:
        words = one_line(" ".join(str(error).split()), 300)
        raise Unreachable(f"the team's database cannot be reached: {words}") from error


def rows(connection: Connection, text: str, *values: Any) -> list[Row]:
    with said():
        return connection.execute(text.encode(), values).fetchall()


def row(connection: Connection, text: str, *values: Any) -> Row:
    return rows(connection, text, *values)[0]


def call(connection: Connection, function: str, *values: Any) -> list[Row]:
    """A function of the schema: `call(connection, "take", id, outcome)`."""
    return rows(connection, f"SELECT * FROM askfirst.{function}({', '.join(['%s'] * len(values))})", *values)


def within(limit_s: float, work: Callable[[], T]) -> T:
    """What `work` gives, or Unreachable when that takes too long: also a name server that does not answer. Work that is
    too late goes on by itself; every call of the schema may be repeated."""
    done: list[T] = []
    failed: list[BaseException] = []

    def run() -> None:
        try:
            done.append(work())
        except (AskfirstError, OSError) as error:
            failed.append(error)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    thread.join(limit_s)
    if failed:
        raise failed[0]
    if not done:
        raise Unreachable(f"the team's database did not answer within {limit_s:.0f} s")
    return done[0]


def briefly(dsn: str, work: Callable[[Connection], T], *, limit_s: float = 0.0) -> T:
    """One short connection, of a few seconds unless it is said how many."""
    limit_s = limit_s or WAIT_S

    def run() -> T:
        connection = connect(dsn, statement_s=limit_s)
        try:
            return work(connection)
        finally:
            connection.close()

    return within(limit_s, run)
