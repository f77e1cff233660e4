"""Checkers of single files that run nothing of the project: shell scripts, Dockerfiles, YAML, prose."""

from __future__ import annotations

from askfirst.model import Kind
from askfirst.shell.call import Outcome
from askfirst.shell.tools.engine import action_of, facts_of, write_fact
from askfirst.shell.tools.options import parse
from askfirst.shell.tools.table import Effect, Tool

TYPE_CHECKING = False
if TYPE_CHECKING:
    from askfirst.shell.call import Analyst, Call

INERT, READS = Effect.INERT, Effect.READS


def _formats(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    """Prints what it would change, unless it is told to write."""
    parsed = parse(tool, call.words[1:])
    facts = list(facts_of(tool, call, parsed.replace(operands=()), analyst))
    if not parsed.has("-w"):
        return Outcome(action_of(tool), (*facts, *facts_of(tool, call, parsed.replace(given=(), doubts=()), analyst)))
    for word in parsed.operands:
        facts += write_fact(word, call, analyst, f"{tool.name} -w", "overwrite", below=True)
    return Outcome(
        action_of(tool).replace(key=(tool.name, "-w"), kind=Kind.EDIT, description="formats files in place"),
        tuple(facts),
    )


def _vale(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    """`vale sync` fetches the styles that the settings name; `vale FILE` checks."""
    parsed = parse(tool, call.words[1:])
    action = action_of(tool)
    if parsed.operands and parsed.operands[0].value in (None, "sync", "install"):
        action = action.replace(key=(tool.name, "sync"), kind=Kind.NETWORK, allowed=False, description="fetches styles")
    return Outcome(action, facts_of(tool, call, parsed, analyst))


_ROWS = (
    Tool(
        "shellcheck",
        description="checks shell scripts",
        flags="-a --check-sourced -x --external-sources --list-optional -V --norc",
        optional="-C --color",
        values="-e --exclude -i --include -f --format -o --enable -s --shell -S --severity -P --source-path -W "
        "--wiki-link-count "
        "--extended-analysis",
        effects={"--rcfile": READS},
        examples=("shellcheck -x scripts/a.sh", "shellcheck --severity error a.sh"),
    ),
    Tool(
        "shfmt",
        description="formats shell scripts",
        special=_formats,
        flags="-l --list -d --diff -s --simplify -mn --minify -bn -ci "
        "-sr -kp -fn -f --find "
        "-p --posix -tojson --to-json -w|--write --apply-ignore",
        values="-ln --language-dialect -i --indent --filename -filename",
        single_dash_long=True,
        examples=("shfmt -d scripts", "shfmt --list src", "shfmt -w a.sh"),
        counter_examples=("shfmt -w /x",),
    ),
    Tool(
        "hadolint",
        description="checks Dockerfiles",
        flags="-V --verbose --no-fail --no-color --strict-labels --disable-ignore-pragma -v",
        values="-f --format --ignore --error --warning --info --style --trusted-registry --require-label -t --failure-threshold "
        "--file-path-in-report",
        effects={"-c --config": READS},
        examples=("hadolint --ignore DL3006 Dockerfile",),
    ),
    Tool(
        "yamllint",
        description="checks YAML",
        flags="-s --strict --no-warnings --list-files",
        values="-f --format -d --config-data",
        effects={"-c --config-file": READS},
        examples=("yamllint -s .",),
    ),
    Tool(
        "actionlint",
        description="checks workflows",
        single_dash_long=True,
        flags="-color -no-color -oneline -verbose -version",
        values="-ignore -format -stdin-filename",
        asks={
            "-shellcheck -pyflakes": "runs a program",
            "-init-config": "writes a file",
            "-config-file": "loads settings",
        },
    ),
    Tool(
        "typos",
        description="checks spelling",
        flags="--diff --hidden --no-ignore --files --identifiers --words --dump-config -q -v --sort --force-exclude",
        values="--format --exclude --type --color -j --threads --locale",
        asks={"-w --write-changes": "edits files"},
        operands=INERT,
    ),
    Tool(
        "taplo",
        description="checks TOML",
        allowed=False,
        subcommands={
            "lint": Tool(
                "taplo lint", description="checks TOML", flags="--no-schema --default-schema-catalogs", operands=READS
            ),
            "check": Tool("taplo check", description="checks TOML", flags="--no-schema", operands=READS),
            "get": Tool(
                "taplo get",
                description="reads TOML",
                flags="-s --strip-newline",
                values="-f --file-path -o --output-format",
                operands=INERT,
            ),
        },
    ),
    Tool("dotenv-linter", description="checks .env files", allowed=False, any_options=True),
    Tool(
        "editorconfig-checker",
        description="checks files",
        single_dash_long=True,
        flags="-verbose -dry-run -no-color -debug",
        values="-exclude -format",
        operands=INERT,
    ),
    Tool(
        "vale",
        description="checks prose",
        special=_vale,
        examples=("vale docs",),
        counter_examples=("vale sync",),
        flags="--no-exit --no-wrap --ignore-syntax --relative",
        values="--output --minAlertLevel --ext --filter --glob",
        asks={"--config --path": "loads settings"},
    ),
    Tool("proselint", description="checks prose", flags="-j --json -d"),
    Tool(
        "jsonlint",
        description="checks JSON",
        flags="-q --quiet -c --compact -s --sort-keys",
        asks={"-i --in-place": "edits files"},
    ),
    Tool(
        "tidy",
        description="checks HTML",
        flags="-e -q -errors -quiet -xml -utf8 -i",
        single_dash_long=True,
        asks={"-m -modify -o -output -f -config": "writes a file"},
    ),
)

TOOLS: dict[str, Tool] = {t.name: t for t in _ROWS}
