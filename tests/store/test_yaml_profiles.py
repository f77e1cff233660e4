"""Profiles are switched in a rule file, and nothing else of it changes."""

from __future__ import annotations

import pytest

from askfirst.errors import ConfigError
from askfirst.store.yaml_profiles import with_profiles

A, AB, NONE = ("go-dev",), ("go-dev", "c-dev"), ()
TABLE = [
    ("", A, "version: 2\nprofiles: [go-dev]\n"),
    ("# only a comment", A, "# only a comment\nversion: 2\nprofiles: [go-dev]\n"),
    ("version: 2\ncommands: []\n", A, "version: 2\nprofiles: [go-dev]\ncommands: []\n"),
    ("commands: []", A, "profiles: [go-dev]\ncommands: []"),
    ("version: 2", A, "version: 2\nprofiles: [go-dev]\n"),
    ("profiles: [go-dev]  # found here: go.mod\n", AB, "profiles: [go-dev, c-dev]  # found here: go.mod\n"),
    ("profiles: [go-dev]  # why\nversion: 2\n", NONE, "profiles: []  # why\nversion: 2\n"),
    ("profiles: []\n", A, "profiles: [go-dev]\n"),
    ("profiles:\n  - go-dev  # why\ncommands: []\n", AB, "profiles:\n  - go-dev  # why\n  - c-dev\ncommands: []\n"),
    ("profiles:\n- go-dev\n- c-dev\n# end\n", A, "profiles:\n- go-dev\n# end\n"),
    ("profiles:\n  - go-dev\n", NONE, "profiles: []\n"),
    ("profiles:\n  - go-dev", AB, "profiles:\n  - go-dev\n  - c-dev\n"),
]
REFUSED = ["[a]", "profiles: go-dev\n", "version: 2\r\n", "a: &x 1\nprofiles: []\n", "x: [\n", "{profiles: []}"]


@pytest.mark.parametrize(("text", "wanted", "new"), TABLE)
def test_profiles_are_switched(text: str, wanted: tuple[str, ...], new: str) -> None:
    assert with_profiles(text, wanted) == new


@pytest.mark.parametrize("text", REFUSED)
def test_what_cannot_be_changed_safely_is_left_alone(text: str) -> None:
    with pytest.raises(ConfigError):
        with_profiles(text, A)
