"""What a project is made of: the manifests in its directories, and the profiles that they call for."""

from __future__ import annotations

import os
from collections.abc import Iterator

from askfirst.policy.profiles import PROFILES

MAX_DEPTH, MAX_DIRECTORIES = 3, 2000
# Other people's projects, and what tools have made: their manifests say nothing about this one.
_NOT_OURS = frozenset(
    "node_modules bower_components vendor third_party site-packages venv env target dist build out coverage Pods "
    "DerivedData deps __pycache__".split()
)


def profiles_for(project: str) -> tuple[tuple[str, str], ...]:
    """(profile, the file that shows it, from the project) for everything found in it, the nearest manifest first."""
    found: dict[str, str] = {}
    for name in _files(project):
        for profile, row in PROFILES.items():
            if profile not in found and any(_shows(os.path.basename(name), sign) for sign in row.signs):
                found[profile] = name
    return tuple((profile, found[profile]) for profile in PROFILES if profile in found)


def _shows(name: str, sign: str) -> bool:
    return name.endswith(sign[1:]) if sign.startswith("*") else name == sign


def _files(project: str) -> Iterator[str]:
    """Names below the project, level by level. Directories count too: an Xcode project is one."""
    level = [""]
    for _ in range(MAX_DEPTH + 1):
        below: list[str] = []
        for folder in level[:MAX_DIRECTORIES]:
            try:
                with os.scandir(os.path.join(project, folder)) as entries:
                    inside = sorted(entries, key=lambda entry: entry.name)
            except OSError:
                continue
            for entry in inside:
                path = os.path.join(folder, entry.name)
                yield path
                if entry.is_dir(follow_symlinks=False) and not _is_left_out(entry.name):
                    below.append(path)
        level = below


def _is_left_out(name: str) -> bool:
    return name.startswith(".") or name in _NOT_OURS
