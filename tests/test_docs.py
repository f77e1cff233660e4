"""What the documents show is true: console blocks print it, YAML blocks load, the first command works word for word."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml

from tests.docs import BLOCK, ROOT, Scratch, blocks, commands, documents, fits


@pytest.mark.parametrize("document", documents(), ids=lambda p: str(p.relative_to(ROOT)))
def test_every_block_shows_what_happens(document: Path, tmp_path: Path) -> None:
    scratch = Scratch(tmp_path)
    trouble = ""  # with a file that was shown; a console block below it must be about that
    for kind, block in ((m[1], m[2]) for m in BLOCK.finditer(document.read_text())):
        if kind == "yaml":
            assert yaml.safe_load(block)
            assert not trouble, trouble
            trouble = scratch.install(block)
        elif kind == "console":
            for command, shown in commands(block):
                printed = scratch.run(command)
                assert fits(shown, printed), (
                    f"$ {command}\n--- shown\n{shown}\n--- printed\n{printed}\n(python -m tests.docs --fill)"
                )
                trouble = "" if command.startswith("askfirst check") else trouble
    assert not trouble, trouble


def test_links_lead_somewhere() -> None:
    for document in [*documents(), ROOT / "CLAUDE.md"]:
        for target in re.findall(r"\]\((?!https?:|#)([^)#]+)\)", document.read_text()):
            assert (document.parent / target).exists(), f"{document.name}: {target}"


def test_the_first_command_works_word_for_word(tmp_path: Path) -> None:
    """On a copy of what is tracked, as a newcomer has it."""
    command = next(b for b in blocks((ROOT / "README.md").read_text(), "bash") if "askfirst demo" in b)
    tracked = (
        subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True).stdout.decode().split("\0")
    )
    copy = tmp_path / "askfirst"
    for name in filter(None, tracked):
        if name.startswith(("src/", "README", "LICENSE", "pyproject")) and (ROOT / name).exists():
            (copy / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, copy / name)
    done = subprocess.run(
        ["bash", "-c", command], cwd=copy, capture_output=True, text=True, timeout=280, stdin=subprocess.DEVNULL
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    assert "denied" in done.stdout and "allowed" in done.stdout and "askfirst init" in done.stdout


def test_ci_runs_the_readmes_test_command() -> None:
    command = next(b for b in blocks((ROOT / "README.md").read_text(), "bash") if "pytest" in b).strip()
    assert command in (ROOT / ".ci" / "run").read_text()
