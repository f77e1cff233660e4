"""Which files a pipeline lists: `find src -name '*.py' | sort | head`, `git ls-files`, `rg -l TODO`.

A name that comes from data may be the name of any file, of a secret too. Where the text itself says which names can
come, reading them is judged as reading these patterns would be (`cat src/**/*.py`).

Promises: the words that `names` gives cover every name that is printed; none says that the names are not known.
Refuses to know programs and options that are not listed here.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeAlias

from askfirst.knowledge.secrets import is_harmless_name, is_ordinary, may_match_name
from askfirst.model import Word
from askfirst.shell.tools.options import Parsed, parse
from askfirst.shell.tools.table import Reading, Tool

Names: TypeAlias = tuple[Word, ...]

__all__ = ["Listing", "NotListed", "names", "selected"]

_MAX_NAMES = 40
_SPLITS = frozenset(" \t\n\"'\\")  # in a name that is known, these make several names of it


class NotListed(Exception):
    """The names that a command prints are not known."""


class Listing:
    """What the names that a pipeline prints are among, one command after the other."""

    def __init__(self) -> None:
        self._found: Names | None = None
        self._is_over = False

    def pipe(self, words: Sequence[Word] | None) -> None:
        """The next command of the pipeline; None when something else may print."""
        if self._is_over:
            return
        try:
            if words is None:
                raise NotListed
            self._found = _listed(words) if self._found is None else _filtered(self._found, words)
        except NotListed:
            self._found, self._is_over = None, True

    @property
    def names(self) -> Names:
        """Empty when they are not known."""
        found = self._found or ()
        plain = all(_SPLITS.isdisjoint(w.text if w.value is None else w.value) for w in found)
        return found if plain and len(found) <= _MAX_NAMES else ()


def names(commands: Iterable[Sequence[Word] | None]) -> Names:
    """What the names that a whole pipeline prints are among; none when that is not known."""
    listing = Listing()
    for words in commands:
        listing.pipe(words)
    return listing.names


def _listed(words: Sequence[Word]) -> Names:
    lister = _LISTERS.get((words[0].value or "").rpartition("/")[2])
    if lister is None:
        raise NotListed
    return lister(tuple(words[1:]))


def _values(words: Sequence[Word]) -> list[str]:
    if any(w.value is None for w in words):
        raise NotListed
    return [w.value or "" for w in words]


def _parsed(row: Tool, words: Sequence[Word]) -> Parsed:
    parsed = parse(row, words)
    if parsed.doubts:
        raise NotListed
    return parsed


def _below(root: str, pattern: str = "*") -> Word:
    """The names of this pattern, at any depth below a directory. (`**/`: its `*` stands for a leading dot, too.) `root`
    is what they begin with; "" where that is a name."""
    prefix = root if root.endswith("/") or not root else f"{root}/"
    return Word(f"{prefix}**/{pattern}", None, prefix=prefix, glob=True)


def _selection(roots: Sequence[str], patterns: Sequence[str]) -> Names:
    return tuple(_below(root, pattern) for root in roots or ("",) for pattern in patterns or ("*",))


def _given(words: Sequence[Word]) -> Names:
    """Names and patterns that stand in the command."""
    if any(w.value is None and not w.glob and not w.among for w in words):
        raise NotListed
    return tuple(one for w in words for one in (w.among or (w,)))


# --- what passes names on ---------------------------------------------------------------------------------------------

# Print some of the lines that they read, and nothing else. No operand: that would be a file.
_PASSES = {
    "head": "value -n,--lines",
    "tail": "value -n,--lines",
    "sort": "flag -u,--unique -r,--reverse -z,--zero-terminated -n -V,--version-sort -f -h",
    "uniq": "flag -z",
    "shuf": "value -n",
    "tac": "",
}
_TR = (["\\n", "\\0"], ["\\n", " "], ["\\0", "\\n"])
_RG_FILTER = Tool("rg", options="flag -v,--invert-match -i -F -w -x")
_GREP_FILTER = Tool("grep", options="flag -v,--invert-match -i -E -F -P -w -x -a")


def _filtered(found: Names, words: Sequence[Word]) -> Names:
    name, *given = _values(words)
    if name in _PASSES:
        passed = _parsed(Tool(name, options=_PASSES[name], reading=Reading(numbers=True)), words[1:])
        keeps = not passed.operands
    elif name == "sed":
        keeps = given[:-1] in ([], ["-n"]) and _picks_lines(given[-1])
    elif name in ("grep", "egrep", "fgrep"):
        return _matching(found, name, _parsed(_GREP_FILTER, words[1:]))
    elif name == "rg":
        return _matching(found, name, _parsed(_RG_FILTER, words[1:]))
    elif name == "xargs":
        keeps = _searches(words[1:])
    else:
        keeps = name == "tr" and given in _TR
    if not keeps:
        raise NotListed
    return found


def _searches(words: Sequence[Word]) -> bool:
    """`xargs grep -l PATTERN`: some of the names. Without a name it must not look elsewhere."""
    given = _values(words)
    empty = bool(given) and given[0] in ("-r", "--no-run-if-empty")
    name, *rest = words[empty:] or [Word("", "")]
    parsed = _parsed(_RG if name.value == "rg" else _GREP, rest)
    looks = name.value in ("grep", "egrep", "fgrep") or (name.value == "rg" and empty and not parsed.has("--files"))
    only_names = parsed.has("-l", "-L") and not parsed.has("-0") and (empty or not parsed.has("-r"))
    return looks and only_names and len(parsed.operands) == (not parsed.has("-e"))


def _picks_lines(program: str) -> bool:
    """`1,5p`, `5q`, `$p`."""
    return program[-1:] in ("p", "q") and program[:-1].replace(",", "", 1).replace("$", "1").isdigit()


def _matching(found: Names, name: str, parsed: Parsed) -> Names:
    """`grep PATTERN`: the names are still among those found, and now they fit the pattern too."""
    if len(parsed.operands) != 1:
        raise NotListed
    pattern = parsed.operands[0].value or ""
    plain = pattern.replace("\\", "").strip("^$")  # `grep server.pem`: what it looks like
    if parsed.has("-v") or is_harmless_name(plain) or all(_is_proven(word.text) for word in found):
        return found
    fixed = parsed.has("-F") or name == "fgrep"
    globs = [f"*{plain}*"] if fixed else _globs_of(pattern, extended=parsed.has("-E", "-P") or name in ("egrep", "rg"))
    return (*found, *(_below(".", one) for one in (plain, *globs)))


def _is_proven(pattern: str) -> bool:
    """Whether no name of this pattern is a secret's."""
    name = pattern.lower().rpartition("/")[2]
    return bool(name.strip("*?")) and not is_ordinary(name) and not may_match_name(name, dotted=True)


def _globs_of(regex: str, *, extended: bool, whole: bool = False) -> list[str]:
    """A simple regular expression as file name patterns (its ends are open unless `whole`); NotListed for others."""
    text = regex if extended else regex.replace("\\|", "|").replace("\\(", "(").replace("\\)", ")")
    head, bracket, rest = text.partition("(")
    inside, _, after = rest.partition(")")
    if "|" in after or (bracket and "|" in head):
        raise NotListed
    pieces = [head + one + after for one in inside.removeprefix("?:").split("|")] if bracket else text.split("|")
    return [_glob_of(piece, whole=whole) for piece in pieces]


def _glob_of(regex: str, *, whole: bool) -> str:
    start, end = whole or regex.startswith("^"), whole or regex.endswith("$")
    body = regex.removeprefix("^").removesuffix("$")
    out: list[str] = []
    at = 0
    while at < len(body):
        char, following = body[at], body[at + 1 : at + 2]
        if char == "\\" and following and not following.isalnum():
            out.append(following)
            at += 2
        elif char == "." and following in ("*", "+"):
            out.append("*")
            at += 2
        elif char == "." or char.isalnum() or char in "_-/":
            out.append("?" if char == "." else char)
            at += 1
        else:
            raise NotListed
    return ("" if start else "*") + "".join(out) + ("" if end else "*")


# --- find -------------------------------------------------------------------------------------------------------------

_FIND_NAMES = frozenset("-name -iname -path -ipath -wholename -iwholename".split())
_FIND_REGEXES = frozenset(("-regex", "-iregex"))
_FIND_RUNS = frozenset("-exec -execdir -ok -okdir".split())
# Parts that say nothing about a name. Those that choose one file by something else (`-inum`, `-samefile`, `-perm`) are
# not here: they choose what nobody sees.
_FIND_FLAGS = frozenset(
    "-print -print0 -prune -depth -d -mount -xdev -x -empty -readable -writable -executable -true -false -quit -follow "
    "-H -L -P -E -X -s -daystart -nowarn -noleaf -ignore_readdir_race -a -and -delete -ls -nouser -nogroup".split()
)
_FIND_VALUES = frozenset(
    "-maxdepth -mindepth -type -xtype -size -mtime -mmin -ctime -cmin -atime -amin -newer -anewer -cnewer -regextype "
    "-fstype -used -printf -fprint -fprint0 -fls".split()
)
_FIND_PRINTS = _FIND_RUNS | frozenset("-printf -ls -fprint -fls -fprintf -fprint0".split())  # other things than names


def _find(words: Names) -> Names:
    values = _values(words)
    start = next((i for i, v in enumerate(values) if v[:1] in ("-", "(", "!")), len(values))
    if not _FIND_PRINTS.isdisjoint(values):
        raise NotListed
    return _selection(values[:start] or ["."], selected(values[start:]) or ("*",))


def selected(expression: list[str]) -> tuple[str, ...] | None:
    """The name patterns of what an expression of `find` chooses; None when it may choose any file.

    NotListed when it chooses by something that says nothing about names.
    """
    found, rest = _alternatives(expression)
    if rest:
        raise NotListed
    return found


def _alternatives(words: list[str]) -> tuple[tuple[str, ...] | None, list[str]]:
    """`A -o B , C` up to a closing bracket."""
    found, rest = _conjunction(words)
    while rest and rest[0] in ("-o", "-or", ","):
        other, rest = _conjunction(rest[1:])
        found = None if found is None or other is None else (*found, *other)
    return found, rest


def _conjunction(words: list[str]) -> tuple[tuple[str, ...] | None, list[str]]:
    """`A B -a C`: what fits all of them is among the names of any one."""
    found: tuple[str, ...] | None = None
    while words and words[0] not in ("-o", "-or", ",", ")"):
        one, words = _primary(words)
        if one is not None and (found is None or not all(map(_is_proven, found))):
            found = one
    return found, words


def _primary(words: list[str]) -> tuple[tuple[str, ...] | None, list[str]]:
    word, rest = words[0], words[1:]
    if word in ("!", "-not"):
        return None, _primary(rest)[1] if rest else rest
    if word == "(":
        found, rest = _alternatives(rest)
        if rest[:1] != [")"]:
            raise NotListed
        return found, rest[1:]
    if word in _FIND_NAMES:
        return tuple(rest[:1]) or None, rest[1:]
    if word in _FIND_REGEXES:
        return tuple(_globs_of(rest[0] if rest else "", extended=True, whole=True)), rest[1:]
    return None, rest[_width(word, rest) :]


def _width(word: str, rest: list[str]) -> int:
    """How many words a part of an expression takes."""
    if word in _FIND_RUNS:
        end = next((i for i, w in enumerate(rest) if w == ";" or (w == "+" and rest[i - 1] == "{}")), None)
        if end is not None:
            return end + 1
    elif word in _FIND_VALUES or (word.startswith("-newer") and len(word) == 8):
        return 1
    elif word in _FIND_FLAGS or (word.startswith("-O") and word[2:].isdigit()):
        return 0
    raise NotListed


# --- git --------------------------------------------------------------------------------------------------------------

_GIT_DIFF = (
    "flag --name-only --cached --staged --relative -z -r --no-commit-id --root -M --no-renames\nvalue --diff-filter"
)
# Verb -> its options, and one that must be given. Untracked and ignored files (`ls-files -o -i`) are not listed here:
# `.env` is one of them. Who may see the history (`git log -p`) has seen the others.
_GIT = {
    "ls-files": ("flag -z -c,--cached -m,--modified --full-name --deduplicate", ""),
    "ls-tree": ("flag -r --name-only -z --full-name", "--name-only"),
    "diff": (_GIT_DIFF, "--name-only"),
    "diff-tree": (_GIT_DIFF, "--name-only"),
    "grep": ("flag -l,--files-with-matches -i -I -E -F -w -z\nvalue -e", "-l"),
}


def _git(words: Names) -> Names:
    verb, *given = _values(words) or [""]
    if verb not in _GIT:
        raise NotListed
    options, wanted = _GIT[verb]
    parsed = _parsed(Tool(f"git {verb}", options=options, reading=Reading(numbers=True)), words[1:])
    if wanted and not parsed.has(wanted):
        raise NotListed
    if verb == "ls-files":
        return _paths(_values(parsed.operands))
    return _paths(given[given.index("--") + 1 :] if "--" in given else [])


def _paths(paths: list[str]) -> Names:
    """Files of the repository by git's patterns."""
    chosen = [p for p in paths if not p.startswith((":!", ":^", ":(exclude"))]
    if any(p.startswith(":") for p in chosen):
        raise NotListed
    if not chosen:
        return (_below(""),)
    patterns = [p for p in chosen if any(c in p for c in "*?[")]
    plain = [p for p in chosen if p not in patterns]
    return (*(_below("", p) for p in patterns), *(Word(p, p) for p in plain), *(_below(p) for p in plain))


# --- other listers ----------------------------------------------------------------------------------------------------

_PATTERNS = Reading(harmless_options=True)  # `*.md` may match a name that is an option: other lines, no other files
_RG = Tool(
    "rg",
    options="""
        flag    -l,--files-with-matches -L,--files-without-match --files -i,--ignore-case -S,--smart-case -s -n -w -F
        flag    -U,--multiline -P -u,--unrestricted -.,--hidden --no-ignore --no-ignore-vcs -0,--null --no-messages
        value   -g,--glob,--iglob -t,--type -T,--type-not -e,--regexp --max-depth -m --sort -j
    """,
)
_GREP = Tool(
    "grep",
    options="""
        flag    -r,-R,--recursive -l,--files-with-matches -L -I -i -s -n -w -E -F -P -H -x -a -Z
        value   --include --exclude --exclude-dir -e -m
        maybe   --color
    """,
    reading=_PATTERNS,
)
_FD = Tool(
    "fd",
    options="""
        flag    -H,--hidden -I,--no-ignore -u -i -s -0,--print0 -F -g,--glob -L
        value   -e,--extension -t,--type -d,--max-depth -E,--exclude
    """,
)
_LS = Tool("ls", options="flag -1 -t -r -S -d -h -F -R -X -v -c -U", reading=_PATTERNS)


def _rg(words: Names) -> Names:
    parsed = _parsed(_RG, words)
    if not parsed.has("--files", "-l", "-L"):
        raise NotListed
    operands = _values(parsed.operands)
    globs = [g for g in _values(parsed.values("-g")) if not g.startswith("!")]
    return _selection(operands if parsed.has("--files", "-e") else operands[1:], globs)


def _grep(words: Names) -> Names:
    """`grep -rl PATTERN src`, `grep -l PATTERN *.py`."""
    parsed = _parsed(_GREP, words)
    if not parsed.has("-l", "-L"):
        raise NotListed
    files = parsed.operands if parsed.has("-e") else parsed.operands[1:]
    return _selection(_values(files), _values(parsed.values("--include"))) if parsed.has("-r") else _given(files)


def _fd(words: Names) -> Names:
    parsed = _parsed(_FD, words)
    pattern, *roots = _values(parsed.operands) or [""]
    found = [f"*.{end.lstrip('.')}" for end in _values(parsed.values("-e"))]
    if not found and pattern not in ("", "."):
        exact = [pattern] if parsed.has("-g") else [f"*{pattern}*"] if parsed.has("-F") else None
        found = exact or _globs_of(pattern, extended=True)
    return _selection(roots, found)


def _ls(words: Names) -> Names:
    """Names without a leading dot, and what was named."""
    return (*_given(_parsed(_LS, words).operands), Word("*", None, glob=True))


def _echo(words: Names) -> Names:
    if any((w.value or "").startswith("-") for w in words):
        raise NotListed
    return _given(words)


def _printf(words: Names) -> Names:
    if not words or words[0].value not in ("%s\\n", "%s\\0", "%s "):
        raise NotListed
    return _given(words[1:])


_LISTERS = {
    "find": _find,
    "gfind": _find,
    "git": _git,
    "rg": _rg,
    **dict.fromkeys(("grep", "egrep", "fgrep"), _grep),
    **dict.fromkeys(("fd", "fdfind"), _fd),
    "ls": _ls,
    "echo": _echo,
    "printf": _printf,
}
