"""find_usage: where a name is defined, called, imported and used, by syntax and not by text: a word in a comment or a
string is no use of it. Python by jedi, other languages by ast-grep; without them the tool says what to install."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from typing import Any

from askfirst.redact import redact
from askfirst.toolbox.chunks import MAX_LINE
from askfirst.toolbox.code_files import CodeFile, language_of, sources
from askfirst.toolbox.place import Place, enter, note_shown
from askfirst.toolbox.tool_result import Failure

MAX_USES = 500
MAX_FOLLOWED = 150  # references whose definition jedi is asked for
_ORDER = {"definition": 0, "call": 1, "import": 2, "reference": 3}


@dataclass(frozen=True)
class Usage:
    path: str
    line: int
    kind: str  # definition, call, import, reference
    what: str  # of a definition: function, class, …; of a Python reference: the definition it leads to
    text: str


def find_usage(place: Place, symbol: str) -> dict[str, Any]:
    layers = enter(place, "find_usage", symbol=symbol)
    name = symbol.rpartition(".")[2].rpartition("::")[2]
    if not re.fullmatch(r"[^\W\d]\w*", name):
        raise Failure("InvalidArgument", f"`{symbol}` is not a name", "a function, class or variable: `Gate.decide`")
    found, cut = sources(place.project, layers, holding=name)
    uses, missing = _in_all(found, symbol, name)
    if missing and not uses:
        wanted = " and ".join(sorted(missing))
        raise Failure("Unavailable", f"find_usage needs {wanted}", "ask the user: pip install 'askfirst[tools]'")
    kept = sorted(_of_owner(uses, symbol, name), key=lambda u: (_ORDER[u.kind], u.path, u.line))[:MAX_USES]
    note_shown(place, layers, (u.path for u in kept))
    rows = [asdict(u) | {"text": redact(u.text[:MAX_LINE])} for u in kept]
    counts = {kind: sum(u.kind == kind for u in kept) for kind in _ORDER}
    return {
        "symbol": symbol,
        "counts": counts,
        "uses": rows,
        "truncated": len(uses) >= MAX_USES or cut,
        "not_looked_at": [f"files that need {m}" for m in sorted(missing)],
    }


def _in_all(found: list[CodeFile], symbol: str, name: str) -> tuple[list[Usage], set[str]]:
    """The uses in these files, and the packages that were missing to look into some of them."""
    uses: list[Usage] = []
    missing: set[str] = set()
    for source in found:
        if len(uses) >= MAX_USES:
            break
        try:
            uses += _in_python(source, symbol, name) if source.language == "python" else _in_other(source, name)
        except ImportError as error:
            missing.add("jedi" if (error.name or "").startswith("jedi") else "ast-grep-py")
    return uses, missing


def _of_owner(uses: list[Usage], symbol: str, name: str) -> list[Usage]:
    """`Gate.decide` means that class's: other definitions of the name, and what certainly leads to them, are left
    out."""
    owner = symbol[: -len(name)].rstrip(".:").rpartition(".")[2].rpartition("::")[2]
    if not owner:
        return uses
    return [u for u in uses if not u.what or "." not in u.what or owner in u.what.split(" ")[-1].split(".")]


# -- Python


def _in_python(source: CodeFile, symbol: str, name: str) -> Iterator[Usage]:
    import jedi

    # The interpreter of askfirst itself: the project's own environment is code that nobody has judged.
    environment = jedi.create_environment(sys.executable, safe=False)
    project = jedi.Project(source.project, load_unsafe_extensions=False, smart_sys_path=False, added_sys_path=())
    script = jedi.Script(source.text, path=source.full_path, project=project, environment=environment)
    lines = source.text.splitlines()
    names = _quietly(lambda: script.get_names(all_scopes=True, definitions=True, references=True), [])
    followed = 0
    for one in names:
        if one.name != name or not one.line or one.line > len(lines):
            continue
        text = lines[one.line - 1]
        if one.is_definition() and one.type != "module":
            is_import = bool(re.match(r"\s*(from|import)\b", text))
            kind = "import" if is_import else "definition"
            yield Usage(source.path, one.line, kind, "" if is_import else f"{one.type} {_full(one)}", text.strip())
            continue
        behind = text[(one.column or 0) + len(name) :].lstrip()
        leads_to = ""
        if "." in symbol and followed < MAX_FOLLOWED:
            followed += 1
            leads_to = _target(one)
        kind = "call" if behind.startswith("(") else "import" if re.match(r"\s*(from|import)\b", text) else "reference"
        yield Usage(source.path, one.line, kind, leads_to, text.strip())


def _full(name: Any) -> str:
    return str(_quietly(lambda: name.full_name, "") or name.name)


def _target(name: Any) -> str:
    found = _quietly(lambda: name.goto(follow_imports=True), [])
    return str(_quietly(lambda: found[0].full_name, "") or "") if found else ""


def _quietly(look: Callable[[], Any], otherwise: Any) -> Any:
    """jedi fails on odd code in many ways; what it cannot tell is then simply not known."""
    try:
        return look()
    except Exception:
        return otherwise


# -- the other languages

_PLAIN = ("reference", "")
_IMPORTING = ("import", "use_declaration", "require")
_DEFINING = ("declaration", "definition", "_item", "declarator", "_spec", "signature")
_AROUND = frozenset(  # what stands between a name and what it is part of
    """
    member_expression field_expression scoped_identifier selector_expression qualified_name navigation_expression
    variable_declarator init_declarator function_declarator pointer_declarator generic_type scoped_type_identifier
    """.split()
)
_CALLING = (
    "call_expression",
    "method_invocation",
    "invocation_expression",
    "call",
    "new_expression",
    "macro_invocation",
)


def _in_other(source: CodeFile, name: str) -> Iterator[Usage]:
    from ast_grep_py import SgRoot

    root = SgRoot(source.text, language_of(source.path)).root()
    lines = source.text.splitlines()
    for node in root.find_all({"rule": {"regex": f"^{re.escape(name)}$"}}):
        kind = node.kind()
        if not node.is_leaf() or not ("identifier" in kind or kind in ("constant", "name", "word", "type_identifier")):
            continue
        line = node.range().start.line + 1
        how, what = _role(node)
        yield Usage(source.path, line, how, what, lines[line - 1].strip() if line <= len(lines) else "")


def _role(node: Any) -> tuple[str, str]:
    """How a name is used, by what stands around it."""
    at = node
    for _ in range(4):
        at = at.parent()
        if at is None:
            break
        kind = at.kind()
        if any(word in kind for word in _IMPORTING):
            return "import", ""
        if kind in _CALLING:
            return ("call", "") if _names(at, node, "function", "name", "constructor", "method") else _PLAIN
        if kind.endswith(_DEFINING):
            return ("definition", kind) if _names(at, node, "name", "declarator") else _PLAIN
        if kind not in _AROUND:
            break
    return _PLAIN


def _names(outer: Any, node: Any, *fields: str) -> bool:
    """Whether the node is what these fields of another one say: the function of a call, the name of a definition."""
    named = next((found for f in fields if (found := outer.field(f)) is not None), None)
    return named is not None and _holds(named, node)


def _holds(outer: Any, inner: Any) -> bool:
    a, b = outer.range(), inner.range()
    return bool(a.start.index <= b.start.index and b.end.index <= a.end.index)
