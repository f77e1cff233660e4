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
        self.selected = _selected([w.value for w in self.words])
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
                if self.selected and root.value is not None:
                    named = f"{root.value.rstrip('/')}/{self.selected}"
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


def _selected(words: list[str | None]) -> str:
    """The pattern of the files that the actions are for; "" when that may be all of them, as with `!`, or `-o` outside
    of brackets.
    """
    depth, pattern = 0, ""
    for at, word in enumerate(words):
        depth += (word == "(") - (word == ")")
        if word is None or word in ("!", "-not", ",") or (word in ("-o", "-or") and not depth):
            return ""
        if word in _SELECTS and not pattern:
            value = words[at + 1] if word in _NAMES and at + 1 < len(words) else "*"
            pattern = value if value and (word not in _NAMES or value.strip("*?./")) and "/." not in value else ""
    return pattern


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
        counter_examples=("find . -delete", "find . -fprint /x", "find . -exec touch {} ;", "find . -weird"),
    ),
}
