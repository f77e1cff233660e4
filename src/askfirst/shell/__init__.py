"""Commands as facts: what a bash text would run, write and read, and what in it cannot be known.

    text -> reading.tree_of -> Tree -> Survey (of the whole) -> Walk (in order) -> facts

`analyze` never raises and takes time linear in the length of the text. Whatever is odd, too long, or read differently
by bashlex and by this package's own reader is an `Unknown` fact, with every plain word of the text, so that blocks are
still found in it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from askfirst.digest import sha256_hex
from askfirst.model import DELETED, Assignment, Change, Command, Fact, Read, Unknown, Write
from askfirst.shell import dialects, environment
from askfirst.shell.context import Context
from askfirst.shell.handed_on import with_handed_on
from askfirst.shell.plain_words import plain_words
from askfirst.shell.reading import tree_of
from askfirst.shell.survey import Survey
from askfirst.shell.syntax import GiveUp
from askfirst.shell.walk import Walk
from askfirst.shell.walk.detours import Detours

if TYPE_CHECKING:
    from askfirst.shell.surroundings import Surroundings

MAX_LENGTH = 100_000


# What never ends, and what takes only a part of it, some of these only if told how much.
_ENDLESS = frozenset(("/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"))
_TAKES_A_PART = frozenset("head dd timeout truncate".split())
_TOLD_HOW_MUCH = {"od": ("-N", "--read-bytes"), "xxd": ("-l", "-len"), "hexdump": ("-n",), "hd": ("-n",)}
_MANY_BYTES = re.compile(r"\d{10}|\d\s?[GTPEZY]")


def analyze(text: str, surroundings: Surroundings) -> tuple[Fact, ...]:
    """Everything that `text` would run, write or read when a shell is given it."""
    dialect = dialects.of(surroundings.shell)
    detours = Detours(surroundings)
    facts = facts_of_text(text, Context(surroundings, dialect, detours, surroundings.cwd, set()))
    facts = _with_exported(facts, tuple(dict.fromkeys(detours.exported)))
    facts = _beside_writes((*facts, *_by_other_names(facts, detours.names)))
    return with_handed_on(facts, text, surroundings.exported)


def _beside_writes(facts: tuple[Fact, ...]) -> tuple[Fact, ...]:
    """Each command with what the text writes: `cp a.py run.py && python run.py` does not run what lies there now."""
    written = tuple(
        dict.fromkeys(
            (f.path or "", f.below, _content_after(f)) for f in facts if isinstance(f, Write) and f.how != "mode"
        )
    )
    return tuple(replace(f, beside=written) if isinstance(f, Command) else f for f in facts) if written else facts


def _content_after(write: Write) -> str:
    if write.how == "delete":
        return DELETED
    return sha256_hex(write.content) if write.content is not None and write.how == "overwrite" else ""


def _with_exported(facts: tuple[Fact, ...], exported: tuple[Assignment, ...]) -> tuple[Fact, ...]:
    """`export X=1 && npm test`: as `X=1 npm test`, for every program of the script, as it may run in any order."""
    if not exported:
        return facts
    programs = [f for f in facts if isinstance(f, Command) and not f.builtin]
    told = (replace(f, assignments=(*exported, *f.assignments)) if f in programs else f for f in facts)
    return (*told, *dict.fromkeys(_doubts_about(exported, programs)))


def _doubts_about(exported: tuple[Assignment, ...], programs: list[Command]) -> Iterator[Unknown]:
    called = {environment.runner([w.value for w in f.argv[:3]]): f for f in programs}
    others = {name: f for name, f in called.items() if not environment.is_plain(name)}
    if not others:  # a shell that stays may hand it to the next command
        yield from (Unknown("environment", environment.passed_on(a.name, None), a.name) for a in exported)
    for name, program in others.items():
        for one in exported:
            if why := environment.passed_on(one.name, one.value.value, name):
                words = (*(w.shown for w in program.argv), one.value.text)
                yield Unknown("environment", why, f"{one.name}={one.value.text}", words)


def _by_other_names(facts: tuple[Fact, ...], names: dict[str, dict[str, bool]]) -> Iterator[Fact]:
    """What is read or written through a link, by the name of the link."""
    for fact in facts if names else ():
        if not isinstance(fact, (Read, Write)):
            continue
        for name, is_link in names.get(fact.path or "", {}).items():
            if isinstance(fact, Read):
                yield replace(fact, path=name)
            elif fact.how == "delete" and is_link:
                yield replace(fact, path=name, change=None)  # the link itself goes
            else:
                how = "overwrite" if fact.how == "delete" else fact.how
                yield replace(fact, path=name, how=how, change=Change("MODIFY"))


def facts_of_text(text: str, context: Context) -> tuple[Fact, ...]:
    """The facts of a text, also of one inside another. Never raises: what goes wrong is Unknown."""
    if len(text) > MAX_LENGTH:
        why = f"longer than {MAX_LENGTH:,} characters"
        return (Unknown("too long", why, text[:200], plain_words(text)),)
    try:
        return _facts(text, context)
    except GiveUp as error:
        return (Unknown(error.what, error.why, text, plain_words(text)),)
    except RecursionError:
        return (Unknown("too long", "too deeply nested", text, plain_words(text)),)
    except Exception as error:  # a mistake in this program: the gate closes, whatever it is
        return (Unknown("internal", f"{type(error).__name__}: {error}", text, plain_words(text)),)


def _facts(text: str, context: Context) -> tuple[Fact, ...]:
    tree = tree_of(text)
    walk = Walk(text, tree, Survey.of(tree.script, context.outer, given_data=context.given_data), context)
    walk.whole_text()
    if context.outer is None and context.detours.again:
        again = Walk(text, tree, walk.survey, context)
        again.whole_text()
        walk.facts.extend(again.facts)
    facts = tuple(dict.fromkeys(walk.facts))
    return (*facts, *_fills_the_disk(facts, text))


def _takes_a_part(fact: Fact) -> bool:
    """`head -c 100G` takes more than a disk may have."""
    if not isinstance(fact, Command) or _MANY_BYTES.search(fact.text):
        return False
    name = fact.name.rpartition("/")[2]
    told = _TOLD_HOW_MUCH.get(name, ())
    return name in _TAKES_A_PART or any((word.value or "").startswith(told) for word in fact.argv[1:] if told)


def _fills_the_disk(facts: tuple[Fact, ...], text: str) -> tuple[Fact, ...]:
    """`cat /dev/zero > big`, `yes > big`: nothing but a full disk ends it."""
    programs = {f.name.rpartition("/")[2] for f in facts if isinstance(f, Command)}
    endless = "yes" in programs or any(
        isinstance(f, Read) and f.path in _ENDLESS and not f.by.endswith("--random-source") for f in facts
    )
    if not endless or any(map(_takes_a_part, facts)) or not any(isinstance(f, Write) for f in facts):
        return ()
    return (Unknown("endless", "writes without end: only a full disk would stop it", text),)
