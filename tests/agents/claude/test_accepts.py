"""Settings as the client validates them: a file that it would drop is never called good, and the key is named."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from askfirst.agents.claude import accepts, settings
from askfirst.agents.claude.install import INSTALLER
from askfirst.errors import ConfigError
from tests.agents.claude.settings_samples import DROPPED, DROPPED_BEFORE, TAKEN
from tests.hook.process import run


@pytest.mark.parametrize(("value", "key"), [*DROPPED, *DROPPED_BEFORE], ids=lambda v: v if isinstance(v, str) else "")
def test_what_the_client_drops_is_refused_with_its_key(value: dict[str, Any], key: str) -> None:
    assert f"`{key}`" in accepts.why_dropped(value)


@pytest.mark.parametrize("value", TAKEN, ids=json.dumps)
def test_what_the_client_takes_passes(value: dict[str, Any]) -> None:
    assert accepts.why_dropped(value) == ""


def test_every_row_has_a_kind_that_can_be_read_and_told() -> None:
    for kind in (*accepts.ROWS, *accepts.HOOK):
        assert accepts.words(kind) and not accepts.fits(kind, object) or kind == "any"


def test_what_init_writes_is_taken(project: Path) -> None:
    for scope in INSTALLER.scopes:
        value = json.loads(Path(INSTALLER.install(scope, str(project)).path).read_text())
        assert accepts.why_dropped(value) == ""


@pytest.mark.parametrize("place", ["home", "project"])
@pytest.mark.parametrize(
    ("text", "words"), [('{"model": 5}', "`model` is the number 5"), ("{nonsense", "not valid JSON"), ("{}", "")]
)
def test_files_that_the_client_would_drop_are_found_wherever_the_gate_stands(
    project: Path, home: Path, place: str, text: str, words: str
) -> None:
    file = {"home": home, "project": project}[place] / ".claude/settings.json"
    file.parent.mkdir(parents=True)
    file.write_text(text)
    found = INSTALLER.broken_files(str(project))
    assert [line.startswith(f"{file}: {words}") for line in found] == ([True] if words else [])


def test_init_warns_of_such_a_file(project: Path, home: Path) -> None:
    """It writes into settings.local.json; the user's file is the client's, too."""
    (home / ".claude").mkdir()
    (home / ".claude/settings.json").write_text('{"model": 5}')
    ran = subprocess.run(
        [sys.executable, "-m", "askfirst", "init", "--dir", str(project)], capture_output=True, text=True, check=True
    )
    assert "warning: " in ran.stdout and "`model` is the number 5" in ran.stdout


@pytest.mark.parametrize(("value", "key"), DROPPED, ids=lambda v: v if isinstance(v, str) else "")
def test_init_refuses_a_file_that_the_client_would_drop(project: Path, value: dict[str, Any], key: str) -> None:
    path = project / ".claude/settings.local.json"
    path.parent.mkdir()
    path.write_text(json.dumps(value))
    with pytest.raises(ConfigError, match="nothing was changed") as refused:
        INSTALLER.install("local", str(project))
    assert f"`{key}`" in str(refused.value) and path.read_text() == json.dumps(value)


def spoil(project: Path) -> Path:
    path = Path(INSTALLER.install("local", str(project)).path)
    path.write_text(json.dumps({**json.loads(path.read_text()), "model": 5}))
    return path


def test_doctor_is_not_green_without_a_gate(project: Path) -> None:
    path = spoil(project)
    assert not INSTALLER.has_gate(str(project))
    found = [check for check in INSTALLER.checks(str(project)) if str(path) in check.text]
    assert [check.level for check in found] == ["fail"] and "`model`" in found[0].text


def test_an_edit_after_which_the_client_would_drop_the_file_does_not_come_into_force(project: Path) -> None:
    path = spoil(project)
    event = {
        "hook_event_name": "ConfigChange",
        "session_id": "s",
        "cwd": str(project),
        "source": "local_settings",
        "file_path": str(path),
    }
    answer = run(event, cwd=project).value
    assert answer["decision"] == "block" and "`model`" in answer["reason"]


ENCODINGS = {
    "UTF-8": (b"", "utf-8", True),
    "UTF-8 with a mark": (b"\xef\xbb\xbf", "utf-8", True),
    "UTF-16 with a mark": (b"\xff\xfe", "utf-16-le", True),
    "UTF-16 without a mark": (b"", "utf-16-le", False),
    "UTF-16, the other order": (b"\xfe\xff", "utf-16-be", False),
    "UTF-32": (b"\xff\xfe\0\0", "utf-32-le", False),
}


@pytest.mark.parametrize("name", ENCODINGS)
def test_the_encodings_that_the_client_reads_are_read(project: Path, name: str) -> None:
    mark, encoding, is_read = ENCODINGS[name]
    path = Path(INSTALLER.install("local", str(project)).path)
    path.write_bytes(mark + path.read_text().encode(encoding))
    found = settings.look("local", str(path))
    assert (found.registered, bool(found.broken)) == ((True, False) if is_read else (found.registered, True))


def test_a_file_that_is_too_large_counts_for_nothing(project: Path) -> None:
    path = Path(INSTALLER.install("local", str(project)).path)
    path.write_text(path.read_text() + " " * accepts.MAX_BYTES)
    assert "2 MiB" in settings.look("local", str(path)).broken
