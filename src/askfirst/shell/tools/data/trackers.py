"""Task trackers whose tasks are files of the project: agents look at them and tick them off all day."""

from __future__ import annotations

from dataclasses import replace

from askfirst.knowledge.obeyed import ANY_STACK
from askfirst.model import Kind
from askfirst.shell.call import Analyst, Call, Outcome
from askfirst.shell.tools.engine import row
from askfirst.shell.tools.table import ANY_OPTIONS, INERT, READS, Tool

__all__ = ["TOOLS"]

# beads 0.21 (its docs/CLI_REFERENCE.md and docs/CONFIG.md). What changes an issue runs `.beads/hooks`, and obeys
# `.beads/config.yaml` (knowledge/obeyed.py); what looks runs nothing. Left out, so that they ask: `sync`, `daemon`,
# `init`, `hooks`, `config`, `admin`, `edit`, `delete`, `import`, `export` and whatever speaks to another tracker.
_BEADS = """
    flag    --json --no-daemon --no-auto-flush --no-auto-import --no-db --sandbox --allow-stale --readonly --no-push
    flag    -q,--quiet -v,--verbose
    value   --actor --lock-timeout
    asks    --db: chooses another tracker's files
"""
_BEADS_FILTERS = """
    value   -s,--status -p,--priority -t,--type -a,--assignee -l,--label --label-any --id --title --title-contains
    value   --desc-contains --notes-contains --created-after --created-before --updated-after --updated-before
    value   --closed-after --closed-before --priority-min --priority-max --parent --spec -n,--limit --sort --days
    value   --type-filter --max-depth --direction
    flag    --all --long --pretty --tree --no-assignee --no-labels --empty-description -u,--unassigned -r,--reverse
    flag    --current --short --refs --counts --overdue --show-all-paths
"""
_BEADS_FIELDS = """
    value   -d,--description --body -t,--type -p,--priority -s,--status -a,--assignee -l,--labels --label
    value   --add-label --remove-label --set-labels --title --design --acceptance --notes --append-notes --deps --id
    value   --parent --external-ref --spec-id --estimate -e --due --defer --reason -r --of --with
    flag    --claim --force --stdin --silent --dry-run --suggest-next --no-inherit-labels --ephemeral
    reads   -f,--file --body-file --description-file --design-file
"""


def _looks(name: str, *words: str, description: str = "shows issues of the project") -> dict[str, Tool]:
    return {
        word: Tool(
            f"{name} {word}",
            Kind.READ,
            description,
            options=_BEADS + _BEADS_FILTERS,
            operands=(INERT, ...),
            key_words=2,
        )
        for word in words
    }


def _changes(name: str, *words: str) -> dict[str, Tool]:
    about = "changes an issue of the project, and runs its hooks"
    return {
        word: Tool(
            f"{name} {word}",
            Kind.BUILD,
            about,
            profile=ANY_STACK,
            options=_BEADS + _BEADS_FIELDS,
            operands=(INERT, ...),
            key_words=2,
        )
        for word in words
    }


def _group(name: str, looks: str, changes: str) -> dict[str, Tool]:
    """`bd dep tree ID`, `bd label add ID LABEL`."""
    word = name.rpartition(" ")[2]
    inner = _looks(name, *looks.split()) | _changes(name, *changes.split())
    return {word: Tool(name, Kind.READ, "shows or changes issues of the project", allowed=False, subcommands=inner)}


def _beads(name: str) -> Tool:
    looking = "ready list show blocked search stats"
    return Tool(
        name,
        Kind.OTHER,
        "keeps the project's issues",
        allowed=False,
        subcommands=_looks(name, *looking.split())
        | _changes(name, *"create update close".split())
        | _group(f"{name} dep", "tree", "add")
        | _group(f"{name} label", "list", "add")
        | _group(f"{name} comments", "list", "add"),
        manual="docs/CLI_REFERENCE.md of beads 015a8ce",
        examples=(f"{name} ready --json", f"{name} dep tree bd-1", f"{name} close bd-1 --reason done"),
        counter_examples=(
            f"{name} sync",
            f"{name} --db /x/beads.db list",
            f"{name} list --db /x/beads.db",
            f"{name} daemon --start --auto-push",
            f"{name} create x --body-file .env",
            f"{name} config set a b",
        ),
    )


# Task Master 0.x (docs/command-reference.md): what asks a model (`parse-prd`, `expand`, `add-task`, `update`,
# `analyze-complexity`, `research`, `scan`) talks to a service, and `init`, `models` and `rules` write settings.
_TASKS = """
    value   -s,--status -i,--id -d,--depends-on -t,--tag --priority
    asks    -p,--project: works on another project
    flag    --with-subtasks --json --silent -c,--compact --all
    reads   -f,--file -r,--report
"""


def _asks_its_model(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    """All of these send tasks to the one service that its settings name: a yes to one is a yes to the others."""
    outcome = row(tool, call, analyst)
    key = (tool.name.split()[0], "ask-its-model")
    return replace(outcome, action=replace(outcome.action, key=key, rule=key[0], free=True))


def _task_master(name: str) -> Tool:
    def inner(words: str, kind: Kind, about: str, profile: str = "") -> dict[str, Tool]:
        return {
            word: Tool(
                f"{name} {word}", kind, about, profile=profile, options=_TASKS, operands=(INERT, ...), key_words=2
            )
            for word in words.split()
        }

    asking = "parse-prd expand analyze-complexity add-task add-subtask update update-task update-subtask research"
    changing = "set-status"
    return Tool(
        name,
        Kind.OTHER,
        "keeps the project's tasks, and asks a model about them",
        allowed=False,
        subcommands=inner("list next show", Kind.READ, "shows tasks")
        | inner(changing, Kind.BUILD, "changes the project's tasks", ANY_STACK)
        | {
            word: Tool(
                f"{name} {word}",
                Kind.OTHER,
                "sends the project's tasks to the model of its settings",
                allowed=False,
                options="reads -f,--file -i,--input -o,--output",
                operands=(READS, ...),
                reading=ANY_OPTIONS,
                special=_asks_its_model,
            )
            for word in asking.split()
        },
        manual="task-master 0.43.1",
        examples=(f"{name} list --with-subtasks", f"{name} show 1.2", f"{name} set-status --id=1 --status=done"),
        counter_examples=(f"{name} expand --all", f"{name} init", f"{name} parse-prd prd.txt", f"{name} list -p /tmp"),
    )


TOOLS: dict[str, Tool] = {
    "bd": _beads("bd"),
    "task-master": _task_master("task-master"),
}
