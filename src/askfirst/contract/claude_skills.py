"""Skills and slash commands of Claude Code: files whose `!` blocks the client runs by itself, with no hook of their own.

When the model calls the Skill tool, the gate reads the file the client is about to load and judges what its blocks would run. Where
several files have the name, all of them are read: which one the client takes is not for the gate to guess.
"""

from __future__ import annotations

import os

from askfirst import jsontext
from askfirst._record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

MOST_BYTES = 1 << 20


class Skill(Record):
    """What a skill's files would run."""

    files: tuple[str, ...]
    commands: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()  # why not everything it runs is known


def read_skill(name: str, args: str, *, project: str, cwd: str) -> Skill | None:
    """The skill of that name, or None when no file has it (a skill that ships inside the client, or a plugin's)."""
    files = tuple(dict.fromkeys(f for f in places(name, project, cwd) if os.path.isfile(f)))
    if not files:
        return None
    commands: list[str] = []
    problems: list[str] = []
    for file in files:
        try:
            with open(file, "rb") as handle:
                text = handle.read(MOST_BYTES + 1)
        except OSError as error:
            problems.append(f"{file}: cannot be read: {error.strerror}")
            continue
        if len(text) > MOST_BYTES:
            problems.append(f"{file}: larger than 1 MiB")
            continue
        found, trouble = parse_skill(text.decode("utf-8", "replace"), args)
        commands += found
        problems += [f"{file}: {t}" for t in trouble]
    return Skill(files, tuple(commands), tuple(problems))


def parse_skill(text: str, args: str) -> tuple[list[str], list[str]]:
    """(the commands of the `!` blocks, why more may run)"""
    import re

    problems: list[str] = []
    head, body = _front_matter(text)
    if re.search(r"^\s*[\"']?hooks[\"']?\s*:", head, re.MULTILINE):
        problems.append("it brings hooks of its own")
    if re.search(r"^\s*[\"']?shell[\"']?\s*:\s*[\"']?(?!bash\b)\S", head, re.MULTILINE):
        problems.append("its blocks run in another shell")
    if "!`" in args or "```!" in args:
        problems.append("its arguments hold a `!` block")
    commands = re.findall(r"```!\s*\n?(.*?)\n?```", body, re.DOTALL)
    commands += re.findall(r"!`([^`]+)`", re.sub(r"```!.*?```", "", body, flags=re.DOTALL))
    result = []
    for command in commands:
        known = command.strip().replace("$ARGUMENTS", args)
        if re.search(r"\$(?:ARGUMENTS|\d|\{?CLAUDE_)", command.replace("$ARGUMENTS", "", 1) if "$ARGUMENTS[" not in command else command):
            problems.append(f"the client fills `{command.strip()[:80]}` in from arguments and its own variables")
        if known:
            result.append(known)
    return result, problems


def _front_matter(text: str) -> tuple[str, str]:
    clean = text.removeprefix("\ufeff")
    if not clean.startswith("---"):
        return "", clean
    end = clean.find("\n---", 3)
    return (clean[3:end], clean[end + 4 :]) if end > 0 else ("", clean)


def places(name: str, project: str, cwd: str) -> Iterator[str]:
    """Every file that may hold the skill `name`: of the project, of directories between it and cwd, of the user, of plugins."""
    if name.startswith("/"):
        name = name[1:]
    if not name or "\0" in name or ".." in name.split("/") or name.startswith("/"):
        return
    plain = name.rsplit(":", 1)[-1]
    user = os.environ.get("CLAUDE_CONFIG_DIR") or os.path.expanduser("~/.claude")
    roots = [os.path.join(d, ".claude") for d in _between(project, cwd)] + [user]
    if ":" in name:
        roots.append(os.path.join(project, name.rsplit(":", 1)[0], ".claude"))
    for root in roots:
        for skill in dict.fromkeys((name, plain)):
            yield os.path.join(root, "skills", skill, "SKILL.md")
            yield os.path.join(root, "commands", skill + ".md")
        yield os.path.join(root, "commands", name.replace(":", "/") + ".md")
    for root in _plugin_dirs(user, name.split(":", 1)[0]):
        yield os.path.join(root, "skills", plain, "SKILL.md")
        yield os.path.join(root, "commands", plain + ".md")
        yield os.path.join(root, "commands", *name.split(":")[1:-1], plain + ".md")


def _between(project: str, cwd: str) -> Iterator[str]:
    here = os.path.realpath(cwd)
    while here == project or here.startswith(project + "/"):
        yield here
        here = os.path.dirname(here)
    yield project


def _plugin_dirs(user: str, plugin: str) -> Iterator[str]:
    """Where an installed plugin lies, as the client's own list says."""
    try:
        with open(os.path.join(user, "plugins", "installed_plugins.json"), "rb") as file:
            listed = jsontext.loads(file.read(MOST_BYTES)).get("plugins", {})
        for key, installs in listed.items():
            if key.split("@")[0] == plugin:
                for install in installs if isinstance(installs, list) else [installs]:
                    yield str(install["installPath"])
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return
