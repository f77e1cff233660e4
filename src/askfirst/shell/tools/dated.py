"""Names with a date in them: `backup-$(date +%F).tgz`. What `date` prints for these formats is digits, dashes and dots, never more.

The model of a tool is then shown the word with some day in it: one word, no option, one path. Only behind a literal beginning that
has a letter, so that the digits alone never are a mode, a number of lines or a process.
"""

from __future__ import annotations

import re

from askfirst.model import Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from askfirst.shell.call import Analyst

__all__ = ["dated"]

_SAMPLES = {"%F": "2000-01-01", "%Y": "2000", "%s": "946684800", "%j": "001", "%u": "6", "%N": "000000000"}
_DATE = re.compile(r"\$\(date (?:-u |--utc )?([\"']?)\+((?:%[YmdHMSFsjyuVN]|[-_.])+)\1\)")
_WORD = re.compile(rf"(\"?)(?=[^\"$]*[A-Za-z])[\w./-]*(?:{_DATE.pattern.replace('1', '2')}[\w./-]*)+\1", re.ASCII)


def dated(word: Word, analyst: Analyst) -> Word:
    """The word with a date in place of `$(date +…)`, where that is all that is not known of it; else the word itself."""
    # A function of that name prints what it likes.
    functions = getattr(getattr(analyst, "names", None), "functions", ("date",))
    if word.value is not None or "date" in functions or ".." in word.text or _WORD.fullmatch(word.text) is None:
        return word
    value = _DATE.sub(lambda found: re.sub("%.", lambda field: _SAMPLES.get(field[0], "01"), found[2]), word.text.strip('"'))
    return Word(word.text, value, quoted=word.quoted)
