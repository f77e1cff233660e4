"""Passwords and tokens in the settings of programs: in an address, or as a header."""

from __future__ import annotations

from askfirst.knowledge.variables import looks_secret

__all__ = ["GIT_SETTINGS", "holds_credential"]

GIT_SETTINGS = ("/.git/config", "/.gitconfig", "/.config/git/config")


def holds_credential(text: str, marks: tuple[str, ...] = ("extraheader",)) -> bool:
    """Whether one of these marks stands in a text, or an address with a password or a token."""
    if any(mark in text.lower() for mark in marks):
        return True
    for part in text.split("://")[1:]:
        user, at, _ = part.split("/")[0].split("\n")[0].partition("@")
        if at and (":" in user or len(user) > 20 or looks_secret(user)):
            return True
    return False
