"""Whether a box makes a call harmless that would be asked, or allowed, without one. Pure: facts and rules in, an answer
out. What the box is made of, and whether there is one, is not known here.

A call is contained as a whole or not at all. It is contained when each of its findings that asks is of a kind that the
box answers: code that nobody judged, a program or an option that no row knows, a name that only the run will tell.
There, the worst it can do is to change the project, and what it changed is judged before it counts. It is asked as
before when one finding is about something that the box does not answer (a file replaced by name, a secret by name, a
danger, a rule that says `ask`), or when any of its commands needs what no box has (knowledge/needs.py).

Every kind stands in a table here. A kind that stands in none is not contained.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from askfirst.digest import sha256_hex
from askfirst.knowledge.needs import Need, needs_of
from askfirst.knowledge.places import AGENT_DIRS, CACHES, SCRATCH_DIRS, TOOLCHAINS
from askfirst.knowledge.programs import base_name
from askfirst.model import Command, Decision, Finding, Kind, Layer, Read, Sends, ToolUse, Unknown, Verdict, Write
from askfirst.policy.case import Case
from askfirst.policy.flow import may_run_contained
from askfirst.policy.pinning import key_of, machine_of, script_of
from askfirst.policy.rules import Layers
from askfirst.policy.scan import command_names, running_words

__all__ = [
    "OnDisk",
    "actions_of",
    "contained",
    "in_words",
    "is_loaded",
    "is_read_only",
    "is_unjudged",
    "needs_hosts",
    "why_not",
]

# What was not understood, and is harmless where nothing but the project can be reached. Blocks were looked for in all
# of them before they asked (policy/scan.py).
UNKNOWNS = frozenset(
    (
        "option;operands;expansion;inline code;code file;hidden command;eval;path;variable;property;function;alias;"
        "environment;syntax;too long;internal;program;directory;package runner;live build"
    ).split(";")
)
# Unknowns that may run any program that their text names: what those need counts as well.
RUNS_ANY = frozenset("hidden command;eval;syntax;too long;internal;function;alias;inline code;expansion".split(";"))
# Writes and reads whose place only the run will tell: what comes of them is judged afterwards, and secrets are hidden.
WRITES = frozenset({"unknown-path", "project-tree", "archive"})
READS = frozenset({"unknown-path"})
# Deletions by name in the project. A script may delete a few files there, too: `askfirst undo` brings them back.
DELETIONS = frozenset({"delete", "delete-tree"})
MASS_DELETION = 20  # files that neither git nor this session's own runs can bring back
# The kinds of commands that may run unjudged code and nothing else. Installing, talking to others and destroying are
# what a box cannot do, or cannot make good.
KINDS = frozenset({Kind.READ, Kind.EDIT, Kind.BUILD, Kind.CODE, Kind.INLINE, Kind.WRAPPER, Kind.OTHER})

# Code and words that name another machine, or a server of this one.
_SERVER = re.compile(
    r"\b(?:https?|wss?|ftps?|sftp|ssh|postgres(?:ql)?(?:\+\w+)?|mysql(?:\+\w+)?|rediss?|mongodb(?:\+srv)?|amqps?|grpc)://"
    r"|\blocalhost\b|\b127\.0\.0\.1\b|\[::1\]|\b(?:10|192\.168)\.\d+\.\d+"
)
_SPEAKS = re.compile(
    r"\b(?:requests|httpx|aiohttp|urllib3?|urlopen|boto3|paramiko|smtplib|socket|psycopg2?|asyncpg|pymongo|openai|"
    r"anthropic|node-fetch|axios|net/http|Net::HTTP)\b|\bfetch\(|create_connection|https?\.get\("
)


@dataclass(frozen=True)
class OnDisk:
    """What only a look at the disk can tell."""

    is_installed: Callable[[Command], bool]  # whether the package that `npx` and its kin would run is in the project
    can_undo: Callable[[Sequence[Write], str], bool]  # whether a run could give back what these delete from a project


def contained(case: Case, on_disk: OnDisk) -> Case:
    """The case, contained where the box makes it harmless and the mode wants it."""
    verdict, box = case.verdict, case.layers.settings.box
    asked = verdict.decision == Decision.ASK and box.unknown
    if not asked and not (verdict.decision == Decision.ALLOW and box.allowed):
        return case
    if why_not(case, on_disk):
        return case
    findings = tuple(
        replace(f, decision=Decision.CONTAIN) if _is_boxed(f, asked=asked) else f for f in verdict.findings
    )
    return replace(case, verdict=replace(verdict, decision=Decision.CONTAIN, findings=findings))


def _is_boxed(finding: Finding, *, asked: bool) -> bool:
    return finding.decision == Decision.ASK if asked else isinstance(finding.fact, Command)


def is_unjudged(verdict: Verdict) -> bool:
    """Of a contained call: whether no rule allows it, so that the project's secrets are hidden from it."""
    boxed = (f.origin.layer for f in verdict.findings if f.decision == Decision.CONTAIN)
    return any(layer in (Layer.NOTHING, Layer.FLOW) for layer in boxed)


def why_not(case: Case, on_disk: OnDisk) -> str:
    """Why the box does not answer this call, in a few words; "" where it does. Whatever the mode is."""
    if case.verdict.decision == Decision.ALLOW:
        return _placed(case) or _needed(case, on_disk) or _not_for_all(case)
    asking = [f for f in case.verdict.findings if f.decision == Decision.ASK]
    if not asking:
        return "nothing in it was understood"
    harmful = next((why for f in asking if (why := _harm(f, case, on_disk))), "")
    return _placed(case) or harmful or _needed(case, on_disk)


def in_words(case: Case, *, only_builds: bool = False) -> str:
    """`runs contained: no network, changes only ~/app`. `only_builds`: where the box lets nothing else be written."""
    layers, hosts = case.layers, case.layers.settings.box.hosts if needs_hosts(case) else ()
    network = f"reaches only {', '.join(hosts)}" if hosts else "no network"
    inside = _is_below(layers.project, layers.home) and layers.home not in ("", "/")
    where = f"~{layers.project[len(layers.home) :]}" if inside else layers.project
    undo = "; `askfirst undo` brings back what it deletes" if _deleted(case) else ""
    does = "only reads" if is_read_only(case) else "changes only"
    does += " the build directories of" if only_builds and not is_read_only(case) else ""
    return f"runs contained: {network}, {does} {where}{undo}"


def needs_hosts(case: Case) -> bool:
    """Whether it installs what the project's manifest and lock file name: it reaches the hosts of the settings."""
    return any(isinstance(f, Command) and _is_plain_install(f) for f in case.facts)


def _is_plain_install(command: Command) -> bool:
    """`npm ci`, `uv sync`, `pip install -r requirements.txt`: no word names a package; a file of the project may."""
    key = key_of(command)
    key = key[2:] if key[1:2] == ("-m",) else key
    if not {" ".join(key[:length]) for length in (2, 3)} & _PLAIN_INSTALLS:
        return False
    words = [w.value or "" for w in command.argv[1:]]
    for word in key_of(command)[1:]:
        if word in words:
            words.remove(word)  # the first only: `npm install npm` names a package
    files = [before in _FILE_OPTIONS for before in ("", *words)]
    return all(
        w.startswith("-") or (is_file and _MANIFEST.fullmatch(w)) for w, is_file in zip(words, files, strict=False)
    )


_FILE_OPTIONS = frozenset("-r --requirement --requirements -c --constraint --constraints -e --editable".split())
_MANIFEST = re.compile(r"(?!/|.*\.\.)(?:\.|\./)?[\w-]*[\w/.-]*\.(?:txt|in|toml)|\.(?:\[[\w,-]+\])?")
_PLAIN_INSTALLS = frozenset(
    f"{program} {verb}"
    for program, verbs in {
        "npm": "ci install",
        "pnpm": "install",
        "yarn": "install",
        "bun": "install",
        "uv": "sync lock",
        "pip": "install",
        "pip3": "install",
        "uv pip": "install",
        "poetry": "install lock",
        "pdm": "install",
        "bundle": "install",
        "composer": "install",
        "cargo": "fetch",
        "go mod": "download",
    }.items()
    for verb in verbs.split()
)


def is_read_only(case: Case) -> bool:
    """Whether it only looks, by its facts: then the box has the project to read."""
    return case.verdict.decision == Decision.ALLOW and all(
        fact.action.kind == Kind.READ if isinstance(fact, Command) else isinstance(fact, Read) for fact in case.facts
    )


def actions_of(case: Case) -> tuple[str, ...]:
    """What the call does that nobody judged, each with a name: by these a failure in the box is remembered."""
    commands = [f for f in case.verdict.findings if isinstance(f.fact, Command) and not f.fact.builtin]
    unjudged = [f for f in commands if f.decision in (Decision.ASK, Decision.CONTAIN)] or commands
    found = tuple(dict.fromkeys(_action(f.fact) for f in unjudged if isinstance(f.fact, Command)))
    return found or (str(case.request.input.get("command", "")),)  # a script of nothing but the shell's own words


def _action(command: Command) -> str:
    """Program and sub-command; a script by its path, and inline code by its text."""
    words = tuple(w.shown for w in command.argv[1:])
    script = script_of(command)
    if script:
        return f"{base_name(command.name)} {script}"
    if command.action.kind == Kind.INLINE:
        return f"{base_name(command.name)} {sha256_hex(chr(0).join(words))[:16]}"
    first = next((w for w in words if not w.startswith("-")), "") if len(key_of(command)) == 1 else ""
    return " ".join(filter(None, (*key_of(command), first)))


# --- where it would run -----------------------------------------------------------------------------------------------


def _placed(case: Case) -> str:
    request, layers = case.request, case.layers
    project = layers.project.rstrip("/")
    if not project or _is_below(layers.home, project):
        return "the project is your home directory, or above it"
    if request.input.get("dangerouslyDisableSandbox"):
        return "it asks to run outside of any sandbox"
    if request.mode == "plan":
        return "nothing is to be changed in plan mode"
    failed = next((a for a in actions_of(case) if a in layers.outside), "")
    if failed:
        return f"`{failed}` needed more than the box gives before"
    return _elsewhere(case, project)


def _elsewhere(case: Case, project: str) -> str:
    layers = case.layers
    directories = {f.cwd for f in case.facts if isinstance(f, Command) and f.cwd is not None and not machine_of(f)}
    inside = all(_is_below(d, project) or _is_scratch(d, layers) for d in directories)
    return "" if inside else "it runs outside the project"


def _is_below(path: str, directory: str) -> bool:
    return path == directory or path.startswith(directory.rstrip("/") + "/")


def is_loaded(cwd: str, project: str) -> bool:
    """In a directory such as `.claude/skills`: what a contained run changes there does not reach the disk without a
    person."""
    inside = cwd[len(project) :] if _is_below(cwd, project) else ""
    return any(f"{inside}/".startswith(f"/{folder}/") for folder in AGENT_DIRS)


def _is_scratch(path: str | None, layers: Layers) -> bool:
    """In /tmp, of which the box has a layer of its own."""
    return path is not None and not _is_below(path, layers.home) and any(_is_below(path, d) for d in SCRATCH_DIRS)


# --- findings that ask ------------------------------------------------------------------------------------------------


def _harm(finding: Finding, case: Case, on_disk: OnDisk) -> str:
    """Why the box does not make this finding harmless; "" where it does."""
    fact = finding.fact
    if finding.danger:
        return "it is dangerous"
    if isinstance(fact, ToolUse):
        return "it is no command"
    if finding.origin.layer == Layer.FLOW:
        return "" if may_run_contained(finding, case.layers) else ASKED_BY_RULE
    if isinstance(fact, Unknown):
        return _harm_of_unknown(finding, fact)
    if isinstance(fact, Command):
        return _harm_of_command(finding, fact, case.layers)
    rule = finding.origin.rule
    if isinstance(fact, Read):
        return "" if rule in READS else "it names a secret"
    return _harm_of_write(rule, fact, case, on_disk)


def _harm_of_write(rule: str, write: Write, case: Case, on_disk: OnDisk) -> str:
    if rule in DELETIONS:
        return (
            "" if on_disk.can_undo(_deleted(case), case.layers.project) else "what it deletes could not be brought back"
        )
    kept_apart = rule == "outside" and _is_scratch(write.path, case.layers) and _runs_code(case)
    return "" if rule in WRITES or kept_apart else "it names a file that a person should see"


def _deleted(case: Case) -> list[Write]:
    """What it deletes by name and a person is asked about; together, since many a few are a lot."""
    asking = (f for f in case.verdict.findings if f.decision == Decision.ASK and f.origin.rule in DELETIONS)
    return [f.fact for f in asking if isinstance(f.fact, Write)]


def _harm_of_unknown(finding: Finding, unknown: Unknown) -> str:
    if finding.origin.layer != Layer.NOTHING or finding.origin.rule != unknown.what:
        return ASKED_BY_RULE
    searched = bool(unknown.words or unknown.text)
    return "" if unknown.what in UNKNOWNS and searched else _UNKNOWN_REASONS.get(unknown.what, UNANSWERED)


def _harm_of_command(finding: Finding, command: Command, layers: Layers) -> str:
    origin = finding.origin
    if origin.layer != Layer.NOTHING or origin.rule or origin.source != "built-in":
        return ASKED_BY_RULE
    kind = command.action.kind
    if kind == Kind.INSTALL and layers.settings.box.hosts and _is_plain_install(command):
        return ""
    if key_of(command)[-2:] == ("-m", "venv"):
        return "what it makes is code that Python loads, and would be kept aside"
    return "" if kind in KINDS else _KIND_REASONS.get(kind, UNANSWERED)


ASKED_BY_RULE = "a rule wants it asked"
UNANSWERED = "it may do what no box takes back"
_UNKNOWN_REASONS = {
    **dict.fromkeys(
        ("network", "host", "remote", "download", "package", "toolchain"), f"it needs {Need.NETWORK.value}"
    ),
    **dict.fromkeys(("secret", "secrets"), "it shows secrets"),
    **dict.fromkeys(("git configuration", "git hook"), f"it needs {Need.REPOSITORY.value}"),
}
_KIND_REASONS = {
    Kind.INSTALL: "it installs packages",
    Kind.NETWORK: f"it needs {Need.NETWORK.value}",
    Kind.DESTRUCTIVE: "it destroys something by name",
}


def _runs_code(case: Case) -> bool:
    """Whether the same call uses what it writes. A file that is only put into /tmp is for a later call, which might not
    run in the box."""
    return any(
        isinstance(f.fact, Command) and f.decision == Decision.ASK and f.fact.action.kind != Kind.EDIT
        for f in case.verdict.findings
    )


# --- what it needs ----------------------------------------------------------------------------------------------------


def _needed(case: Case, on_disk: OnDisk) -> str:
    """What one of its commands needs and the box does not have. An allowed command counts as well: it would run in the
    same box."""
    for finding in case.verdict.findings:
        need = next(_needs(finding, case.layers, on_disk), None)
        if need is not None:
            return f"it needs {need.value}"
    return ""


def _needs(finding: Finding, layers: Layers, on_disk: OnDisk) -> Iterator[Need]:
    fact = finding.fact
    asks = finding.decision == Decision.ASK
    if isinstance(fact, Command):
        if not (layers.settings.box.hosts and _is_plain_install(fact)):
            yield from _needs_of_command(fact, layers, on_disk, asks=asks)
    elif isinstance(fact, Unknown) and asks:
        yield from _needs_of_text(fact)
    elif isinstance(fact, (Read, Write)) and fact.path is not None and _is_hidden(fact.path, layers):
        yield Need.HOME


def _needs_of_command(command: Command, layers: Layers, on_disk: OnDisk, *, asks: bool) -> Iterator[Need]:
    action = command.action
    if machine_of(command) or action.sends != Sends.NOTHING or action.kind in (Kind.NETWORK, Kind.INSTALL):
        yield Need.NETWORK
    fetches = base_name(command.name) in FETCHERS
    if fetches and not on_disk.is_installed(command):
        yield Need.NETWORK
    looks = action.kind == Kind.READ and not asks
    known = _known(command) or frozenset()
    # The repository is there to be read (`git log | python3 -c …`).
    yield from known - ({Need.NETWORK} if fetches else set()) - ({Need.REPOSITORY} if looks else set())
    if asks and any(_SERVER.search(word.value or word.text) for word in command.argv[1:]):
        yield Need.NETWORK
    yield from _needs_of_paths(command, layers)


def _needs_of_paths(command: Command, layers: Layers) -> Iterator[Need]:
    if command.program is not None and _is_hidden(command.program, layers):
        yield Need.HOME
    for path in () if command.builtin else _paths(command, layers):
        if _is_hidden(path, layers):
            yield Need.HOME
        if _is_below(path, "/dev") and path.removeprefix("/dev/").partition("/")[0] not in _DEVICES:
            yield Need.DEVICES


# What a box has of /dev.
_DEVICES = frozenset("null zero full random urandom tty ptmx pts shm stdin stdout stderr fd".split())
# Runners that fetch a package which is not there.
FETCHERS = frozenset("npx bunx pnpx uvx pipx".split())


def _known(command: Command) -> frozenset[Need] | None:
    key = key_of(command)
    found = needs_of(key)
    return found if found is not None else needs_of((base_name(command.name), *key[1:]))


def _needs_of_text(unknown: Unknown) -> Iterator[Need]:
    if unknown.what == "inline code":
        if _SERVER.search(unknown.text) or _SPEAKS.search(unknown.text):
            yield Need.NETWORK
        return
    if unknown.what in RUNS_ANY:
        for name in command_names(unknown):
            yield from needs_of((base_name(name),)) or ()
        if "git" in running_words(unknown):
            yield Need.REPOSITORY


def _paths(command: Command, layers: Layers) -> Iterator[str]:
    for word in command.argv[1:]:
        text = (word.value or word.prefix).rpartition("=")[2]
        if text.startswith("~/"):
            yield layers.home + text[1:]
        elif text.startswith("/"):
            yield os.path.normpath(text)


def _is_hidden(path: str, layers: Layers) -> bool:
    """In a home, and neither in the project nor where toolchains are kept."""
    if not layers.home or not _is_below(path, layers.home) or _is_below(path, layers.project):
        return False
    inside = path[len(layers.home) :].lstrip("/")
    return not any(_is_below(inside, place) for place in (*TOOLCHAINS, *CACHES))


# --- `box: all` -------------------------------------------------------------------------------------------------------


def _not_for_all(case: Case) -> str:
    """Why an allowed call runs as it is: only what needs nothing beyond the project is contained."""
    commands = [f.fact for f in case.verdict.findings if isinstance(f.fact, Command)]
    programs = [command for command in commands if not command.builtin]
    if any(f.origin.layer == Layer.GRANT for f in case.verdict.findings):
        return "a person allowed it as it is"
    if not programs:
        return "it runs no program"
    if any(is_loaded(command.cwd or "", case.layers.project) for command in commands):
        return "it works on what agents load"
    unsaid = next((command for command in programs if _known(command) is None), None)
    return f"nothing says what `{base_name(unsaid.name)}` needs" if unsaid is not None else ""
