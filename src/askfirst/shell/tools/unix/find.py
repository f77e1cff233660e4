"""find: its expression is a small language, in which some words run programs, delete or write files."""

from __future__ import annotations

from dataclasses import replace

from askfirst.knowledge.secrets import is_ordinary, may_match_name, names_secret_place
from askfirst.model import Fact, Kind, Read, Word
from askfirst.shell.call import Analyst, Call, Outcome
from askfirst.shell.tools.engine import action_of, read_fact, unknown, write_fact
from askfirst.shell.tools.listing import NotListed, selected
from askfirst.shell.tools.options import may_be_option
from askfirst.shell.tools.table import Reading, Tool

_NO_VALUE = frozenset(
    "-H -L -P -depth -d -daystart -follow -help --help -ignore_readdir_race -noignore_readdir_race -mount -noleaf "
    "-nowarn -warn -version --version -xdev -x -E -X -s -empty -executable -false -nogroup -nouser -readable -true "
    "-writable -print -print0 -ls -prune -quit -not -a -and -o -or , ( ) ! -f".split()
)
_ONE_VALUE = frozenset(
    "-maxdepth -mindepth -regextype -amin -anewer -atime -cmin -cnewer -ctime -fstype -gid -group -ilname -iname "
    "-inum -ipath -iregex -iwholename -links -lname -mmin -mtime -name -newer -path -perm -regex -samefile -size "
    "-type -uid -used -user -wholename -xtype -context -printf "
    "-D -flags -mnewer -Bmin -Btime -acl -newerXY -depth".split()
) - {"-depth"}
_RUNS = frozenset("-exec -execdir -ok -okdir".split())
_WRITES = {"-fprint": 1, "-fprint0": 1, "-fls": 1, "-fprintf": 2}
_NAMES = frozenset("-name -iname -path -ipath -wholename -iwholename -regex -iregex".split())
_OR = ("-o", "-or")
_ACTS = _RUNS | {"-delete"}
_SELECTS = _NAMES | frozenset("-empty -mtime -mmin -ctime -cmin -atime -amin -newer -size".split())

# What the code below knows, in the form in which it can be held against the manual.
_LISTED = f"""
    flag    {" ".join(sorted(w for w in _NO_VALUE if w.startswith("-")))} -delete
    value   {" ".join(sorted(_ONE_VALUE))}
    asks    {" ".join(sorted(_RUNS))}: runs a command, which is judged
    asks    {" ".join(sorted(_WRITES))}: writes a file, which is judged
    reads   -files0-from
"""


def _find(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    return _Expression(tool, call, analyst).outcome()


class _Expression:
    def __init__(self, tool: Tool, call: Call, analyst: Analyst) -> None:
        self.tool, self.call, self.analyst = tool, call, analyst
        self.words = call.words[1:]
        self.roots: list[Word] = []
        self.facts: list[Fact] = []
        self.deletes = False
        self.names = _selected([w.value for w in self.words])
        self.selected = f"{{{','.join(self.names)}}}" if len(self.names) > 1 else "".join(self.names)
        self.patterns = self.chosen()

    def outcome(self) -> Outcome:
        at = 0
        while at < len(self.words):
            at = self.step(at)
        action = action_of(self.tool)
        if self.deletes:
            action = replace(
                action,
                key=("find", "-delete"),
                kind=Kind.DESTRUCTIVE,
                allowed=False,
                description="deletes what it finds",
            )
            for root in self.roots or [Word(".", ".")]:
                self.deleted(replace(root, text=self.shown(root.text)))
                for name in self.names if root.value is not None else ():
                    named = f"{(root.value or '').rstrip('/')}/{name}"
                    self.deleted(Word(named, named))  # `-name .git`: also what this very name stands for
        return Outcome(action, tuple(self.facts))

    def chosen(self) -> tuple[str, ...]:
        """The patterns of the names that the actions are for; () when nothing is known about them."""
        values = [w.value or "" for w in self.words]
        start = next((i for i, v in enumerate(values) if v[:1] in ("-", "(", "!")), len(values))
        try:
            found = selected(values[start:])
        except NotListed:
            return ()
        return ("*",) if found is None else found

    def deleted(self, word: Word) -> None:
        self.facts += write_fact(word, self.call, self.analyst, "find -delete", "delete", below=True)

    def shown(self, root: str) -> str:
        """A tree of which only some files are meant: `./**/*.pyc`."""
        return f"{root.rstrip('/')}/**/{self.selected}" if self.selected else root

    def step(self, at: int) -> int:
        word = self.words[at]
        if word.value is None:
            return self.expanded(word, at)
        text = word.value
        if text in _NO_VALUE or (text.startswith("-O") and text[2:].isdigit()):
            return at + 1
        if text in _ONE_VALUE or (text.startswith("-newer") and len(text) == 8):
            return self.value(text, at + 1)
        if text in _RUNS:
            return self.command(text, at + 1)
        if text in _WRITES:
            return self.file(text, at + 1)
        if text == "-files0-from":
            for named in self.words[at + 1 : at + 2]:
                self.facts += read_fact(named, self.call, self.analyst, "find")
                self.roots.append(Word(f"$(cat {named.text})", None))
            return at + 2
        if text == "-delete":
            self.deletes = True
        elif text.startswith("-") or text in ("(", ")", "!", ","):
            self.facts.append(
                unknown("option", f"`{text}` is not a part of `find` that the built-in rules know", self.call, text)
            )
        else:
            self.roots.append(word)
        return at + 1

    def expanded(self, word: Word, at: int) -> int:
        """A word that is only known at run time: a place to begin, or anything."""
        if may_be_option(word):
            why = f"`{word.text}` may become an action of `find`"
            self.facts.append(unknown("expansion", why, self.call, word.text))
        else:
            self.roots.append(word)
        return at + 1

    def value(self, name: str, at: int) -> int:
        if at >= len(self.words):
            return at
        word = self.words[at]
        if word.value is None and word.many:
            self.facts.append(unknown("expansion", f"`{word.text}` may become several words", self.call, word.text))
        elif name in ("-name", "-iname", "-path", "-wholename") and word.value is not None:
            self.secrets(word.value)
        return at + 1

    def secrets(self, pattern: str) -> None:
        """Looking for keys outside the project is what a thief does first."""
        name = pattern.lower().rpartition("/")[2]
        if not names_secret_place(pattern) and (is_ordinary(name) or not may_match_name(name, dotted=True)):
            return
        for root in self.roots:
            path = self.analyst.path(root.value, self.call.cwd) if root.value is not None else None
            project = self.analyst.project
            if path is None or (path != project and not path.startswith(project + "/")):
                self.facts.append(Read(f"{path}/{pattern.replace('*', 'x')}" if path else None, pattern, "find"))

    def file(self, name: str, at: int) -> int:
        if at < len(self.words):
            self.facts += write_fact(self.words[at], self.call, self.analyst, f"find {name}", "overwrite")
        return at + _WRITES[name]

    def command(self, name: str, at: int) -> int:
        """The words up to `;`, or up to a `+` behind `{}`."""
        inner: list[Word] = []
        many = False
        end = at
        while end < len(self.words):
            text = self.words[end].value
            if text == ";" or (text == "+" and inner and inner[-1].value == "{}"):
                many = text == "+"
                break
            inner.append(self.words[end])
            end += 1
        else:
            self.facts.append(unknown("hidden command", f"`find {name}` without an end", self.call))
            return end
        if any(w.value is None and w.many and not w.glob for w in inner) or not inner:
            self.facts.append(unknown("expansion", f"it is not known what `find {name}` runs", self.call))
            return end + 1
        words = tuple(self.found(w, name, many) for w in inner)
        cwd = None if name.endswith("dir") else ""
        self.facts += self.analyst.argv(words, self.call, f"find {name}", cwd=cwd)
        return end + 1

    def found(self, word: Word, name: str, many: bool) -> Word:
        """`{}` becomes the path of a file below one of the roots, or `./NAME` for -execdir."""
        if word.value is None or "{}" not in word.value:
            return word
        before = word.value.partition("{}")[0]
        if before or word.value != "{}":
            return Word(word.text, None, prefix=before)
        among = tuple(one for root in self.roots or [Word(".", ".")] for one in self.below(root))
        place = Word(word.text, None, many=many, among=among)
        if name.endswith("dir"):
            return replace(place, prefix="./", glob=True)
        return self.at_roots(place)

    def at_roots(self, place: Word) -> Word:
        roots = {w.value or "" for w in self.roots} or {"."}
        if len(roots) > 1 or "" in roots:
            return replace(place, prefix="/" if all(r.startswith("/") for r in roots) else "")
        root = roots.pop()
        text = self.shown(root) if self.selected else place.text
        return replace(place, text=text, prefix=root.rstrip("/") + "/", glob=True)

    def below(self, root: Word) -> tuple[Word, ...]:
        """What is found below one root, as patterns."""
        path = self.analyst.path(root.value, self.call.cwd) if root.value is not None else None
        if root.value is None or path is None:
            return (Word(root.text, None),)
        prefix = path.rstrip("/") + "/"
        return tuple(Word(f"{prefix}**/{pattern}", None, prefix=prefix, glob=True) for pattern in self.patterns) or (
            Word(f"{prefix}…", None, prefix=prefix),
        )


def _selected(words: list[str | None]) -> tuple[str, ...]:
    """The patterns of which one fits every file that an action is for: those that stand before it, in every alternative
    that has one. () where that may be all files."""
    found: list[str] = []
    for branch in _branches(words):
        action = next((at for at, word in enumerate(branch) if word in _ACTS), None)
        patterns = _required(branch[:action]) if action is not None else ("",)
        if not patterns:
            return ()
        found += filter(None, patterns)
    return tuple(dict.fromkeys(found))


def _branches(words: list[str | None]) -> list[list[str | None]]:
    """The alternatives of an expression; one that holds nothing where they are not plain."""
    branches: list[list[str | None]] = [[]]
    depth = 0
    for word in words:
        depth += (word == "(") - (word == ")")
        if word is None or word == "," or (depth and word in _ACTS):
            return [["-delete"]]
        if word in _OR and not depth:
            branches.append([])
        else:
            branches[-1].append(word)
    return branches


def _required(words: list[str | None]) -> tuple[str, ...]:
    """The patterns of which one must fit; `! x` says nothing about those that do."""
    found: tuple[str, ...] = ()
    at = 0
    while at < len(words):
        word = words[at]
        end = at + _width(words[at:])
        if word in ("!", "-not"):
            end = at + 1 + _width(words[at + 1 :])
        elif word == "(":
            found = found or _alternatives(words[at + 1 : end - 1])
        elif word in _SELECTS and found in ((), ("*",)):
            found = _pattern(words[at:end])
        at = end
    return found


def _width(words: list[str | None]) -> int:
    """How many words a test or a group has."""
    if words[:1] == ["("]:
        depth = 0
        for at, word in enumerate(words):
            depth += (word == "(") - (word == ")")
            if not depth:
                return at + 1
        return len(words)
    return 2 if words[:1] and words[0] in _ONE_VALUE | _NAMES else 1


def _alternatives(words: list[str | None]) -> tuple[str, ...]:
    """`-name a -o -name b`."""
    found: list[str] = []
    for branch in _branches(words):
        patterns = _required(branch)
        if not patterns:
            return ()
        found += patterns
    return tuple(found)


def _pattern(words: list[str | None]) -> tuple[str, ...]:
    if words[0] not in _NAMES:
        return ("*",)
    value = words[1] if len(words) > 1 else ""
    return (value,) if value and value.strip("*?./") and "/." not in value else ()


TOOLS: dict[str, Tool] = {
    "find": Tool(
        "find",
        description="finds files",
        options=_LISTED,
        reading=Reading(single_dash_long=True),
        manual="GNU findutils 4.9.0",
        special=_find,
        examples=(
            "find . -type f -name 'test_*.py'",
            "find src -maxdepth 1 -size +500k -size -10M",
            "find . -name node_modules -prune -o -name '*.js' -print",
        ),
        counter_examples=(
            "find . -delete",
            "find . -name '*.bak' -delete",
            "find . -delete -name '*.pyc'",
            "find . -fprint /x",
            "find . -exec touch {} ;",
            "find . -weird",
        ),
    ),
}
