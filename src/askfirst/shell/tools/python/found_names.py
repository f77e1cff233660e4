"""Names of files that code in a command finds by itself: `for root, dirs, files in os.walk("src")`, `glob("*.md")`.

What it opens by such a name lies below the place that it looked in, as with `find src | xargs cat`. That holds as long
as names are only joined with names, and as nothing can put another one into a list of them: such a list must stand in
no place but where lists are read.
"""

from __future__ import annotations

import ast
import re
from collections import Counter

from askfirst.knowledge.secrets import names_secret

__all__ = ["FoundNames"]

_PLACE = re.compile(r"(?!.*\.\.)[\w.*?-][\w./*?-]*")
_PIECE = re.compile(r"(?!.*\.\.)[\w.-][\w./-]*")
_JOINED = re.compile(r"(?!.*\.\.)(?:[\w.-]+/)*\0(?:/(?:[\w.-]+/)*(?:\0|[\w.-]+))*")  # \0: a name that was found
_READS = frozenset("sorted len list set reversed enumerate print any all max min".split())
_LISTS = frozenset("sorted list set reversed".split())


class FoundNames:
    """`known`: what names of the code stand for modules and functions of Python's own; `own`: those that it binds."""

    def __init__(self, tree: ast.AST, known: dict[str, str], own: set[str]) -> None:
        self.nodes = list(ast.walk(tree))
        self.known, self.own = known, own
        self.parents = {id(child): node for node in self.nodes for child in ast.iter_child_nodes(node)}
        self.names: set[str] = set()  # variables that hold one name of a file
        self.lists: set[str] = set()  # and several
        self.places: set[str] = set()  # patterns of what is looked at
        self._find()

    def is_one(self, node: ast.expr | None) -> bool:
        """Whether it is a name that the code has found, or several joined to one."""
        if isinstance(node, ast.Name):
            return node.id in self.names
        if isinstance(node, ast.Subscript):
            number = isinstance(node.slice, ast.Constant) and isinstance(node.slice.value, int)
            return number and self._is_list(node.value)
        if isinstance(node, ast.JoinedStr):
            return self._is_joined_text(node)
        if not isinstance(node, ast.Call) or self._called(node) != "os.path.join" or node.keywords:
            return False
        return any(map(self.is_one, node.args)) and all(self.is_one(one) or self._is_piece(one) for one in node.args)

    def _is_joined_text(self, node: ast.JoinedStr) -> bool:
        """`f"docs/{name}"`."""
        pieces = ["\0" if self._is_shown(one) else str(getattr(one, "value", "..")) for one in node.values]
        self.places.update(f"{one.strip('/')}/**/*" for one in pieces if one.strip("\0/"))
        return _JOINED.fullmatch("".join(pieces)) is not None and not any(map(names_secret, pieces))

    def _is_shown(self, node: ast.expr) -> bool:
        plain = isinstance(node, ast.FormattedValue) and node.conversion < 0 and not node.format_spec
        return plain and self.is_one(node.value)  # type: ignore[attr-defined]

    def _is_piece(self, node: ast.expr) -> bool:
        """A plain text that stands beside a name; one in front is a place, too."""
        text = node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else "/"
        if _PIECE.fullmatch(text) is None or names_secret(text):
            return False
        self.places.add(f"{text.rstrip('/')}/**/*")
        return True

    def _called(self, node: ast.Call) -> str:
        """`os.walk`, `sorted`: what is called, by the name that Python has for it."""
        func: ast.expr = node.func
        behind = ""
        while isinstance(func, ast.Attribute):
            behind = f".{func.attr}{behind}"
            func = func.value
        if not isinstance(func, ast.Name) or func.id in self.own:
            return ""
        return self.known.get(func.id, "" if behind else func.id).rstrip(".") + behind

    def _looked_in(self, node: ast.expr, *names: str) -> bool:
        """`os.listdir("src")`: a look at a place that the text names."""
        if not isinstance(node, ast.Call) or self._called(node) not in names or len(node.args) != 1:
            return False
        place = getattr(node.args[0], "value", None)
        if not isinstance(place, str) or not _PLACE.fullmatch(place) or {k.arg for k in node.keywords} - {"recursive"}:
            return False
        self.places.add(place if {"*", "?"} & set(place) else f"{place.rstrip('/')}/**/*")
        if names[0] != "glob.glob":
            self.places.add("./**/*")  # where a name without its directory lies
        return True

    def _is_list(self, node: ast.expr) -> bool:
        if isinstance(node, ast.Name):
            return node.id in self.lists
        if isinstance(node, ast.Subscript):
            return isinstance(node.slice, ast.Slice) and self._is_list(node.value)
        if isinstance(node, ast.ListComp | ast.GeneratorExp):
            return self.is_one(node.elt)
        if isinstance(node, ast.Call) and self._called(node) in _LISTS:
            return len(node.args) == 1 and not node.keywords and self._is_list(node.args[0])
        return self._looked_in(node, "glob.glob", "glob.iglob") or self._looked_in(node, "os.listdir")

    # -- which variables hold them

    def _find(self) -> None:
        """All variables are taken for such, until no binding says otherwise of those that are left: what stands first
        in a run of the code is no name that was made of others."""
        stored = Counter(n.id for n in self.nodes if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load))
        free = set(stored) - {n.arg for n in self.nodes if isinstance(n, ast.arg)}
        self.names, self.lists, before = free, free, -1
        while before != len(self.names) + len(self.lists):
            before = len(self.names) + len(self.lists)
            self.places.clear()
            bound = Counter(one for node in self.nodes for one in self._bound(node))
            self.names, self.lists = (
                {name for name in kind if bound[name, is_list] == stored[name]}
                for kind, is_list in ((self.names, False), (self.lists, True))
            )
        if not all(map(self._is_only_read, self.nodes)):
            self.names, self.lists = set(), set()

    def _bound(self, node: ast.AST) -> list[tuple[str, bool]]:
        """The variables that a statement binds to what was found, and whether to several names."""
        if isinstance(node, ast.For | ast.comprehension):
            return self._bound_by_loop(node.target, node.iter)
        if not isinstance(node, ast.Assign) or len(node.targets) > 1 or not isinstance(node.targets[0], ast.Name):
            return []
        name = node.targets[0].id
        found = [(name, True)] if self._is_list(node.value) or self._is_filled(name, node.value) else []
        return [*found, (name, False)] if self.is_one(node.value) else found

    def _bound_by_loop(self, target: ast.expr, over: ast.expr) -> list[tuple[str, bool]]:
        if isinstance(target, ast.Name):
            return [(target.id, False)] if self._is_list(over) else []
        parts = [one.id if isinstance(one, ast.Name) else "" for one in getattr(target, "elts", ())]
        if len(parts) == 3 and self._looked_in(over, "os.walk"):
            return [(parts[0], False), (parts[1], True), (parts[2], True)]
        if len(parts) != 2 or not isinstance(over, ast.Call) or self._called(over) != "enumerate":
            return []
        return [(parts[1], False)] if self._is_list(over.args[0]) else []

    def _is_filled(self, name: str, value: ast.expr) -> bool:
        """`found = []`, to which nothing is added but names."""
        added = [call for call in self.nodes if isinstance(call, ast.Call) and _adds_to(call) == name]
        empty = isinstance(value, ast.List) and not value.elts
        return empty and bool(added) and all(len(call.args) == 1 and self.is_one(call.args[0]) for call in added)

    def _is_only_read(self, node: ast.AST) -> bool:
        """Whether a list of names stands where nothing else can come into it."""
        if not isinstance(node, ast.Name) or node.id not in self.lists or not isinstance(node.ctx, ast.Load):
            return True
        above = self.parents[id(node)]
        if isinstance(above, ast.Call):
            return isinstance(above.func, ast.Name) and above.func.id in _READS - self.own and not above.keywords
        if isinstance(above, ast.Subscript):
            return isinstance(above.ctx, ast.Load) or self._narrows(above)
        if isinstance(above, ast.Attribute):  # `found.append(…)` of names, or there would be no such list
            call = self.parents[id(above)]
            return isinstance(call, ast.Call) and _adds_to(call) == node.id and self.is_one((*call.args, None)[0])
        return isinstance(above, ast.For | ast.comprehension | ast.Compare | ast.FormattedValue | ast.If)

    def _narrows(self, node: ast.Subscript) -> bool:
        """`dirs[:] = [d for d in dirs if …]`."""
        above = self.parents[id(node)]
        return isinstance(above, ast.Assign) and isinstance(node.slice, ast.Slice) and self._is_list(above.value)


def _adds_to(call: ast.Call) -> str:
    """`found` of `found.append(x)`."""
    func = call.func
    plain = isinstance(func, ast.Attribute) and func.attr == "append" and isinstance(func.value, ast.Name)
    return func.value.id if plain else ""  # type: ignore[attr-defined]
