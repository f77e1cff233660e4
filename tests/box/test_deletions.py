"""`rm` of a few files of the project runs contained: what is deleted can be brought back. Everything else asks."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from askfirst.box import applying
from askfirst.containing import MAX_DELETED_BYTES, can_undo
from askfirst.model import Write
from askfirst.policy.contain import MASS_DELETION
from tests.box.conftest import Box, ignore


def laid_out(project: Path) -> None:
    for name in ("notes.txt", "src/a.py", "src/deep/b.py", "dist/x/index.js", "other/.git/HEAD", "other/c.py"):
        (project / name).parent.mkdir(parents=True, exist_ok=True)
        (project / name).write_text(name)
    ignore(project, "dist")
    (project / "many").mkdir()
    for number in range(MASS_DELETION):
        (project / "many" / f"{number}.txt").touch()
    with (project / "large.bin").open("wb") as file:
        file.truncate(MAX_DELETED_BYTES + 1)
    (project / "away").symlink_to(project.parent)
    (project / "leads").symlink_to(project / "src")


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("notes.txt", True),
        ("src", True),
        ("src/deep", True),
        ("leads", True),  # the link itself
        ("is-not-there", True),
        ("many/0.txt", True),
        ("many", False),
        ("large.bin", False),
        ("dist", False),  # the box has it as it is, and keeps nothing of it
        ("dist/x", False),
        ("other", False),  # a repository of its own
        ("leads/a.py", False),
        ("away/elsewhere", False),
        ("", False),
        ("../elsewhere", False),
    ],
)
def test_what_can_be_brought_back(name: str, wanted: bool, tmp_path: Path) -> None:
    project = tmp_path.resolve() / "app"
    project.mkdir()
    laid_out(project)
    path = os.path.normpath(project / name)
    assert can_undo([Write(path, name, "delete", "rm", below=True)], str(project)) is wanted


def test_many_a_few_are_a_lot(tmp_path: Path) -> None:
    project = tmp_path.resolve()
    laid_out(project)
    writes = [Write(str(project / "many" / f"{n}.txt"), f"{n}.txt", "delete", "rm") for n in range(MASS_DELETION)]
    assert can_undo(writes, str(project))
    assert not can_undo([*writes, Write(str(project / "src"), "src", "delete", "rm", below=True)], str(project))


def test_what_is_not_known_by_its_path_is_not_brought_back(tmp_path: Path) -> None:
    assert not can_undo([Write(None, "$x", "delete", "rm")], str(tmp_path))


def test_a_deletion_reaches_the_disk_and_comes_back(box: Box) -> None:
    laid_out(box.project)
    done = box.run("rm notes.txt && rm -rf src")
    assert done.code == 0 and not done.finished.kept
    assert not (box.project / "notes.txt").exists() and not (box.project / "src").exists()
    applying.undo(done.run.place)
    assert (box.project / "notes.txt").read_text() == "notes.txt"
    assert (box.project / "src/deep/b.py").read_text() == "src/deep/b.py"


def test_more_than_was_foreseen_is_kept_aside(box: Box) -> None:
    """The run is judged by what it did, whatever was foreseen."""
    laid_out(box.project)
    done = box.run("rm -rf many")
    assert len(done.finished.kept) == MASS_DELETION + 1 and len(list((box.project / "many").iterdir())) == MASS_DELETION
