"""The form of the code: formatted, linted, simple; imports at the top; one name for one thing; no broad except."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest
from radon.complexity import cc_visit

from tests.test_architecture import modules

PROJECT = Path(__file__).parents[1]
MAX_COMPLEXITY = 15
MAX_PARAMETERS = 7

# Imports inside functions: the module, what it imports there, and why that is not at the top. Nothing else may.
ASKING = "only where a person is asked, or has been"
FILES = "only where something is written, deleted or obeyed"
RULE_FILE = "only where a rule file has changed: it takes longer than the rest of the hook"
SCAN = "only for what no rule knows; compiles many expressions"
FACT = "only where there is such a fact"
CONTAINED = "only for a contained command that fails, is the first of its session, or has changed something"
SEEN = "only where a session has seen or made something"
FAMILY = "a family of programs that only some calls lead to"
EXTRA = "an extra that may not be installed"
BORDER = "inside the `try` that closes the gate: what cannot be imported is a deny"
LATE_IMPORTS = {
    ("", "askfirst.for_programs"): "the API for programs is read when it is first used; the hook imports the package",
    ("__main__", "askfirst.cli"): "the hook needs no command line",
    ("__main__", "askfirst.cold"): "a warm answer needs none of it",
    ("__main__", "askfirst.hook"): "a warm answer needs none of it",
    ("__main__", "askfirst.resident"): "only where the warm process is asked from here",
    ("resident.peer", "ctypes"): "only on macOS",
    ("policy.judge", "askfirst.policy.own_page"): "only while a page is open",
    ("web.qr", "segno"): "an extra",
    ("world", "askfirst.report.causes"): "only where somebody is asked",
    ("hook", "askfirst.resident.recovery"): "only after a warm process",
    ("hook", "askfirst.resident.start"): "only after the answer",
    ("hook", "askfirst.agents"): BORDER,
    ("hook", "askfirst.agents.event"): BORDER,
    ("hook", "askfirst.agents.table"): BORDER,
    ("hook", "askfirst.errors"): BORDER,
    ("hook", "askfirst.hook_events"): BORDER,
    ("hook", "askfirst.redact"): BORDER,
    ("launch", "_frozen_importlib_external"): "what `-S` leaves out, when the first import needs it",
    ("launch", "site"): "what `-S` leaves out, when the first import needs it",
    # The cold hook: what an allowed command does not need.
    ("gate", "askfirst.masking"): "only for what leaves this machine, and for placeholders",
    ("hook_events", "askfirst.masking"): "only after a tool, and for placeholders",
    ("world", "askfirst.notices"): "only where a question waits, or a session is flagged",
    ("agents.claude.wire", "askfirst.agents.claude.permissions"): "only where a box is switched on",
    ("agents.claude.wire", "askfirst.agents.claude.settings"): "only at the start of a session and for its settings",
    ("audit", "ctypes"): "only when the log reserves more space",
    ("audit", "askfirst.files.merge"): ASKING,
    ("files.content_checks", "tomllib"): "only where a manifest is written, or installed from",
    ("masking", "askfirst.files.unwrapping"): "only where something leaves this machine",
    ("jsontext", "json"): "only for what is not JSON",
    ("files.notebook", "json"): "only for notebooks",
    ("files.quiet_git", "subprocess"): "only where git must be asked",
    ("files.quiet_git", "tempfile"): "only where git must be asked",
    ("world", "askfirst.box.alongside"): "only where something has run contained",
    ("gate", "askfirst.files"): FILES,
    ("processes", "askfirst.kills"): "only for what stops processes by name or port",
    ("gate", "askfirst.files.head"): FILES,
    ("gate", "askfirst.files.put_aside"): FILES,
    ("gate", "askfirst.files.carried"): "only for patterns and whole directories",
    ("gate", "askfirst.files.meant"): "only for patterns and whole directories",
    ("gate", "askfirst.files.odd_names"): "only where names come from the disk",
    ("gate", "askfirst.files.obeying"): FILES,
    ("gate", "askfirst.files.patch"): FILES,
    ("gate", "askfirst.policy.tool_match"): "only where a rule names a tool",
    ("policy.judge", "askfirst.policy.reads"): FACT,
    ("policy.judge", "askfirst.policy.scan"): SCAN,
    ("policy.judge", "askfirst.policy.tool_rules"): FACT,
    ("policy.judge", "askfirst.policy.writes"): FACT,
    ("audit.anchor", "syslog"): "only where the head of the log goes to syslog",
    ("policy.flow", "askfirst.policy.reads"): FACT,
    ("policy.flow", "askfirst.policy.writes"): FACT,
    ("processes", "shlex"): "only where processes are looked for",
    ("shell.bashlex_parser", "importlib"): "only where the text is not plain",
    ("shell.bashlex_parser", "importlib.util"): "only where the text is not plain",
    ("shell.tools", "askfirst.shell.tools.patterns"): "only where a word is a pattern of names",
    ("shell.tools", "askfirst.shell.tools.listed"): "only for names that a lister gives",
    ("processes", "subprocess"): "only where there is no /proc",
    ("shell.reading", "askfirst.shell.reading.second_opinion"): "only where the text is not plain",
    ("shell.walk.lists", "askfirst.shell.lines"): "only where the text has several lines",
    ("store.rulefiles", "askfirst.policy.config"): RULE_FILE,
    ("store.rulefiles", "askfirst.policy.examples"): RULE_FILE,
    ("store.rulefiles", "askfirst.policy.yamltext"): RULE_FILE,
    ("store.trust", "difflib"): "only where a file is shown to a person",
    ("tool_facts", "askfirst.agents.claude.skills"): "only for skills and subagents",
    ("world", "askfirst.approval.manager"): ASKING,
    ("world", "askfirst.audit.upkeep"): "only at the start of a session",
    ("world", "askfirst.files"): FILES,
    ("world", "askfirst.files.head"): FILES,
    ("world", "askfirst.files.approval"): ASKING,
    ("world", "askfirst.learning"): ASKING,
    ("world", "askfirst.report.rejudge"): ASKING,
    ("hook_events", "askfirst.box.runs"): "only where something may have run in a box",
    ("hook_events", "askfirst.outside"): "only where the agent asks for a way out of the box",
    ("hook_events", "askfirst.seen"): SEEN,
    ("seen", "askfirst.files.head"): SEEN,
    ("hook_events", "askfirst.box"): "only after a command",
    ("world", "askfirst.box"): "only at the start of a session, and where a box is switched on",
    ("world", "askfirst.box.runs"): "only at the end of a session",
    ("world", "askfirst.containing"): "only where a box is switched on",
    ("world", "askfirst.seen"): SEEN,
    # The box: every contained command waits for its start.
    ("box.launcher", "askfirst.cold"): CONTAINED,
    ("box.launcher", "askfirst.box"): CONTAINED,
    ("box.launcher", "askfirst.box.stream"): CONTAINED,
    ("box.stream", "askfirst.store"): CONTAINED,
    ("box.session", "socket"): CONTAINED,
    ("box.supervisor", "askfirst.box"): "only where the kernel makes no overlay",
    ("box.supervisor", "askfirst.contained"): "only where no warm process does it",
    ("box.supervisor", "askfirst.resident.thin"): "only where something was changed",
    # Two halves that meet.
    ("shell.tools.node.runtimes", "askfirst.shell.tools.node.tools"): FAMILY,
    ("shell.tools.python.interpreter", "askfirst.shell.tools.python.packages"): FAMILY,
    ("shell.tools.python.packages", "askfirst.shell.tools.python.tools"): FAMILY,
    ("shell.tools.python.tools", "askfirst.shell.tools.python.interpreter"): FAMILY,
    ("shell.walk.analyst", "askfirst.shell"): "text inside a command is analysed as the whole is",
    # Heavy, or not always there.
    ("commands.mcp", "askfirst.mcp.server"): EXTRA,
    ("toolbox.embedding", "model2vec"): EXTRA,
    ("toolbox.embedding", "sentence_transformers"): "a package of the user's choice, for a model of the user's choice",
    ("toolbox.matching", "re2"): EXTRA,
    ("toolbox.syntax_edits", "ast_grep_py"): EXTRA,
    ("toolbox.usages", "ast_grep_py"): EXTRA,
    ("toolbox.usages", "jedi"): EXTRA,
    ("toolbox.vector_index", "pysqlite3"): "where the SQLite of this Python loads no extensions",
    ("toolbox.vector_index", "sqlite_vec"): EXTRA,
    ("sdk", "askfirst.install.command"): "only for a program that starts the MCP server",
    ("sdk.gate", "claude_agent_sdk"): EXTRA,
    ("text", "rich.console"): "only where something is drawn",
    # A team: a hook that has none to ask loads nothing of one.
    ("approval.manager", "askfirst.team.elsewhere"): "only where a team was joined, or the organisation wants one",
    ("team.elsewhere", "askfirst.team.courier"): EXTRA,
    ("team.elsewhere", "askfirst.team.database"): EXTRA,
}
MAX_COLD_LINES = 180  # of cold.py, which exists for the speed of one process

# Names that two modules share with one meaning. Not listed here because the folder says it: an agent's `install` and
# `wire`, and a command called as the thing that it shows (`commands.grants`, `store.grants`).
SHARED_MODULE_NAMES = {
    "engine": "what reads the rows of tools, and what holds a command in its box",
    "gate": "the gate, and the gate inside an Agent SDK program",
    "merge": "how two texts are merged, and how the dialog draws that",
    "server": "each surface's own server",
    "start": "starting something: the real client, a contained command, the warm process",
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
    "audit.append_locked": "cleans up and raises again: no descriptor stays open, also on a signal",
    "box.start": "the border of the launcher: whatever went wrong is said, and nothing was run",
    "box.supervisor.supervise_in_background": "the border of its process: the launcher is told, and nothing was run",
    "box.supervisor.Supervisor.finish": "the command has run: what goes wrong afterwards is not told as if it had not",
    "box.launcher.Pump.__init__": "output that cannot be looked through is not shown, and the command goes on",
    "box.launcher.Pump.looked": "the same, for what goes wrong later",
    "box.applying.apply": "cleans up and raises again: all or none, also on a signal",
    "hook.main": "the border of the hook: whatever went wrong is a deny",
    "hook.make_warm": "the answer is given; what goes wrong afterwards must not become another",
    "hook.close": "the last word, when even the deny could not be said: exit code 2",
    "hook.respond": "an error is answered in the words of the event in which it happened",
    "launch": "a broken installation must not open the gate: any exit code but 2 lets the call run",
    "sdk.gate.Gate._answer": "the same border inside a program: an error is a deny",
    "sdk.gate.Gate._reply": "the same, in the thread that does the work",
    "toolbox.embedding.load_model": "a model and its library are somebody else's: the words still find something",
    "toolbox.search_index.SearchIndex._update": "the border of a thread: without a word it would be building for ever",
    "toolbox.tool_result._run": "the border of a tool: what goes wrong is a result that the agent can read",
    "toolbox.usages._quietly": "jedi fails on odd code in many ways: what it cannot tell is not known",
    "tui.guardian._drawing": "the border of the process that draws: told, and never an approval",
    "web.live.Live._look_or_tell": "the page's thread lives on when the store is away for a moment; the pages are told",
    "world.World.ask": "cleans up and raises again: a question of a dying hook is withdrawn, also on a signal",
    "store.pending.FilePending.create": "cleans up and raises again: a request that nobody waits for must not stay",
    "store.atomic.write_atomic": "cleans up and raises again: no temporary file stays, also on a signal",
    "store.atomic.hold": "cleans up and raises again: no descriptor stays open, also on a signal",
    "shell.facts_of_text": "whatever breaks in the analysis is an Unknown fact, which no rule allows",
    "shell.walk.calls.outcome_of": "an error in a row's code is an Unknown fact, which no rule allows",
    "shell.reading.second_opinion.second_opinion": "bashlex raises almost anything; the text is then not understood",
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


def test_functions_take_few_parameters() -> None:
    """What goes together is one value. The makers of values (`__init__`) may have as many as the value has parts."""
    long = [
        f"{name}.{function.name}: {count}"
        for name, path in modules()
        for function in ast.walk(tree_of(path))
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef) and function.name != "__init__"
        if (count := len(parameters(function))) > MAX_PARAMETERS
    ]
    assert not long, "hand these a value:\n" + "\n".join(long)


def parameters(function: ast.FunctionDef | ast.AsyncFunctionDef) -> list[str]:
    given = function.args
    return [a.arg for a in (*given.posonlyargs, *given.args, *given.kwonlyargs) if a.arg not in ("self", "cls")]


# -- imports are at the top of the file -------------------------------------------------------------------------------


def late_imports(tree: ast.Module) -> set[str]:
    """What is imported inside functions."""
    return {
        name
        for function in ast.walk(tree)
        if isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef))
        for node in ast.walk(function)
        if isinstance(node, (ast.Import, ast.ImportFrom))
        for name in _imported(node)
    }


def _imported(node: ast.Import | ast.ImportFrom) -> Iterator[str]:
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif node.module == "askfirst":
        yield from (f"askfirst.{alias.name}" for alias in node.names)
    else:
        yield node.module or ""


def test_imports_are_at_the_top() -> None:
    found = {(name, used) for name, path in modules() for used in late_imports(tree_of(path))}
    assert not found - set(LATE_IMPORTS), "imports inside functions; if there is a reason, LATE_IMPORTS wants it"
    assert not set(LATE_IMPORTS) - found, "these are gone"


def test_what_is_there_only_for_the_cold_hook_is_small() -> None:
    """Its other means are the late imports above, listed one by one, and launch.py, digest.py and jsontext.py."""
    assert len((PROJECT / "src/askfirst/cold.py").read_text(encoding="utf-8").splitlines()) <= MAX_COLD_LINES


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
