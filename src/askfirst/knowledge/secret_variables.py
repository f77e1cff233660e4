"""Names of variables whose values are nobody's business."""

from __future__ import annotations

_PARTS = (
    "key",
    "token",
    "secret",
    "pass",
    "cred",
    "auth",
    "cookie",
    "session",
    "private",
    "dsn",
    "database_url",
    "conn",
)


def looks_secret(name: str) -> bool:
    """Whether an environment variable's name says that its value is a credential."""
    lower = name.lower()
    return any(part in lower for part in _PARTS)


# Words of the above that say something else in the names that a desktop, a shell or an agent sets.
_HARMLESS = (
    "XDG_",
    "DBUS_",
    "SSH_AUTH_SOCK",
    "DESKTOP_SESSION",
    "GNOME_KEYRING",
    "KEYBOARD",
    "COMPASS",
    "AUTHOR",
    "GIT_AUTHOR",
)


def is_credential(name: str) -> bool:
    """Whether a variable that the script does not set itself is, by its name, a credential of the environment."""
    return (
        name.isupper()
        and looks_secret(name)
        and not name.startswith(_HARMLESS)
        and not name.endswith(("_SESSION_ID", "_AUTHOR"))
    )
