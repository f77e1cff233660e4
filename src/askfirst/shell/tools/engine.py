"""Turns a table row and a call into an action and the facts that hide in the call's arguments.

Promises: every option is either listed in the row or an `Unknown` fact; every operand or value that the row says is
written, deleted or run is a fact of its own. Refuses to know anything about a particular program: that is in the rows.
"""

from __future__ import annotations

import fnmatch
import re
from dataclasses import dataclass, replace
from types import EllipsisType

from askfirst.knowledge.programs import COUNTERS
from askfirst.model import Action, Fact, Kind, Read, Sends, Unknown, Word, Write
from askfirst.shell.call import Analyst, Call, Outcome, Stdin
from askfirst.shell.tools.options import Given, Parsed, parse
from askfirst.shell.tools.sending import is_address, sent_fact
from askfirst.shell.tools.table import Effect, Tool, as_shown

__all__ = [
    "action_of",
    "apply",
    "call_after",
    "directories",
    "facts_of",
    "finish",
    "read_action",
    "read_fact",
    "row",
    "unknown",
    "unmatched",
    "write_fact",
]

_VARIABLE = re.compile(r"\$(?:\w+|\{\w+\})")
_PLAIN_COMMAND = re.compile(r"[\w./@+%-]+(?: +[\w./,:@+%=-]+)*", re.ASCII)
_STARTS_SHELL = frozenset({"script", "hyperfine", "split", "flock"})  # these hand every text to a shell
_QUIET = (Effect.INERT, Effect.READS, Effect.SENDS)


# Kinds whose `--help` prints and does nothing else: runners load the project's code first, wrappers hand the word on.
_EXPLAINS_ITSELF = (Kind.READ, Kind.EDIT, Kind.INSTALL, Kind.NETWORK, Kind.DESTRUCTIVE, Kind.OTHER)


def apply(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    """What `call` does, as far as `tool` knows it. `call.words[1:]` are the tool's arguments."""
    if tool.special is not None:
        return tool.special(tool, call, analyst)
    return row(tool, call, analyst)


def row(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    """`apply` without the row's own code: what a `special` calls when the plain reading of the row will do."""
    if tool.subcommands:
        return _subcommand(tool, call, analyst)
    return finish(tool, call, parse(tool, call.words[1:]), analyst)


def starts_interpreter(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    """A row of a program that, without words, runs what it reads (to be set as `special`)."""
    outcome = row(tool, call, analyst)
    if len(call.words) > 1:
        return outcome
    code = unknown("inline code", f"without words, `{tool.name}` runs what it reads", call)
    return replace(outcome, action=replace(outcome.action, allowed=False), facts=(*outcome.facts, code))


def finish(tool: Tool, call: Call, parsed: Parsed, analyst: Analyst, *, more: tuple[Fact, ...] = ()) -> Outcome:
    """The outcome of a call that was already parsed, with `more` facts that the row cannot express."""
    action = action_of(tool, parsed.operands)
    by_action = tool.kind in (Kind.READ, Kind.EDIT, Kind.BUILD)
    if tool.reading.any_options and by_action and not tool.allowed and tool.target in (None, as_shown):
        action = replace(action, target=as_shown(call.words[1:]))  # no row says which of its options are inert
    if any(g.option.effect == Effect.SENDS for g in parsed.given):
        action = replace(action, sends=Sends.ADDRESS)
    return Outcome(action, (*facts_of(tool, call, parsed, analyst), *more))


def action_of(tool: Tool, operands: tuple[Word, ...] = ()) -> Action:
    """The row as an action. `key_words` beyond the row's name are taken from the operands (`npm run build`)."""
    key = tuple(tool.name.split())
    if len(key) < tool.key_words:
        key += tuple(w.shown for w in operands[: tool.key_words - len(key)])
    return Action(
        key,
        tool.kind,
        rule=tool.name,
        allowed=tool.allowed and not tool.blocked,
        profile=tool.profile,
        description=tool.description,
        danger=tool.danger,
        advice=tool.advice or tool.blocked,
        target=tool.target(operands) if tool.target is not None else "",
    )


def read_action(key: tuple[str, ...], description: str, *, rule: str = "", profile: str = "") -> Action:
    """The action of a call that only shows something: help, a version, settings."""
    return Action(key, Kind.READ, rule=rule or key[0], allowed=True, profile=profile, description=description)


def facts_of(tool: Tool, call: Call, parsed: Parsed, analyst: Analyst) -> tuple[Fact, ...]:
    """The facts of options and operands."""
    facts: list[Fact] = [unknown(d.what, d.why, call, d.text) for d in parsed.doubts]
    cwd, moved = directory_after(parsed, call, analyst)
    if moved:
        call = replace(call, cwd=cwd)
    for given in parsed.given:
        facts += _option_facts(tool, given, call, analyst)
    if tool.searches and not parsed.operands:
        facts += read_fact(Word(".", "."), call, analyst, tool.name)
    facts += _operand_facts(tool, parsed.operands, call, analyst)
    return tuple(facts)


def directory_after(parsed: Parsed, call: Call, analyst: Analyst) -> tuple[str | None, bool]:
    """Where the rest happens, when an option such as `-C DIR` says so."""
    reached = directories(parsed, call, analyst)
    return reached[-1], len(reached) > 1


def directories(parsed: Parsed, call: Call, analyst: Analyst) -> list[str | None]:
    """Every directory that a name may be meant in: each `-C` counts for the names behind it, from the one before."""
    reached = [call.cwd]
    for given in parsed.given:
        if given.option.effect == Effect.DIRECTORY and given.value is not None:
            value = given.value.value
            reached.append(analyst.path(value, reached[-1]) if value is not None else None)
    return reached


def call_after(call: Call, words: tuple[Word, ...], cwd: str | None = "") -> Call:
    """The same call with other arguments; `words` are without the program's name."""
    return replace(call, words=(call.words[0], *words), cwd=call.cwd if cwd == "" else cwd)


def _subcommand(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    words = call.words[1:]
    parsed = parse(tool, words, stop_at_operand=True)
    facts = [unknown(d.what, d.why, call, d.text) for d in parsed.doubts]
    for given in parsed.given:
        facts += _option_facts(tool, given, call, analyst)
    cwd, moved = directory_after(parsed, call, analyst)
    if parsed.stopped_at < 0:  # no sub-command: `git --version`, `npm`
        if tool.alone and not parsed.has("--help", "--version"):
            outcome = apply(tool.subcommands[tool.alone], call_after(call, ()), analyst)
            return replace(outcome, facts=(*facts, *outcome.facts))
        return Outcome(action_of(tool), tuple(facts))
    word = words[parsed.stopped_at]
    if word.value is None:
        facts.append(unknown("expansion", f"the sub-command of `{tool.name}` is not known", call, word.text))
        return Outcome(replace(action_of(tool), allowed=False), tuple(facts))
    inner = tool.subcommands.get(word.value)
    if inner is None:
        key = (*tool.name.split(), word.value)
        return Outcome(Action(key, Kind.OTHER, danger=tool.danger, advice=tool.advice), tuple(facts))
    after = words[parsed.stopped_at + 1 :]
    if len(after) == 1 and after[0].value == "--help" and not inner.subcommands and inner.kind in _EXPLAINS_ITSELF:
        return Outcome(
            Action((*inner.name.split(), "--help"), Kind.READ, f"{inner.name} --help", True, description="prints help"),
            tuple(facts),
        )
    rest = call_after(call, after, cwd if moved else "")
    outcome = apply(inner, rest, analyst)
    return replace(outcome, facts=(*facts, *outcome.facts))


def _option_facts(tool: Tool, given: Given, call: Call, analyst: Analyst) -> list[Fact]:
    option, value = given.option, given.value
    if option.effect == Effect.ASKS:
        return [
            unknown(
                "option",
                option.why or f"`{option.name}` of `{tool.name}` asks",
                call,
                value.text if value else option.name,
            )
        ]
    if value is None or option.effect in (Effect.INERT, Effect.DIRECTORY):
        return []
    return _effect(option.effect, value, call, analyst, f"{tool.name} {option.name}")


@dataclass(frozen=True)
class Operands:
    """A row's `operands`, read: which effect the operand at which place has."""

    leading: tuple[Effect, ...]  # the first ones, where they differ from the rest
    rest: Effect
    last: Effect | None = None
    limit: int = -1  # more than this are too many; -1: any number

    @classmethod
    def of(cls, effects: tuple[Effect | EllipsisType, ...]) -> Operands:
        """From a tuple that is not empty."""
        plain = tuple(e for e in effects if e is not ...)
        if len(plain) == len(effects):
            return cls(plain[:-1] if len(set(plain)) > 1 else (), plain[-1], limit=len(plain))
        at = effects.index(...)
        if at < 1 or len(plain) < len(effects) - 1 or len(effects) > at + 2:
            raise ValueError(f"operands: {effects}: `...` repeats one effect, and one more may follow it")
        return cls(plain[: at - 1], plain[at - 1], plain[at] if len(plain) > at else None)

    def at(self, index: int, count: int) -> Effect:
        """The effect of one of `count` operands."""
        if index < len(self.leading):
            return self.leading[index]
        return self.last if self.last is not None and index == count - 1 else self.rest

    def fixed(self, words: tuple[Word, ...]) -> tuple[Word, ...]:
        """The words whose place decides what they are."""
        return words[: len(self.leading)] + (words[-1:] if self.last is not None else ())

    def is_quiet(self) -> bool:
        return all(e is None or e in _QUIET for e in (*self.leading, self.rest, self.last))


def _operand_facts(tool: Tool, operands: tuple[Word, ...], call: Call, analyst: Analyst) -> list[Fact]:
    if not tool.operands:
        why = f"`{tool.name}` has a word that the built-in rules do not know"
        return [unknown("operands", why, call, word.text) for word in operands]
    form = Operands.of(tool.operands)
    facts: list[Fact] = []
    loose = [] if form.is_quiet() else [w for w in operands if w.value is None and w.many]
    if form.limit >= 0 and (loose or len(operands) > form.limit):
        facts.append(unknown("operands", f"`{tool.name}` has more words than the built-in rules know", call))
    if len(operands) < tool.least:
        facts.append(unknown("operands", f"`{tool.name}` has fewer words than the built-in rules know", call))
    if any(w in loose for w in form.fixed(operands)):
        why = f"it is not known which word of `{tool.name}` is which"
        facts.append(unknown("expansion", why, call, loose[0].text))
    for index, word in enumerate(operands):
        for effect in _effects_on(word, index, len(operands), form):
            facts += _effect(effect, word, call, analyst, tool.name)
    return facts


def _effects_on(word: Word, index: int, count: int, form: Operands) -> list[Effect]:
    """Without quotes, what a program prints may be the words behind it, too."""
    if not (word.data and word.many):
        return [form.at(index, count)]
    return list(dict.fromkeys(form.at(at, count + 1) for at in range(index, count + 1)))


# How the file that an option or operand names is written.
_WRITTEN = {
    Effect.WRITES: "overwrite",
    Effect.APPENDS: "append",
    Effect.BELOW: "create",
    Effect.DELETES: "delete",
    Effect.MOVES: "move",
}


def _effect(effect: Effect, word: Word, call: Call, analyst: Analyst, by: str) -> list[Fact]:
    """The facts of one value or operand."""
    if effect in (Effect.INERT, Effect.DIRECTORY):
        return []
    if effect == Effect.SENDS:
        return sent_fact(word, call, by)
    if effect == Effect.READS:
        return read_fact(word, call, analyst, by)
    if effect == Effect.EMPTIES:
        made = write_fact(word, call, analyst, by, "create", below=True)
        lost = (replace(f, how="delete") for f in made if isinstance(f, Write) and f.path and analyst.exists(f.path))
        return [*made, *lost]
    if effect in _WRITTEN:
        return write_fact(word, call, analyst, by, _WRITTEN[effect], below=effect == Effect.BELOW)
    if effect == Effect.RUNS:
        return _started(word, call, analyst, by)
    if effect == Effect.CODE:
        return [unknown("inline code", f"`{by}` runs code that is not analysed", call, word.text)]
    if effect == Effect.SCRIPT:
        return [unknown("code file", f"`{by}` runs code from a file", call, word.text)]
    return [unknown("option", f"`{by}` asks", call, word.text)]


# What these programs put behind the command that an option names: the file that is looked at, "unpack".
_APPENDED = {"--pre": Word("…", None, among=(Word("**/*", None, glob=True),)), "-I": Word("-d", "-d")}
_APPENDED["--compress-program"] = _APPENDED["-I"]
_HAND_INPUT_ON = frozenset({"script", "hyperfine", "flock"})


def _started(word: Word, call: Call, analyst: Analyst, by: str) -> list[Fact]:
    """A command that an option names. Mostly it is fed: with a file, a member of an archive, what a program prints."""
    if word.value is None:
        return [unknown("hidden command", f"`{by}` runs a command that is not known", call, word.text)]
    program, _, option = by.partition(" ")
    if program not in _HAND_INPUT_ON:
        call = replace(call, stdin=Stdin("unknown"))
    facts = list(analyst.script(word.value, call, by, "login"))  # most take `$SHELL`, some sh
    # Others start the program themselves: to `rg --pre` a text such as `A=x/e.sh`, or `ls>a/b`, is the name of one,
    # and to `man -P 'flock # sh e.sh'` a `#` is a word.
    if "#" in word.value or not (program in _STARTS_SHELL or _PLAIN_COMMAND.fullmatch(word.value)):
        facts.append(unknown("hidden command", f"`{by}` may read it otherwise than a shell", call, word.text))
    elif option in _APPENDED:
        words = (*(Word(part, part) for part in word.value.split()), _APPENDED[option])
        facts += analyst.argv(words, call, by)
    return facts


def read_fact(word: Word, call: Call, analyst: Analyst, by: str) -> list[Fact]:
    """A file whose content is shown. A pattern is reported by the part before its first wildcard."""
    if is_address(word):
        return [unknown("network", f"`{by}` would fetch an address", call, word.text)]
    if word.value is not None:
        if word.value in ("-", ""):
            return []
        meant = _extended(word, analyst)
        more = read_fact(meant, call, analyst, by) if meant is not None else []
        return [Read(analyst.path(word.value.removeprefix("file:"), call.cwd), word.text, by), *more]
    if word.among:
        return [fact for one in word.among for fact in read_fact(one, call, analyst, by)]
    if not word.glob:
        return [Read(None, word.text, by)]  # only data name it
    return _pattern_read(word, call, analyst, by)


def _pattern_read(word: Word, call: Call, analyst: Analyst, by: str) -> list[Fact]:
    literal = unmatched(word, call.cwd, analyst)
    if literal.value is not None:
        return read_fact(literal, call, analyst, by)
    word = _extended(word, analyst) or word
    in_sight = any(c in word.text.replace("${", "") for c in "*?[{")
    if _leads_out(word):
        return [unknown("path", f"it is not known where `{word.text}` leads", call, word.text)]
    path = analyst.path(word.prefix or ".", call.cwd)
    if path is None:
        why = f"it is not known in which directory `{word.text}` is looked for"
        return [] if by in COUNTERS else [unknown("directory", why, call, word.text)]
    return [Read(path, word.text if in_sight else _as_pattern(word), by)]


def _extended(word: Word, analyst: Analyst) -> Word | None:
    """`.env#`, `.^x` and `.e*~x` as a pattern, where the shell may take it for one; None where it is none, or the same
    as ever."""
    if _EXTENDS.isdisjoint(word.text[1:]) or word.text[0] in "'\"" or not analyst.extends_patterns():
        return None
    text = re.sub(r"(?:\[[^]]*\]|.)#+|\^[^/]*", "*", re.sub(r"(?<=.)~[^/]*", "", word.text))
    start = next((at for at, sign in enumerate(text) if sign in "*?[$"), -1)
    return Word(text, None, prefix=text[:start], many=True, glob=True) if start >= 0 else None


_EXTENDS = frozenset("#^~")


def _fits(name: str, part: str) -> bool:
    return "[" in part and fnmatch.fnmatchcase(name.lower(), part.lower())


def unmatched(word: Word, cwd: str | None, analyst: Analyst) -> Word:
    """`app/[slug]/page.tsx`: a pattern that matches nothing and leads, taken as a name, to a place that is there stands
    for that name. The last part may be new."""
    text = word.text
    *parents, last = parts = text.strip("/").split("/")
    if word.value is not None or not word.glob or not all(map(_is_plain_pattern, parts)):
        return word
    folder = analyst.path("/" if text.startswith("/") else ".", cwd)
    for part in parents:
        if part not in _unmatched_names(part, folder, analyst):
            return word
        folder = f"{folder}/{part}"
    found = _unmatched_names(last, folder, analyst)
    return Word(text, text, quoted=True) if last in found or (found and "[" not in last) else word


def _is_plain_pattern(part: str) -> bool:
    return (
        set("*?{}$`\\\"'~").isdisjoint(part) and ("[" not in part or set("^!-:").isdisjoint(part)) and "[[" not in part
    )


def _unmatched_names(part: str, folder: str | None, analyst: Analyst) -> tuple[str, ...]:
    """What a directory holds; () where nobody can tell, and where the part, as a pattern, matches something."""
    names = (analyst.names_in(folder) if folder is not None else None) or ()
    return () if any(_fits(name, part) for name in names) else names


def write_fact(word: Word, call: Call, analyst: Analyst, by: str, how: str, *, below: bool = False) -> list[Fact]:
    """A file that is written. A pattern becomes "anything below the directory before its first wildcard"."""
    if word.each:
        return [fact for one in word.among for fact in write_fact(one, call, analyst, by, how, below=below)]
    word = unmatched(word, call.cwd, analyst)
    if word.value is not None:
        if word.value in ("-", "/dev/null", "/dev/stdout", "/dev/stderr"):
            return []
        meant = _extended(word, analyst)
        more = write_fact(meant, call, analyst, by, how) if meant is not None else []
        return [Write(analyst.path(word.value, call.cwd), word.text, how, by, below=below), *more]
    if word.glob:
        head, _, tail = word.prefix.rpartition("/")
        if not tail.startswith(".") and not _leads_out(word):
            folder = head or ("/" if word.prefix.startswith("/") else ".")
            text = word.text if any(c in word.text for c in "*?[") or word.text == "{}" else _as_pattern(word)
            return [Write(analyst.path(folder, call.cwd), text, how, by, below=True)]
    return [Write(None, word.text, how, by, below=True)]


def _leads_out(word: Word) -> bool:
    """`.*/x`, of which `..` is one, and `*/../..`, which leaves the directory again."""
    behind = word.text[len(word.prefix) :]
    return ".." in behind or (word.prefix.rpartition("/")[2] == "." and "/" in behind)


def _as_pattern(word: Word) -> str:
    """`"$f"` and `"$f/x.py"` with f=src/*: the text that is shown must say which files are meant."""
    if len(word.among) == 1 and word.among[0].glob:
        return word.among[0].text
    behind = "*".join(_VARIABLE.split(word.text)[1:])
    return f"{word.prefix}*{behind}".replace('"', "")


def unknown(what: str, why: str, call: Call, text: str = "") -> Fact:
    """An Unknown about this call; all its words are handed on, so that blocks are still looked for in them."""
    words = tuple(w.shown for w in call.words)
    return Unknown(what, why, text or call.text, words)
