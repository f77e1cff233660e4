"""Where may be written and what may be read: the tables in tests/cases, one row a case."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import Any

import pytest
import yaml

from askfirst.knowledge.globs import fold, glob, wild
from askfirst.model import Change, Decision, Read, Write
from askfirst.policy.reads import judge_read
from askfirst.policy.rules import Layers, Settings, WriteSettings
from askfirst.policy.writes import judge_write

HOME, PROJECT = "/home/u", "/home/u/project"
CASES = os.path.join(os.path.dirname(__file__), "..", "cases")
LAYERS = Layers(PROJECT, home=HOME, own_dirs=("/data/state/askfirst",))


def rows(name: str) -> list[dict[str, Any]]:
    with open(os.path.join(CASES, name), encoding="utf-8") as file:
        found: list[dict[str, Any]] = yaml.safe_load(file)
    return found


def absolute(path: str | None) -> str | None:
    if path is None:
        return None
    return os.path.normpath(os.path.join(PROJECT, path.replace("~", HOME, 1) if path.startswith("~") else path))


def label(row: dict[str, Any]) -> str:
    return f"{row.get('how', '')}-{row.get('text') or row.get('write') or row.get('read')}-{row['is']}"


@pytest.mark.parametrize("row", rows("writes.yaml"), ids=label)
def test_writes(row: dict[str, Any]) -> None:
    change = Change(row["change"], lines=3, base="x", kept=row.get("kept", "")) if "change" in row else None
    content = row["content"].encode() if "content" in row else None
    how, by = row.get("how", "overwrite"), row.get("by", "redirection")
    write = Write(
        absolute(row["write"]), row.get("text") or row["write"], how, by, content, row.get("below", False), change
    )
    finding = judge_write(write, LAYERS)
    assert (finding.decision.name.lower(), finding.origin.rule) == (row["is"], row["rule"]), finding.reason
    assert finding.reason and finding.fact == write


@pytest.mark.parametrize("row", rows("reads.yaml"), ids=label)
def test_reads(row: dict[str, Any]) -> None:
    read = Read(absolute(row["read"]), row.get("text") or row["read"], "cat")
    finding = judge_read(read, LAYERS)
    assert finding.decision.name.lower() == row["is"], finding.reason
    assert row.get("says", "") in finding.reason


def with_writes(**changes: Any) -> Layers:
    return replace(LAYERS, settings=Settings(writes=WriteSettings(**changes)))


def written(path: str, layers: Layers, **fields: Any) -> tuple[str, str]:
    values: dict[str, Any] = {"how": "overwrite", "by": "Write", **fields}
    finding = judge_write(Write(absolute(path), path, **values), layers)
    return finding.decision.name.lower(), finding.origin.rule


MONOREPO = {"own": ("services/trade",), "read_only": ("shared", "contracts")}


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("services/trade/src/app.py", ("allow", "write-in-project")),
        ("services/trade", ("allow", "write-in-project")),
        ("services/trade-two/app.py", ("deny", "sibling")),
        ("services/other/app.py", ("deny", "sibling")),
        ("shared/types.py", ("deny", "read-only")),
        ("contracts/v1.json", ("deny", "read-only")),
        ("README.md", ("ask", "scope")),
        ("docs/x.md", ("ask", "scope")),
        (".claude/settings.json", ("deny", "agent-settings")),
    ],
)
def test_monorepo_writes(path: str, expected: tuple[str, str]) -> None:
    assert written(path, with_writes(**MONOREPO)) == expected


@pytest.mark.parametrize(
    ("path", "decision"),
    [
        ("services/trade/a.py", "allow"),
        ("shared/types.py", "allow"),
        ("services/other/a.py", "deny"),
        ("README.md", "allow"),
    ],
)
def test_monorepo_reads(path: str, decision: str) -> None:
    assert judge_read(Read(absolute(path), path, "cat"), with_writes(**MONOREPO)).decision.name.lower() == decision


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("src/a.py", "allow"),
        ("lib/deep/a.py", "allow"),
        ("tests/test_a.py", "allow"),
        ("docs/a.md", "allow"),
        ("scripts/a.sh", "allow"),
        ("notes.md", "allow"),
        ("app/a.py", "ask"),
        ("srcs/a.py", "ask"),
    ],
)
def test_new_files_only_in_allowed_directories(path: str, expected: str) -> None:
    strict, known = with_writes(create_in_known=False), with_writes()
    top = path.partition("/")[0] if "/" in path else ""
    for by in ("Write", "mkdir"):
        assert written(path, strict, how="create", by=by, change=Change("NEW"))[0] == expected
        assert (
            written(path, known, how="create", by=by, change=Change("NEW"))[0] == "allow"
        )  # in a directory that is there
    assert written(path, known, how="create", change=Change("NEW", fresh=top))[0] == expected
    assert written(path, known, how="create", by="mkdir", change=Change("NEW", fresh=top))[0] == "allow"
    assert written(path, with_writes(create_anywhere=True), how="create", change=Change("NEW", fresh=top))[0] == "allow"
    assert written(path, strict, change=Change("MODIFY", base="x"))[0] == "allow"


def test_what_a_new_file_is_and_holds_is_asked_before_its_place() -> None:
    """A yes to a place is for whatever the content."""
    layers, monorepo = with_writes(), with_writes(own=("services/trade",))
    for path, top in ((".vscode/tasks.json", ".vscode"), ("app/conftest.py", "app"), (".husky/pre-commit", ".husky")):
        assert written(path, layers, how="create", change=Change("NEW", fresh=top)) == ("ask", "auto-loaded")
        assert written(path, monorepo, how="create", change=Change("NEW", fresh=top)) == ("ask", "auto-loaded")
    secret = Change("NEW", fresh="app", secrets=("line 1: token ghp_****",))
    assert written("app/a.py", layers, how="create", change=secret) == ("ask", "secret-content")
    assert written("app/a.py", layers, how="create", change=Change("NEW", fresh="app")) == ("ask", "create-dir")
    assert written("app/a.py", monorepo, how="create", change=Change("NEW")) == ("ask", "scope")


def test_size_limit() -> None:
    assert written("src/a.txt", LAYERS, content=b"x" * 512 * 1024) == ("allow", "write-in-project")
    assert written("src/a.txt", LAYERS, content=b"x" * (512 * 1024 + 1)) == ("deny", "too-large")
    assert written("src/a.txt", with_writes(max_kib=1), content=b"x" * 2000) == ("deny", "too-large")
    # An edit of a large file adds little.
    assert (
        written("src/a.txt", LAYERS, by="Edit", content=b"x" * 900_000, change=Change("MODIFY", grown=10, base="x"))[0]
        == "allow"
    )


def test_protected_paths_of_the_organisation() -> None:
    layers = replace(LAYERS, settings=Settings(protected_paths=("infra", "**/*.tf", "~/notes", "/srv/data")))
    for path in ("infra", "infra/a/b.txt", "modules/main.tf", "~/notes/today", "/srv/data/x"):
        assert written(path, layers) == ("deny", "protected-path")
    assert judge_write(Write("/srv", "/srv", "move", "mv"), layers).decision == Decision.DENY


def test_custom_deny_globs() -> None:
    layers = with_writes(deny=("**/generated/**",))
    assert written("src/generated/a.py", layers) == ("deny", "deny-glob")
    assert written("src/a.pem", layers) == ("allow", "write-in-project")


@pytest.mark.parametrize(
    ("pattern", "text", "expected"),
    [
        ("*.py", "a.py", True),
        ("*.py", "a.pyc", False),
        ("a*b*c", "axxbyyc", True),
        ("a*b*c", "axxbyy", False),
        ("?", "a", True),
        ("?", "", False),
        ("*", "", True),
        ("[ab]*", "bx", True),
        ("a**", "a", True),
    ],
)
def test_one_part_of_a_pattern(pattern: str, text: str, expected: bool) -> None:
    assert wild(pattern, text) is expected


@pytest.mark.parametrize(
    ("pattern", "path", "expected"),
    [
        ("**/.env", ".env", True),
        ("**/.env", "a/b/.env", True),
        ("**/.env", "a/.env/c", False),
        ("**/secrets/**", "secrets", True),
        ("**/secrets/**", "a/secrets/b/c", True),
        ("a/*/c", "a/b/c", True),
        ("a/*/c", "a/b/b/c", False),
        ("a/**/c", "a/c", True),
        ("a", "", False),
    ],
)
def test_globs(pattern: str, path: str, expected: bool) -> None:
    assert glob(pattern, path) is expected


def test_matching_takes_linear_time() -> None:
    assert not wild("a*" * 30 + "b", "a" * 4000)


def test_folding() -> None:
    assert fold("/A/\u212aey") == "/a/key"  # the Kelvin sign
    assert fold("cafe\u0301") == fold("caf\u00e9")
