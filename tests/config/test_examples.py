"""The files in examples/ are good and prove themselves. (tests/test_docs.py runs the blocks of the pages.)"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from askfirst.errors import ConfigError
from askfirst.store import rulefiles

EXAMPLES = Path(__file__).parent.parent.parent / "examples"


def test_the_project_file_is_good_and_proves_itself(project: Path) -> None:
    path = project / ".askfirst" / "allowed_commands.yaml"
    path.parent.mkdir()
    shutil.copy(EXAMPLES / "project_allowed_commands.yaml", path)
    file = rulefiles.project_rules(str(path), path.read_bytes(), str(project), most=100)
    assert len(file.rules) == 11 and file.profiles == ("python-dev",)
    assert sum(len(r.match) + len(r.not_match) for r in file.rules) == 27


@pytest.mark.parametrize("name", ["org_config.yaml", "org_roles.yaml"])
def test_the_organisation_files_are_good(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    shutil.copy(EXAMPLES / name, path)
    path.chmod(0o644)
    file = rulefiles.org_file(str(path))
    assert file is not None and file.allowed and file.settings


@pytest.mark.parametrize(
    ("entry", "place", "says"),
    [
        (
            '{name: npm, match: ["npm run x", "yarn x"]}',
            "3:39",
            "the example `yarn x` is not covered by the entry `npm`",
        ),
        (
            'name: npm\n    args: ["ci"]\n    not_match: [\n      "npm ci"]',
            "6:8",
            "the example `npm ci` is covered by the entry `npm`",
        ),
        (
            "tool: WebFetch\n    domains: [a.example]\n    match: [WebFetch https://b.example/]",
            "5:13",
            "the example `WebFetch https://b.example/` is not covered by the entry `WebFetch`",
        ),
        (
            """tool: mcp__a__*\n    not_match: ['mcp__a__b {"op": "x"}']""",
            "4:18",
            """the example `mcp__a__b {"op": "x"}` is covered by the entry `mcp__a__*`""",
        ),
        ("tool: mcp__a__*\n    match: ['mcp__a__b op']", "4:14", "the example `mcp__a__b op` is not covered"),
        ('name: npm\n    match: ["yarn\\x20x"]', "3:5", "the example `yarn x` is not covered by the entry `npm`"),
    ],
)
def test_a_lie_is_shown_where_it_stands(entry: str, place: str, says: str, project: Path) -> None:
    path = project / ".askfirst" / "allowed_commands.yaml"
    path.parent.mkdir()
    path.write_text(f"version: 1\ncommands:\n  - {entry}\n")
    (problem,) = rulefiles.project_rules(str(path), path.read_bytes(), str(project), most=100).problems
    error = ConfigError.of(problem)
    assert str(error).startswith(f"{path}:{place}: {says}") and "^" in error.excerpt
