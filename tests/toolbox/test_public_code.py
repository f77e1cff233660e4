"""search_knowledge on code that it was not written for: three public packages, fetched when this runs (`-m soak`)."""

from __future__ import annotations

import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

from tests.toolbox import retrieval

PYTHON = ("click==8.1.8", "httpx==0.27.2")
NODE = "express@4.19.2"


@pytest.mark.soak
@pytest.mark.needs("npm")
@pytest.mark.timeout(900)
def test_four_of_five_questions_find_their_place(tmp_path: Path) -> None:
    packages, archives = tmp_path / "packages", tmp_path / "archives"
    packages.mkdir()
    archives.mkdir()
    fetch = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--no-binary", ":all:", "-d", str(archives)]
    subprocess.run([*fetch, *PYTHON], check=True)
    subprocess.run(["npm", "pack", "--silent", NODE], cwd=archives, check=True, capture_output=True)
    for archive in archives.iterdir():
        target = packages / archive.name if archive.suffix == ".tgz" else packages
        with tarfile.open(archive) as file:
            file.extractall(target, filter="data")
    assert retrieval.share(packages) >= retrieval.MIN_SHARE
