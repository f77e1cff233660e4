"""Variables that are set for a command, or exported before it: what no table knows, and says nothing that a program
could take for a file, a program or an address, is up to the project's own code."""

from __future__ import annotations

from pathlib import Path

import pytest

from askfirst.knowledge import variables
from askfirst.model import Decision
from tests.policy.bench import RuleBench
from tests.scorecard import STACKS, Bench

OBEYED = sorted(
    {
        *variables.LOADS_CODE,
        *variables.OBEYED,
        *variables.CODE_PLACES,
        *variables.SAYS_WHO_IS_TOLD,
        *variables.REACHES_GATE,
        *(f"{prefix}X" for prefix in (*variables.LOADS_CODE_PREFIXES, *variables.OBEYED_PREFIXES)),
        *(f"MY{suffix}" for suffix in variables.LOADS_CODE_SUFFIXES),
        *("API_KEY", "MY_TOKEN", "DB_PASSWORD", "SOME_SECRET", "SENTRY_DSN"),
    }
    - variables.INERT
)


@pytest.mark.parametrize("name", OBEYED)
def test_what_a_table_knows_still_asks(name: str, tmp_path: Path) -> None:
    bench = Bench(tmp_path, STACKS)
    for value in ("typescript", "9876"):
        for command in (f"export {name}={value} && npm test", f"{name}={value} npm test", f"export {name}={value}; ls"):
            assert bench.judge(command).decision != Decision.ALLOW, command


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("export AR=1 && npm test", Decision.ASK),
        ("export X=1 && npm test", Decision.ALLOW),
        ("export ANALYZE=1 && npm test", Decision.ALLOW),
        ("export ANALYZE=true MODE_OF_IT=typescript; npm test 2>&1 | tail -5", Decision.ALLOW),
        ("export ANALYZE=1\nls src; pytest -q; grep -r x src | sort", Decision.ALLOW),
        ("LANGUAGE_MODE=typescript npm test", Decision.ALLOW),
        ("LANGUAGE_MODE=typescript pytest tests", Decision.ALLOW),
        ("declare -x ANALYZE=1; npm test", Decision.ALLOW),
        ("bash -c 'export ANALYZE=1; npm test'", Decision.ASK),
        ("export ANALYZE=1; ./deploy.sh", Decision.ASK),
        ("./deploy.sh; export ANALYZE=1; npm test", Decision.ASK),
        ("f() { ./deploy.sh; }; export ANALYZE=1; f", Decision.ASK),
        ("export ANALYZE=1; git status", Decision.ASK),
        ("export ANALYZE=1; ls", Decision.ASK),
        ("ANALYZE=1 ls", Decision.ASK),
        ("export ANALYZE=1; cargo test", Decision.ALLOW),
        ("export RUSTDOC=x; cargo test", Decision.ASK),
        ("LEX=flex make test", Decision.ASK),
        ("TOXENV=evil tox", Decision.ASK),
        ("export ANALYZE=1", Decision.ASK),
        ("export ANALYZE+=1; npm test", Decision.ASK),
        ("export ANALYZE=$x; npm test", Decision.ASK),
        ("export ANALYZE; npm test", Decision.ASK),
        ("export OUTPUT_FILE=notes && npm test", Decision.ASK),
        ("export SOME_HOST=evil && npm test", Decision.ASK),
        ("export SOME_MODE=evil.example && npm test", Decision.ASK),
        ("export SOME_MODE=../x && npm test", Decision.ASK),
        ("export SOME_MODE=production && npm test", Decision.ASK),
        ("export SOME_MODE=ExecuteIt && npm test", Decision.ASK),
        ("export some_mode=it && npm test", Decision.ASK),
        ("SOME_MODE='a b' npm test", Decision.ASK),
        ("SOME_MODE=-rf npm test", Decision.ASK),
        ("SOME_MODE= npm test", Decision.ASK),
    ],
)
def test_an_unknown_variable(command: str, expected: Decision, tmp_path: Path) -> None:
    assert Bench(tmp_path, STACKS).judge(command).decision == expected


def test_a_yes_to_a_script_does_not_cover_what_is_exported(tmp_path: Path) -> None:
    bench = RuleBench(tmp_path)
    entry = {"name": "npm", "args": ["run deploy"]}
    layers = bench.with_rules(project={"version": 2, "commands": [entry]})
    assert bench.verdict("npm run deploy", layers).decision == Decision.ALLOW
    for command in ("SKIP_CHECKS=1 npm run deploy", "export SKIP_CHECKS=1; npm run deploy"):
        assert bench.verdict(command, layers).decision == Decision.ASK, command
    named = bench.with_rules(project={"version": 2, "commands": [{**entry, "env": ["SKIP_CHECKS=1"]}]})
    assert bench.verdict("export SKIP_CHECKS=1; npm run deploy", named).decision == Decision.ALLOW
