"""Small mistakes planted in the analysis: does a row of the tables notice each of them?

    python -m tests.mutants [MODULE …]        every mutant of the survey and the walk, or of these modules

What is certain at a point of a script is kept in sets, flags and `None`s, and a mistake there (a branch that is not
joined, a flag that is never set) shows in few scripts. Each mutant drops one such statement, or one operand or early
answer of a predicate; then the rows of tests/cases/shell_*.yaml must fail. A mutant that survives is either code that
does nothing, or a case that is missing.
"""

from __future__ import annotations

import ast
import copy
import importlib.abc
import importlib.util
import os
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

SHELL = Path(__file__).parent.parent / "src" / "askfirst" / "shell"
# Where certainty is kept.
MODULES = (
    *(f"survey.{name}" for name in ("__init__", "builtins", "commands", "naming", "variables", "modes", "movement")),
    *(f"walk.{name}" for name in ("state", "lists", "control", "directories", "assignments", "calls")),
    *(f"walk.{name}" for name in ("redirections", "expansions", "simple", "credentials")),
    "lines",
)
# Calls that change what is certain.
CHANGES = frozenset(
    "add update append pop join join_all rely_on_directory anything_may_happen leave_early set hazards visit hand_on "
    "unknown unknown_if conclude script words parts node redirects".split()
)
PREDICATES = ("may_", "is_", "has_", "only_", "changes_", "makes_", "leaves_", "name_only", "are_in", "traces")
# Mutants that change nothing that could be seen, and why.
FASTER, TYPES, UNREACHED, STRICTER = "a short cut", "for the type checker", "is never so", "asks more"
EQUIVALENT = {
    'survey.builtins: is_braced: operand 1 dropped of `"{" in word.text and': FASTER,
    "walk.lists: lines: operand 1 dropped of `walk.ledger is None or": FASTER,
    "walk.lists: lines: operand 2 dropped of `walk.ledger is None or": FASTER,
    "walk.control: loop: without `walk.turns += 1`": FASTER,
    "walk.control: may_unroll: operand 2 dropped of `not 0 < len(words) <=": FASTER,
    "walk.simple: call_or_assign: operand 1 dropped of `s.array is None or": FASTER,
    "walk.directories: target_of: operand 2 dropped of `(operands[0].value if": TYPES,
    # Where a variable in place of a name may be empty, everything is uncertain, the variable too.
    "walk.simple: call_or_assign: operand 1 dropped of `not words or": UNREACHED,
    'walk.simple: check_environment: operand 2 dropped of `one.name == "IFS" and words': UNREACHED,
    "walk.credentials: are_in: operand 2 dropped of `self._found is None or": STRICTER,
}


@dataclass(frozen=True)
class Mutant:
    module: str
    line: int
    what: str
    tree: ast.Module

    @property
    def name(self) -> str:
        return f"{self.module}: {self.what}"


def mutants(module: str) -> Iterator[Mutant]:
    source = path_of(module).read_text(encoding="utf-8")
    tree = ast.parse(source)
    for function in [n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef) and n.name != "__init__"]:
        predicate = function.name.startswith(PREDICATES)
        for node in ast.walk(function):
            for what, change in changes(node, predicate):
                changed = copy.deepcopy(tree)
                apply(changed, node, change)
                text = (ast.get_source_segment(source, node) or "").partition("\n")[0]
                yield Mutant(module, node.lineno, f"{function.name}: {what} `{text.strip()[:90]}`", changed)  # type: ignore[attr-defined]


def changes(node: ast.AST, predicate: bool) -> Iterator[tuple[str, Any]]:
    """What may be done to one node: a word for it, and the node in its place (None: nothing)."""
    if isinstance(node, ast.AugAssign) or (isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Attribute)):
        yield "without", None
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) and called(node.value) in CHANGES:
        yield "without", None
    if isinstance(node, ast.If) and predicate:
        yield "never", ast.Constant(False)
    if isinstance(node, ast.BoolOp):
        neutral = isinstance(node.op, ast.And)
        for k in range(len(node.values)):
            yield f"operand {k + 1} dropped of", (k, ast.Constant(neutral))


def called(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")


def apply(tree: ast.Module, node: ast.AST, change: Any) -> None:
    """`node` belongs to another copy of the same tree."""
    place = (type(node), node.lineno, node.col_offset, node.end_col_offset)  # type: ignore[attr-defined]

    def is_it(other: ast.AST) -> bool:
        return (type(other), *(getattr(other, n, 0) for n in ("lineno", "col_offset", "end_col_offset"))) == place

    class Change(ast.NodeTransformer):
        def visit(self, found: ast.AST) -> Any:
            if not is_it(found):
                return self.generic_visit(found)
            if change is None:
                return ast.copy_location(ast.Pass(), found)
            if isinstance(found, ast.BoolOp):
                found.values[change[0]] = ast.copy_location(change[1], found)
            elif isinstance(found, ast.If):
                found.test = ast.copy_location(change, found)
            return found

    Change().visit(tree)
    ast.fix_missing_locations(tree)


# -- one mutant, in a process of its own


def path_of(module: str) -> Path:
    return SHELL / f"{module.replace('.', '/')}.py"


class Planted(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Imports one module of the analysis from a changed tree."""

    def __init__(self, mutant: Mutant) -> None:
        self.mutant = mutant
        self.name = f"askfirst.shell.{mutant.module}".removesuffix(".__init__")

    def find_spec(self, fullname: str, path: Any = None, target: Any = None) -> Any:
        if fullname != self.name:
            return None
        file = path_of(self.mutant.module)
        folders = [str(file.parent)] if file.name == "__init__.py" else None
        return importlib.util.spec_from_file_location(fullname, file, loader=self, submodule_search_locations=folders)

    def exec_module(self, module: Any) -> None:
        exec(compile(self.mutant.tree, str(path_of(self.mutant.module)), "exec"), vars(module))


def failing_row(directory: Path) -> str:
    """The first row that does not hold, or ""."""
    from tests.shell import test_syntax

    surroundings = test_syntax.around(directory)
    zsh, sh = replace(surroundings, shell="zsh"), replace(surroundings, shell="sh")
    tables = [
        (test_syntax.load("shell_certainty.yaml"), surroundings),
        (test_syntax.load("shell_syntax.yaml") + test_syntax.load("shell_regressions.yaml"), surroundings),
        (test_syntax.load("shell_zsh.yaml"), zsh),
        (test_syntax.load("shell_sh.yaml"), sh),
    ]
    for rows, place in tables:
        for row in rows:
            try:
                test_syntax.holds(row, place)
            except Exception:
                return str(row["run"])
    return ""


def survives(mutant: Mutant | None) -> bool:
    child = os.fork()
    if child == 0:
        code = 2
        try:
            if mutant is not None:
                sys.meta_path.insert(0, Planted(mutant))
            with tempfile.TemporaryDirectory() as directory:
                project = Path(directory).resolve() / "project"
                project.mkdir()
                code = 1 if failing_row(project) else 0
        finally:
            os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def main(arguments: list[str]) -> int:
    import pytest  # noqa: F401  before the fork
    import yaml  # noqa: F401

    if not survives(None):
        print("the rows do not hold before anything is changed")
        return 2
    count, survivors = 0, []
    for module in arguments or MODULES:
        for mutant in mutants(module):
            count += 1
            if not mutant.name.startswith(tuple(EQUIVALENT)) and survives(mutant):
                survivors.append(mutant)
                print(f"survived  {mutant.module}:{mutant.line}  {mutant.what}", flush=True)
    print(f"{count} mutants, {len(EQUIVALENT)} equivalent, {len(survivors)} survived")
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
