"""Whether a text takes words from data: what files hold, and what programs print. Without quotes these become several
words, and with or without them an option."""

from __future__ import annotations

import re

__all__ = ["brings_data"]

# What these print is one word, and none that somebody else has written. A text, since most commands need no pattern.
_PLAIN = r"""\$\((?:whoami|hostname|nproc|pwd|arch|uname(?:\ -\w)?|id\ -\w+|date(?:\ -u)?\ \+[%\w./:-]+|mktemp(?:\ -\w)*
    |git\ rev-parse\ [\w@~^{}/.\ -]+|git\ branch\ --show-current|(?:base|dir)name\ ["$\w./-]+|wc\ -[lwc]\ *<\ *[\w./-]+
    |echo\ (?:[\w./*-]+|'[^'\s]+')|stat\ -\w\ [%\w]+\ [\w./-]+|(?:pgrep|pidof)\ [\w\ ./-]+|lsof\ -ti\ ?:\d+|id)\)"""
_ARITHMETIC = r"\$\(\([^()]*\)\)"


def brings_data(text: str) -> bool:
    if "$(" not in text and "`" not in text:
        return False
    rest = re.sub(_ARITHMETIC, "", re.sub(_PLAIN, "", text, flags=re.ASCII | re.VERBOSE))
    return "$(" in rest or "`" in rest
