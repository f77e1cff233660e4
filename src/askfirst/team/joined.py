"""What a user has joined: where the database is, as whom, and with which key answers are signed. No secret stands in
here: passwords are in a password file of libpq's, or come from the environment."""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass, replace

from askfirst.errors import StoreError
from askfirst.store import atomic, paths

HOOK, APPROVER, AUDITOR, ADMIN = SIDES = ("hook", "approver", "auditor", "admin")
PASSFILE = "team.pgpass"
SIGNERS = "allowed_signers"


@dataclass(frozen=True)
class Joined:
    """This user's part. A DSN for each side that was joined; "" where it was not."""

    hook: str = ""
    approver: str = ""
    auditor: str = ""
    admin: str = ""
    key: str = ""  # the key that answers are signed with, or its public half where an agent holds it

    def dsn(self, side: str) -> str:
        found: str = getattr(self, side)
        return found

    def best(self, *sides: str) -> str:
        """The first of these sides that was joined; "" when none was."""
        return next((self.dsn(side) for side in sides if self.dsn(side)), "")


def passfile() -> str:
    return os.path.join(paths.user_config_dir(), PASSFILE)


def signers_file() -> str:
    """The organisation's own directory, not the user's: who can write this file can approve."""
    return os.path.join(paths.site_config_dir(), SIGNERS)


def joined() -> Joined | None:
    """None where no team was joined."""
    where = paths.team_file()
    try:
        value = json.loads(atomic.read_private(where, 1 << 16))
        return Joined(**{str(name): str(text) for name, text in value.items()})
    except FileNotFoundError:
        return None
    except (OSError, ValueError, TypeError, AttributeError) as error:
        raise StoreError(f"{where}: cannot be read: {error}; join again with `askfirst team join`") from error


def join(side: str, dsn: str, *, key: str = "") -> Joined:
    """Store one side's part beside those that are there."""
    there = joined() or Joined()
    changed = replace(there, **{side: dsn}, **({"key": key} if key else {}))
    os.makedirs(paths.user_config_dir(), mode=0o700, exist_ok=True)
    atomic.write_atomic(paths.team_file(), (json.dumps(asdict(changed), indent=2) + "\n").encode())
    return changed


def keep_password(host: str, port: str, database: str, user: str, password: str) -> str:
    """Put a password into askfirst's own password file, in place of an older one, and give back the file."""
    where = passfile()
    fields = [part.replace("\\", "\\\\").replace(":", "\\:") for part in (host, port, database, user)]
    begin = ":".join(fields) + ":"
    try:
        kept = [
            line for line in atomic.read_private(where, 1 << 16).decode().splitlines() if not line.startswith(begin)
        ]
    except FileNotFoundError:
        kept = []
    os.makedirs(paths.user_config_dir(), mode=0o700, exist_ok=True)
    escaped = password.replace("\\", "\\\\").replace(":", "\\:")
    atomic.write_atomic(where, "".join(f"{line}\n" for line in [*kept, begin + escaped]).encode())
    return where
