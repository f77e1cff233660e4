"""Which variables a script sets, and whether one can only ever hold a number: looked up before the walk, over the whole tree.

Bash evaluates the *content* of a variable in arithmetic (`x='a[$(cmd)]'; echo $((x))` runs cmd). So a name is harmless there only when
every place that could set it sets a number, or when nothing in the script sets it at all.
"""

from __future__ import annotations

from askfirst.shell.numbers import prints_a_number
from askfirst.shell.syntax import (
    DECLARES,
    VALUELESS,
    Arithmetic,
    Branches,
    Coproc,
    Evaluate,
    For,
    Function,
    Group,
    Literal,
    Parameter,
    Script,
    Simple,
    Substitution,
    Word,
)
from askfirst.shell.words import braces

TYPE_CHECKING = False
if TYPE_CHECKING:
    from askfirst.shell.syntax import Node, Part, Redirect

# Builtins that set variables named by their arguments.
NAMING = frozenset(
    "declare typeset local export readonly read mapfile readarray unset getopts printf let wait select".split()
)
# What runs text, or changes what names mean: nothing is certain about variables any more.
WILD = frozenset(
    "eval source . trap enable alias unalias builtin command exec bind complete compgen hash coproc".split()
)
GLUED = {"read": "a", "wait": "p"}  # options that take the name of a variable
CHANGING = frozenset(("set", "shopt", "ulimit", "break", "continue"))
MOVING = frozenset(("cd", "pushd", "popd"))
# Not DEBUG, ERR and RETURN, which run between any two commands.
SIGNALS = frozenset("EXIT INT TERM HUP QUIT SIGINT SIGTERM SIGHUP SIGQUIT 0 1 2 3 15".split())
# Variables whose content comes from elsewhere, although nothing in the script sets them.
FILLED = frozenset(
    """
_ REPLY OPTARG OPTIND MAPFILE COPROC COPROC_PID DIRSTACK FUNCNAME PWD OLDPWD PIPESTATUS COMP_LINE COMPREPLY HISTCMD EPOCHSECONDS
LINES COLUMNS EPOCHREALTIME RANDOM SRANDOM SECONDS LINENO BASHPID PPID UID EUID GROUPS SHLVL SHELLOPTS BASHOPTS
MATCH match MBEGIN mbegin MEND mend argv reply status pipestatus
""".split()
)
IDENTIFIER = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_"


class Names:
    def __init__(self, outer: Names | None = None) -> None:
        self.times: dict[str, int] = dict(outer.times) if outer else {}  # how often a name is set
        self.others: set[str] = (
            set(outer.others) if outer else set()
        )  # names that may hold something else than a number
        self.blank: set[str] = set(outer.blank) if outer else set()  # names that may hold nothing at all
        self.wild: bool = outer.wild if outer else False
        self.moves: bool = outer.moves if outer else False  # some command changes the directory
        self.options: bool = (
            outer.options if outer else False
        )  # `shopt`, or `set` with an option that changes expansion
        self.unsets: bool = outer.unsets if outer else False  # some command may forget a function
        self.constants: dict[str, str] = {}  # what names set to a literal text hold
        self.sources: dict[str, set[str]] = (
            {n: set(s) for n, s in outer.sources.items()} if outer else {}
        )  # `x=$y`: what x is made of
        self.handles: bool = outer.handles if outer else False  # a signal runs something
        self.closes: bool = (
            outer.closes if outer else False
        )  # a descriptor may be closed, so that `2>&1` or `echo` fails
        self.locks: bool = outer.locks if outer else False  # a variable may refuse to be set
        self.leaves: bool = outer.leaves if outer else False  # `break` or `continue`: a body may end anywhere
        self.arrays: set[str] = set(outer.arrays) if outer else set()  # names that may be arrays
        self.called: list[str] = []  # variables that stand in place of a program's name
        self.functions: set[str] = set(outer.functions) if outer else set()
        self.entered: set[str] = (
            outer.entered if outer else set()
        )  # directories that `cd` must find, or what follows runs elsewhere

    def is_number(self, name: str) -> bool:
        """Whether the name holds a number, or nothing that the script put there."""
        if name in self.others or self.wild or name in FILLED or name.startswith(("BASH_", "COMP_")):
            return False
        return True

    def is_constant(self, name: str) -> bool:
        """Whether one plain assignment is all that ever sets the name."""
        return self.times.get(name) == 1 and not self.wild and name not in FILLED

    def is_one_number(self, name: str) -> bool:
        """Whether the name, once set, is a number for ever: one word without quotes, too."""
        return name in self.times and name not in self.blank and self.is_number(name)

    def set(self, name: str, number: bool, times: int = 1, *, blank: bool = False) -> None:
        self.times[name] = self.times.get(name, 0) + times
        if not number:
            self.others.add(name)
        if blank:
            self.blank.add(name)

    def is_array(self, name: str) -> bool:
        return name in self.arrays or self.wild

    def settle(self) -> None:
        """Behind the whole tree: a program named by a variable is harmless to the others when the variable can only hold its name."""
        for name in self.called:
            value = self.constants.get(name, "eval").split()
            if (
                self.times.get(name) != 1
                or (value and (value[0] in WILD or value[0] in NAMING or value[0] in MOVING))
                or not value
            ):
                self.wild = self.moves = self.options = self.unsets = self.leaves = True
        if self.handles and self.moves:
            self.wild = True  # a function that a signal runs may lead elsewhere at any time

    # -- the tree

    def script(self, script: Script) -> None:
        for item, _ in script.items:
            for pipeline in item.pipelines:
                for node in pipeline.commands:
                    self.node(node)

    def node(self, node: Node) -> None:
        self.redirects(node.redirects)
        if isinstance(node, Simple):
            self.simple(node)
        elif isinstance(node, Group):
            self.script(node.body)
        elif isinstance(node, Branches):
            self.words(node.words)
            for body in node.bodies:
                self.script(body)
        elif isinstance(node, For):
            values = node.words or []
            self.set(node.name, node.words is not None and not node.select and all(is_integer(w.text) for w in values))
            self.words(values)
            self.script(node.body)
        elif isinstance(node, Evaluate):
            self.words(node.words)
            self.parts(list(node.arithmetic))
            if node.body:
                self.script(node.body)
        elif isinstance(node, Function):
            self.functions.add(node.name)
            self.node(node.body)
        elif isinstance(node, Coproc):
            self.set(node.name, False, 2)
            self.arrays.add(node.name)
            self.node(node.body)

    def simple(self, node: Simple) -> None:
        for one in node.sets:
            number = one.array is None and not one.append and is_number_word(one.word)
            if one.array is not None:
                self.words(one.array)
                number = all(is_integer(w.text) for w in one.array)
            self.parts(one.word.parts)
            value = literal(one.word)
            blank = not value if value is not None else one.element or one.array is not None or may_be_blank(one.word)
            self.set(
                one.name,
                number,
                2 if node.words or one.append or one.element or one.array is not None else 1,
                blank=blank,
            )
            if value is not None and one.array is None:
                self.constants[one.name] = value
            if one.element or one.array is not None:
                self.arrays.add(one.name)
            self.sources.setdefault(one.name, set()).update(
                used(one.word.parts), *(used(word.parts) for word in one.array or [])
            )
        self.words(node.words)
        name = literal(node.words[0]) if node.words else ""
        if node.words and is_braced(node.words[0]) and not is_ordinary(node.words[0]):
            name = None  # `{cd,d1}`
        if name in MOVING:
            self.moves = True
        if name in ("break", "continue"):
            self.leaves = True
        if name is None and (variable := variable_alone(node.words[0])):
            self.called.append(variable)
            name = ""
        if name == "unset":
            self.unsets = True
        if name == "ulimit" and len(node.words) > 1:
            self.closes = True  # no descriptor may be left for a redirection
        if name == "shopt" or (name == "set" and any(changes_expansion(w) for w in node.words[1:])):
            self.options = True
        elif name is None or (
            name in WILD and not asks_only(node.words) and not (name == "trap" and self.trap(node.words))
        ):
            self.wild = True
            self.moves = self.leaves = True
            self.unsets = True
            self.options = self.options or name != "exec"
        elif name in NAMING:
            self.named(name, node.words[1:])

    def trap(self, words: list[Word]) -> bool:
        """Whether what a trap runs is in the text, runs at the end or at a signal, and leaves certain what is certain."""
        given = [None if is_braced(word) else literal(word) for word in words[1:]]
        texts = [text for text in given if text is not None and text != "--"]
        if (
            None in given
            or not set(texts[1:]) <= SIGNALS
            or (len(texts[0]) > 1 and texts[0][0] == "-" if texts else False)
        ):
            return False
        if len(texts) < 2 or texts[0] in ("", "-"):
            return True
        tree = tree_of(texts[0])
        inner = Names()
        if tree is not None:
            inner.script(tree)
        if (
            tree is None
            or inner.wild
            or inner.moves
            or inner.options
            or inner.unsets
            or inner.called
            or inner.functions
        ):
            return False
        self.handles = self.handles or not set(texts[1:]) <= {"EXIT", "0"}
        self.script(tree)
        return True

    def named(self, command: str, words: list[Word]) -> None:
        options = [text for text in map(literal, words) if text and text[0] == "-"]
        array = command in ("mapfile", "readarray") or (
            command in DECLARES | {"read"} and any("a" in o.lower() for o in options)
        )
        before: str | None = ""
        for k, word in enumerate(words):
            text = None if is_braced(word) else literal(word)
            names_one, before = before in ("-v", "-p"), text
            if text is None and is_braced(word) and (command != "printf" or k == 0 or names_one):
                self.wild = True  # `read {x,y}`
            elif text is None and names_one:
                self.wild = True  # `printf -v "$y"`
            if array:
                self.arrays.update(
                    name for name in [(text or "").partition("=")[0].removesuffix("+")] if name[:1] not in ("", "-")
                )
            if text is None:
                # The unknown part may be a value (`local x=$1`), which leaves the name readable.
                first = word.parts[0] if word.parts else None
                text = (
                    first.text
                    if isinstance(first, Literal) and "=" in first.text and first.text[0] in IDENTIFIER
                    else None
                )
                if text is None:
                    self.wild = self.wild or command not in ("printf", "wait")
                    if command == "printf" and k == 0:
                        self.wild = True
                    continue
                text += "?"
            if text.startswith("-v") and len(text) > 2:
                text = text[2:]
            self.locks = (
                self.locks or command == "readonly" or (command in DECLARES and text[:1] == "-" and "r" in text)
            )
            if text.startswith("-") and GLUED.get(command, " ") in text[1:-1]:
                self.wild = True  # `read -ay`: the name is a part of the option
            if text.startswith(("-", "+")):
                if command in DECLARES and ("n" in text or "i" in text):
                    self.wild = True
                continue
            name, equals, value = text.partition("=")
            name = name.partition("[")[0].rstrip("+-*/%&|^<>")
            if name and name[0] in IDENTIFIER and name.replace("_", "a").isalnum():
                declared = command in DECLARES
                self.set(name, declared and (not equals or is_integer(value)), 2, blank=not value)

    def words(self, words: list[Word]) -> None:
        for word in words:
            self.parts(word.parts)

    def parts(self, parts: list[Part]) -> None:
        for part in parts:
            if isinstance(part, Substitution):
                self.script(part.script)
            elif isinstance(part, Parameter):
                if part.operator in ("=", ":="):
                    self.set(part.name, False, 2)
                self.words(part.words)
            elif isinstance(part, Arithmetic):
                for name in part.sets:
                    self.set(name, True, 2)
                self.parts(part.parts)

    def redirects(self, redirects: list[Redirect]) -> None:
        for redirect in redirects:
            if redirect.fd.startswith("{"):
                self.set(redirect.fd[1:-1], True, 2)
            if redirect.operator in ("<&", ">&") and not redirect.target.text.isdigit():
                self.closes = True
            self.parts(redirect.target.parts)
            if redirect.body:
                self.parts(redirect.body.parts)


def tree_of(text: str) -> Script | None:
    """A text that the shell runs later; None when it is not understood."""
    from askfirst.shell.plain import plain_script

    script = plain_script(text)
    if script is not None:
        return script
    from askfirst.shell.lex import Ledger
    from askfirst.shell.parse import parse
    from askfirst.shell.syntax import GiveUp

    try:
        return parse(text, Ledger())
    except GiveUp:
        return None


def literal(word: Word) -> str | None:
    """The word's text when nothing in it is expanded."""
    if all(isinstance(p, Literal) for p in word.parts):
        return "".join(p.text for p in word.parts if isinstance(p, Literal))
    return None


def used(parts: list[Part]) -> set[str]:
    """The variables whose values go into a word."""
    found: set[str] = set()
    for part in parts:
        if isinstance(part, Parameter) and part.operator not in VALUELESS:
            found.add(part.name)
        if isinstance(part, Parameter):
            found.update(*(used(word.parts) for word in part.words))
    return found


def is_braced(word: Word) -> bool:
    """Whether braces make other words of it."""
    return "{" in word.text and braces(word, certain=False) is not None


def is_ordinary(word: Word) -> bool:
    """Whether braces make a program of it that is no builtin which matters here."""
    found = braces(word, certain=True)
    name = found[0].value if found else None
    return name is not None and name not in WILD | NAMING | MOVING | CHANGING


def variable_alone(word: Word) -> str:
    """The name in `$name`, when that is the whole word."""
    parts = [p for p in word.parts if not (isinstance(p, Literal) and p.text == "")]
    part = parts[0] if len(parts) == 1 else None
    return part.name if isinstance(part, Parameter) and part.operator == "" and part.name[0] in IDENTIFIER else ""


def changes_expansion(word: Word) -> bool:
    text = None if is_braced(word) else literal(word)
    return (
        text is None or (text[:1] in ("-", "+") and ("B" in text or "k" in text)) or text in ("braceexpand", "keyword")
    )


def asks_only(words: list[Word]) -> bool:
    """`command -v NAME` looks a name up and runs nothing."""
    return len(words) > 1 and words[0].text == "command" and words[1].text in ("-v", "-V")


def is_integer(text: str) -> bool:
    digits = text[1:] if text[:1] in ("-", "+") else text
    return text == "" or (digits.isascii() and digits.isdigit())


def may_be_blank(word: Word) -> bool:
    """Whether a word that is a number may also be nothing: the output of a program, `$!`."""
    return any(
        isinstance(p, Substitution) or (isinstance(p, Parameter) and p.operator == "" and p.name == "!")
        for p in word.parts
    )


def is_number_word(word: Word) -> bool:
    parts = [p for p in word.parts if not (isinstance(p, Literal) and p.text == "")]
    if not parts:
        return True
    if len(parts) > 1:
        return False
    part = parts[0]
    if isinstance(part, Literal):
        return is_integer(part.text)
    if isinstance(part, Arithmetic) or (isinstance(part, Substitution) and prints_a_number(part.script)):
        return True
    return isinstance(part, Parameter) and (
        part.operator == "#length" or (part.operator == "" and part.name in ("#", "?", "$", "!"))
    )
