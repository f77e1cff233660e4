"""Whether a text takes words from data: what files hold, and what programs print. Without quotes these become several
words, and with or without them an option. So do texts that stand in the script, where a variable holds one of them."""

from __future__ import annotations

import re

__all__ = ["POSITIONAL", "brings_data", "may_be_more"]

# What these print is one word, none that somebody else has written, and no option: `date +x%n-f` prints two words, and
# `git rev-parse -f` an option. A text, since most commands need no pattern.
_PLAIN = r"""\$\((?:whoami|hostname|nproc|pwd|arch|uname(?:\ -\w)?|id\ -\w+|mktemp(?:\ -\w)*
    |date(?:\ -u)?\ \+(?!-)(?:%[-_0^\#]?[a-mo-su-zA-Z]|[\w./:-])+
    |git\ rev-parse(?:\ (?:-q|--short|--verify|--quiet|--abbrev-ref|--show-toplevel|--show-prefix|--git-dir))*
        (?:\ [\w@][\w@~^{}/.-]*)?
    |git\ branch\ --show-current|dirname\ ["$\w./-]+|wc\ -[lwc]\ *<\ *[\w./-]+
    |echo\ (?!-)(?:[\w./*-]+|'[^'\s-][^'\s]*')|stat\ -\w\ [%\w]+\ [\w./-]+
    |(?:pgrep|pidof)(?:\ (?!-\w*[al])[\w./-]+)+|lsof\ -ti\ ?:\d+|id)\)"""
_ARITHMETIC = r"\$\(\([^()]*\)\)"


# `$x`, `${x}` and `${x:-word}`: what x is made of counts elsewhere.
_VARIABLE = r"\$(?:\w+|[@*]|\{(?:\w+|[@*])(?::?[-=+?](?!-)[\w./]*)?\})"

POSITIONAL = frozenset("0123456789@*")


def brings_data(text: str) -> bool:
    rest = _without_plain(text)
    return "$(" in rest or "`" in rest


def _without_plain(text: str) -> str:
    if "$(" not in text:
        return text
    return re.sub(_ARITHMETIC, "0", re.sub(_PLAIN, "x", text, flags=re.ASCII | re.VERBOSE))


def may_be_more(text: str) -> bool:
    """Whether a text that a variable is set to, as it is written, may be more than one word, an option or a `%n`."""
    bare = re.sub(_VARIABLE, "", _without_plain(text)).strip("\"'")
    return bare.startswith("-") or not _SIGNS.isdisjoint(bare)


_SIGNS = frozenset(" \t\n\\{`'\"$(%")
