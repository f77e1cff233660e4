"""Which calls of the project's own code, by Python code in a command, only look or compute.

A profile that runs the project's tests runs its code, and a test may call anything. What passes here does less: it is
called by a name that says so, with arguments that stand in the command as plain values, and it is the project's own:
not a name that a module of the project brings along from elsewhere.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from askfirst.knowledge.secrets import names_secret
from askfirst.shell.call import Analyst
from askfirst.shell.tools.project_code import is_inside
from askfirst.shell.tools.scripts import is_risky_script

__all__ = ["DATA_METHODS", "is_class", "is_look", "is_plain_text", "is_projects", "says_more"]

# `get_user`, `_calculate_cost`, `is_open`. A name of one such word says less: `get` of a client sends a request.
_LOOKS = frozenset(
    """
get list is has have are can should needs supports contains matches find count describe explain summarize calculate calc
compute estimate score rate format render parse validate check verify normalize sanitize slugify convert extract detect
classify compare tokenize encode decode filter sort group
""".split()
)
_LOOKS_ALONE = frozenset(
    "calculate calc compute estimate validate parse normalize sanitize slugify tokenize describe summarize".split()
)
# `to_csv("x")` writes a file; without arguments these give back what they were asked of.
_CONVERTS = ("to_", "as_")
DATA_METHODS = frozenset(
    """
keys items values lower upper title capitalize strip lstrip rstrip split rsplit splitlines startswith endswith isdigit
isalpha count index copy isoformat total_seconds most_common union intersection difference issubset issuperset
model_dump model_dump_json model_json_schema dict json
""".split()
)
_BOTH = frozenset("and or then".split())  # `get_or_create`, `validate_and_save`
_NOT_LOOKS = frozenset("check_call check_output check_in check_out find_library".split())
_DOES = frozenset(
    """
send sends sender mailer notify exec execute executor run runner spawn popen kill terminate remove unlink erase shell
subprocess eval shutdown
""".split()
)
_TEXT = re.compile(r"(?!-)(?!.*\.[^\W\d])[\w ,.!?+-]{0,80}")
_ADDRESS = re.compile(r"[\w.+-]{1,40}@[\w-]{1,40}(\.[\w-]{1,40})+")  # of mail: a name for somebody in tests
_CLASS = re.compile(r"[A-Z][A-Za-z0-9]*[a-z][A-Za-z0-9]*")
_MAX_STEPS = 5  # from one module of the project to the next that a name comes from


def is_look(name: str, *, alone: bool) -> bool:
    """`alone`: the call has no arguments."""
    plain = name.removeprefix("_")
    first, *rest = plain.lower().split("_")
    if plain.startswith("_") or plain in _NOT_LOOKS or not _BOTH.isdisjoint(rest):
        return False
    return (first in _LOOKS and any(rest)) or plain in _LOOKS_ALONE or (alone and plain.startswith(_CONVERTS))


def is_class(name: str) -> bool:
    return _CLASS.fullmatch(name) is not None


def says_more(name: str) -> bool:
    """Whether a name says that something is sent, deleted, deployed or run. A check in front excuses nothing here."""
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|[^A-Za-z]+", " ", name).lower().split()
    return is_risky_script(f"x {name}") or name in _NOT_LOOKS or not _DOES.isdisjoint(words)


def is_plain_text(text: str) -> bool:
    """No path, address, option or sign of any language."""
    return (_TEXT.fullmatch(text) or _ADDRESS.fullmatch(text)) is not None and not names_secret(text)


def is_projects(module: str, name: str, folders: tuple[str, ...], analyst: Analyst, steps: int = 0) -> bool:
    """Whether the project itself brings a name ("": the module), as far as its files say. One that no file binds is a
    module of its own, or makes the import fail."""
    top = module.partition(".")[0]
    folder = next((f for f in folders if any(analyst.exists(f"{f}/{one}") for one in (top, f"{top}.py"))), None)
    if folder is None or steps > _MAX_STEPS:
        return False
    file = _file_of(module, folder, analyst)
    if not all(is_inside(analyst.path(place, folder), analyst) for place in (".", top, f"{top}.py", file or ".")):
        return False
    tree = _tree_of(analyst.read_file(f"{folder}/{file}") if file and name else "", name)
    if tree is None:
        return False
    package = module if file.endswith("/__init__.py") else module.rpartition(".")[0]
    return all(is_projects(*one, folders, analyst, steps + 1) for one in _sources(tree, name, package))


def _file_of(module: str, folder: str, analyst: Analyst) -> str:
    path = module.replace(".", "/")
    return next((f for f in (f"{path}/__init__.py", f"{path}.py") if analyst.exists(f"{folder}/{f}")), "")


def _tree_of(text: str | None, name: str) -> ast.Module | None:
    """A module that gives the name to something of its own, if it binds it at all."""
    try:
        tree = ast.parse(text) if text is not None else None
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    return tree if tree is not None and all(_is_own(node, name) for node in ast.walk(tree)) else None


def _is_own(node: ast.AST, name: str) -> bool:
    """Whether a statement of a module does not give the name to a whole module, or to what has another name already."""
    if isinstance(node, ast.Import):
        return all(name != (alias.asname or alias.name.partition(".")[0]) for alias in node.names)
    if not isinstance(node, ast.Assign) or not isinstance(node.value, ast.Name | ast.Attribute):
        return True
    bound = (one for target in node.targets for one in ast.walk(target))
    return not any(isinstance(one, ast.Name) and one.id == name for one in bound)


def _sources(tree: ast.Module, name: str, package: str) -> Iterator[tuple[str, str]]:
    """(module, name there) from which a module of a package may take the name."""
    parts = package.split(".")
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            base = parts[: len(parts) - node.level + 1] if node.level else []
            source = ".".join(part for part in (*base, node.module or "") if part)
            for alias in node.names:
                if (alias.asname or alias.name) in (name, "*"):
                    yield source, name if alias.name == "*" else alias.name
