"""Permanent approvals: by any number of processes, nothing lost, and the file stays the team's."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest
import yaml

from askfirst.policy.yaml_writing import render
from askfirst.store import exchange, trust
from askfirst.store.allowlist import NotStored, append, take_out
from askfirst.store.layers import load_layers

ROOT = Path(__file__).parents[2]
TEAM = """# The team's rules.
version: 1

commands:
  # compiler
  - name: swift   # exact
  - {name: jq}

# sets
profiles: [python-dev]
"""
ENTRY = {"name": "mytool", "args": ["build"]}


def write(project: Path, text: str = TEAM, *, trusted: bool = True) -> Path:
    path = project / ".askfirst" / "allowed_commands.yaml"
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)
    path.chmod(0o640)
    if trusted:
        trust.trust(str(path), text.encode())
    return path


def commands(path: Path) -> list[Any]:
    return list(yaml.safe_load(path.read_text())["commands"])


def test_an_entry_is_added_and_everything_else_stays(project: Path) -> None:
    path = write(project)
    assert append(str(project), [ENTRY], most=100) == str(path)
    assert path.read_text() == TEAM.replace("  - {name: jq}\n", "  - {name: jq}\n  - name: mytool\n    args: [build]\n")
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert sorted(p.name for p in path.parent.iterdir()) == ["allowed_commands.yaml"], "and nothing else is left there"
    assert load_layers(str(project)).untrusted_note == "", "the trusted hash followed"


def test_a_file_that_is_not_there_is_made_and_counts(project: Path) -> None:
    append(str(project), [ENTRY], most=100)
    path = project / ".askfirst" / "allowed_commands.yaml"
    assert yaml.safe_load(path.read_text()) == {"version": 2, "commands": [ENTRY]}
    assert [r.name for r in load_layers(str(project)).project_allow] == ["mytool"]


def test_what_is_there_already_is_not_added_twice(project: Path) -> None:
    path = write(project)
    for _ in range(2):
        append(str(project), [ENTRY], most=100)
    assert commands(path).count(ENTRY) == 1


def test_an_untrusted_file_stays_untrusted(project: Path) -> None:
    path = write(project, trusted=False)
    append(str(project), [ENTRY], most=100)
    assert not trust.is_trusted(str(path), path.read_bytes())


def test_a_link_in_its_place_stays_a_link(project: Path, tmp_path: Path) -> None:
    path = write(project)
    real = tmp_path / "shared.yaml"
    path.rename(real)
    path.symlink_to(real)
    append(str(project), [ENTRY], most=100)
    assert path.is_symlink() and ENTRY in commands(real)


def test_the_fall_back_of_autocoder_is_extended_where_it_is_the_one(project: Path) -> None:
    path = project / ".autocoder" / "allowed_commands.yaml"
    path.parent.mkdir()
    path.write_text(TEAM)
    assert append(str(project), [ENTRY], most=100) == str(path)
    assert ENTRY in commands(path)


REFUSED: dict[str, tuple[Any, list[dict[str, Any]], int, str]] = {
    "the limit": (TEAM, [ENTRY], 2, "the limit is 2"),
    "anchors": ("x: &a 1\ncommands: []\n", [ENTRY], 100, "anchors"),
    "not YAML": ("commands: [\n", [ENTRY], 100, "not valid YAML"),
    "not UTF-8": (b"commands: \xff\n", [ENTRY], 100, "UTF-8"),
    "too large": ("# " + "x" * 70_000 + "\n" + TEAM, [ENTRY], 100, "larger"),
    "an unknown key": ("version: 1\ncomands: []\n", [ENTRY], 100, "comands"),
    "no version": ("commands: []\n", [ENTRY], 100, "version"),
    "a blocked program": (TEAM, [{"name": "sudo"}], 100, "sudo"),
    "an interpreter": (TEAM, [{"name": "python3"}], 100, "interpreter"),
    "a bare star": (TEAM, [{"name": "*"}], 100, "every program"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_extended_safely_is_left_alone_with_the_lines_to_add(project: Path, name: str) -> None:
    content, entries, most, reason = REFUSED[name]
    path = write(project)
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    before = path.read_bytes()
    with pytest.raises(NotStored, match=reason) as refused:
        append(str(project), entries, most=most)
    assert path.read_bytes() == before
    assert f"- name: {render(tuple(entries)).removeprefix('- name: ').splitlines()[0]}" in str(refused.value)


def test_a_file_with_several_hard_links_is_left_alone(project: Path, tmp_path: Path) -> None:
    path = write(project)
    os.link(path, tmp_path / "other")
    with pytest.raises(NotStored, match="hard links"):
        append(str(project), [ENTRY], most=100)


def test_an_editor_that_saves_meanwhile_does_not_lose(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write(project)
    real_prepare = exchange.prepare
    saves: list[int] = []

    def prepare(*args: Any, **named: Any) -> None:
        if not saves:  # between our reading and the exchange
            saves.append(path.write_text(TEAM + "# saved by an editor\n"))
        real_prepare(*args, **named)

    monkeypatch.setattr(exchange, "prepare", prepare)
    append(str(project), [ENTRY], most=100)
    assert "# saved by an editor" in path.read_text() and ENTRY in commands(path)


def test_an_editor_that_truncates_and_then_writes_does_not_lose(project: Path) -> None:
    """The rule file is read while it is empty: the whole of it was lost."""
    path = write(project)
    editor = path.open("w")  # truncated, and not yet written

    def save() -> None:
        time.sleep(0.3)
        editor.write(TEAM + "# saved in place\n")
        editor.close()

    saving = threading.Thread(target=save)
    saving.start()
    append(str(project), [ENTRY], most=100)
    saving.join()
    assert "# saved in place" in path.read_text() and ENTRY in commands(path)


def test_one_who_never_stops_saving_wins(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write(project)
    real_prepare = exchange.prepare
    saves: list[int] = []

    def prepare(*args: Any, **named: Any) -> None:
        saves.append(path.write_text(TEAM + f"# {len(saves)}\n"))
        real_prepare(*args, **named)

    monkeypatch.setattr(exchange, "prepare", prepare)
    with pytest.raises(NotStored, match="keeps changing"):
        append(str(project), [ENTRY], most=100)
    assert ENTRY not in commands(path)


def test_an_entry_is_taken_out_again(project: Path) -> None:
    path = write(project)
    append(str(project), [ENTRY], most=100)
    assert take_out(str(project), [ENTRY]) == ""
    assert path.read_text() == TEAM
    assert take_out(str(project), [ENTRY]) == "", "it is gone already"
    path.write_text("commands: [{name: mytool, args: [build]}]\nversion: 1\n")
    assert "brackets" in take_out(str(project), [ENTRY])


def test_what_was_taken_back_does_not_come_back_with_an_older_content(project: Path) -> None:
    """P, commit, revoke, `git checkout -- .`: allowed again, because the older content was still trusted."""
    path = write(project)
    append(str(project), [ENTRY], most=100)
    committed = path.read_bytes()
    assert trust.is_trusted(str(path), committed)
    assert take_out(str(project), [ENTRY]) == ""
    assert trust.is_trusted(str(path), path.read_bytes())
    path.write_bytes(committed)
    assert not trust.is_trusted(str(path), committed)
    assert not load_layers(str(project)).project_allow
    path.unlink()
    assert take_out(str(project), [ENTRY]) == "" and trust.marks_of(str(path)) == []


def test_an_entry_that_was_changed_by_hand_is_not_said_to_be_gone(project: Path) -> None:
    path = write(project)
    append(str(project), [ENTRY], most=100)
    path.write_text(path.read_text().replace("- name: mytool\n", "- name: mytool\n    description: ours\n"))
    assert "was changed by hand, and still stands there" in take_out(str(project), [ENTRY])


def race(project: Path, processes: int, each: int) -> None:
    path = write(project)
    subprocess.run(
        [sys.executable, "-m", "tests.store.appender", str(project), str(processes), str(each)], cwd=ROOT, check=True
    )
    found = commands(path)
    wanted = [{"name": f"tool-{n}-{e}"} for n in range(processes) for e in range(each)]
    assert len(found) == 2 + len(wanted), "none lost, none twice"
    assert all(entry in found for entry in wanted)
    for line in TEAM.splitlines():
        assert line in path.read_text().splitlines()
    assert trust.is_trusted(str(path), path.read_bytes())


def test_sixteen_processes_append_ten_entries_each(project: Path) -> None:
    race(project, 16, 10)


@pytest.mark.soak
@pytest.mark.timeout(3600)
def test_sixty_four_processes_append_many_entries(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """64 x 200 in parts: every append reads the whole file again, and a file of thousands of entries is nobody's."""
    for part in range(50):
        folder = project / str(part)
        folder.mkdir()
        race(folder, 64, 4)
