"""What a person gets to read for every mistake in a rule file: the exact message, never a traceback, and nothing
allowed."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
import yaml

from askfirst.errors import ConfigError
from askfirst.policy.config import explain, parse_org, parse_project
from askfirst.policy.yamltext import decode

CASES: list[dict[str, Any]] = yaml.safe_load(
    (Path(__file__).parent.parent / "cases" / "config_mistakes.yaml").read_text(encoding="utf-8")
)


def load(kind: str, data: bytes) -> object:
    text = decode(data, "f.yaml")
    file = parse_org(text, "f.yaml") if kind == "org" else parse_project(text, "f.yaml")
    if file.problems:  # an allowing entry: it alone does not count
        raise ConfigError.of(file.problems[0])
    return file


@pytest.mark.parametrize("case", CASES, ids=lambda c: " ".join(c["text"].split())[-50:])
def test_mistake(case: dict[str, Any]) -> None:
    with pytest.raises(ConfigError) as caught:
        load(case["file"], case["text"].encode())
    assert explain(caught.value) == case["says"]


def test_the_limit_names_the_first_entry_too_many() -> None:
    text = "version: 1\ncommands:\n" + "".join(f"  - name: tool{i:03}\n" for i in range(101))
    with pytest.raises(ConfigError) as caught:
        load("project", text.encode())
    assert str(caught.value).startswith("f.yaml:103:5: has 101 commands, more than 100")
    parse_project(text.replace("  - name: tool100\n", ""), "f.yaml")
    with pytest.raises(ConfigError, match="more than 50"):
        parse_project(text, "f.yaml", most=50)


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (
            b"version: 1\n# " + b"x" * 65536,
            "f.yaml: has 65,549 bytes, more than 65,536; split it, or use wildcards and profiles",
        ),
        (b"version: 1\ncommands:\n  - name: sw\xffift\n", "f.yaml:3:13: is not UTF-8 text; save it as UTF-8"),
        (
            b"version: 1\n\x00",
            "f.yaml:2:1: contains an invisible character: U+0000 (a control character); remove it",
        ),
        (
            b"a: " * 40,
            "f.yaml:1:5: is not YAML: mapping values are not allowed here; "
            "is a quote or a line break missing before this `:`?",
        ),
        (b"[" * 300, ""),
        (b"{" * 2000, ""),
        (b"version: 1\nx: " + b"[" * 40 + b"]" * 40, "f.yaml:2:16: is nested too deeply"),
    ],
    ids=["64 kB", "UTF-8", "NUL", "colons", "brackets", "braces", "nesting"],
)
def test_bytes_that_are_no_rule_file(data: bytes, says: str) -> None:
    with pytest.raises(ConfigError) as caught:
        load("project", data)
    if says:
        assert str(caught.value) == says


FINE = (
    "",
    "\n",
    "# only a comment\n",
    "---\n",
    "version: 1\n",
    "version: 1\ncommands:\n",
    "version: 1\ncommands: []\n",
    "\ufeffversion: 1\n",
    "version: 1\r\ncommands:\r\n  - name: swift\r\n",
    "version: 1\nprofiles:\n",
    "version: 1\ncommands:\n  - swift\n  - name: 'swift*'\n  - name: ./scripts/build.sh\n",
    "version: 1\ncommands:\n  - {name: npm, args: ['run *', 'run test*'], deny_args: [--force], paths: project}\n",
    "version: 1\ncommands:\n  - {name: python, args: ['scripts/gen.py'], env: [APP_ENV], roles: [sre]}\n",
    "version: 1\ncommands:\n  - {name: psql, expires: 2027-01-31}\n  - {name: bash, decision: deny, reason: 'no'}\n",
)


@pytest.mark.parametrize("text", FINE)
def test_what_is_fine(text: str) -> None:
    load("project", text.encode())


def test_an_organisation_file_with_everything() -> None:
    file = parse_org(
        """version: 1
allowed_commands: [{name: jq}, /opt/tools/deploy-check]
blocked_commands: [terraform, {name: npm, args: ["publish*"], reason: releases go through CI}, "k*"]
dangerous_commands: [{name: flyctl, warning: deploys to production}]
approval_timeout_minutes: 5
approval_enabled: true
dangerous_command_requires_confirmation: true
max_project_commands: 50
profiles: [python-dev, lockfile-only]
roles: {alice: sre, bob: dev}
push_dry_run_first: true
writes: {deny: ["**/*.key"], create_in: [src, ""], max_kib: 64, replace_lines: 50, replace_ratio: 0.3,
         own: [a], read_only: [b]}
alerts: {violations: 3, window_seconds: 30}
audit: {syslog: yes}
protected_paths: [infra/**]
""",
        "f.yaml",
    )
    assert [r.name for r in file.blocked] == ["terraform", "npm", "k*"]
    assert [r.origin.line for r in file.blocked] == [3, 3, 3]
    assert dict(file.settings)["roles"] == (("alice", "sre"), ("bob", "dev"))
    assert dict(dict(file.settings)["writes"])["replace_ratio"] == 0.3


def test_a_file_is_never_half_taken() -> None:
    """The mistake stands last; the good entries before it do not count either."""
    with pytest.raises(ConfigError):
        load("project", b"version: 1\ncommands:\n  - name: swift\n  - nmae: x\n")


def test_odd_bytes_never_raise_anything_else() -> None:
    import random

    source = random.Random(7)
    alphabet = [
        *"version: 1\ncommands:\n  - name: swift\n&*!|>%@`{}[],#?'\"\t\\",
        "\u202e",
        "\U0001f600",
        "---",
        "...",
        "<<",
        "\x85",
        "~",
    ]
    for _ in range(1500):
        text = "".join(source.choice(alphabet) for _ in range(source.randrange(60)))
        data = (
            text.encode() if source.random() < 0.8 else os.urandom(0) + bytes(source.randrange(256) for _ in range(40))
        )
        try:
            load("project", b"version: 1\n" + data)
        except ConfigError as error:
            assert "Traceback" not in explain(error)
