"""Which files a pipeline lists: `find src -name '*.py' | sort | head`, `git ls-files`, `rg -l TODO`.

A name that comes from data may be the name of any file, of a secret too. Where the text itself says which names can
come, reading them is judged as reading these patterns would be (`cat src/**/*.py`).

Promises: the words that `names` gives cover every name that is printed; none says that the names are not known.
Refuses to know programs and options that are not listed here.
"""

from __future__ import annotations

from askfirst.knowledge.secrets import is_harmless_name, is_ordinary, may_match_name
from askfirst.model import Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    Names = tuple[Word, ...]

__all__ = ["NotListed", "names", "selected"]

# Print some of the lines that they read, and nothing else.
_PASSES: dict[str, str] = {
    "head": "-n -c -q -z --lines --zero-terminated",
    "tail": "-n -q -z --lines --zero-terminated",
    "sort": "-u -r -z -n -V -f -h --unique --reverse --zero-terminated --version-sort",
    "uniq": "-z --zero-terminated",
    "shuf": "-n -z",
    "tac": "",
}
_MAX_NAMES = 40


class NotListed(Exception):
    """The names that a command prints are not known."""


def names(commands: Sequence[Sequence[Word]]) -> Names:
    """What the names that a pipeline prints are among; none when that is not known."""
    try:
        found = _listed(commands[0])
        for words in commands[1:]:
            found = _filtered(found, words)
    except NotListed:
        return ()
    # A blank or a quote in what is known makes several names of one.
    plain = all(not set(w.text if w.value is None else w.value) & set(" \t\n\"'\\") for w in found)
    return found if plain and len(found) <= _MAX_NAMES else ()


def _listed(words: Sequence[Word]) -> Names:
    name = (words[0].value or "").rpartition("/")[2] if words else ""
    lister = _LISTERS.get(name)
    if lister is None:
        raise NotListed
    return lister(list(words[1:]))


def _values(words: Sequence[Word]) -> list[str]:
    if any(w.value is None for w in words):
        raise NotListed
    return [w.value or "" for w in words]


def _below(root: str, pattern: str = "*") -> Word:
    """The names of this pattern, at any depth below a directory. (`**/` also says that `*` stands for a leading dot.)"""
    prefix = root if root.endswith("/") else f"{root}/"
    return Word(f"{prefix}**/{pattern}", None, prefix=prefix, glob=True)


def _selection(roots: Sequence[str], patterns: Sequence[str]) -> Names:
    return tuple(_below(root, pattern) for root in roots or (".",) for pattern in patterns or ("*",))


# --- what passes names on ---------------------------------------------------------------------------------------------


def _filtered(found: Names, words: Sequence[Word]) -> Names:
    name, *given = _values(words)
    if name in _PASSES:
        allowed = _PASSES[name].split()
        if all(w.partition("=")[0] in allowed or w.lstrip("-+").isdigit() or w[:2] in allowed for w in given):
            return found
    if name == "sed" and given[:-1] in ([], ["-n"]) and _picks_lines(given[-1]):
        return found
    if name == "tr" and given in (["\\n", "\\0"], ["\\n", " "], ["\\0", "\\n"]):
        return found
    if name in ("grep", "egrep", "fgrep"):
        return _matching(found, name, given)
    raise NotListed


def _picks_lines(program: str) -> bool:
    """`1,5p`, `5q`, `$p`."""
    return program[-1:] in ("p", "q") and program[:-1].replace(",", "", 1).replace("$", "1").isdigit()


def _matching(found: Names, name: str, given: list[str]) -> Names:
    """`grep PATTERN`: the names are still among those found, and now they fit the pattern too."""
    letters = "".join(w[1:] for w in given if w.startswith("-") and not w.startswith("--"))
    patterns = [w for w in given if not w.startswith("-")]
    if any(w.startswith("--") for w in given) or set(letters) - set("viEFPwx") or len(patterns) != 1:
        raise NotListed
    plain = patterns[0].replace("\\", "").strip("^$")  # `grep server.pem`: also what it looks like
    if "v" in letters or is_harmless_name(plain) or all(_is_proven(word) for word in found):
        return found
    fixed = "F" in letters or name == "fgrep"
    globs = [f"*{plain}*"] if fixed else globs_of(patterns[0], extended="E" in letters or name == "egrep")
    return (*found, *(_below(".", one) for one in (plain, *globs)))


def _is_proven(word: Word) -> bool:
    """Whether no name of this pattern is a secret's."""
    name = (word.value if word.value is not None else word.text).lower().rpartition("/")[2]
    return bool(name.strip("*?")) and not is_ordinary(name) and not may_match_name(name, dotted=True)


def globs_of(regex: str, *, extended: bool, whole: bool = False) -> list[str]:
    """A simple regular expression as file name patterns (its ends are open unless `whole`); NotListed for others."""
    text = regex if extended else regex.replace("\\|", "|").replace("\\(", "(").replace("\\)", ")")
    head, bracket, rest = text.partition("(")
    if bracket:
        inside, closed, after = rest.partition(")")
        if not closed or "(" in after or "|" in head or "|" in after:
            raise NotListed
        pieces = [head + one + after for one in inside.removeprefix("?:").split("|")]
    else:
        pieces = text.split("|")
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
        elif char == ".":
            out.append("?")
            at += 1
        elif char.isalnum() or char in "_-/ ":
            out.append(char)
            at += 1
        else:
            raise NotListed
    return ("" if start else "*") + "".join(out) + ("" if end else "*")


# --- what lists -------------------------------------------------------------------------------------------------------


def _find(words: list[Word]) -> Names:
    values = _values(words)
    start = next((i for i, v in enumerate(values) if v[:1] in ("-", "(", "!")), len(values))
    if any(v in _FIND_PRINTS for v in values):
        raise NotListed
    patterns = selected(values[start:])
    return _selection(values[:start], ("*",) if patterns is None else patterns)


# What `find` prints besides names, and what chooses a file by something else than its name.
_FIND_PRINTS = frozenset("-printf -ls -exec -execdir -ok -okdir -delete -fprint -fls -fprintf -fprint0".split())
_FIND_CHOOSES = frozenset(
    "-samefile -inum -perm -user -uid -group -gid -links -lname -ilname -context -acl -flags".split()
)
_FIND_NAMES = frozenset("-name -iname -path -ipath -wholename -iwholename".split())
_FIND_REGEXES = frozenset(("-regex", "-iregex"))
_FIND_RUNS = frozenset("-exec -execdir -ok -okdir".split())
_FIND_FLAGS = frozenset(
    "-print -print0 -prune -depth -d -mount -xdev -x -empty -readable -writable -executable -true -false -quit -follow "
    "-H -L -P -E -X -s -daystart -nowarn -noleaf -ignore_readdir_race -a -and -delete -ls -nouser -nogroup".split()
)
_FIND_VALUES = frozenset(
    "-maxdepth -mindepth -type -xtype -size -mtime -mmin -ctime -cmin -atime -amin -newer -anewer -cnewer -regextype "
    "-fstype -used -printf -fprint -fprint0 -fls".split()
)


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
        if one is not None and (found is None or not all(map(_proves, found))):
            found = one
    return found, words


def _proves(pattern: str) -> bool:
    return _is_proven(Word(pattern, None, glob=True))


def _primary(words: list[str]) -> tuple[tuple[str, ...] | None, list[str]]:
    word, rest = words[0], words[1:]
    if word in ("!", "-not"):
        return None, _primary(rest)[1] if rest else rest
    if word == "(":
        found, rest = _alternatives(rest)
        if rest[:1] != [")"]:
            raise NotListed
        return found, rest[1:]
    if word in _FIND_CHOOSES:
        raise NotListed
    if word in _FIND_NAMES:
        return tuple(rest[:1]) or None, rest[1:]
    if word in _FIND_REGEXES:
        return tuple(globs_of(rest[0] if rest else "", extended=True, whole=True)), rest[1:]
    if word in _FIND_RUNS:
        end = next((i for i, w in enumerate(rest) if w == ";" or (w == "+" and rest[i - 1] == "{}")), None)
        if end is None:
            raise NotListed
        return None, rest[end + 1 :]
    if word in _FIND_VALUES or (word.startswith("-newer") and len(word) == 8):
        return None, rest[1:]
    if word in _FIND_FLAGS or (word.startswith("-O") and word[2:].isdigit()):
        return None, rest
    raise NotListed


_GIT_FLAGS = frozenset(
    "-z -c --cached -m --modified --full-name --name-only --staged -r --no-commit-id --relative --no-renames -M "
    "--root -l --files-with-matches -i -I -E -F -w --oneline --pretty= --format= --no-color -e --deduplicate".split()
)


def _git(words: list[Word]) -> Names:
    """Files of the repository: whoever may see its history (`git log -p`) has seen them."""
    verb, *given = _values(words) or [""]
    if verb not in ("ls-files", "diff", "show", "diff-tree", "ls-tree", "grep"):
        raise NotListed
    before, after = (given[: given.index("--")], given[given.index("--") + 1 :]) if "--" in given else (given, [])
    options = [w for w in before if w.startswith("-")]
    if verb in ("diff", "show", "diff-tree", "ls-tree") and "--name-only" not in options:
        raise NotListed
    if verb == "show" and not {"--pretty=", "--format="} & set(options):
        raise NotListed
    if verb == "grep" and not {"-l", "--files-with-matches"} & set(options):
        raise NotListed
    if any(o not in _GIT_FLAGS and not o.startswith("--diff-filter=") for o in options):
        raise NotListed
    if verb == "ls-files":
        after = [*(w for w in before if not w.startswith("-")), *after]
    chosen = [w for w in after if not w.startswith((":!", ":^", ":(exclude"))]
    if any(w.startswith(":") for w in chosen):
        raise NotListed
    if not chosen:
        return (_below("."),)
    patterns = [w for w in chosen if any(c in w for c in "*?[")]
    plain = [w for w in chosen if w not in patterns]
    return (*(_below(".", w) for w in patterns), *(Word(w, w) for w in plain), *(_below(w) for w in plain))


_RG_FLAGS = frozenset(
    "-l --files-with-matches --files -i -n -w -F -s -S -u -uu -uuu -. --hidden --no-ignore --no-ignore-vcs -0 --null "
    "--no-messages --ignore-case --smart-case -U --multiline -P -L --files-without-match".split()
)
_RG_VALUES = frozenset("-g --glob --iglob -t --type -T --type-not -e --regexp --max-depth -m --sort -j".split())
_GREP_FLAGS = frozenset("rRlLIisnwEFPHxaZ")
_GREP_VALUES = frozenset("--include --exclude --exclude-dir -e -m".split())


def _rg(words: list[Word]) -> Names:
    options, operands = _sorted(_values(words), _RG_FLAGS, _RG_VALUES)
    given = [name for name, _ in options]
    lists = "--files" in given
    if not lists and not {"-l", "--files-with-matches", "-L", "--files-without-match"} & set(given):
        raise NotListed
    roots = operands if lists or {"-e", "--regexp"} & set(given) else operands[1:]
    globs = [value for name, value in options if name in ("-g", "--glob", "--iglob") and not value.startswith("!")]
    return _selection(roots, globs)


def _grep(words: list[Word]) -> Names:
    """`grep -rl PATTERN src`, `grep -l PATTERN *.py`."""
    flags, rest = [], []
    for word in words:
        value = word.value or ""
        plain = value.startswith("-") and not value.startswith("--") and set(value[1:]) <= _GREP_FLAGS
        (flags if plain else rest).append(word)
    letters = set("".join(w.value or "" for w in flags))
    if not letters & set("lL"):
        raise NotListed
    if letters & set("rR"):
        options, operands = _sorted(_values(rest), frozenset(("--color=never",)), _GREP_VALUES)
        roots = operands if any(name == "-e" for name, _ in options) else operands[1:]
        return _selection(roots, [value for name, value in options if name == "--include"])
    if not rest or any((w.value or "").startswith("-") for w in rest):
        raise NotListed
    return _given(rest[1:])


def _sorted(values: list[str], flags: frozenset[str], takes: frozenset[str]) -> tuple[list[tuple[str, str]], list[str]]:
    """Options with their values, and operands."""
    options: list[tuple[str, str]] = []
    operands: list[str] = []
    at = 0
    while at < len(values):
        word = values[at]
        name, equals, value = word.partition("=")
        at += 1
        if word == "--":
            operands += values[at:]
            break
        if not word.startswith("-"):
            operands.append(word)
        elif word in flags:
            options.append((word, ""))
        elif not word.startswith("--") and all(f"-{letter}" in flags for letter in word[1:]):
            options += [(f"-{letter}", "") for letter in word[1:]]
        elif not word.startswith("--") and word[:2] in takes and len(word) > 2:
            options.append((word[:2], word[2:]))
        elif name in takes and equals:
            options.append((name, value))
        elif word in takes and at < len(values):
            options.append((word, values[at]))
            at += 1
        else:
            raise NotListed
    return options, operands


def _fd(words: list[Word]) -> Names:
    flags = frozenset("-H --hidden -I --no-ignore -u -i -s -0 --print0 -F -g --glob -L".split())
    takes = frozenset("-e --extension -t --type -d --max-depth -E --exclude".split())
    options, operands = _sorted(_values(words), flags, takes)
    pattern = operands[0] if operands else ""
    given = [name for name, _ in options]
    found = [f"*.{value.lstrip('.')}" for name, value in options if name in ("-e", "--extension")]
    if not found and pattern not in ("", "."):
        plain = "-g" in given or "--glob" in given or "-F" in given
        found = [pattern if "-F" not in given else f"*{pattern}*"] if plain else globs_of(pattern, extended=True)
    return _selection(operands[1:], found)


def _ls(words: list[Word]) -> Names:
    """Names without a leading dot, and what was named."""
    named = [w for w in words if not (w.value or "").startswith("-")]
    letters = "".join((w.value or "")[1:] for w in words if w not in named)
    if set(letters) - set("1trSdhFRXvcU"):
        raise NotListed
    return (*_given(named), Word("*", None, glob=True))


def _echo(words: list[Word]) -> Names:
    if any((w.value or "").startswith("-") for w in words):
        raise NotListed
    return _given(words)


def _printf(words: list[Word]) -> Names:
    if not words or words[0].value not in ("%s\\n", "%s\\0", "%s "):
        raise NotListed
    return _given(words[1:])


def _given(words: Sequence[Word]) -> Names:
    """Names and patterns that stand in the command."""
    if any(w.value is None and not w.glob and not w.among for w in words):
        raise NotListed
    return tuple(one for w in words for one in (w.among or (w,)))


_LISTERS = {
    "find": _find,
    "gfind": _find,
    "git": _git,
    "rg": _rg,
    "grep": _grep,
    "egrep": _grep,
    "fgrep": _grep,
    "fd": _fd,
    "fdfind": _fd,
    "ls": _ls,
    "echo": _echo,
    "printf": _printf,
}
