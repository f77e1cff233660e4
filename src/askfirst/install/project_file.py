"""The project's own rule file, as `init` writes it."""

from __future__ import annotations

import textwrap

from askfirst.policy.profiles import PROFILES


def project_file_text(found: tuple[tuple[str, str], ...]) -> str:
    profiles = ", ".join(p for p, _ in found)
    signs = ", ".join(s for _, s in found)
    names = textwrap.fill(", ".join(PROFILES), 100, initial_indent="#   ", subsequent_indent="#   ")
    active = f"profiles: [{profiles}]  # found here: {signs}\n" if found else "# profiles: [python-dev]\n"
    return f"""\
# What agents may run in this project without asking.
# `askfirst check` validates this file; `askfirst explain 'COMMAND'` shows what it does.
version: 2

# Named sets that ship with askfirst:
{names}
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
