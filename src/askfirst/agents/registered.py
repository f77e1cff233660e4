"""The command lines by which agents call askfirst: what a team's file holds, and which lines are askfirst's.

A settings file may come with a repository, and `doctor` runs what is registered. So a line is run only if
`askfirst init` could have written it: an interpreter outside the project, or the portable launcher word for word.
"""

from __future__ import annotations

import os
import shlex

PORTABLE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "launcher.sh")
NOT_OURS = "its command is not one that `askfirst init` writes, so it was not tried"


def portable_text() -> str:
    """`launcher.sh` without what is there for people."""
    with open(PORTABLE, encoding="utf-8") as file:
        return "".join(line for line in file if line.strip() and not line.startswith("#")).rstrip()


def portable_words(*arguments: str) -> list[str]:
    """Finds askfirst on any machine, and runs it with these arguments."""
    return ["/bin/sh", "-c", portable_text(), "askfirst", *arguments]


def is_known(line: str, agent: str, default: str) -> bool:
    """Whether `askfirst init` could have written this line, here or on another machine (without what follows `||`)."""
    arguments = ["hook", *([] if agent == default else ["--agent", agent])]
    try:
        words = shlex.split(line)
    except ValueError:
        return False
    # Written anew, each word quoted, it must be the same line: nothing in it is left for the shell to interpret.
    if line != shlex.join(words) or words[-len(arguments) :] != arguments:
        return False
    program = words[: -len(arguments)]
    if program == portable_words():
        return True
    if not program or not os.path.isabs(program[0]):
        return False
    name = os.path.basename(program[0])
    if name == "askfirst":
        return program[1:] == []
    is_python = name.startswith(("python", "pypy")) and program[1:-1] == ["-I", "-S"]
    return is_python and program[-1].endswith("/askfirst/launch.py")


def lies_in(line: str, project: str) -> bool:
    """Whether a line runs something of the project's own, which the agent could have changed."""
    try:
        words = shlex.split(line)
    except ValueError:
        return True
    places = [word for word in words if word.startswith("/") and "\n" not in word]
    root = os.path.realpath(project) + os.sep
    return any(os.path.realpath(os.path.dirname(place)).startswith(root) for place in places)
