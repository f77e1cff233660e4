"""What all runners of the project's own code have in common: where they run, and that none of their words leads out of the project.

`npm test` is safe to allow by profile because it runs *this* project. The same words in another directory, or with an argument that
names a file elsewhere (`pytest /tmp/evil`, `npm test -- --globalSetup=/tmp/evil.js`), run something else, and ask.
"""

from __future__ import annotations

from askfirst.model import Action, Kind
from askfirst.shell.call import Outcome
from askfirst.shell.tools.engine import action_of, facts_of, row, unknown
from askfirst.shell.tools.options import parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from askfirst.model import Fact, Word
    from askfirst.shell.call import Analyst, Call
    from askfirst.shell.tools.table import Tool

__all__ = ["inside", "is_inside", "leaves_project", "place_facts", "project_file", "runner", "runs_elsewhere", "wrapper"]

_HARMLESS = ("/dev/null", "/dev/stdout", "/dev/stderr", "/dev/stdin")


def runner(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    """A row of a program that runs the project's code (to be set as `special`)."""
    outcome = row(tool, call, analyst)
    return outcome.replace(facts=(*outcome.facts, *place_facts(tool, call, analyst)))


def place_facts(tool: Tool, call: Call, analyst: Analyst) -> list[Fact]:
    """Doubts about the place: another directory than the project, or a word that points out of it."""
    facts = runs_elsewhere(tool.name, call, analyst)
    for word in call.words[1:]:
        if leaves_project(word, call, analyst):
            facts.append(unknown("path", f"`{tool.name}` would use `{word.text}`, which is not in the project", call, word.text))
            break
    return facts


def runs_elsewhere(name: str, call: Call, analyst: Analyst) -> list[Fact]:
    if call.cwd is None:
        return [unknown("directory", f"the directory in which `{name}` would run is not known", call)]
    if not is_inside(analyst.path(call.cwd, call.cwd), analyst):
        return [unknown("directory", f"`{name}` would run outside the project, in {call.cwd}", call)]
    return []


def is_inside(path: str | None, analyst: Analyst) -> bool:
    """Whether an absolute, resolved path is the project or lies in it."""
    if path is None:
        return False
    project = analyst.project.rstrip("/")
    return path == project or path.startswith(project + "/")


def inside(word: Word, call: Call, analyst: Analyst) -> bool:
    """Whether a word that names a file surely names one in the project."""
    if word.value is not None:
        return is_inside(analyst.path(word.value, call.cwd), analyst)
    if not word.glob or ".." in word.text:
        return False
    return is_inside(analyst.path(word.prefix.rpartition("/")[0] or ("/" if word.prefix.startswith("/") else "."), call.cwd), analyst)


def leaves_project(word: Word, call: Call, analyst: Analyst) -> bool:
    """Whether some part of a word is a path out of the project: `/x`, `../x`, `--opt=/x`, `-I/x`, `a:/x`, `file:///x`."""
    text = word.value if word.value is not None else word.prefix or word.text
    if "/" not in text and "~" not in text and ".." not in text:
        return False
    for part in _parts(text):
        if part.startswith(("/", "~")) or ".." in part:
            if part in _HARMLESS or part.startswith("..."):
                continue
            path = analyst.home + part[1:] if part.startswith("~") else part
            if not is_inside(analyst.path(path, call.cwd), analyst):
                return True
    return "://" in text


def _parts(text: str) -> list[str]:
    """Everything in a word that a program might take for a path of its own."""
    parts = [text]
    if text.startswith("-") and not text.startswith("--") and len(text) > 2:
        parts.append(text[2:])
    for mark in "=,:;@{[\"'":
        parts = [piece for part in parts for piece in (part.split(mark) if mark in part else (part,))]
    return [p.strip("]})") for p in parts if p]


def wrapper(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    """A row of a program that runs another one in the project's environment (`uv run`, `bundle exec`): the inner one counts too."""
    parsed = parse(tool, call.words[1:])
    facts = [*facts_of(tool, call, parsed, analyst), *place_facts(tool, call, analyst)]
    if not parsed.operands:
        return Outcome(action_of(tool).replace(allowed=False, profile=""), tuple(facts))
    facts += analyst.argv(parsed.operands, call, tool.name)
    return Outcome(action_of(tool), tuple(facts))


def project_file(tool: Tool, call: Call, analyst: Analyst, word: Word, facts: tuple[Fact, ...] = ()) -> Outcome:
    """An interpreter with a file: what runs is the file, so the file's real path is what an approval pins."""
    path = analyst.path(word.value, call.cwd) if word.value is not None else None
    if path is None:
        return Outcome(
            action_of(tool).replace(allowed=False, profile=""),
            (*facts, unknown("code file", "the file that would run is not known", call, word.text)),
        )
    return Outcome(
        Action((*tool.name.split(), word.value or ""), Kind.CODE, rule=tool.name, description="runs a file as code", target=path), facts
    )
