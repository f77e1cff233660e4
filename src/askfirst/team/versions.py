"""The organisation's rules in the database: every version, who pushed it, and pulling them here.

A version counts on a machine once it was pulled there, and only if it is signed by somebody whom the organisation's
file of signers names for this (`namespaces="askfirst-policy"`), or the organisation takes unsigned ones.
"""

from __future__ import annotations

from dataclasses import dataclass

from askfirst import audit
from askfirst.digest import sha256_hex
from askfirst.errors import AskfirstError
from askfirst.policy.config import parse_org
from askfirst.store import team_policy
from askfirst.store.layers import org_files, settings_of
from askfirst.team import proof
from askfirst.team.database import Connection, call, rows
from askfirst.team.joined import signers_file

UNSIGNED = "unsigned"


@dataclass(frozen=True)
class Version:
    """The organisation's file, once."""

    version: int
    content: str
    person: str
    login: str
    at: float
    signature: str
    words: str


def versions(connection: Connection, *, newest: int = 0) -> tuple[Version, ...]:
    """Newest first."""
    found = rows(
        connection,
        "SELECT version, content, person, login::text, extract(epoch FROM at)::float8 AS at, signature, words "
        "FROM askfirst.policy ORDER BY version DESC LIMIT %s",
        newest or 1000,
    )
    return tuple(Version(**row) for row in found)


def push(connection: Connection, content: str, *, key: str, words: str, at_terminal: bool = True) -> int:
    """A new version on top of the newest. The file is checked first, as a machine that pulls it would."""
    parse_org(content, "the new version")
    before = next(iter(versions(connection, newest=1)), None)
    number = before.version if before is not None else 0
    if before is not None and before.content == content:
        raise AskfirstError(f"version {number} has exactly this content")
    signature = (
        proof.sign(_signed(number + 1, content), key, namespace=proof.POLICY_NAMESPACE, at_terminal=at_terminal)
        if key
        else ""
    )
    return int(call(connection, "push", number, content, signature, words)[0]["push"])


def check(found: Version) -> str:
    """Who vouches for a version. Raises where it must not count here."""
    parse_org(found.content, f"version {found.version}")
    if found.signature:
        text = _signed(found.version, found.content)
        proof.verify(text, found.signature, found.person, signers_file(), namespace=proof.POLICY_NAMESPACE)
        return found.person
    team = settings_of(org_files()).team
    if team is None or not team.unsigned:
        raise AskfirstError(
            f"version {found.version} is not signed; the organisation's own file can allow that with "
            "`team: {unsigned: true}`"
        )
    return UNSIGNED


def keep(found: Version) -> None:
    """From now on this version counts here."""
    by = check(found)
    record = {
        "what": f"version {found.version} of the team's rules in force:",
        "file": team_policy.COPY,
        "sha256": sha256_hex(found.content),
        "by": f"{found.person}, {by}" if by == UNSIGNED else by,
    }
    audit.append("config", record, durable=True)
    team_policy.keep(found.version, found.content)


def follow(connection: Connection, *, required: bool) -> int:
    """What a relay does: a newer version that can be believed comes into force where the team's rules are in use. The
    version that counts now."""
    have = team_policy.version()
    if not have and not required:
        return 0
    found = next(iter(versions(connection, newest=1)), None)
    if found is not None and found.version > have:
        keep(found)
        return found.version
    return have


def _signed(version: int, content: str) -> str:
    return f"askfirst-policy 1\nversion {version}\n{content}"
