"""The drawing holds: a tier imports only lower tiers, there are no cycles, and the allow path stays light."""

from __future__ import annotations

import argparse
import ast
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import askfirst
from askfirst.agents.table import AGENTS
from askfirst.cli import build_parser
from askfirst.cli.registry import COMMANDS, load_command
from askfirst.knowledge.tools import SUBJECTS

ROOT = Path(askfirst.__file__).parent

TEAM_SURFACES = "administer anchors both checks desk hearing relay schema tally versions".split()
# A module's name below `askfirst`, or the beginning of one -> its tier. The longest beginning counts.
TIERS = {
    **dict.fromkeys(
        (
            "",
            "model",
            "errors",
            "text",
            "redact",
            "digest",
            "jsontext",
            "plain_signs",
            "knowledge",
            "links",
            "wording",
            "cold",
        ),
        0,
    ),
    **dict.fromkeys(("agents", "shell", "policy", "files", "processes", "kills"), 1),
    **dict.fromkeys(("store", "audit", "masks"), 2),
    **dict.fromkeys(("approval", "box"), 3),
    **dict.fromkeys(
        (
            "contained",
            "containing",
            "gate",
            "learning",
            "masking",
            "notices",
            "outside",
            "proposals",
            "report",
            "seen",
            "tool_facts",
            "world",
        ),
        4,
    ),
    # What a hook that asks a team needs, and what answers for one.
    **dict.fromkeys(("team", "team.joined", "team.mailbox", "team.proof", "team.database", "team.courier"), 3),
    "team.elsewhere": 3,
    **dict.fromkeys((f"team.{name}" for name in TEAM_SURFACES), 5),
    **dict.fromkeys(("tui", "web", "mcp", "toolbox", "sdk", "for_programs", "install"), 5),
    **dict.fromkeys(("hook", "hook_events", "launch", "resident", "cli", "commands", "__main__"), 5),
    # An agent's folder holds its wire format (tier 1) and what installs it (tier 5).
    **dict.fromkeys((f"agents.{agent}.install" for agent in AGENTS), 5),
    **dict.fromkeys(("agents.claude.checks", "agents.claude.mcp", "agents.claude.client", "agents.claude.start"), 5),
    "agents.table": 0,
    # The process of a contained command: everything else of the box is a value or a tool for it.
    **dict.fromkeys(("box.start", "box.launcher", "box.supervisor"), 5),
}
# Within tier 1, who may know whom.
SAME_TIER = {("processes", "kills"), ("files", "policy")}
# Imports inside a function: of an extra that may be missing.
LATE_IMPORTS = {"commands.mcp"}
# What the hook must not pay for when a known command is allowed.
HEAVY = (
    *"rich yaml argparse subprocess http asyncio inspect pathlib bashlex mcp hashlib typing psycopg".split(),
    *"re json contextlib importlib.util signal".split(),
    "askfirst.resident",
    "askfirst.team",
)
FOR_A_SCRIPT = ("bashlex", "re", "contextlib", "importlib.util")  # the parser
FOR_A_PATH = ("re",)  # what looks random in one is not logged


def modules() -> Iterator[tuple[str, Path]]:
    for path in sorted(ROOT.rglob("*.py")):
        parts = path.relative_to(ROOT).with_suffix("").parts
        yield ".".join(p for p in parts if p != "__init__"), path


def imports(name: str, path: Path, *, at_load: bool = False) -> Iterator[str]:
    """Modules of askfirst that a module names; with `at_load`, only those that importing it imports."""
    tree = _tree(path)
    inside = {
        id(child)
        for node in ast.walk(tree)
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) or _is_typing_only(node)
        for child in ast.walk(node)
    }
    for node in ast.walk(tree):
        if at_load and id(node) in inside:
            continue
        if isinstance(node, ast.Import):
            yield from (
                a.name.removeprefix("askfirst").strip(".") for a in node.names if a.name.split(".")[0] == "askfirst"
            )
        elif isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "askfirst" and not node.level:
            base = (node.module or "").removeprefix("askfirst").strip(".")
            for alias in node.names:
                whole = f"{base}.{alias.name}".strip(".")
                file = ROOT / Path(*whole.split("."))
                yield whole if file.with_suffix(".py").exists() or file.is_dir() else base
        elif isinstance(node, ast.ImportFrom) and node.level:
            raise AssertionError(f"{name}: relative imports hide the tier; write `from askfirst…`")


def _tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def _is_typing_only(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"


def top(name: str) -> str:
    return name.split(".")[0]


def tier(name: str) -> int:
    parts = name.split(".")
    return next(TIERS[begin] for n in range(len(parts), 0, -1) if (begin := ".".join(parts[:n])) in TIERS)


def test_every_module_has_a_tier() -> None:
    assert not {top(name) for name, _ in modules()} - set(TIERS)


def test_a_tier_imports_only_lower_tiers() -> None:
    wrong = []
    for name, path in modules():
        for used in imports(name, path):
            if (name, used) == ("", "for_programs"):
                continue  # the package's face: its names are read from there when they are first used
            here, there = top(name), top(used)
            if tier(used) < tier(name) or tier(used) == tier(name) and (here == there or tier(name) != 1):
                continue
            if tier(used) == tier(name) and (here, there) in SAME_TIER:
                continue
            wrong.append(f"{name} (tier {tier(name)}) imports {used} (tier {tier(used)})")
    assert not wrong, "\n".join(wrong)


PARTS_OF_THE_JUDGE = ("judge_write", "judge_read")


def test_only_the_judge_calls_its_parts() -> None:
    """Roles, pause, blocks and the log count for every question only if all of them go through `judge`."""
    users = {
        name
        for name, path in modules()
        if top(name) != "policy"
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, (ast.Name, ast.Attribute, ast.alias))
        and getattr(node, "id", getattr(node, "attr", getattr(node, "name", ""))).lstrip("_") in PARTS_OF_THE_JUDGE
    }
    assert not users


def test_there_are_no_cycles() -> None:
    """Importing a module never comes back to it. (Imports inside functions happen later: so two halves can meet.)"""
    known = dict(modules())
    graph = {
        name: {u for u in imports(name, path, at_load=True) if u in known and u != name} for name, path in known.items()
    }
    state: dict[str, int] = {}

    def visit(name: str, trail: tuple[str, ...]) -> None:
        state[name] = 1
        for used in sorted(graph[name]):
            assert state.get(used) != 1, f"a cycle: {' -> '.join((*trail, name, used))}"
            if used not in state:
                visit(used, (*trail, name))
        state[name] = 2

    for name in sorted(graph):
        if name not in state:
            visit(name, ())


def test_only_one_module_knows_bashlex() -> None:
    users = [
        name
        for name, path in modules()
        if "bashlex"
        in {
            (n.names[0].name if isinstance(n, ast.Import) else n.module or "").split(".")[0]
            for n in ast.walk(_tree(path))
            if isinstance(n, (ast.Import, ast.ImportFrom))
        }
    ]
    assert all(top(u) == "shell" for u in users), users


@pytest.mark.parametrize(
    ("tool", "given"),
    [
        ("Bash", "git status"),
        ("Bash", "ls -la src"),
        ("Bash", "git log --oneline | head -5"),
        (
            "Bash",
            'for f in *.py; do wc -l "$f"; done > note-with-a-long-name.md; cat <<\'EOF\'\nx\nEOF\n(ls); echo "$(pwd)"',
        ),
        ("Read", "src/a.py"),
        ("Grep", "src"),
    ],
)
def test_the_allow_path_is_light(tool: str, given: str, project: Path, home: Path) -> None:
    """The hook's own process, for what rules allow: nothing heavy was imported, and no one was asked."""
    needed = FOR_A_SCRIPT if "\n" in given else () if tool == "Bash" else FOR_A_PATH
    heavy = tuple(name for name in HEAVY if name not in needed)
    event = {
        "session_id": "s",
        "transcript_path": "/dev/null",
        "cwd": str(project),
        "permission_mode": "default",
        "hook_event_name": "PreToolUse",
        "tool_name": tool,
        "tool_input": {SUBJECTS[tool]: given},
        "tool_use_id": "toolu_1",
    }
    code = (
        "import sys\n"
        f"sys.path[:0] = {sys.path!r}\n"
        "before = set(sys.modules)\n"
        "from askfirst import cold\n"
        "cold.install()\n"
        "from askfirst.hook import main\n"
        "code = main([])\n"
        "loaded = {name for name, module in sys.modules.items() if not isinstance(module, cold.Late)} - before\n"
        "loaded |= {*cold._standard}\n"
        f"heavy = [m for m in {heavy!r} if m in loaded]\n"
        "sys.stderr.write('HEAVY ' + ','.join(heavy) + ' CODE ' + str(code))\n"
    )
    where = {k: v for k, v in os.environ.items() if not k.startswith(("CLAUDE", "ASKFIRST"))}
    # Twice: the first run may fill caches.
    for _ in range(2):
        ran = subprocess.run(
            [sys.executable, "-I", "-S", "-c", code],
            input=json.dumps(event),
            capture_output=True,
            text=True,
            env=where,
            check=False,
        )
    answer = json.loads(ran.stdout)
    # Reading is left to the client, which the hook says by saying nothing.
    assert answer.get("hookSpecificOutput", {}).get("permissionDecision", "allow") == "allow", (answer, ran.stderr)
    assert bool(answer) == (tool == "Bash")
    assert ran.stderr.rpartition("HEAVY")[2].split(" CODE ")[0].strip() == "", ran.stderr


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_its_module(command: str) -> None:
    module = load_command(command)
    assert f"askfirst {command}" in module.EXAMPLES
    assert callable(module.run) and callable(module.add_arguments)
    assert build_parser(only=command).format_help()
    parser = argparse.ArgumentParser()
    module.add_arguments(parser)
    assert [a.dest for a in parser._actions if not a.help and not a.choices] == []


def test_commands_holds_commands_and_nothing_else() -> None:
    assert {name.removeprefix("commands.") for name, _ in modules() if name.startswith("commands.")} == set(COMMANDS)


def test_only_the_cli_imports_commands() -> None:
    """By name, in `cli.registry.load_command`. So a command can import what it likes, and no one else pays for it."""
    users = {(name, used) for name, path in modules() for used in imports(name, path) if top(used) == "commands"}
    assert not users, users
    by_text = [
        name
        for name, path in modules()
        if any(
            isinstance(n, ast.Constant) and str(n.value).startswith("askfirst.commands") for n in ast.walk(_tree(path))
        )
    ]
    assert by_text == ["cli.registry"], by_text


def test_commands_import_at_the_top() -> None:
    """A command's module is imported only when that command runs: nothing is gained by importing later."""
    late = [
        f"{name}:{node.lineno}"
        for name, path in modules()
        if top(name) in ("cli", "commands", "report")
        for function in ast.walk(_tree(path))
        if isinstance(function, ast.FunctionDef)
        for node in ast.walk(function)
        if isinstance(node, (ast.Import, ast.ImportFrom))
    ]
    assert not [place for place in late if place.split(":")[0] not in LATE_IMPORTS], late


def test_every_module_says_what_it_promises() -> None:
    silent = [name for name, path in modules() if not ast.get_docstring(_tree(path))]
    assert not silent, silent
