"""The project's own rule file: what the directory is made of, and the file `init` writes for it."""

from __future__ import annotations

import os

# profile -> what shows that the project is of this kind (a file, or an ending)
SIGNS = {
    "python-dev": ("pyproject.toml", "setup.py", "setup.cfg", "requirements.txt", "tox.ini", "Pipfile"),
    "node-dev": ("package.json", "deno.json"),
    "rust-dev": ("Cargo.toml",),
    "go-dev": ("go.mod",),
    "jvm-dev": ("pom.xml", "build.gradle", "build.gradle.kts", "settings.gradle", "build.sbt"),
    "ios-dev": ("Package.swift", "Podfile", "*.xcodeproj", "*.xcworkspace"),
    "infra-read": ("Chart.yaml", "kustomization.yaml", "*.tf", "docker-compose.yml", "compose.yaml"),
}


def profiles_for(project: str) -> tuple[tuple[str, str], ...]:
    """(profile, the file that shows it) for everything found at the top of the project."""
    try:
        names = sorted(os.listdir(project))
    except OSError:
        return ()
    found = []
    for profile, signs in SIGNS.items():
        sign = next((n for n in names for s in signs if n == s or (s.startswith("*") and n.endswith(s[1:]))), None)
        if sign is not None:
            found.append((profile, sign))
    return tuple(found)


def project_file_text(found: tuple[tuple[str, str], ...]) -> str:
    profiles = ", ".join(p for p, _ in found)
    signs = ", ".join(s for _, s in found)
    active = f"profiles: [{profiles}]  # found here: {signs}\n" if found else "# profiles: [python-dev]\n"
    return f"""\
# What agents may run in this project without asking.
# `askfirst check` validates this file; `askfirst explain 'COMMAND'` shows what it does.
version: 2

# Named sets that ship with askfirst: python-dev, node-dev, rust-dev, go-dev, jvm-dev, ios-dev, infra-read.
{active}
commands: []
# commands:
#   - name: ./scripts/build.sh          # a script of the project, by its real path
#     description: builds the release
#   - name: npm
#     args: ["run build", "run test* ..."]  # the whole list; `...`: whatever follows; without args, any
#     match: ["npm run build"]          # examples: the file is refused when one does not hold
#     not_match: ["npm publish"]
#   - name: psql
#     expires: 2030-01-31               # past that it asks again
"""
