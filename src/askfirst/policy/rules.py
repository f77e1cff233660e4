"""Rules and everything else that `judge` is handed: values only. Where they come from is store/layers.py's business."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from askfirst.knowledge.secrets import WRITE_DENIED
from askfirst.model import Decision, Grant, Layer, Origin

__all__ = [
    "KINDS",
    "ROLES",
    "SEEN",
    "WAYS",
    "Box",
    "FlowSettings",
    "Label",
    "LabelledFile",
    "Layers",
    "Notice",
    "OrgFile",
    "OwnProfile",
    "Problem",
    "ProjectFile",
    "Rule",
    "Settings",
    "TeamSettings",
    "ToolboxSettings",
    "WriteSettings",
]

# A mistake as plain values (`ConfigError.values`): problem, file, line, column, hint, excerpt.
Problem = tuple[str, str, int, int, str, str]
ROLES = ("dev", "sre", "release_manager", "product_owner")
KINDS = ("danger", "publish", "default")  # of questions, where a team answers (policy/approvers.py)


@dataclass(frozen=True)
class Rule:
    """One entry of a file, or of a profile that ships with askfirst."""

    name: str  # "swift", "swift*", "./scripts/build.sh"
    args: tuple[str, ...] = ()  # patterns of the whole list of arguments (arguments.py); none: any arguments
    action: str = ""  # the sub-command as the tables of tools know it: its inert options are free
    target: str = ""  # with `action`: the host, remote and branch, container … that it acts on
    deny_args: tuple[str, ...] = ()  # the rule does not cover a command with one of these
    paths: str = "any"  # project, tmp, any: where it runs, and the words that name files lie; cwd: only where it runs
    env: tuple[str, ...] = ()  # variables that may be set for this program
    decision: Decision = Decision.ALLOW
    roles: tuple[str, ...] = ()  # none: everybody
    expires: float = 0.0  # seconds since the epoch; 0: never
    sha256: str = ""  # of the script that runs, or of the file that says what a runner runs
    reason: str = ""  # goes to the agent
    description: str = ""
    warning: str = ""  # of a dangerous command
    match: tuple[str, ...] = ()
    not_match: tuple[str, ...] = ()
    origin: Origin = Origin(Layer.NOTHING, "")
    tool: bool = False  # `name` is a tool of the agent (`WebFetch`, `mcp__github__*`), not a program; then also:
    domains: tuple[str, ...] = ()  # the hosts that it may fetch from
    input: tuple[tuple[str, tuple[str, ...]], ...] = ()  # key -> the values it may have
    deny_input: tuple[tuple[str, tuple[str, ...]], ...] = ()  # the rule does not cover a call with one of these
    free_input: tuple[str, ...] | None = None  # which keys besides `input` there may be; None: any
    path: str = ""  # the real path, when `name` is a script or an absolute path
    old: bool = False  # of a file of version 1, where its `args` let anything follow: it became narrower
    old_env: bool = False  # of a file of version 1, where `STAGE=prod` in front was free: it became narrower, too
    dangerous: bool = False  # of a person's yes that was given with CONFIRM: no file can say it
    void: str = ""  # why the rule does not count at present: "its script has changed"


@dataclass(frozen=True)
class OwnProfile:
    """A named set of rules that the organisation defines; any file may switch it on."""

    name: str
    description: str = ""
    include: tuple[str, ...] = ()  # profiles that ship with askfirst, switched on with it
    rules: tuple[Rule, ...] = ()


@dataclass(frozen=True)
class OrgFile:
    """What one of the organisation's files says."""

    blocked: tuple[Rule, ...] = ()
    allowed: tuple[Rule, ...] = ()
    dangerous: tuple[Rule, ...] = ()
    settings: tuple[tuple[str, Any], ...] = ()  # only what the file sets, as plain values
    profiles: tuple[OwnProfile, ...] = ()  # that it defines
    problems: tuple[Problem, ...] = ()  # allowing entries that do not count, each with its mistake


@dataclass(frozen=True)
class ProjectFile:
    """What a project's file says."""

    rules: tuple[Rule, ...] = ()
    profiles: tuple[str, ...] = ()
    writes: tuple[tuple[str, Any], ...] = ()
    problems: tuple[Problem, ...] = ()
    box: str = ""  # a mode, which only narrows; "" when it does not say
    toolbox: tuple[tuple[str, Any], ...] = ()  # `toolchain` and `toolbox`


@dataclass(frozen=True)
class WriteSettings:
    """What files/ and policy/write_limits.py may know about writes."""

    deny: tuple[str, ...] = WRITE_DENIED
    create_in: tuple[str, ...] = ("src", "lib", "tests", "docs", "scripts", "")
    create_anywhere: bool = False
    create_in_known: bool = (
        True  # also in directories that the project has already: so it is where nobody has set create_in
    )
    max_kib: int = 512
    replace_lines: int = 100
    replace_ratio: float = 0.5
    own: tuple[str, ...] = ()
    read_only: tuple[str, ...] = ()


@dataclass(frozen=True)
class Box:
    """What a box is used for: `off` neither, `unknown` the first, `all` both."""

    unknown: bool = False  # what would be asked, and is harmless in a box, runs there instead
    allowed: bool = False  # what rules allow runs there too, where it needs nothing beyond the project
    show: tuple[str, ...] = ()  # secrets of the project that code may see in the box
    hosts: tuple[str, ...] = ()  # machines that it may reach from there


# What a rule of flow is about: what a session has seen (`value`: a secret's own value would go out), and where a call
# goes. `out` is every way but the last two.
SEEN = ("untrusted", "secret", "private", "value")
WAYS = ("network", "lookup", "fetch", "push", "forge", "publish", "cloud", "mail", "server", "tool", "code", "loaded")


@dataclass(frozen=True)
class FlowRule:
    """What is decided when a session has seen all of `when`, and a call goes `to` there. The first that fits counts."""

    name: str
    when: tuple[str, ...]  # untrusted, secret, private: labels of the session; value: a secret's own value goes out
    to: tuple[str, ...] = ("out",)  # out: anything that leaves; how it leaves (tools/sending.py); loaded: a file
    hosts: tuple[str, ...] = ()  # only towards these; none: anywhere
    decision: Decision = Decision.ASK
    reason: str = ""
    origin: Origin = Origin(Layer.FLOW, "")


@dataclass(frozen=True)
class FlowSettings:
    """What the organisation says about what sessions see and send."""

    rules: tuple[FlowRule, ...] = ()  # before the built-in ones
    trusted_hosts: tuple[str, ...] = ()  # their pages are nobody else's text
    trusted_servers: tuple[str, ...] = ()  # the same of tool servers
    local_servers: tuple[str, ...] = ()  # tool servers that keep what they are given on this machine
    private: tuple[str, ...] = ()  # globs of paths, and tools
    redact_output: bool = True  # results pass the redactor before the model sees them
    keep_whole: bool = True  # where something was masked, the whole is kept for the person, for a day
    redact_patterns: tuple[str, ...] = ()  # regular expressions of secrets of the organisation's own


@dataclass(frozen=True)
class Label:
    """One thing that a session has seen, and from where. Kept by store/labels.py, judged by policy/flow.py."""

    kind: str  # untrusted, secret, private
    reason: str  # what was seen, for people: "`gh issue view 12`: what anybody may write on the forge"
    at: float = 0.0
    call: str = ""  # the client's id of the call
    by: str = ""  # who allowed it, where a person was asked
    id: str = ""
    on: str = ""  # the login to the machine that it was seen on, where that is another: "ssh host"


@dataclass(frozen=True)
class LabelledFile:
    """A file that was written while its session had read untrusted text."""

    path: str
    reason: str
    at: float = 0.0
    session: str = ""
    below: bool = False  # and everything below it
    id: str = ""
    committed: bool = False  # by the agent, with no person's yes to the commit: being in HEAD then says nothing


BOXES = {"unknown": Box(unknown=True), "all": Box(unknown=True, allowed=True)}  # the modes that contain something


@dataclass(frozen=True)
class TeamSettings:
    """Who may answer, where a team does."""

    approvers: tuple[tuple[str, tuple[str, ...]], ...] = ()  # kind -> persons and roles; a kind not named: anybody
    self_approval: tuple[str, ...] = ("default",)  # kinds that the person who asks may answer
    danger_approvals: int = 1  # distinct people
    unsigned: bool = False  # an answer without a signature counts, and the log says so
    policy_required: bool = False  # everything is denied where the rules from the database are missing


@dataclass(frozen=True)
class Notice:
    """One way in which somebody is told elsewhere (notices.py)."""

    kind: str  # webhook, ntfy, slack, desktop, bell, title
    url: str = ""
    on: tuple[str, ...] = ("waiting", "alert", "flow")
    after_s: int = 20


@dataclass(frozen=True)
class ToolboxSettings:
    """What askfirst's own tools may do, and how."""

    hitl_ttl_seconds: int = 120  # how long a proposal waits
    read_kib: int = 32  # what read_file shows where nothing is said
    max_read_kib: int = 128
    isolation: str = "STRICT"  # SHARED: other services' files may be read
    allowed_commands: tuple[str, ...] = ()  # the programs that shell tools may start; (): those the rules allow
    branch_names: tuple[str, ...] = ()  # patterns; (): any
    commit_subject: int = 100  # characters
    commit_pattern: str = ""  # a regular expression that the subject of a commit matches
    embedding_model: str = ""  # a directory, or a package; "": search_knowledge goes by words alone
    sudo: tuple[str, ...] = ()  # programs that this user may start with `sudo` without a password
    test: str = ""  # the project's own command for tests; "": read from its manifests
    lint: str = ""


@dataclass(frozen=True)
class Settings:
    """What the organisation's files set, after site and user are put together."""

    approval_timeout_minutes: int = 5
    approval_enabled: bool = True
    confirm_danger: bool = True
    client_dialog: bool = True  # an attended client may ask with its own dialog; False: only askfirst's surfaces
    max_project_commands: int = 100
    profiles: tuple[str, ...] = ()
    own_profiles: tuple[OwnProfile, ...] = ()  # what the organisation defines, switched on or not
    roles: Mapping[str, str] = field(default_factory=dict)
    role: str = ""  # this user's; "" when no roles are configured
    writes: WriteSettings = WriteSettings()
    alert_violations: int = 5
    alert_window_s: int = 60
    syslog: bool = False
    keep_days: int = 0  # how long the log keeps a record; 0: for ever
    protected_paths: tuple[str, ...] = ()
    push_dry_run_first: bool = False
    box: Box = Box()
    flow: FlowSettings = FlowSettings()
    team: TeamSettings | None = None
    notify: tuple[Notice, ...] = ()
    toolbox: ToolboxSettings = ToolboxSettings()
    resident: bool = True  # a warm process may judge; False: every call starts the hook anew


@dataclass(frozen=True)
class Layers:
    """The layers of rules for one project, one session and one moment."""

    project: str
    org_block: tuple[Rule, ...] = ()
    org_allow: tuple[Rule, ...] = ()
    project_allow: tuple[Rule, ...] = ()
    dangerous: tuple[Rule, ...] = ()
    grants: tuple[Grant, ...] = ()
    settings: Settings = Settings()
    notes: tuple[str, ...] = ()  # said in every verdict that is not an allow
    closed: str = ""  # why everything is denied: a pause, or a block list that cannot be read
    closed_by: str = "broken block list"
    home: str = ""
    session: str = ""
    agent: str = ""
    now: float = 0.0
    since: float = 0.0  # when the session was first seen; 0: everything counts as changed in it
    trusted_git: frozenset[str] = frozenset()  # git configuration files whose present content this user trusts
    outside: frozenset[str] = frozenset()  # actions that failed in the box for want of something outside it
    untrusted_note: str = ""  # the project's file is not trusted, and so not read: said in every verdict that asks
    labels: tuple[Label, ...] = ()  # what the session has seen
    said: frozenset[str] = frozenset()  # what it had told its own network before it saw a secret (flow.said)
    labelled: tuple[LabelledFile, ...] = ()  # files that strangers' text may have gone into
    page_ports: tuple[int, ...] = ()  # of askfirst's own pages that are open now: no agent talks to them
    digest: str = ""  # of the request that is judged, where there is one: an approval of an exact text is bound to it
    own_dirs: tuple[
        str, ...
    ] = ()  # askfirst's configuration and state on this machine, by real path: no agent writes there

    @property
    def tool_rules(self) -> tuple[Rule, ...]:
        """The rules that name tools, of whatever layer."""
        every = (self.org_block, self.org_allow, self.project_allow, self.dangerous)
        return tuple(rule for rules in every for rule in rules if rule.tool)
