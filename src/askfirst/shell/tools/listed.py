"""Names that a lister gives to an editor: `rg -l X src | xargs sed -i …`, `find src -name '*.ts' | while read -r f; do
sed -i … "$f"; done`, `for f in $(grep -rl X src); do …`.

What may come lies below a directory that stands in the command. So the disk is looked at, and the names are those that
fit. Nothing may run before or beside the lister that could make another name, and none there may be taken apart on its
way: `xargs`, `read` and `$(…)` split at blanks, quotes and line ends.
"""

from __future__ import annotations

import fnmatch
import re
from dataclasses import replace

from askfirst.model import Word
from askfirst.shell.call import Analyst, Call

__all__ = ["with_listed"]

# To these, names one after the other mean the same as each by itself.
_ALIKE = frozenset("sed gsed rg grep egrep fgrep chmod touch dos2unix unix2dos wc head tail".split())
_MAX_NAMES = 100
_MAX_LOOKED_AT = 10_000
_ODD = re.compile(r"[\s'\"\\*?{}$`]|(?:^|/)-|(?:^|/)\.[^/]*\[")
_PLAIN_PATTERN = re.compile(r"[\w.*-]+", re.ASCII)

_WHOLE = re.compile(r"\$\w+|\$\{\w+\}|…|\{\}")
_PROGRAM = re.compile(
    r"[\d$,]*s(?P<mark>[^\w\s\\]).+(?P=mark).*(?P=mark)[gpiIm0-9]*(?:;.*)?|(?:[\d$,]+|/[^/]+/)d", re.DOTALL
)

_INERT = ("-r", "-0", "--null", "--no-run-if-empty", "-I", "-I{}", "{}")  # of xargs
_QUOTED = re.compile(r"'[^']*'|\"(?:[^\"`$\\]|\$\w|\\.)*\"")
_SILENCED = re.compile(r"2>&1|[12&]?>\s*/dev/null")
_FOR = re.compile(r"\s*for \w+ in \$\((?P<lister>[^()]*)\)\s*[;\n]\s*do\b")
_MEANWHILE = re.compile(r"\s*(?:\|\s*(?:head|tail|wc|sort|grep)\b[\w\s\"'.-]*)*(?:$|;|\n|&&|\|\|)")
_END = re.compile(r";|\n|&&|\|\|")
_KEYWORDS = frozenset("while do done then if else elif fi !".split())
_LOOKS = frozenset(
    "cd find gfind fd fdfind rg grep egrep fgrep sort head tail uniq read echo sed gsed wc cat true test [ IFS=".split()
)
# What sed writes besides the file it edits: to a file of another name, or a copy under a name that is not plain.
_SED = re.compile(r"\bg?sed\b")
_SED_COPIES = re.compile(r"--in-place|\s-\w*i(?!\.\w+\s)\S|[^\w\s'\"|-][gpiImMeE0-9]*w\s*\S")
_SED_WRITES = re.compile(r"(?:[^\w\s]\s*)[gpiImMeE0-9]*w\s*\S")


def with_listed(call: Call, analyst: Analyst) -> Call | None:
    """The call with the names that its lister may give; None where they are not all known."""
    words = [w for w in call.words if w.value is None and w.among and not w.each]
    if len(words) != 1 or call.words[-1] is not words[0] or call.via not in ((), ("xargs",)) or not _takes_names(call):
        return None
    if call.cwd is None or not _only_looks(analyst.whole_text()):
        return None
    names = _all_of([_names_among(one, call.cwd, analyst) for one in words[0].among])
    if names is None:
        return None
    return replace(call, words=(*call.words[:-1], *names))


def _takes_names(call: Call) -> bool:
    """Whether its last word is a name as a whole: neither sed's program nor a part of one (`"s/a/$f/"`)."""
    name = call.name.rpartition("/")[2]
    whole = _WHOLE.fullmatch(call.words[-1].text.strip('"')) is not None
    programmed = not name.endswith("sed") or any(_PROGRAM.fullmatch(w.value or "") for w in call.words[1:-1])
    return name in _ALIKE and whole and programmed


def _all_of(found: list[list[str] | None]) -> list[Word] | None:
    names = dict.fromkeys(name for one in found for name in one or ())
    return [Word(name, name, quoted=True) for name in names] if None not in found and len(names) <= _MAX_NAMES else None


def _names_among(word: Word, cwd: str, analyst: Analyst) -> list[str] | None:
    """`src/**/*.ts` as the files that there are."""
    if word.value is not None:
        return None if _ODD.search(word.value) or word.value.startswith("-") else [word.value]
    root, _, pattern = word.text.partition("**/")
    folder = analyst.path(root, cwd) if root == word.prefix and root.strip("./") and not _ODD.search(root) else None
    below = analyst.below(folder, _MAX_LOOKED_AT) if folder is not None else None
    if below is None or any(_ODD.search(name) for name in below):
        return None
    known = _PLAIN_PATTERN.fullmatch(pattern) is not None
    fits = (n for n in below if not known or fnmatch.fnmatchcase(n.rpartition("/")[2].lower(), pattern.lower()))
    return [f"{root}{name}" for name in fits]


def _only_looks(whole: str) -> bool:
    """Whether all that runs until the names are used only looks, or edits what it is given."""
    if _SED.search(whole) and (_SED_COPIES.search(whole) or any(map(_SED_WRITES.search, _QUOTED.findall(whole)))):
        return False
    text = _SILENCED.sub("", _QUOTED.sub("Q", whole))
    looped = _FOR.match(text)
    if looped is not None:
        text = f"{looped['lister']} ; {text[looped.end() :]}"
    if looped is not None or re.search(r"\|\s*while\b", text):
        head, done, after = text.partition("done")
        if not done or _MEANWHILE.match(after) is None:
            return False
    else:
        start = re.match(r"\s*cd \S+\s*&&", text)
        end = _END.search(text, start.end() if start is not None else 0)
        head = text[: end.start()] if end is not None else text
    if set("<>()`'\"\\") & set(head) or "&" in head.replace("&&", ""):
        return False
    return all(map(_looks, re.split(r"&&|\|\||[;|\n]", head)))


def _looks(statement: str) -> bool:
    words = statement.split()
    while words and words[0] in _KEYWORDS:
        words = words[1:]
    if words[:1] == ["xargs"]:
        words = [w for w in words[1:] if w not in _INERT and not w.startswith("-n")]
    if words[:1] == ["git"]:
        return words[1:2] in (["ls-files"], ["grep"], ["diff"])
    return not words or words[0] in _LOOKS
