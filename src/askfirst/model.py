"""Every noun of askfirst. Values only: nothing here reads a file, a clock or a terminal."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any, TypeAlias

from askfirst import jsontext


class Decision(IntEnum):
    """Ordered by strictness: the strictest of several is their `max`."""

    ALLOW = 0
    CONTAIN = 1  # runs at once, in a box that keeps it to the project (policy/contain.py)
    ASK = 2
    DENY = 3


class Layer(IntEnum):
    """Where a rule stands. The order is the order of power, strongest first."""

    HARDCODED_BLOCK = 0
    ORG_BLOCK = 1
    FLOW = 2  # what the session has seen, and where this would go: no allow below covers it
    ORG_ALLOW = 3
    BUILTIN_ALLOW = 4
    PROJECT_ALLOW = 5
    GRANT = 6
    NOTHING = 7


class Kind(IntEnum):
    """What sort of thing a command does. It decides what an approval may remember (policy/scopes.py)."""

    READ = 0  # looks, changes nothing
    EDIT = 1  # changes files that stand in its Write facts
    BUILD = 2  # build, test, lint runners: run the project's own code
    CODE = 3  # interpreter + file, or a script of the project
    INLINE = 4  # inline code, SQL, awk and sed programs that run or write
    WRAPPER = 5  # shells and wrappers: what is inside counts
    INSTALL = 6  # fetches and installs packages
    NETWORK = 7  # talks to another machine
    DESTRUCTIVE = 8  # deletes, kills, resets
    OTHER = 9  # a program no table knows


class Sends(IntEnum):
    """To whom a command sends what it is given, which must stand in the command (shell/tools/sending.py)."""

    NOTHING = 0
    SETTINGS = 1  # to servers of the person's settings: a registry, a forge, a resolver, a cluster
    ADDRESS = 2  # to an address in the command


@dataclass(frozen=True)
class Request:
    """One tool call of one agent."""

    agent: str  # a name of agents/table.py
    session: str
    cwd: str
    project: str
    tool: str  # "Bash", "Write", "Edit", ... (Claude Code's names; adapters translate)
    input: Mapping[str, Any]
    tool_use_id: str = ""
    subagent: str = ""
    mode: str = "default"  # the client's permission mode
    attended: bool = False  # an interactive client that can draw its own dialog
    prompt_id: str = ""


@dataclass(frozen=True)
class Word:
    """One word of a command, as written and as far as it is known."""

    text: str  # as written, quotes and all
    value: str | None  # the one string bash makes of it, or None when that is not known
    prefix: str = ""  # when value is None: the literal start that is known ("src/" of `src/*.py`)
    many: bool = False  # may become no word or several (unquoted expansion, glob, `"$@"`)
    glob: bool = False  # its only unknown part is a file name pattern
    quoted: bool = False  # some part was quoted or escaped
    among: tuple[Word, ...] = ()  # when value is None: the names and patterns that it is one of; () when nobody knows
    each: bool = False  # a loop takes every one of `among`, which all stand in the text: no data choose between them
    data: bool = False  # when value is None: data decide what it is (shell/from_data.py), and no lister is known
    dated: str = ""  # when value is None, and `date` prints a part of it: the text, with what variables hold in it

    @property
    def shown(self) -> str:
        """What bash makes of it, or, where that is not known, how it is written."""
        return self.value if self.value is not None else self.text


@dataclass(frozen=True)
class Assignment:
    name: str
    value: Word
    append: bool = False


@dataclass(frozen=True)
class Action:
    """What a command does, as far as the tables know it."""

    key: tuple[str, ...]  # the words that name the action: ("git", "status"), ("npm", "run", "build")
    kind: Kind = Kind.OTHER
    rule: str = ""  # the table row that knows it, e.g. "git status"; "" when no row does
    allowed: bool = False  # the built-in rules allow it (its hidden facts are judged on their own)
    profile: str = ""  # allowed only where this profile is switched on ("python-dev"), whatever `allowed` says
    description: str = ""  # one line for people: "shows the state of the working tree"
    danger: str = ""  # consequences, when the command is a dangerous one ("changes cloud resources")
    advice: str = ""  # a way forward for the agent ("use `npm ci`")
    target: str = ""  # what a grant must pin besides the key: a host, a script's real path, a package list
    sends: Sends = Sends.NOTHING
    leaves: str = (
        ""  # how what it is given leaves this machine: network, push, forge … (tools/sending.py); "": it stays
    )
    leaves_to: str = ""  # to whom: a host, a remote, a registry
    says: tuple[str, ...] = ()  # all that a machine of this network learns by it; (): more, or nobody knows
    brings: str = ""  # why its output may be a stranger's text: "a page of the web"
    free: bool = False  # key and target say all that matters, whatever the kind: other options and words are inert
    unsaid: str = ""  # the file that says what its words leave open: `git push` sends the branch that is checked out
    package: str = ""  # what a runner fetches and runs, whichever runner it is: "npm-package shadcn@latest"


@dataclass(frozen=True)
class ObeyedFile:
    """A file that the program of a command obeys by itself. Found by files/obeying.py, judged by policy/judge.py."""

    path: str  # as people know it: relative to the project, where it lies in it
    why: str  # what comes of it
    changed: float  # when the disk last saw a change of it, in seconds since the epoch
    committed: bool  # git's HEAD has exactly this content
    place: str = ""  # its path on the disk; "" where no file could be named
    news: tuple[str, ...] = ()  # lines that HEAD does not have, of a manifest that a person can read
    written: bool = False  # the command that would obey it writes it, or may


DELETED = "deleted"


@dataclass(frozen=True)
class Command:
    """A program that would run."""

    name: str  # after quote removal: "git", "./build.sh"
    argv: tuple[Word, ...]  # argv[0] is the name
    text: str  # as written (for a nested command: its own text)
    cwd: str | None  # where it would run; None when that is not known
    program: str | None = None  # real path on the user's PATH; None when not found
    assignments: tuple[Assignment, ...] = ()
    via: tuple[str, ...] = ()  # how it was reached: ("xargs",), ("bash -c", "env")
    action: Action = Action(())
    builtin: bool = False  # a shell builtin or function, not a program
    foreign: str = (
        ""  # why the program found is not the one a rule means: "inside the project", "in a world-writable directory"
    )
    fed: bool = False  # its standard input is a text, a file or a pipe of the script
    obeys: tuple[ObeyedFile, ...] = ()  # where somebody looked
    carries: tuple[str, ...] = ()  # secrets whose value goes out with it, where somebody looked: "API_KEY of .env"
    sends: str = ""  # the commits and files of a push, in words
    # What the same text writes: (path, "" where it is not known; whether anything below it; SHA-256 of the content, ""
    # where that is not known, or DELETED). A file among these is not, when the command runs, what it is now.
    beside: tuple[tuple[str, bool, str], ...] = ()


@dataclass(frozen=True)
class Change:
    """What a write does to the file that is there. Made by files/change.py, which looks at the disk; judged by
    policy/writes.py."""

    kind: str  # NEW, MODIFY, REPLACE
    lines: int = 0  # of the existing file
    deleted: int = 0
    added: int = 0
    ratio: float = 0.0  # which share of the existing lines goes away, 0 to 1
    grown: int = 0  # bytes by which the file grows
    names: tuple[str, ...] = ()  # functions and classes that would be DELETED, for Python
    base: str = ""  # SHA-256 of what is there; "" when nothing is
    new: str = ""  # SHA-256 of the result; "" when it is not known
    mode: int = 0  # permission bits of the existing file
    odd: str = ""  # why the target is not an ordinary file of the project: a hard link, another file system, a device
    fresh: str = (
        ""  # the project's directory that a new file would be the first one in: the project does not have it yet
    )
    runs: str = ""  # for package.json and its kin: which part that tools run by themselves would change; "" when none
    secrets: tuple[str, ...] = ()  # secrets the content brings in: place and masked value
    # Of a deletion, and of what is written in a scratch directory: why nothing is lost (git's HEAD holds it, this
    # session made it); "" when it may be.
    kept: str = ""


@dataclass(frozen=True)
class Write:
    """A file that would be written, created, moved or deleted."""

    path: str | None  # absolute, symlinks resolved as far as they exist; None when not known
    text: str  # as written in the command, or the tool's file_path
    how: str  # "overwrite", "append", "create", "delete", "move", "link", "mode", "extract" (a tree below path)
    by: str  # "redirection", "tee", "Write"
    content: bytes | None = None  # the resulting content where it is known
    below: bool = False  # anything below `path` may be written, not only path itself
    change: Change | None = None  # what it does to the file on disk, where somebody looked


@dataclass(frozen=True)
class Read:
    """A file whose content would be shown. Only sensitive ones are judged; the others are allowed."""

    path: str | None
    text: str
    by: str
    on: str = ""  # the login to the machine that it lies on, where that is another: "ssh host"


@dataclass(frozen=True)
class ToolUse:
    """A tool of the agent that is no command and no file: a fetch, a search, a subagent, a tool of an MCP server."""

    name: str  # in Claude Code's words, where it has a tool of the kind
    input: Mapping[str, Any] = field(default_factory=dict)  # as the agent sent it
    passes: str = ""  # what it does, where the built-in rules let it pass
    why: str = ""  # why it is asked, where there is more to say than that no rule allows it
    addresses: tuple[str, ...] = ()  # what it would fetch
    reads: bool = False  # it is known to look only
    leaves: str = ""  # as an Action's: how what it is given leaves this machine, and to whom
    leaves_to: str = ""
    brings: str = ""  # why its result may be a stranger's text
    carries: tuple[str, ...] = ()  # as a Command's

    @property
    def text(self) -> str:
        """The call in one line, for people."""
        return f"{self.name} {jsontext.dumps(dict(self.input))}" if self.input else self.name


# Reasons of an Unknown that are looked for: who says them and who looks for them share the text.
NO_PROGRAM_NAME = "the name of the program is not in the text"
OTHER_CODE = "run or load other code"
MASKED = "masked"  # the class of a placeholder for a secret where none may stand
HANDS_ON = "hands on"  # a credential, to a program: nobody sees it by that
ALWAYS_ASKED = "always asked"  # the class of an Unknown that no rule and no earlier answer covers


@dataclass(frozen=True)
class Unknown:
    """Something that could not be understood. No rule allows it; a person may allow exactly this text."""

    what: str  # short class: "syntax", "eval", "environment", "option", "inline code", "expansion", "too long"
    why: str  # one line for people
    text: str = ""  # the piece of text it is about
    words: tuple[str, ...] = ()  # words near it, on which blocks are still looked for
    on: str = ""  # as a Read's


Fact: TypeAlias = Command | Write | Read | ToolUse | Unknown


def leaves_machine(fact: Fact) -> bool:
    """Whether something of what it is given is told to another machine: a body, a query, or no more than a name."""
    if isinstance(fact, ToolUse):
        return bool(fact.leaves)
    if not isinstance(fact, Command):
        return False
    action = fact.action
    return bool(action.leaves or action.sends or action.kind in (Kind.NETWORK, Kind.INSTALL, Kind.WRAPPER))


@dataclass(frozen=True)
class Origin:
    """Where a decision comes from."""

    layer: Layer
    rule: str  # the rule's own name: "rm-root", "git status", "npm"
    source: str = "built-in"  # "built-in" or a file
    line: int = 0


@dataclass(frozen=True)
class Finding:
    """One fact, one decision, the rule that made it."""

    fact: Fact
    decision: Decision
    reason: str
    origin: Origin
    danger: str = ""  # consequences, when a person must type CONFIRM
    advice: str = ""  # what the agent could do instead; never something that it may not do
    entry: str = ""  # what a person could write into the project's rule file to allow it


@dataclass(frozen=True)
class Verdict:
    """The strictest finding, with all findings behind it."""

    decision: Decision
    reason: str  # why, in one sentence; wording.py tells it to the agent and to the person
    findings: tuple[Finding, ...] = ()
    notes: tuple[str, ...] = ()  # what else to say: an untrusted project file, a broken file
    answer: Answer | None = None  # what a person said, when one was asked
    updated_input: Mapping[str, Any] | None = None  # the tool's input after a person merged it, or the box took it

    @property
    def deciding(self) -> Finding | None:
        return next((f for f in self.findings if f.decision == self.decision), None)

    @property
    def grants_used(self) -> tuple[str, ...]:
        """The ids of the grants that it rests on."""
        return (
            tuple(f.origin.rule for f in self.findings if f.origin.layer == Layer.GRANT)
            if self.decision <= Decision.CONTAIN
            else ()
        )


class Duration(IntEnum):
    """How long an answer is remembered."""

    ONCE = 0
    SESSION = 1
    TIMED = 2
    PERMANENT = 3


@dataclass(frozen=True)
class Scope:
    """What a grant covers: of a command what an entry of a rule file says in the same fields, so that a yes for the
    session and one in the file mean the same. Made and compared by policy/offers.py and policy/coverage.py."""

    # "command"; "tool": of the agent; "write", "read": a file; "text": the whole request; "pin": what must not change
    # under a text; "flow": a rule of flow (`name`) towards `target`, while the session has seen what it had (`sha256`)
    kind: str
    name: str = ""  # the program, or a script as `./path`; of a write: how ("overwrite"); of a pin: the runner
    args: tuple[str, ...] = ()  # patterns (policy/arguments.py); a word that may be a secret as its fingerprint
    deny_args: tuple[str, ...] = ()  # words that it may not have, as a rule's
    action: str = ""
    target: str = (
        ""  # of an `action`: what it acts on; of a file: its path; of a pin: its directory; of a tool: its entry
    )
    paths: str = "any"
    env: tuple[str, ...] = ()  # variables that may be set for it: `NAME`, or `NAME=value`
    sha256: str = ""  # of a script, or of the file that defines what a runner runs
    where: str = ""  # "" anywhere in the project; else this very directory; "-" no directory is involved
    via: str = ""  # the machine or container that it runs on: "ssh host"
    dangerous: bool = False  # it was given with CONFIRM
    below: bool = False  # of a file: anything below `target`
    shown: str = ""  # the scope in words, as the dialog shows it


@dataclass(frozen=True)
class Grant:
    """What a person allowed for a while."""

    id: str
    scopes: tuple[Scope, ...]
    duration: Duration
    project: str
    session: str = ""
    agent: str = ""
    created: float = 0.0
    until: float = 0.0  # for TIMED
    by: str = ""
    text: str = ""  # the redacted command it was given for
    digest: str = ""  # of the request it was given for; an exact text is bound to it
    entries: tuple[Mapping[str, Any], ...] = ()  # for PERMANENT: what was appended to the project's file


@dataclass(frozen=True)
class Answer:
    """What a person, or time, said to a request."""

    decision: Decision  # ALLOW or DENY
    duration: Duration = Duration.ONCE
    reason: str = ""
    by: str = ""  # a user's name; or who spoke for them: "timeout", "rule", "client", "the client's dialog", ...
    state: str = ""  # once, session, timed, permanent, denied, expired, cancelled; of a team: counted, refused
    at: float = 0.0
    until: float = 0.0
    step: int = -1  # which of the offered scopes, narrowest first; -1: the one that the question begins with
    digest: str = ""  # of the request it answers
    extra: Mapping[str, Any] | None = None  # merge strategy for writes, and the like
