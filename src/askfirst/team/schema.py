"""The schema as a file that people read: which part is missing, and applying it, in one transaction."""

from __future__ import annotations

import os
import re

from askfirst.team.database import Connection, rows, said

FILE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "schema.sql")
_LOCK = 0x61736B66  # of init against init: `askf`


def parts() -> dict[int, str]:
    """version -> its SQL."""
    with open(FILE, encoding="utf-8") as file:
        pieces = re.split(r"(?m)^-- @version (\d+)\n", file.read())
    return {int(number): text for number, text in zip(pieces[1::2], pieces[2::2], strict=True)}


def newest() -> int:
    return max(parts())


def version_of(connection: Connection) -> int:
    """0 where there is no schema yet."""
    if not rows(connection, "SELECT FROM pg_namespace WHERE nspname = 'askfirst'"):
        return 0
    return int(rows(connection, "SELECT coalesce(max(version), 0) AS version FROM askfirst.meta")[0]["version"])


def missing(version: int) -> str:
    """The SQL that a database of this version lacks; "" when nothing is missing."""
    return "\n".join(text.strip() + "\n" for number, text in sorted(parts().items()) if number > version)


def apply(connection: Connection, *, upto: int = 0) -> tuple[int, int]:
    """Bring the schema up to date: (version before, version after). All of it, or nothing."""
    with said(), connection.transaction():
        connection.execute("SELECT pg_advisory_xact_lock(%s)", (_LOCK,))
        before = version_of(connection)
        last = upto or newest()
        for number, text in sorted(parts().items()):
            if before < number <= last:
                connection.execute(text.encode())
                connection.execute("INSERT INTO askfirst.meta (version) VALUES (%s)", (number,))
                connection.execute("RESET ROLE")
        return before, max(before, last)
