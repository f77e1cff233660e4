"""Real links, moves and copies: where a script writes at its end is in the facts, or the analysis said Unknown."""

from __future__ import annotations

import os
import random
import subprocess
from pathlib import Path

import pytest

from askfirst.model import Unknown, Write
from askfirst.shell import analyze
from askfirst.shell.surroundings import Surroundings
from askfirst.shell.walk.detours import Detours

SCRIPTS = 300
SHOW_A_HOLE = (308, 409, 494)  # seeds whose scripts write where the disk did not say before
NAMES = ("a", "b", "d", "e", "l", "d/x", "d/l", "d/l/x", "e/d", "e/l", "l/x", "l/l", "../out", "./d/../l")
STEPS = (
    *("ln -s @ @", "ln -sfn @ @", "ln @ @", "mv @ @", "mv -T @ @", "mv -t @ @", "cp @ @", "cp -P @ @", "cp -a @ @"),
    *("cp -r @ @", "cp -al @ @", "cp -R @ @ @", "mv @ @ @", "rm -rf @", "mkdir -p @", "touch @", "cd @", "cp -b @ @"),
)
FORMS = (
    "{steps}; echo MARK > {last}",
    "{steps}; echo MARK > {last}",
    "for i in 1 2; do echo MARK > {last}; {steps}; done",
    "f() {{ echo MARK > {last}; }}; {steps}; f",
    "sh -c '{steps}'; echo MARK > {last}",
)


def script(seed: int) -> str:
    chance = random.Random(seed)

    def filled(step: str) -> str:
        while "@" in step:
            step = step.replace("@", chance.choice(NAMES), 1)
        return step

    steps = [filled(chance.choice(STEPS)) for _ in range(chance.choice((1, 2, 2, 3, 4)))]
    return chance.choice(FORMS).format(
        steps="; ".join(steps), last=chance.choice(NAMES) + chance.choice(("", "", "/y"))
    )


def make_tree(base: Path) -> Path:
    project = base / "project"
    for folder in ("project/d", "out"):
        (base / folder).mkdir(parents=True)
    for name in ("project/a", "project/d/x", "out/x", "out/y"):
        (base / name).write_text("text")
    (project / "l").symlink_to("../out")
    (project / "d" / "l").symlink_to("../../out")
    return project


def marked(base: Path) -> set[str]:
    """Every name under which the text that was written can be found."""
    files = (Path(folder) / name for folder, _, names in os.walk(base) for name in names)
    return {str(file) for file in files if not file.is_symlink() and file.read_text() == "MARK\n"}


def ran(text: str, project: Path) -> set[str]:
    subprocess.run(["bash", "-c", text], cwd=project, capture_output=True, stdin=subprocess.DEVNULL, timeout=20)
    return marked(project.parent)


def hidden_writes(seed: int, base: Path) -> set[str] | None:
    """What a script wrote although no fact says so; None where the analysis did not claim to know."""
    project, text = make_tree(base / str(seed)), script(seed)
    facts = analyze(text, Surroundings(str(project), str(project), "/nonexistent-home", ("/usr/bin", "/bin")))
    writes = [f for f in facts if isinstance(f, Write)]
    if any(isinstance(f, Unknown) for f in facts) or any(f.path is None for f in writes):
        return None
    told = {f.path for f in writes}
    trees = tuple(f"{f.path}/" for f in writes if f.below)  # copies of what was written
    return {name for name in ran(text, project) if name not in told and not name.startswith(trees)}


@pytest.mark.parametrize("part", range(3))
def test_what_is_written_is_known(part: int, tmp_path: Path) -> None:
    seeds = range(part * SCRIPTS // 3, (part + 1) * SCRIPTS // 3)
    found = {seed: hidden_writes(seed, tmp_path.resolve()) for seed in seeds}
    assert not {seed: (script(seed), names) for seed, names in found.items() if names}
    assert sum(names is not None for names in found.values()) > len(found) // 8  # knowing nothing would pass, too


def test_a_planted_hole_is_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Detours, "path", lambda self, text, cwd: self.surroundings.real_path(text, cwd))
    assert all(hidden_writes(seed, tmp_path.resolve()) for seed in SHOW_A_HOLE)
