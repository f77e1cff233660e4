"""bashlex's parser, with its tables from a cache.

bashlex computes its LALR tables at every import, which takes longer than everything else that the hook does. So they
are kept where whoever starts the analysis says (`keep_tables_in`), under a key of all that they depend on. What is
missing there or does not fit is computed as bashlex does it.
"""

from __future__ import annotations

import marshal
import os
import sys
from types import ModuleType, SimpleNamespace
from typing import TYPE_CHECKING, Any, Protocol

from askfirst.digest import sha256_hex
from askfirst.shell.syntax import GiveUp

if TYPE_CHECKING:
    from importlib.machinery import ModuleSpec

# What the tables are computed from: the grammar, its tokens, and the generator.
SOURCES = ("parser.py", "tokenizer.py", "yacc.py")


class Cache(Protocol):
    """Plain values by a key; what is not there, or was damaged, is None."""

    def get(self, key: str) -> Any: ...
    def put(self, key: str, value: Any) -> None: ...


_cache: Cache | None = None


def keep_tables_in(cache: Cache | None) -> None:
    global _cache
    _cache = cache


def parser_module() -> Any:
    """The module `bashlex.parser`."""
    from importlib import import_module

    if "bashlex.parser" not in sys.modules:
        from importlib.util import find_spec

        spec = find_spec("bashlex")
        if spec is None:
            raise GiveUp("bashlex is not installed, so nothing confirms how the text is read")
        key = key_of(spec) if _cache is not None else ""
        if key:
            _import_with_tables(spec, key)
    return import_module("bashlex.parser")


def key_of(spec: ModuleSpec) -> str:
    """The name of the tables in the cache; "" when the sources cannot be read."""
    folder = os.path.dirname(spec.origin or "")
    parts = [f"bashlex {sys.implementation.cache_tag} {marshal.version}".encode()]
    try:
        for name in SOURCES:
            with open(os.path.join(folder, name), "rb") as file:
                parts.append(file.read())
    except OSError:
        return ""
    return sha256_hex(b"\0".join(parts))


def _import_with_tables(spec: ModuleSpec, key: str) -> None:
    """Import bashlex, with a generator that looks into the cache first.

    The package imports its parser, and so calls the generator, before anybody can reach it. So the package is made, its
    generator imported, and only then the package is executed. (An import that fails leaves nothing behind: the usual
    one follows.)
    """
    from importlib import import_module
    from importlib.util import module_from_spec

    package = module_from_spec(spec)
    sys.modules["bashlex"] = package
    try:
        yacc: Any = import_module("bashlex.yacc")
        generate = yacc.yacc
        yacc.yacc = lambda **options: _parser(yacc, generate, options, key)
        try:
            spec.loader.exec_module(package)  # type: ignore[union-attr]
        finally:
            yacc.yacc = generate
    except (ImportError, AttributeError, TypeError, LookupError):
        for name in [name for name in sys.modules if name.partition(".")[0] == "bashlex"]:
            del sys.modules[name]


def _parser(yacc: ModuleType, generate: Any, options: dict[str, Any], key: str) -> Any:
    """What `yacc.yacc` returns to bashlex's parser."""
    assert _cache is not None
    grammar = sys.modules["bashlex.parser"]
    tables = _cache.get(key)
    if tables is None:
        made = generate(module=grammar, **options)
        productions = tuple((p.name, p.len, p.func) for p in made.productions)
        _cache.put(
            key, (productions, dict(made.action), dict(made.goto))
        )  # as they are before bashlex's own corrections
        return made
    productions, action, goto = tables
    rules = [
        SimpleNamespace(name=n, len=size, callable=getattr(grammar, f) if f else None) for n, size, f in productions
    ]
    table = SimpleNamespace(lr_productions=rules, lr_action=action, lr_goto=goto)
    return yacc.LRParser(table, grammar.p_error)
