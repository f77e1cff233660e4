"""Words whose only unknown part is the output of `date`, `pwd` or `nproc`: what these print is known, or known to be
harmless.

- `backup-$(date +%F).tgz`, also by a variable that holds the date: for the formats below `date` prints digits, dashes
  and dots, never more. The model of a tool is shown the word with some day in it: one word, no option, one path. Only
  behind a literal beginning that has a letter, so that the digits alone never are a mode, a number of lines or a
  process.
- `"$(pwd)/src"`: the present directory, where that is known.
- `-j$(nproc)`: a number.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from askfirst.model import Word
from askfirst.shell.tools.project_code import counted

if TYPE_CHECKING:
    from askfirst.shell.call import Analyst, Call

__all__ = ["substituted", "substituted_word"]

_PLAIN = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./-")
_SAMPLES = {"%F": "2000-01-01", "%Y": "2000", "%s": "946684800", "%j": "001", "%u": "6", "%N": "000000000"}
_DATE = r"\$\(date (?:-u |--utc )?([\"']?)\+((?:%[YmdHMSFsjyuVN]|[-_.])+)\1\)"
_COUNTERS = ("nproc", "sysctl", "getconf")


def substituted(call: Call, analyst: Analyst) -> Call:
    """The call with such words made known."""
    # Behind a wrapper the directory may be another one than where the shell ran `pwd`.
    cwd = call.cwd if not call.via else None
    call = replace(call, words=tuple(substituted_word(w, cwd, analyst) for w in call.words))
    if not any(w.value is None and ("nproc" in w.text or "ncpu" in w.text or "NPROC" in w.text) for w in call.words):
        return call
    return call if any(map(analyst.is_function, _COUNTERS)) else counted(call)


def substituted_word(word: Word, cwd: str | None, analyst: Analyst) -> Word:
    value = None
    if word.value is None and "$(date " in word.dated and not analyst.is_function("date"):
        value = _dated(word.dated)
    elif word.value is None and "$(pwd)" in word.text and cwd is not None and not analyst.is_function("pwd"):
        value = _here(word.text, cwd)
    return word if value is None else Word(word.text, value, quoted=word.quoted)


def _dated(text: str) -> str | None:
    whole = rf"(\"?)(?=[^\"$]*[A-Za-z])[\w./-]*(?:{_DATE.replace('1', '2')}[\w./-]*)+\1"
    if ".." in text or re.fullmatch(whole, text, re.ASCII) is None:
        return None
    return re.sub(
        _DATE, lambda found: re.sub("%.", lambda field: _SAMPLES.get(field[0], "01"), found[2]), text.strip('"')
    )


def _here(text: str, cwd: str) -> str | None:
    """`$(pwd)` and `"$(pwd)/src"`. Without quotes, bash would split a name with a blank in it."""
    quoted = len(text) > 1 and text[0] == text[-1] == '"'
    inner = text[1:-1] if quoted else text
    rest = inner.removeprefix("$(pwd)")
    if rest == inner or (rest and rest[0] != "/") or not _PLAIN.issuperset(rest if quoted else rest + cwd):
        return None
    return cwd + rest
