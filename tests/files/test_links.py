"""A file behind a link is judged by each of its names: that of the link, and its own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from askfirst.gate import judged
from askfirst.links import other_names
from askfirst.model import Decision, Request
from askfirst.store.layers import load_layers

ALLOW, ASK, DENY = Decision.ALLOW, Decision.ASK, Decision.DENY
LINKS = {
    ".env": "plain.txt",
    "conftest.py": "plain.txt",
    "one": "two",
    "two": ".env",
    "notes.md": "plain.txt",
    ".git/hooks/pre-push": "../../plain.txt",
    ".claude": "folder",
    "way": "folder/deep",
}
# A tree that is copied into one of these directories is written through them.
COPIED_OVER = {
    "pages/a.ts": "../.git/hooks/pre-commit",
    "other/sub/b": "/var/tmp/elsewhere",
    "inner/latest": "v1",
}


@pytest.fixture
def linked(project: Path) -> Path:
    for name in ("folder/deep", ".git/hooks"):
        (project / name).mkdir(parents=True)
    (project / "plain.txt").write_text("a\n")
    (project / "folder/settings.json").write_text("{}\n")
    for name, target in LINKS.items():
        (project / name).symlink_to(target)
    for name, target in COPIED_OVER.items():
        (project / name).parent.mkdir(parents=True, exist_ok=True)
        (project / name).symlink_to(target)
    return project


def verdict(project: Path, tool: str, given: dict[str, Any]) -> Decision:
    request = Request("claude", "s", str(project), str(project), tool, given)
    return judged(request, load_layers(str(project), session="s", now=1.0)).verdict.decision


@pytest.mark.parametrize(
    ("command", "wanted"),
    [
        ("cat plain.txt", ALLOW),
        ("cat notes.md", ALLOW),
        ("cp -r folder/. deep/", ALLOW),
        ("cp -r folder/. pages/", DENY),  # pages/a.ts leads to a git hook
        ("rsync -a folder/ pages", DENY),
        ("cp -rT folder pages", DENY),
        ("cp -r folder/. other/", ASK),  # other/sub/b leads out of the project
        ("cp -r folder/. inner/", ALLOW),
        ("echo a >> notes.md", ALLOW),
        ("touch way/new.txt", ALLOW),
        ("cat .env", ASK),
        ("cat < .env", ASK),
        ("cat one", ASK),  # through two links
        ("cat folder/../.env", ASK),
        ("bash -c 'cat .env'", ASK),
        ("echo x >> conftest.py", ASK),
        ("rm conftest.py", ASK),
        ("rm notes.md", ASK),  # the link itself is lost
        ("echo x > .git/hooks/pre-push", DENY),
        ("mv plain.txt .git/hooks/pre-push", DENY),
        ("ln -sf plain.txt .git/hooks/pre-push", DENY),
        ("rm .git/hooks/pre-push", DENY),
        ("rm .claude/settings.json", DENY),
        ("cp plain.txt .claude/settings.json", DENY),
        ("sed -i s/a/b/ .claude/settings.json", DENY),
    ],
)
def test_commands(command: str, wanted: Decision, linked: Path) -> None:
    assert verdict(linked, "Bash", {"command": command}) == wanted


@pytest.mark.parametrize(
    ("tool", "name", "wanted"),
    [
        ("Read", "notes.md", ALLOW),
        ("Read", ".env", ASK),
        ("Read", "one", ASK),
        ("Write", "notes.md", ALLOW),
        ("Write", "conftest.py", ASK),
        ("Write", ".git/hooks/pre-push", DENY),
        ("Write", ".claude/settings.json", DENY),
    ],
)
def test_tools(tool: str, name: str, wanted: Decision, linked: Path) -> None:
    content = {"content": "a\nb\n"} if tool == "Write" else {}
    assert verdict(linked, tool, {"file_path": str(linked / name), **content}) == wanted


@pytest.mark.parametrize(
    ("path", "wanted"),
    [
        # To a client that takes `..` out of the text first, way/.. is the project; to the system it is `folder`.
        ("way/../.git/hooks/pre-commit", DENY),
        ("way/../../outside.txt", ASK),
        ("way/../docs/a.txt", ALLOW),
    ],
)
def test_a_write_is_judged_as_text_too(path: str, wanted: Decision, linked: Path) -> None:
    (linked / "docs").mkdir()
    (linked / "folder/docs").mkdir()
    assert verdict(linked, "Write", {"file_path": str(linked / path), "content": "x"}) == wanted


def test_other_names(tmp_path: Path) -> None:
    project, home = tmp_path / "p", tmp_path / "home"
    for folder in (project / "real", home):
        folder.mkdir(parents=True)
    (project / "way").symlink_to("real")
    (project / "round").symlink_to("round")
    (home / "project").symlink_to(project)
    (home / ".bashrc").symlink_to(project / "bashrc")
    (tmp_path / "elsewhere").symlink_to(project / "real")

    def names(path: Path) -> dict[str, bool]:
        return other_names(str(path), str(project), str(home))

    assert names(project / "real/x") == {}
    assert names(project / "way/x") == {f"{project}/way/x": False}
    assert names(project / "way") == {f"{project}/way": True}
    assert names(home / ".bashrc") == {f"{home}/.bashrc": True}
    assert names(home / "project/real/x") == {}  # another spelling of the project
    assert names(home / "project/way/x") == {f"{project}/way/x": False}
    assert names(tmp_path / "elsewhere/x") == {}
    assert list(names(project / "round")) == [f"{project}/round"]
