"""Which shells may read a text. A text is understood only where all of them make the same of it.

The agent's own commands go to bash or zsh. What a program hands to `sh` is read by dash (Debian), busybox's ash
(Alpine), bash (others) or a kin of theirs; what it hands to `$SHELL`, by whatever the person logs in with.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Dialect:
    name: str  # for people
    zsh: bool = False  # zsh may read it: zsh.py says where that matters
    sh: bool = False  # dash or ash may read it: only the common grammar (common.py) is understood
    foreign: bool = False  # so may a shell with a syntax of its own: only plain words are understood


BASH = Dialect("bash")
ZSH = Dialect("zsh", zsh=True)
SH = Dialect("sh", sh=True)
LOGIN = Dialect("$SHELL", zsh=True, sh=True)
FOREIGN = Dialect("another shell", zsh=True, sh=True, foreign=True)

_BY_NAME = {"bash": BASH, "zsh": ZSH, "sh": SH, "dash": SH, "ash": SH}
_LOGIN_SHELLS = ("", "bash", "zsh", "sh", "dash", "ash", "ksh", "mksh", "ksh93")  # "": programs take /bin/sh then


def of(name: str) -> Dialect:
    """The dialect of a shell that is called by this name."""
    return _BY_NAME.get(name, FOREIGN)


def of_login(name: str) -> Dialect:
    """The dialect of `$SHELL`. A login shell of the common family may be changed for another of them unnoticed."""
    return LOGIN if name in _LOGIN_SHELLS else FOREIGN
