"""Checkers of single files that run nothing of the project: shell scripts, Dockerfiles, YAML, prose."""

from __future__ import annotations

import re
from dataclasses import replace

from askfirst.model import Kind
from askfirst.shell.call import Analyst, Call, Outcome
from askfirst.shell.tools.engine import action_of, facts_of, row, unknown, write_fact
from askfirst.shell.tools.options import parse
from askfirst.shell.tools.table import ANY_OPTIONS, Reading, Tool


def _formats(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    """Prints what it would change, unless it is told to write."""
    parsed = parse(tool, call.words[1:])
    facts = list(facts_of(tool, call, replace(parsed, operands=()), analyst))
    if not parsed.has("-w"):
        return Outcome(action_of(tool), (*facts, *facts_of(tool, call, replace(parsed, given=(), doubts=()), analyst)))
    for word in parsed.operands:
        facts += write_fact(word, call, analyst, f"{tool.name} -w", "overwrite", below=True)
    return Outcome(
        replace(action_of(tool), key=(tool.name, "-w"), kind=Kind.EDIT, description="formats files in place"),
        tuple(facts),
    )


def _extends_shipped(settings: str | None) -> bool:
    """Only `default` and `relaxed` are yamllint's own; every other name is a file, also without a slash. Escapes and
    anchors, which could spell one, are not read."""
    if settings is None or any(sign in settings for sign in "/\\&*!%<"):
        return False
    shipped = re.findall(r"extends['\"]?\s*:\s*['\"]?(?:default|relaxed)['\"]?[ \t]*(?=$|[\n,}])", settings)
    return settings.count("extends") == len(shipped)


def _yamllint(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    """Settings in the command may extend any file, whose lines stand in the complaint about it."""
    outcome = row(tool, call, analyst)
    odd = [w for w in parse(tool, call.words[1:]).values("-d") if not _extends_shipped(w.value)]
    facts = (unknown("option", f"`{w.text}` may show another file", call, w.text) for w in odd)
    return replace(outcome, facts=(*outcome.facts, *facts))


_ROWS = (
    Tool(
        "shellcheck",
        description="checks shell scripts",
        options="""
            flag    -x --external-sources --list-optional -V --norc
            value   -e,--exclude -i,--include -f,--format -o --enable -s,--shell -S,--severity -P
            value   --source-path -W,--wiki-link-count --extended-analysis
            maybe   -C,--color
            reads   --rcfile
            asks    -a,--check-sourced: shows lines of the files that the script names
        """,
        manual="shellcheck 0.11.0",
        examples=("shellcheck -x scripts/a.sh", "shellcheck --severity error a.sh"),
        counter_examples=("shellcheck -a -x scripts/a.sh",),
    ),
    Tool(
        "shfmt",
        description="formats shell scripts",
        options="""
            flag    -l,--list -d,--diff -s,--simplify -mn --minify -bn -ci -sr -kp -fn -f,--find
            flag    -p,--posix -tojson --to-json -w,--write --apply-ignore
            value   -ln --language-dialect -i,--indent --filename -filename
        """,
        reading=Reading(single_dash_long=True),
        manual="shfmt 3.14.1",
        examples=("shfmt -d scripts", "shfmt --list src", "shfmt -w a.sh"),
        counter_examples=("shfmt -w /x",),
        special=_formats,
    ),
    Tool(
        "hadolint",
        description="checks Dockerfiles",
        options="""
            flag    -V,--verbose --no-fail --no-color --strict-labels --disable-ignore-pragma -v
            value   -f,--format --ignore --error --warning --info --style --trusted-registry
            value   --require-label -t --failure-threshold --file-path-in-report
            reads   -c,--config
        """,
        manual="hadolint 2.15.1",
        examples=("hadolint --ignore DL3006 Dockerfile",),
    ),
    Tool(
        "yamllint",
        description="checks YAML",
        options="""
            flag    -s,--strict --no-warnings --list-files
            value   -f,--format -d,--config-data
            reads   -c,--config-file
        """,
        special=_yamllint,
        manual="yamllint 1.38.0",
        examples=("yamllint -s .", "yamllint -d relaxed .", "yamllint -d '{extends: default, rules: {}}' ."),
        counter_examples=("yamllint -d 'extends: /etc/shadow' .", "yamllint -d 'extends: hosts.yml' ."),
    ),
    Tool("dotenv-linter", description="checks .env files", allowed=False, reading=ANY_OPTIONS),
)

TOOLS: dict[str, Tool] = {t.name: t for t in _ROWS}
