"""bashlex's parser, without what bashlex does at every import.

bashlex builds its LALR tables anew in each process (120 ms), and imports `re`, `enum`, `inspect`, `copy` and
`collections`, mostly for that. Here its modules are executed from their own files, unchanged, as a private copy: the
tables come from this package, and these imports lead to the few names that are really used. Nothing in `sys.modules`
changes. If the installed grammar is not the one the tables were made from, or the copy stumbles over anything, bashlex
is imported as it comes: slowly, but the same parser.
"""

from __future__ import annotations

import sys

from askfirst.patterns import compiled
from askfirst.shell.syntax import GiveUp

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

TABLES = "lalr.bin"  # beside this file; `python -m askfirst.shell.fast_bashlex` writes it, and the patterns

_Module: Any = type(sys)


def parser_module() -> Any:
    """The module `bashlex.parser`, or a copy of it that is ready sooner."""
    for finder in list(sys.meta_path):
        spec = finder.find_spec("bashlex", None)
        if spec is not None:
            break
    if spec is None or spec.submodule_search_locations is None:
        raise GiveUp("bashlex is not installed, so nothing confirms how the text is read")
    try:
        return Copy(list(spec.submodule_search_locations), stored()).module("parser")
    except Exception:  # the real one may still do what the copy does not
        import bashlex.parser

        return bashlex.parser


class Unfit(Exception):
    """The stored tables belong to another grammar."""


class Copy:
    """bashlex's modules, executed apart from those that the rest of the program may import."""

    def __init__(self, folders: list[str], tables: dict[str, Any]) -> None:
        import builtins

        self.package, self.folders, self.tables = _Module("bashlex"), folders, tables
        self.builtins = {**vars(builtins), "__import__": self.bring}

    def module(self, name: str) -> Any:
        found = getattr(self.package, name, None)
        return self.load(name) if found is None else found

    def load(self, name: str) -> Any:
        # The path finder of importlib.machinery, whose package imports more than this module does.
        from _frozen_importlib_external import PathFinder

        spec: Any = PathFinder.find_spec(f"bashlex.{name}", self.folders)
        module = _Module(spec.name)
        module.__file__, module.__builtins__ = spec.origin, self.builtins
        setattr(self.package, name, module)
        exec(spec.loader.get_code(spec.name), vars(module))
        if name == "yacc":
            module.yacc = self.yacc
        return module

    def bring(
        self, name: str, where: Any = None, local: Any = None, names: tuple[str, ...] | None = (), level: int = 0
    ) -> Any:
        """`import`, as the modules of the copy see it."""
        if name == "bashlex" and not level:
            for wanted in names or ():
                self.module(wanted)
            return self.package
        stand_in = STAND_INS.get(name)
        return __import__(name, where, local, names or (), level) if stand_in is None else stand_in

    def yacc(self, **_: Any) -> Any:
        """In place of bashlex's own: its engine, over the stored tables."""
        names = vars(self.package.parser)
        if grammar_of(names) != self.tables.get("grammar"):
            raise Unfit
        table = _Module("table")
        table.lr_productions = [
            Production(name, size, names[call] if call else None) for name, size, call in self.tables["productions"]
        ]
        table.lr_action, table.lr_goto = self.tables["action"], self.tables["goto"]
        return self.package.yacc.LRParser(table, names.get("p_error"))


def grammar_of(names: dict[str, Any]) -> tuple[Any, ...]:
    """All that the tables are computed from: tokens, precedence, and the rules in the docstrings of functions.

    Without blanks around lines: Python 3.13 takes them out of docstrings.
    """
    rules = [
        (n, "\n".join([line.strip() for line in (f.__doc__ or "").split("\n")]))
        for n, f in names.items()
        if n.startswith("p_")
    ]
    return names["tokens"], names["precedence"], rules


class Production:
    """What the engine asks a rule for."""

    def __init__(self, name: str, size: int, call: Any) -> None:
        self.name, self.len, self.callable = name, size, call


# -- what stands in for the standard library's modules


class _EnumType(type):
    _members: dict[Any, Any]

    def __new__(mcs, name: str, bases: tuple[type, ...], body: dict[str, Any]) -> _EnumType:
        members = {key: value for key, value in body.items() if key[0] != "_"}
        cls = super().__new__(mcs, name, bases, {key: value for key, value in body.items() if key not in members})
        cls._members = {}
        for key, value in members.items():
            if value not in cls._members:
                member: Any = object.__new__(cls)  # type: ignore[arg-type]
                member.name, member.value = key, value
                cls._members[value] = member
            setattr(cls, key, cls._members[value])
        return cls

    def __call__(cls, value: Any, names: list[str] | None = None) -> Any:
        if names is not None:
            return _EnumType(value, (cls,), {name: number for number, name in enumerate(names, 1)})
        if value in cls._members:
            return cls._members[value]
        raise ValueError(f"{value!r} is not a valid {cls.__name__}")

    def __iter__(cls) -> Iterator[Any]:
        return iter(cls._members.values())


class _Enum(metaclass=_EnumType):
    def __repr__(self) -> str:
        return f"<{type(self).__name__}.{vars(self)['name']}>"


def _copy(thing: Any) -> Any:
    new = object.__new__(type(thing))
    vars(new).update(vars(thing))
    return new


def _stand_ins() -> dict[str, Any]:
    import _collections_abc
    from _collections import defaultdict  # type: ignore[import-not-found]

    offered: dict[str, dict[str, Any]] = {
        "re": {"compile": compiled},
        "enum": {"Enum": _Enum},
        "copy": {"copy": _copy},
        "collections": {"defaultdict": defaultdict},
        "inspect": {},
        "types": {},  # these two only for the construction of the tables
    }
    found = {"collections.abc": _collections_abc}
    for name, given in offered.items():
        found[name] = _Module(name)
        vars(found[name]).update(given)
    return found


STAND_INS = _stand_ins()


# -- the tables


def stored() -> dict[str, Any]:
    import marshal

    try:
        with open(__file__.rpartition("/")[0] + "/" + TABLES, "rb") as file:
            found = marshal.loads(file.read())
    except (OSError, ValueError, EOFError, TypeError):
        return {}
    return found if isinstance(found, dict) else {}


def computed() -> dict[str, Any]:
    """The tables as bashlex builds them, before its own corrections."""
    import importlib
    from copy import deepcopy

    import bashlex.yacc as yacc

    kept: list[Any] = []
    original: Any = yacc.LRTable

    class Recording(original):  # type: ignore[misc]
        def __init__(self, grammar: Any, log: Any = None) -> None:
            super().__init__(grammar, log)
            productions = [(p.name, p.len, p.func) for p in grammar.Productions]
            kept.append(
                {"productions": productions, "action": deepcopy(self.lr_action), "goto": deepcopy(self.lr_goto)}
            )

    yacc.LRTable = Recording
    try:
        sys.modules.pop("bashlex.parser", None)
        module = importlib.import_module("bashlex.parser")
    finally:
        yacc.LRTable = original
    found: dict[str, Any] = kept[0]
    return {"grammar": grammar_of(vars(module)), **found}


def usual_patterns() -> list[str]:
    """The regular expressions of the modules that a hook imports."""
    from askfirst import patterns, redact
    from askfirst.shell.reading import second_opinion

    second_opinion.bashlex()
    return sorted({*patterns.asked_for(), *redact.all_patterns()})


def main() -> None:
    """Write the tables anew for the installed bashlex, and the patterns for this interpreter."""
    import marshal

    from askfirst import patterns

    def write(path: str, value: dict[str, Any]) -> None:
        with open(path, "wb") as out:
            out.write(marshal.dumps(value, 4))

    lists = patterns.computed(usual_patterns())
    write(f"{__file__.rpartition('/')[0]}/{TABLES}", computed())
    write(patterns.file(), {"engine": patterns.engine(), "python": sys.version.split()[0], "lists": lists})


if __name__ == "__main__":
    main()
