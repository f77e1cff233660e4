"""What `askfirst doctor` says about agents other than Claude Code: is the gate there, does it answer, and what keeps it from running?"""

from __future__ import annotations

from askfirst.install.agents import INSTALLERS, installer
from askfirst.install.checks import FAIL, OK, WARN, Check

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import ModuleType

    from askfirst.install.json_hooks import Found

OTHERS = tuple(name for name in sorted(INSTALLERS) if name != "claude")


def registered(project: str) -> tuple[str, ...]:
    """The agents into which the gate is installed, for this project or its user."""
    return tuple(n for n in OTHERS if any(installer(n).look(s, project).registered for s in installer(n).SCOPES))


def other_agents(project: str) -> Iterator[Check]:
    for name in OTHERS:
        module = installer(name)
        found = {scope: module.look(scope, project) for scope in module.SCOPES}
        if not any(f.registered for f in found.values()):
            continue
        for scope, seen in found.items():
            if seen.broken:
                yield Check(
                    FAIL,
                    name,
                    f"{seen.path}: {seen.broken}; {module.NAME} may drop it, hooks included",
                    "mend the file",
                )
            if seen.registered:
                yield from _one(name, module, scope, seen, project)
        for text in getattr(module, "weak_spots", tuple)():
            yield Check(WARN, name, text, "change it there")


def _one(name: str, module: ModuleType, scope: str, seen: Found, project: str) -> Iterator[Check]:
    from askfirst.install.probe import probe

    again = f"askfirst init --agent {name} --{scope}"
    troubles = [
        *(Check(FAIL, name, f"{seen.path}: {weakness}", again) for weakness in seen.weak),
        *(Check(FAIL, name, trouble, module.WAY_OUT) for trouble in module.troubles(scope, project)),
    ]
    for command in module.registered_commands(scope, project):
        trouble = probe(name, command, project)
        if trouble:
            troubles.append(Check(FAIL, name, f"{seen.path}: the registered command does not answer: {trouble}", again))
    yield from troubles or [Check(OK, name, f"{seen.path}: registered, and the registered command answers")]
