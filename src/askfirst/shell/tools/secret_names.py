"""Names of variables whose values are nobody's business."""

from __future__ import annotations

_PARTS = ("key", "token", "secret", "pass", "cred", "auth", "cookie", "session", "private", "dsn", "database_url", "conn")


def looks_secret(name: str) -> bool:
    """Whether an environment variable's name says that its value is a credential."""
    lower = name.lower()
    return any(part in lower for part in _PARTS)
