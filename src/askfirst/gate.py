"""The pipeline, top to bottom: a tool call becomes facts, the facts are judged, what no rule decides is asked, and all
of it is logged.

    request -> facts_of -> judge -> (contain) -> (ask) -> note_seen -> record -> count -> verdict

`decide` is the whole of it. `World` (world.py) is what it touches: rule files, people, the log, the count of
violations. Everything that may run, write, read or call something comes through here, or through `judged` where nobody
is asked and nothing happens yet.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from askfirst.errors import HookInputError
from askfirst.knowledge.globs import has_wildcards
from askfirst.knowledge.programs import base_name
from askfirst.knowledge.tools import (
    COMMANDS,
    FOREIGN,
    PATCH,
    PATH_KEYS,
    READ_FILES,
    READERS,
    RUNNERS,
    SKILLS,
    STARTERS,
    STEP,
    WRITERS,
)
from askfirst.knowledge.variables import CHOOSES_ENVIRONMENT, SAYS_WHERE
from askfirst.model import (
    ALWAYS_ASKED,
    Command,
    Decision,
    Fact,
    Read,
    Request,
    ToolUse,
    Unknown,
    Verdict,
    Write,
    leaves_machine,
)
from askfirst.policy.case import Case
from askfirst.policy.judge import judge
from askfirst.processes import KILLERS, with_own_processes
from askfirst.shell import analyze
from askfirst.shell.bashlex_parser import keep_tables_in
from askfirst.shell.surroundings import Surroundings
from askfirst.shell.tools.registry import REGISTRY
from askfirst.store import paths, rulecache
from askfirst.store.session_files import own_files
from askfirst.tool_facts import (
    encodable,
    files_meant,
    reading_facts,
    skill_facts,
    text_in,
    tool_facts,
    with_credentials,
)

# The families of shell/tools whose programs obey files of a project (knowledge/obeyed.py).
_OBEYING = ("builds.", "data.trackers", "node.", "python.", "remote.", "system.administration")

if TYPE_CHECKING:
    from askfirst.policy.rules import Layers, Settings
    from askfirst.world import World

keep_tables_in(rulecache)


def decide(request: Request, world: World) -> Verdict:
    return conclude(judged(request, world.layers(request)), world)


def judged(request: Request, layers: Layers) -> Case:
    """The request judged by these rules. Nobody is asked, and nothing is recorded."""
    facts = _with_secrets(facts_of(request, layers.settings), request)
    if layers.tool_rules:
        facts = _with_tool(facts, request, layers)
    verdict = judge(facts, layers)
    if verdict.decision == Decision.ASK:
        sends = tuple(f.sends for f in facts if isinstance(f, Command) and f.sends)
        verdict = replace(verdict, notes=(*verdict.notes, *sends)) if sends else verdict
    return Case(request, layers, facts, verdict)


def _with_secrets(facts: tuple[Fact, ...], request: Request) -> tuple[Fact, ...]:
    """Secrets in what would go out, and placeholders for secrets where none may stand. Most calls have neither."""
    if not any(leaves_machine(fact) for fact in facts) and "<redacted:" not in str(request.input):
        return facts
    from askfirst.masking import left_over, with_carried

    return (*left_over(request), *with_carried(facts, request, os.environ))


def _with_tool(facts: tuple[Fact, ...], request: Request, layers: Layers) -> tuple[Fact, ...]:
    """A rule may name any tool: one whose commands and files are judged by themselves is then a fact of its own."""
    from askfirst.policy.tool_match import is_named

    if any(isinstance(fact, ToolUse) for fact in facts) or not is_named(request.tool, layers.tool_rules):
        return facts
    # A path has many spellings, and one call may have several files: a rule is held against what they come to.
    found = [fact.path for fact in facts if isinstance(fact, (Read, Write)) and fact.path is not None]
    if request.tool == READ_FILES and any(map(_is_many, facts)):
        found += files_meant(facts)
    short = [
        before + path[len(root) + 1 :]
        for root, before in ((request.project.rstrip("/"), ""), (paths.home().rstrip("/"), "~/"))
        for path in found
        if path.startswith(f"{root}/")
    ]
    key = PATH_KEYS.get(request.tool) or READERS.get(request.tool, "file_path")
    given = {**request.input, key: [request.input.get(key), *found, *short]} if found else request.input
    return (ToolUse(request.tool, given, "what it does is judged by itself"), *facts)


def conclude(case: Case, world: World) -> Verdict:
    """What becomes of a judged request."""
    case = world.contain(case)  # what a box makes harmless runs there, and is not asked about
    if case.verdict.decision == Decision.ALLOW:
        case = world.beside_the_box(case)  # what a contained command may change meanwhile is contained, or asked about
    if case.verdict.decision == Decision.ASK:
        case = world.ask(case)  # a person answers, or time does: deny
    return remembered(case, world)


def remembered(case: Case, world: World) -> Verdict:
    world.note_seen(case)  # what the session will have seen; raises -> the caller answers deny
    world.record(case)  # raises -> the caller answers deny
    return world.count(case)  # violations, and the uses of grants


def facts_of(request: Request, settings: Settings) -> tuple[Fact, ...]:
    """What the call would run, write and read, and what could not be understood."""
    if request.tool in RUNNERS:
        text = text_in(request, "command")
        facts = analyze(text, surroundings_of(request))
        if any(isinstance(f, Command) and f.name in KILLERS for f in facts):
            facts = with_own_processes(facts, text, agent=request.agent, session=request.session)
        return _with_changes(facts, request, settings)
    if request.tool in WRITERS:
        from askfirst.files import facts_of_tool

        return facts_of_tool(
            request.tool,
            request.input,
            project=request.project,
            cwd=request.cwd,
            settings=settings.writes,
            made_here=_made_by(request.session),
        )
    if request.tool in READERS or request.tool == READ_FILES:
        return with_credentials(reading_facts(request))
    if request.tool in FOREIGN:
        return _foreign_facts(request, settings)
    if request.tool == STEP:
        return _step_facts(request, settings)
    if request.tool in SKILLS or request.tool in STARTERS:
        return _with_changes(_skill_facts(request), request, settings)
    return _with_changes(tool_facts(request), request, settings)


def _foreign_facts(request: Request, settings: Settings) -> tuple[Fact, ...]:
    """The tools that only other agents have: a patch over several files, a deletion, several commands in one call."""
    from askfirst.files.patch import deletion, facts_of_patch

    if request.tool == COMMANDS:
        commands = request.input.get("commands")
        if not isinstance(commands, list) or not commands or not all(isinstance(c, str) for c in commands):
            raise HookInputError("hook input: `commands` is not a list of texts")
        facts: list[Fact] = []
        # Each for itself, and as one script: what the first writes, the second may run.
        for command in (*commands, "\n".join(commands)):
            found = analyze(encodable(request, "commands", command), surroundings_of(request))
            facts += [fact for fact in found if fact not in facts]
        return _with_changes(tuple(facts), request, settings)
    if request.tool == PATCH:
        return facts_of_patch(
            text_in(request, "command"), project=request.project, cwd=request.cwd, settings=settings.writes
        )
    return deletion(request.input.get("file_path"), request.cwd, request.project)


def _step_facts(request: Request, settings: Settings) -> tuple[Fact, ...]:
    """What the step would run, and a fact that no rule, and no answer to another request, allows."""
    text, why = text_in(request, "command"), text_in(request, "why")
    asked = Unknown(ALWAYS_ASKED, why, text, tuple(text.split()))
    if request.input.get("runs") is not True:
        return (asked,)
    return (*_with_changes(analyze(text, surroundings_of(request)), request, settings), asked)


def _with_changes(facts: tuple[Fact, ...], request: Request, settings: Settings) -> tuple[Fact, ...]:
    """A command's writes meet the rules of the file tools: what each does to the file on disk (its `Change`) is part of
    the facts. So are the files that its program obeys."""
    facts = with_credentials(facts)
    if any(map(_is_many, facts)):
        from askfirst.files.carried import with_carried
        from askfirst.files.meant import with_meant

        facts = with_carried(with_meant(facts, request.project), request.project)
    if any(isinstance(f, Command) and may_obey(f.name) for f in facts):
        from askfirst.files.obeying import with_obeyed

        facts = with_obeyed(facts, project=request.project, profiles=settings.profiles)
    if any(isinstance(f, Command) and _takes_names(f) for f in facts):
        from askfirst.files.odd_names import with_odd_names

        facts = with_odd_names(facts, request.project)
    if not any(isinstance(f, Write) for f in facts):
        return facts
    from askfirst.files import look

    return look(facts, project=request.project, settings=settings.writes, made_here=_made_by(request.session))


def _takes_names(command: Command) -> bool:
    return any(word.value is None and (word.glob or word.among) for word in command.argv)


def _is_many(fact: Fact) -> bool:
    """A pattern, or a directory with all that is in it."""
    if isinstance(fact, Write):
        return fact.how in ("move", "link") or has_wildcards(fact.text)
    return isinstance(fact, Read) and (has_wildcards(fact.text) or (fact.path is not None and os.path.isdir(fact.path)))


def _made_by(session: str) -> Callable[[str], str | None]:
    """What the session knows of a file: "" where it made it, a hash where it changed it, None otherwise. It is read
    when somebody asks, and once."""
    known: list[dict[str, str]] = []

    def made(path: str) -> str | None:
        if not known:
            known.append(own_files(session))
        return known[0].get(path)

    return made


def may_obey(name: str) -> bool:
    """Whether the program may obey files of the project; most do not, and cost no look at the table."""
    return REGISTRY.get(base_name(name), "").startswith(_OBEYING)


def _skill_facts(request: Request) -> tuple[Fact, ...]:
    facts, commands = skill_facts(request)
    if not commands:
        return facts
    return (*facts, *(fact for text in commands for fact in analyze(text, surroundings_of(request))))


def surroundings_of(request: Request) -> Surroundings:
    """Where the command would run: its directory, its shell, and the few variables whose values are known."""
    environ = os.environ
    return Surroundings(
        cwd=request.cwd,
        project=request.project,
        home=paths.home(),
        path=tuple(p for p in environ.get("PATH", os.defpath).split(os.pathsep) if p),
        shell=shell_of(environ),
        login_shell=os.path.basename(environ.get("SHELL", "")),
        files_of_switch=_files_of_switch,
        put_aside=_put_aside,
        variables={n: environ[n] for n in ("HOME", "USER", "TMPDIR", "OLDPWD") if n in environ} | {"PWD": request.cwd},
        exported=(SAYS_WHERE | CHOOSES_ENVIRONMENT).intersection(environ),
    )


def shell_path(environ: Mapping[str, str]) -> str:
    """The file of that shell."""
    name = shell_of(environ)
    for variable in ("CLAUDE_CODE_SHELL", "SHELL"):
        given = environ.get(variable, "")
        if given.startswith("/") and os.path.basename(given) == name and os.access(given, os.X_OK):
            return given
    return next((f for p in SHELL_PLACES if os.access(f := os.path.join(p, name), os.X_OK)), f"/bin/{name}")


SHELL_PLACES = ("/bin", "/usr/bin", "/usr/local/bin", "/opt/homebrew/bin")


def _files_of_switch(directory: str, name: str) -> tuple[str, ...] | None:
    from askfirst.files.head import files_of_switch

    return files_of_switch(directory, name)


def _put_aside(directory: str, new: bool) -> tuple[tuple[str, bool], ...] | None:
    from askfirst.files.put_aside import put_aside

    return put_aside(directory, new=new)


def shell_of(environ: Mapping[str, str]) -> str:
    """The shell the client will use: the one named, else zsh where there is one, else bash (seen: with SHELL unset it
    took zsh)."""
    for variable in ("CLAUDE_CODE_SHELL", "SHELL"):
        name = os.path.basename(environ.get(variable, ""))
        if name in ("bash", "zsh"):
            return name
    return "zsh" if any(os.access(os.path.join(p, "zsh"), os.X_OK) for p in SHELL_PLACES) else "bash"
