"""The files of a project that hold secrets, by their names, near its top."""

from __future__ import annotations

import os
from collections.abc import Iterator

from askfirst.knowledge.secrets import is_harmless_name, is_secret_name

MAX_ENTRIES, MAX_DEPTH = 3000, 3
SKIPPED_DIRS = frozenset("node_modules .git .venv venv site-packages target dist build __pycache__ vendor".split())


def secret_files(project: str) -> Iterator[str]:
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
                elif is_secret_name(entry.name.lower()) and not is_harmless_name(entry.name.lower()):
                    yield entry.path
        level = below
