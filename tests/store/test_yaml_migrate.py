"""A file of version 1 becomes one of version 2: what its patterns allowed is written out, and nothing else changes."""

from __future__ import annotations

import pytest

from askfirst.errors import ConfigError
from askfirst.store.yaml_migrate import migrated

TEAM = """\
# our rules
version: 1  # the first
commands:
  - name: npm   # builds
    args: ["run build", 'run test*', run lint]  # three
    deny_args: [--force]
  - {name: git, args: [push], decision: ask}
  - jq
  - name: make
    args:
      - all
      # the last
      - "check ..."
"""
WIDER = TEAM.replace("version: 1", "version: 2").replace('"run build"', '"run build ..."')
WIDER = WIDER.replace("'run test*', run lint]", "'run test* ...', run lint ...]").replace("- all\n", "- all ...\n")


@pytest.mark.parametrize(
    ("exact", "new"), [(False, WIDER), (True, TEAM.replace("version: 1", "version: 2"))], ids=["as before", "exact"]
)
def test_a_file_of_version_1(exact: bool, new: str) -> None:
    assert migrated(TEAM, exact=exact) == new
    assert migrated(new, exact=exact) == new, "there is nothing left to do"


def test_blocks_stay_as_they_are() -> None:
    old = (
        "version: 1\nblocked_commands: [{name: npm, args: [publish]}]\nallowed_commands: [{name: hugo, args: [list]}]\n"
    )
    new = old.replace("version: 1", "version: 2").replace("[list]", "[list ...]")
    assert migrated(old, exact=False) == new


def test_what_cannot_be_changed_safely_is_left_alone() -> None:
    with pytest.raises(ConfigError, match="several lines"):
        migrated("version: 1\ncommands:\n  - name: a\n    args:\n      - |\n        b\n", exact=False)
