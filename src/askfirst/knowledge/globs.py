"""How the tables of this package are matched: file name patterns, path patterns, and the forms of a path they are
compared with.

Patterns are compared without case (macOS and Windows file systems ignore it; elsewhere a false match only costs a
question). `~/` is any person's home, `/` is the root, everything else stands at any depth. `*` stays within one part of
a path, `**` is any number of parts, also none."""

from __future__ import annotations

import fnmatch
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeVar

T = TypeVar("T")

__all__ = [
    "MAX_BRACES",
    "Location",
    "NamePatterns",
    "PathPatterns",
    "below",
    "expand_braces",
    "fits_name",
    "fold",
    "glob",
    "has_wildcards",
    "holds_homes",
    "home_relative",
    "leads_to",
    "matches",
    "once",
    "unaliased",
    "wild",
    "without_classes",
]

# HFS+ ignores these characters in names: `.cl\u200caude` opens `.claude` (the hole behind CVE-2014-9390).
_IGNORED_IN_NAMES = frozenset((*range(0x200B, 0x2010), *range(0x202A, 0x202F), *range(0x2060, 0x2070), 0xFEFF, 0x00AD))


MAX_BRACES = 4  # pairs that are taken apart: each may double the names


@dataclass(frozen=True)
class Location:
    """A path in the forms that patterns compare: folded, and relative to the project, to a home, or to nothing."""

    path: str  # folded, absolute
    inside: str | None = None  # folded, relative to the project; "" is the project itself; None outside
    home: str | None = None  # folded, relative to somebody's home
    above_home: bool = False  # the person's own home lies below it

    @property
    def name(self) -> str:
        return self.path.rsplit("/", 1)[-1]

    @property
    def local(self) -> str:
        """What patterns of any depth are compared with: a project below `.claude/worktrees` is not protected by
        that."""
        return self.path[1:] if self.inside is None else self.inside


def fold(path: str) -> str:
    """One spelling for all that a case-insensitive or normalising file system takes for the same name."""
    if path.isascii():
        return path.lower()
    return unicodedata.normalize("NFKC", "".join(c for c in path if ord(c) not in _IGNORED_IN_NAMES)).casefold()


_DATA = "/system/volumes/data"
_LINKED = ("/private/etc", "/private/tmp", "/private/var")


def unaliased(folded: str) -> str:
    """The name that tables know. On macOS `/etc`, `/tmp` and `/var` are links into `/private`, and the root's own
    directories can be reached below `/System/Volumes/Data`, too."""
    path = folded.removeprefix(_DATA) if folded.startswith(f"{_DATA}/") else folded
    return path[len("/private") :] if path.startswith(_LINKED) and path[12:13] in ("", "/") else path


def below(path: str, parent: str) -> str | None:
    """`path` relative to `parent`; "" when they are the same; None when it is not below."""
    parent = parent.rstrip("/")
    if path == parent or (not parent and path == "/"):
        return ""
    return path[len(parent) + 1 :] if path.startswith(parent + "/") else None


# Where systems keep homes: what fits one of these is somebody's. (Below `/system` lies what macOS shows as `/users`,
# too; below `/mnt/c` lies Windows, beside WSL.)
HOMES = (
    "/root",
    "/home/*",
    "/users/*",
    "/var/root",
    "/var/home/*",
    "/private/var/root",
    "/export/home/*",
    "/system/volumes/data/users/*",
    "/system/volumes/data/private/var/root",
    "/mnt/?/users/*",
)
_HOMES = tuple(home[1:].split("/") for home in HOMES)


def home_relative(path: str, home: str) -> str | None:
    """A folded path relative to this home or to anybody's; None when it lies in no home."""
    if home and home != "/":
        relative = below(path, home)
        if relative is not None:
            return relative
    parts = path[1:].split("/")
    for wanted in _HOMES:
        if len(parts) >= len(wanted) and all(map(wild, wanted, parts)):
            return "/".join(parts[len(wanted) :])
    return None


def holds_homes(location: Location) -> bool:
    """Whether it is a home, or homes lie below it."""
    return location.home == "" or location.above_home or any(leads_to(location, home) for home in HOMES)


def has_wildcards(part: str) -> bool:
    return "*" in part or "?" in part or "[" in part


def behind_wildcard(text: str) -> list[str]:
    """The parts of a path, as written, from the first one that has a wildcard; none where there is no wildcard."""
    parts = text.translate(_NO_QUOTES).split("/")
    return next((parts[n:] for n, part in enumerate(parts) if has_wildcards(part)), [])


_NO_QUOTES = str.maketrans(dict.fromkeys("\"'\\"))


def wild(pattern: str, text: str) -> bool:
    """One part of a path against `*` and `?` (and `[…]`), in linear time."""
    if "[" in pattern:
        return fnmatch.fnmatchcase(text, without_classes(pattern).replace("[^", "[!"))
    before, star_sign, after = pattern.partition("*")
    if "?" not in pattern and "*" not in after:
        if not star_sign:
            return pattern == text
        return len(text) >= len(before) + len(after) and text.startswith(before) and text.endswith(after)
    return _wild(pattern, text)


def without_classes(pattern: str) -> str:
    """`[[:alpha:]]`, `[[=a=]]`, `[[.a.]]` and `[]a]`, and whatever stands between such brackets, as `*`: shells do not
    agree on where they end."""
    if "[" not in pattern:
        return pattern
    return re.sub(r"\[(?:[^\]]*\[[:=.]|[!^]?\]).*\]", "*", pattern, flags=re.DOTALL)


def _wild(pattern: str, text: str) -> bool:
    """The general case: at a mismatch, the last `*` takes one character more."""
    at = back = p = 0
    star = -1
    while at < len(text):
        if p < len(pattern) and pattern[p] == "*":
            star, back, p = p, at, p + 1
        elif p < len(pattern) and pattern[p] in ("?", text[at]):
            p, at = p + 1, at + 1
        elif star >= 0:
            back += 1
            p, at = star + 1, back
        else:
            return False
    return pattern[p:].strip("*") == ""


def longest_literal(pattern: str) -> str:
    """What stands in every text that matches."""
    parts = re.split(r"[*?]|\[[^]]*\]", pattern) if "[" in pattern else pattern.replace("?", "*").split("*")
    return max(parts, key=len)


def expand_braces(pattern: str) -> list[str]:
    """`*.{pem,key}` is `*.pem` and `*.key`. Nested braces are taken apart from the left, which names at least what a
    shell would."""
    before, brace, rest = pattern.partition("{")
    inside, closed, after = rest.partition("}")
    if not brace or not closed or pattern.count("{") > MAX_BRACES:
        return [pattern]
    parts = inside.split(",") if "," in inside else ["*" if ".." in inside else inside]
    return [name for part in parts for name in expand_braces(before + part + after)]


def fits_name(pattern: str, name: str) -> bool:
    """Whether a shell's pattern, braces too, stands for a name in a directory."""
    hidden = name.startswith(".") and not pattern.startswith(".")
    return not hidden and any(wild(fold(one), fold(name)) for one in expand_braces(pattern))


def glob(pattern: str, path: str) -> bool:
    """`**` is any number of parts, also none: `secrets/**` is also `secrets` itself."""
    return _holds(_prepared(pattern), path)


@lru_cache(maxsize=2048)
def _prepared(pattern: str) -> str | tuple[str, ...]:
    """Only the name of `**/*.pem`, the most common form; of others their parts."""
    parts = tuple(pattern.split("/"))
    return parts[1] if len(parts) == 2 and parts[0] == "**" != parts[1] else parts


def _holds(pattern: str | tuple[str, ...], path: str) -> bool:
    if isinstance(pattern, str):
        return bool(path) and wild(pattern, path.rpartition("/")[2])
    return _glob(pattern, path.split("/") if path else [])


def _glob(pattern: Sequence[str], parts: list[str]) -> bool:
    for index, piece in enumerate(pattern):
        if piece == "**":
            rest = pattern[index + 1 :]
            return not rest or any(_glob(rest, parts[start:]) for start in range(index, len(parts) + 1))
        if index >= len(parts) or not wild(piece, parts[index]):
            return False
    return len(parts) == len(pattern)


def matches(pattern: str, location: Location) -> bool:
    """A pattern of a table or of a settings file: `~/…`, `/…`, or at any depth."""
    anchor, rest = _anchored(pattern)
    path = location.local if not anchor else location.path[1:] if anchor == "/" else location.home
    return path is not None and _holds(rest, path)


@lru_cache(maxsize=2048)
def _anchored(pattern: str) -> tuple[str, str | tuple[str, ...]]:
    folded = fold(pattern)
    anchor = next((a for a in ("~/", "/") if folded.startswith(a)), "")
    return anchor, _prepared(folded.removeprefix(anchor))


def leads_to(location: Location, pattern: str) -> bool:
    """Does the tree below this location hold what an anchored pattern (`/…`, `~/…`) names?"""
    pattern = fold(pattern)
    if pattern.startswith("~/"):
        return location.home is not None and _leads_to(location.home, pattern[2:])
    return pattern.startswith("/") and _leads_to(location.path[1:], pattern[1:])


def _leads_to(path: str, pattern: str) -> bool:
    parts, wanted = path.split("/") if path else [], pattern.split("/")
    return len(parts) < len(wanted) and all(wild(w, p) for w, p in zip(wanted, parts, strict=False) if w != "**")


class PathPatterns:
    """Many path patterns at once: one whose plain part does not stand in the path cannot match, and is not tried."""

    def __init__(self, patterns: Iterable[str]) -> None:
        self.patterns = tuple(patterns)
        self.by_part: dict[str, list[int]] = {}
        self.others: list[int] = []
        for number, pattern in enumerate(self.patterns):
            plain = [part for part in fold(pattern).split("/") if part not in ("", "~") and not has_wildcards(part)]
            (self.by_part.setdefault(plain[-1], []) if plain else self.others).append(number)

    def hits(self, location: Location) -> Iterator[int]:
        """The numbers of those that match, in order. (Every form of a location is an end of its path, which has all its
        parts.)"""
        named = [n for part in {*location.path.split("/")} if part in self.by_part for n in self.by_part[part]]
        numbers = sorted(self.others + named) if named else self.others
        return (n for n in numbers if matches(self.patterns[n], location))


class NamePatterns:
    """Many patterns of file names at once, in groups."""

    def __init__(self, groups: Iterable[Iterable[str]]) -> None:
        self.plain: dict[str, int] = {}
        self.others: list[tuple[int, str]] = []
        for number, names in enumerate(groups):
            for name in names:
                if has_wildcards(name):
                    self.others.append((number, name))
                else:
                    self.plain.setdefault(name, number)
        patterns = [name for _, name in self.others]
        self.ends = tuple(p[1:] for p in patterns if _only_begins_wild(p))
        self.starts = tuple(p[:-1] for p in patterns if _only_begins_wild(p[::-1]))
        rest = (p for p in patterns if p[1:] not in self.ends and p[:-1] not in self.starts)
        self.rest = tuple((longest_literal(p), p) for p in rest)

    def have(self, name: str) -> bool:
        return self.group(name) is not None

    def group(self, name: str) -> int | None:
        """The number of the first group that has a pattern for this name."""
        plain = self.plain.get(name)
        if (
            not name.endswith(self.ends)
            and not name.startswith(self.starts)
            and not any(part in name and wild(p, name) for part, p in self.rest)
        ):
            return plain
        for number, pattern in self.others:
            if plain is not None and number >= plain:
                return plain
            if wild(pattern, name):
                return number
        return plain


def _only_begins_wild(pattern: str) -> bool:
    return pattern[0] == "*" and not has_wildcards(pattern[1:])


def once(build: Callable[[], T]) -> Callable[[], T]:
    """Built when it is first needed: most hooks judge no file."""
    made: list[T] = []

    def get() -> T:
        if not made:
            made.append(build())
        return made[0]

    return get
