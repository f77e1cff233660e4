"""The form of the code: formatted, linted, simple; imports at the top; one name for one thing; no broad except."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from radon.complexity import cc_visit

from tests.test_architecture import modules

PROJECT = Path(__file__).parents[1]
MAX_COMPLEXITY = 15

# Modules whose functions import what they need when they need it: the hook of an allowed command loads them, and every
# module that it need not load is time that the agent waits. What `loaded_by_the_hook` measures counts as well.
HOT_PATH = {
    "launch": "starts the hook without `site`",
    "__main__": "the hook passes through it",
    "agents": "each agent's wire format is on the path of that agent's hook",
    "shell": "which table of tools is loaded depends on the command",
    "processes": "looked at when a command kills",
    "text": "loads tables of characters only for text that is not plain",
    "store.alerts": "looked at when something is refused",
    "store.pause": "looked at on every call",
}
NOT_HOT = ("agents.*.install", "agents.claude.settings", "agents.claude.mcp", "agents.claude.skills")
# Other modules that import inside a function, and why they may.
LATE_IMPORTS = {
    "": "the API for programs is read when it is first used; the hook imports the package, too",
    "box.launcher": "every contained command waits for its start; what only a failure needs is loaded then",
    "box.session": "the same: what only the first command of a session needs",
    "box.supervisor": "the same: what only a command that changed something needs",
    "commands.mcp": "the extra `mcp` may not be installed; the message says how to get it",
    "mcp.matching": "runs in a child that loads nothing but what it needs",
    "mcp.server": "the extra `mcp` may not be installed",
    "sdk": "the extra `sdk` may not be installed",
    "sdk.gate": "the extra `sdk` may not be installed",
}

# Names that two modules share with one meaning. Not listed here because the folder says it: an agent's `install` and
# `wire`, and a command called as the thing that it shows (`commands.grants`, `store.grants`).
SHARED_MODULE_NAMES = {
    "engine": "what reads the rows of tools, and what holds a command in its box",
    "gate": "the gate, and the gate inside an Agent SDK program",
    "merge": "how two texts are merged, and how the dialog draws that",
    "server": "each surface's own server",
    "terminal": "a terminal that is drawn on: the dialog's, and an Agent SDK program's",
    "patch": "patches: what a tool does with one, and the one that the MCP tool reads",
    "options": "how options are read, and git's own",
    "approval": "asking a person, and what an approval of a write binds",
    "agents": "the agents, and what installs them",
    "shells": "a family of programs, and its main members",
    "builtins": "the shell's builtins: what they do to a script, and their rows",
    "config": "a file of settings: the rule files', and git's",
    "expansions": "expansions: reading them, and walking over them",
    "lines": "lines of a text: comparing files, and what an error drops of a script",
    "read": "what only looks: at the log, and git's rows for that",
    "registry": "an explicit table of what is loaded by name: commands, and tables of programs",
    "simple": "simple commands: reading them, and walking over them",
    "table": "an explicit table: the agents, and the form of the rows of programs",
    "tools": "tools: those of agents, and families of programs",
    "variables": "shell variables: which names matter, and what a script does to them",
}
SHARED_CLASS_NAMES: dict[str, str] = {}

# module.function -> why nothing narrower than Exception will do.
BROAD_EXCEPTS = {
    "box.start": "the border of the launcher: whatever went wrong is said, and nothing was run",
    "box.supervisor.supervise_in_background": "the border of its process: the launcher is told, and nothing was run",
    "box.applying.apply": "cleans up and raises again: all or none, also on a signal",
    "hook.main": "the border of the hook: whatever went wrong is a deny",
    "hook.close": "the last word, when even the deny could not be said: exit code 2",
    "hook.respond": "an error is answered in the words of the event in which it happened",
    "launch": "a broken installation must not open the gate: any exit code but 2 lets the call run",
    "sdk.gate.Gate._answer": "the same border inside a program: an error is a deny",
    "sdk.gate.Gate._reply": "the same, in the thread that does the work",
    "mcp.tool_result.run": "the border of a tool: what goes wrong is a result that the agent can read",
    "tui.guardian._drawing": "the border of the process that draws: told, and never an approval",
    "web.live.Live._run": "the page's thread lives on when the store is away for a moment; the pages are told",
    "world.World.ask": "cleans up and raises again: a question of a dying hook is withdrawn, also on a signal",
    "store.pending.FilePending.create": "cleans up and raises again: a request that nobody waits for must not stay",
    "store.atomic.write_atomic": "cleans up and raises again: no temporary file stays, also on a signal",
    "store.atomic.hold": "cleans up and raises again: no descriptor stays open, also on a signal",
    "shell.facts_of_text": "whatever breaks in the analysis is an Unknown fact, which no rule allows",
    "shell.walk.calls.outcome_of": "an error in a row's code is an Unknown fact, which no rule allows",
    "shell.reading.second_opinion.second_opinion": "bashlex raises almost anything; the text is then not understood",
    "shell.fast_bashlex.parser_module": "the real bashlex may still do what the fast copy of it does not",
}


def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("words", [("format", "--check"), ("check",)], ids=" ".join)
def test_ruff_is_content(words: tuple[str, ...]) -> None:
    command = [sys.executable, "-m", "ruff", *words, "--quiet", str(PROJECT)]
    ran = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, (ran.stdout + ran.stderr)[-4000:]


def test_functions_are_simple() -> None:
    tangled = [
        f"{name}.{block.fullname if hasattr(block, 'fullname') else block.name}: {block.complexity}"
        for name, path in modules()
        for block in cc_visit(path.read_text(encoding="utf-8"))
        if block.letter != "C" and block.complexity > MAX_COMPLEXITY
    ]
    assert not tangled, "split these by meaning:\n" + "\n".join(tangled)


# -- imports are at the top of the file -------------------------------------------------------------------------------


@cache
def loaded_by_the_hook(home: Path) -> frozenset[str]:
    """The modules of askfirst that the hook has loaded after it allowed a plain command, a long one and a write."""
    long = 'for f in *.py; do wc -l "$f"; done > a-note.md; cat <<\'E\'\nx\nE\n(ls); echo "$(pwd)"'
    calls = (
        ("Bash", {"command": "git status"}),
        ("Bash", {"command": long}),
        ("Write", {"file_path": str(home / "notes.txt"), "content": "x\n"}),
    )
    code = (
        f"import sys; sys.path[:0] = {sys.path!r}; from askfirst.hook import main; main([]);"
        "sys.stderr.write(' '.join(m for m in sys.modules if m.startswith('askfirst.')))"
    )
    found: set[str] = set()
    for tool, given in calls:
        event = {
            "session_id": "s", "transcript_path": "/dev/null", "cwd": str(home), "permission_mode": "default",
            "hook_event_name": "PreToolUse", "tool_name": tool, "tool_input": given, "tool_use_id": "t",
        }  # fmt: skip
        ran = subprocess.run(
            [sys.executable, "-I", "-S", "-c", code],
            input=json.dumps(event),
            capture_output=True,
            text=True,
            check=True,
            env=dict(os.environ),
        )
        assert '"allow"' in ran.stdout, ran.stdout
        found.update(name.removeprefix("askfirst.") for name in ran.stderr.split())
    return frozenset(found)


def is_hot(name: str, loaded: frozenset[str]) -> bool:
    if any(Path(name).match(pattern) for pattern in NOT_HOT):
        return False
    return name in loaded or any(name == hot or name.startswith(f"{hot}.") for hot in HOT_PATH)


def late_imports(tree: ast.Module) -> set[int]:
    """The lines of imports inside functions."""
    return {
        node.lineno
        for function in ast.walk(tree)
        if isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef))
        for node in ast.walk(function)
        if isinstance(node, (ast.Import, ast.ImportFrom))
    }


def test_imports_are_at_the_top(home: Path) -> None:
    loaded = loaded_by_the_hook(home)
    late = [
        f"{name}: lines {', '.join(map(str, sorted(lines)))}"
        for name, path in modules()
        if not is_hot(name, loaded) and name not in LATE_IMPORTS and (lines := late_imports(tree_of(path)))
    ]
    assert not late, "imports inside functions of modules that the hook does not load:\n" + "\n".join(late)


def test_the_lists_of_late_imports_are_true() -> None:
    """Nothing stands in them that is gone, or that needs no exception any more."""
    trees = {name: tree_of(path) for name, path in modules()}
    assert [name for name in LATE_IMPORTS if name not in trees or not late_imports(trees[name])] == []
    assert [hot for hot in HOT_PATH if not any(n == hot or n.startswith(f"{hot}.") for n in trees)] == []


# -- one name, one thing ----------------------------------------------------------------------------------------------


def test_no_two_modules_have_one_name() -> None:
    named = defaultdict(set)
    for name, path in modules():
        is_package, first = path.name == "__init__.py", name.split(".")[0]
        if first == "commands" or first == "agents" and name.count(".") == 2:
            continue
        named[name.rpartition(".")[2]].add(f"{name} (package)" if is_package else name)
    twice = {name: sorted(where) for name, where in named.items() if len(where) > 1 and name not in SHARED_MODULE_NAMES}
    assert not twice, "\n".join(f"{name}: {', '.join(where)}" for name, where in sorted(twice.items()))


def test_no_two_classes_have_one_name() -> None:
    named = defaultdict(set)
    for name, path in modules():
        for node in ast.walk(tree_of(path)):
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                named[node.name].add(name)
    twice = {name: sorted(where) for name, where in named.items() if len(where) > 1 and name not in SHARED_CLASS_NAMES}
    assert not twice, "\n".join(f"{name}: {', '.join(where)}" for name, where in sorted(twice.items()))


# -- broad excepts ----------------------------------------------------------------------------------------------------


def broad_excepts(name: str, tree: ast.Module) -> Iterator[str]:
    """`module.Class.function` for each `except` (or `suppress`) that takes everything."""

    def visit(node: ast.AST, where: str) -> Iterator[str]:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            where = f"{where}.{node.name}"
        caught: list[ast.expr | None] = []
        if isinstance(node, ast.ExceptHandler):
            caught = list(node.type.elts) if isinstance(node.type, ast.Tuple) else [node.type]
        elif isinstance(node, ast.Call) and ast.unparse(node.func) in ("suppress", "contextlib.suppress"):
            caught = list(node.args)
        if any(kind is None or ast.unparse(kind) in ("Exception", "BaseException") for kind in caught):
            yield where
        for child in ast.iter_child_nodes(node):
            yield from visit(child, where)

    yield from visit(tree, name)


def test_every_broad_except_has_its_reason() -> None:
    found = sorted(where for name, path in modules() for where in broad_excepts(name, tree_of(path)))
    assert found == sorted(BROAD_EXCEPTS), "name the error, or add the place and its reason to BROAD_EXCEPTS"


@pytest.mark.parametrize(
    "code", ["except Exception:", "except BaseException as e:", "except:", "except (OSError, Exception):"]
)
def test_a_broad_except_is_found(code: str) -> None:
    tree = ast.parse(f"class C:\n  def f(self):\n    try: pass\n    {code} pass\n")
    assert list(broad_excepts("m", tree)) == ["m.C.f"]
