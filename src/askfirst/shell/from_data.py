"""Whether a text takes words from data: what files hold, and what programs print. Without quotes these become several
words, and with or without them an option."""

from __future__ import annotations

import re

__all__ = ["brings_data"]

# What these print is one word, and none that somebody else has written.
_PLAIN = re.compile(
    r"""\$\((?:whoami|hostname|nproc|pwd|arch|uname(?:\ -\w)?|id\ -\w+|date(?:\ -u)?\ \+[%\w./:-]+|mktemp(?:\ -\w)*
    |git\ rev-parse\ [\w@~^{}/.\ -]+|git\ branch\ --show-current|(?:base|dir)name\ ["$\w./-]+|wc\ -[lwc]\ *<\ *[\w./-]+
    |echo\ (?:[\w./*-]+|'[^'\s]+')|stat\ -\w\ [%\w]+\ [\w./-]+|(?:pgrep|pidof)\ [\w\ ./-]+|lsof\ -ti\ ?:\d+|id)\)""",
    re.ASCII | re.VERBOSE,
)
_ARITHMETIC = re.compile(r"\$\(\([^()]*\)\)")


def brings_data(text: str) -> bool:
    rest = _ARITHMETIC.sub("", _PLAIN.sub("", text))
    return "$(" in rest or "`" in rest
