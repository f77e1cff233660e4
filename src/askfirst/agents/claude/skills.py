"""Skills and slash commands of Claude Code: files whose `!` blocks the client runs by itself, with no hook.

When the model calls the Skill tool, or starts a subagent whose file names skills to load, the gate reads the files
the client is about to load and judges what their blocks would run. Where several files have the name, all of them are
read: which one the client takes is not for the gate to guess.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass

from askfirst import jsontext

MAX_BYTES = 1 << 20
MAX_FILES = 1000  # of one directory of skills or agents


@dataclass(frozen=True)
class Skill:
    """What a skill's files would run."""

    files: tuple[str, ...]
    commands: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()  # why not everything it runs is known


def read_skill(name: str, args: str, *, project: str, cwd: str) -> Skill | None:
    """The skill of that name, or None when no file has it (a skill that ships inside the client, or a plugin's)."""
    candidates = (*places(name, project, cwd), *_named(name, project, cwd))
    files = tuple(dict.fromkeys(f for f in candidates if os.path.isfile(f)))
    if not files:
        return None
    commands: list[str] = []
    problems: list[str] = []
    for file in files:
        text = _read(file)
        if text is None:
            problems.append(f"{file}: cannot be read, or is larger than 1 MiB")
            continue
        found, trouble = parse_skill(text, args)
        commands += found
        problems += [f"{file}: {t}" for t in trouble]
        agent = _value(_front_matter(text)[0], "agent")
        if agent and read_agent(agent, project=project, cwd=cwd) is not None:
            problems.append(f"{file}: it runs in the subagent `{agent}`, which loads more")
    return Skill(files, tuple(commands), tuple(problems))


def read_agent(name: str, *, project: str, cwd: str) -> Skill | None:
    """What starting a subagent runs before its first call; None when it brings nothing, or ships inside the client."""
    files: list[str] = []
    commands: list[str] = []
    problems: list[str] = []
    for file in _agent_files(name, project, cwd):
        text = _read(file)
        head = _front_matter(text)[0] if text is not None else ""
        wanted = _listed(head, "skills")
        if text is None or wanted is None:
            problems.append(f"{file}: cannot be read, or askfirst cannot tell which skills it names")
        problems += [f"{file}: it brings its own `{key}`" for key in ("hooks", "mcpServers") if _has(head, key)]
        for skill in wanted or ():
            found = read_skill(skill, "", project=project, cwd=cwd)
            if found is None:
                problems.append(f"{file}: no file has its skill `{skill}`")
                continue
            files += found.files
            commands += found.commands
            problems += found.problems
    return Skill(tuple(files), tuple(commands), tuple(problems)) if commands or problems else None


def _read(file: str) -> str | None:
    try:
        with open(file, "rb") as handle:
            text = handle.read(MAX_BYTES + 1)
    except OSError:
        return None
    return text.decode("utf-8", "replace") if len(text) <= MAX_BYTES else None


def parse_skill(text: str, args: str) -> tuple[list[str], list[str]]:
    """(the commands of the `!` blocks, why more may run)"""
    problems: list[str] = []
    head, body = _front_matter(text)
    if _has(head, "hooks"):
        problems.append("it brings its own hooks")
    if re.search(r"^\s*[\"']?shell[\"']?\s*:\s*[\"']?(?!bash\b)\S", head, re.MULTILINE):
        problems.append("its blocks run in another shell")
    if "`" in args:
        # Filled in before the blocks are looked for (seen): one backtick ends a block, two make another.
        problems.append("its arguments contain a backtick, which moves the end of a `!` block")
    if args and _has(head, "arguments"):
        problems.append("it names its arguments, and the client fills them in")
    commands = re.findall(r"```!\s*\n?(.*?)\n?```", body, re.DOTALL)
    commands += re.findall(r"!`([^`]+)`", re.sub(r"```!.*?```", "", body, flags=re.DOTALL))
    result = []
    for command in commands:
        known = command.strip().replace("$ARGUMENTS", args)
        if re.search(
            r"\$(?:ARGUMENTS|\d|\{?CLAUDE_)",
            command.replace("$ARGUMENTS", "", 1) if "$ARGUMENTS[" not in command else command,
        ):
            problems.append(f"the client fills in `{command.strip()[:80]}` from arguments and its own variables")
        if known:
            result.append(known)
    return result, problems


def _front_matter(text: str) -> tuple[str, str]:
    clean = text.removeprefix("\ufeff")
    if not clean.startswith("---"):
        return "", clean
    end = clean.find("\n---", 3)
    return (clean[3:end], clean[end + 4 :]) if end > 0 else ("", clean)


def _has(head: str, key: str) -> bool:
    return re.search(rf"^\s*[\"']?{key}[\"']?\s*:", head, re.MULTILINE) is not None


def _value(head: str, key: str) -> str:
    """The text behind a key of the front matter, without quotes; "" when there is none on its line."""
    found = re.search(rf"^[\"']?{key}[\"']?[ \t]*:[ \t]*(.*?)[ \t\r]*$", head, re.MULTILINE)
    return found[1].strip("\"'") if found else ""


def _listed(head: str, key: str) -> list[str] | None:
    """The words of a list in the front matter, in any of its three forms; None when it has another."""
    if not _has(head, key):
        return []
    line = _value(head, key)
    if line:
        words = line.strip("[]").split(",")
    else:
        block = re.search(
            rf"^[\"']?{key}[\"']?[ \t]*:[ \t\r]*\n((?:[ \t]*-[^\n]*(?:\n|$)|[ \t\r]*\n)+)", head, re.MULTILINE
        )
        if block is None:
            return None
        words = [w.strip().removeprefix("-") for w in block[1].splitlines()]
    plain = [w.strip().strip("\"'") for w in words if w.strip()]
    return plain if all(re.fullmatch(r"[\w:./-]+", w) for w in plain) else None


def places(name: str, project: str, cwd: str) -> Iterator[str]:
    """Files that may hold the skill: of the project, of directories between it and cwd, of the user, of plugins."""
    if name.startswith("/"):
        name = name[1:]
    if not name or "\0" in name or ".." in name.split("/") or name.startswith("/"):
        return
    plain = name.rsplit(":", 1)[-1]
    user = _user_dir()
    roots = _roots(project, cwd)
    if ":" in name:
        roots.append(os.path.join(project, name.rsplit(":", 1)[0], ".claude"))
    for root in roots:
        for skill in dict.fromkeys((name, plain)):
            yield os.path.join(root, "skills", skill, "SKILL.md")
            yield os.path.join(root, "commands", skill + ".md")
        yield os.path.join(root, "commands", name.replace(":", "/") + ".md")
    for root in plugin_dirs(user, name.split(":", 1)[0]):
        yield os.path.join(root, "skills", plain, "SKILL.md")
        yield os.path.join(root, "commands", plain + ".md")
        yield os.path.join(root, "commands", *name.split(":")[1:-1], plain + ".md")


def _user_dir() -> str:
    return os.environ.get("CLAUDE_CONFIG_DIR") or os.path.expanduser("~/.claude")


def _roots(project: str, cwd: str) -> list[str]:
    return [os.path.join(d, ".claude") for d in dict.fromkeys(_between(project, cwd))] + [_user_dir()]


def _named(name: str, project: str, cwd: str) -> Iterator[str]:
    """Skills that give themselves this name, whatever their directory is called: the client takes them too (seen)."""
    for root in _roots(project, cwd):
        for directory in _names(os.path.join(root, "skills")):
            file = os.path.join(root, "skills", directory, "SKILL.md")
            if directory != name and os.path.isfile(file) and _may_be_called(name, _front_matter(_read(file) or "")[0]):
                yield file


def _may_be_called(name: str, head: str) -> bool:
    """Whether the front matter gives this name.

    One that is not written plainly may be any: YAML has many ways to write a word.
    """
    given = re.findall(r"^[\"']?name[\"']?[ \t]*:[ \t]*(.*?)[ \t\r]*$", head, re.MULTILINE)
    if not _has(head, "name"):
        return False  # then its file's name counts
    return (
        len(given) != 1
        or not re.fullmatch(r"([\"']?)[\w.:-]+\1", given[0])
        or given[0].strip("\"'").casefold() == name.casefold()
    )


def _agent_files(name: str, project: str, cwd: str) -> Iterator[str]:
    """Files that define the subagent `name`, of the project, of the user, or of a plugin."""
    roots = [*_roots(project, cwd), *plugin_dirs(_user_dir(), name.split(":", 1)[0])]
    plain = name.rsplit(":", 1)[-1]
    for root in dict.fromkeys(roots):
        for directory, _, names in os.walk(os.path.join(root, "agents")):
            for file in sorted(n for n in names if n.endswith(".md"))[:MAX_FILES]:
                path = os.path.join(directory, file)
                if plain == file.removesuffix(".md") or _may_be_called(plain, _front_matter(_read(path) or "")[0]):
                    yield path


def _names(directory: str) -> list[str]:
    try:
        return sorted(os.listdir(directory))[:MAX_FILES]
    except OSError:
        return []


def _between(project: str, cwd: str) -> Iterator[str]:
    here = os.path.realpath(cwd)
    while here == project or here.startswith(project + "/"):
        yield here
        here = os.path.dirname(here)
    yield project


def plugin_dirs(user: str, plugin: str) -> Iterator[str]:
    """Where an installed plugin lies, by the client's own list."""
    try:
        with open(os.path.join(user, "plugins", "installed_plugins.json"), "rb") as file:
            listed = jsontext.loads(file.read(MAX_BYTES)).get("plugins", {})
        for key, installs in listed.items():
            if key.split("@")[0] == plugin:
                for install in installs if isinstance(installs, list) else [installs]:
                    yield str(install["installPath"])
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return
