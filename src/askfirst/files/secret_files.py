"""The files of a project that hold secrets, by their names, near its top."""

from __future__ import annotations

import os
from collections.abc import Iterator

from askfirst.knowledge.globs import fold
from askfirst.knowledge.secrets import secret_names

MAX_ENTRIES, MAX_DEPTH = 3000, 3
SKIPPED_DIRS = frozenset("node_modules .git .venv venv site-packages target dist build __pycache__ vendor".split())


def secret_files(project: str) -> list[str]:
    return secrets_of(list(_files(project)))


def secrets_of(files: list[os.DirEntry[str]]) -> list[str]:
    """The paths of those that hold secrets."""
    names = [fold(entry.name).replace("\n", " ") for entry in files]
    secrets = secret_names(names)
    return [entry.path for entry, name in zip(files, names, strict=True) if name in secrets] if secrets else []


def _files(project: str) -> Iterator[os.DirEntry[str]]:
    """From the top down."""
    left, level = MAX_ENTRIES, [project]
    for _ in range(MAX_DEPTH):
        below: list[str] = []
        for directory in level:
            try:
                entries = sorted(os.scandir(directory), key=lambda e: e.name)
            except OSError:
                continue
            for entry in entries:
                left -= 1
                if left < 0:
                    return
                if entry.is_dir(follow_symlinks=False):
                    below += [entry.path] if entry.name not in SKIPPED_DIRS else []
                else:
                    yield entry
        level = below
