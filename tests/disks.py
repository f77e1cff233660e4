"""A real file system that is small, to be filled or made read-only."""

from __future__ import annotations

import errno
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest


@contextmanager
def mounted(place: Path, *, size: str = "4m") -> Iterator[Path]:
    """A tmpfs of this size. Skips where this process may not mount one."""
    place.mkdir()
    done = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={size},mode=0700", "askfirst-test", str(place)],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        pytest.skip("needs the right to mount")
    try:
        yield place
    finally:
        subprocess.run(["umount", "-l", str(place)], capture_output=True, check=False)


def fill(place: Path) -> None:
    """Until nothing more fits."""
    with (place / "filler").open("wb", buffering=0) as file:
        for block in (1 << 16, 1 << 12):
            try:
                while True:
                    file.write(b"x" * block)
            except OSError as error:
                assert error.errno == errno.ENOSPC
