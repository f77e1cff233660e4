"""Judges a call with each option that a manual describes: what passes where a row's code decides, not its list.

A call that passes by itself stands for the program, or for one of its sub-commands: an example of the row, or a command
of the corpus. Each option is added to it alone, and with a private key as its value, glued on and as the next word.
"""

from __future__ import annotations

import os
import re
import shlex
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import takewhile
from pathlib import Path

import yaml

from askfirst.model import Decision
from askfirst.shell.tools.table import Tool
from tests.scorecard import Bench, cases
from tests.tools.rows import every_row
from tests.tools.test_base_cases import table as commands_of

PAIRS = Path(__file__).parents[1] / "cases" / "programs.yaml"
_KEY = "~/.ssh/id_rsa"
# What may stand behind a program of which no example is known.
_OPERANDS: tuple[list[str], ...] = (
    [],
    ["README.md"],
    ["x"],
    ["x", "README.md"],
    ["README.md", "docs/index.md"],
    ["."],
    ["x=1"],
    ["true"],
)
_DEPTH = 3  # `docker buildx du`


_PLACE = tempfile.TemporaryDirectory()


@cache
def _bench() -> Bench:
    return Bench(Path(os.path.realpath(_PLACE.name)))


@cache
def _is_allowed(command: str) -> bool:
    return _bench().judge(command).decision == Decision.ALLOW


def passes(*words: str) -> bool:
    """Whether a call passes; `~/` at the beginning of a value is the home."""
    home = f"{_bench().home}/"
    return _is_allowed(shlex.join(re.sub(r"(^|=|^-\w)~/", rf"\g<1>{home}", w, count=1) for w in words))


def _texts() -> Iterator[str]:
    for row in every_row():
        yield from row.tool.examples
    for programs in yaml.safe_load(PAIRS.read_text(encoding="utf-8")).values():
        yield from (pair["allowed"] for pair in programs.values())
    for file in ("everyday", "dippy", "nah"):
        yield from (case["command"] for case in cases(file))
    for which in ("tools_base_everyday", "tools_dev_everyday"):
        yield from commands_of(which)


@cache
def _examples() -> dict[str, list[list[str]]]:
    found: dict[str, list[list[str]]] = defaultdict(list)
    for text in _texts():
        words = [] if re.search(r"[|;&<>$`\n(#\\]", text) else _split(text)
        if words and words[-1] not in ("--help", "-h", "-help"):
            found[words[0]].append(words)
    return found


def _split(text: str) -> list[str]:
    try:
        return shlex.split(text)
    except ValueError:  # a quote that shlex does not know
        return []


@cache
def operands_of(words: tuple[str, ...]) -> list[str] | None:
    """What stands behind these words in a call that passes; None if none does."""
    behind = [e[len(words) :] for e in _examples()[words[0]] if tuple(e[: len(words)]) == words]
    plain = [rest for rest in behind if not any(w.startswith(("-", "+")) for w in rest)]
    return next((rest for rest in (*plain, *_OPERANDS, *behind) if passes(*words, *rest)), None)


def named_in_examples(name: str, tool: Tool) -> Iterator[tuple[str, ...]]:
    """The sub-commands that code knows and lets pass, as far as examples name them: `docker compose ps`."""
    if tool.special is None:
        return
    found: dict[tuple[str, ...], None] = {}
    for example in _examples()[name]:
        verbs: tuple[str, ...] = (name,)
        for word in takewhile(re.compile(r"[a-z][a-z-]+").fullmatch, example[1:_DEPTH]):
            verbs += (word,)
            found[verbs] = None
    yield from (verbs for verbs in found if operands_of(verbs) is not None)


def passing(words: tuple[str, ...], options: Sequence[str]) -> tuple[str, ...] | None:
    """Which of these options pass: before what stands in a call anyway (`-x`, which may take that as its value) or with
    a private key (`-x=`); None where no call is known to pass.
    """
    rest = operands_of(words)
    if rest is None:
        return None
    found = []
    for option in options:
        glued = f"{option}={_KEY}" if option.startswith("--") else f"{option}{_KEY}"
        if passes(*words, glued, *rest) or (passes(*words, option, _KEY, *rest) and not passes(*words, _KEY, *rest)):
            found.append(f"{option}=")
        elif passes(*words, option, *rest):
            found.append(option)
    return tuple(found)
