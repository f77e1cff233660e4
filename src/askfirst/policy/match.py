"""Whether a rule means a command. Pure text but for the hashes of files; an answer of MAYBE is a yes for blocks and a
no for allows.

An allowing rule's `args` describe the whole list of arguments (arguments.py). Only words before the sub-command that do
nothing but change what is printed are looked past, and only where the tables of tools know the sub-command. A block's
`args` mean every call that begins so, behind whatever global options."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from askfirst.knowledge.programs import ABBREVIATES, PACKAGES, base_name
from askfirst.knowledge.secrets import is_above_secrets, is_private, is_secret
from askfirst.knowledge.variables import chooses
from askfirst.model import Command, Kind, Word
from askfirst.policy.arguments import Match, Pattern, parse
from askfirst.policy.file_hashes import NOT_KNOWN
from askfirst.policy.locations import locate
from askfirst.policy.named_files import names_in
from askfirst.policy.pinning import (
    DRY_RUN,
    PACKAGES_NAMED,
    action_words,
    content_hash,
    installed_packages,
    machine_of,
    other_repository,
    run_hash,
    script_of,
    target_of,
)
from askfirst.policy.spellings import Called, after_options, same_action, started, variants

if TYPE_CHECKING:
    from askfirst.policy.rules import Layers, Rule

__all__ = ["Match", "about", "allowed_as", "blocks", "counts", "covers", "is_installed", "may_set", "name_matches"]

# A program named by its path is the one of the rule only where systems keep their programs.
_SYSTEM_DIRS = ("/bin", "/usr/bin", "/usr/local/bin", "/sbin", "/usr/sbin", "/opt/homebrew/bin", "/opt/local/bin")
# Options before a sub-command that change nothing but what is printed. Not `-C`, `--context`, `--profile`: these change
# what the sub-command acts on.
_COSMETIC = frozenset(
    "--silent --quiet --verbose --no-pager --no-color --color=always --color=never --color=auto --no-progress".split()
)
# Kinds that are meant by their action alone. Of the others the words matter: what runs, is fetched, sent or deleted;
# unless a table says that it has all that matters in key and target (Action.free).
_BY_ACTION = (Kind.READ, Kind.BUILD, Kind.EDIT)


FEW = 16  # so many rules are looked at faster than indexed
MAX_INDEXES = 16
MAX_NAME = 1000  # longer ones are texts
MAX_FOUND = 5000  # names below a directory that are looked at for links


class _Index:
    """Many rules by the name that they mean, so that a command is held against a few of them."""

    def __init__(self, rules: tuple[Rule, ...]) -> None:
        self.rules = rules
        self.named: dict[str, list[int]] = {}
        self.others: list[int] = []  # a pattern, or a path
        for number, rule in enumerate(rules):
            if rule.path or rule.name.endswith("*"):
                self.others.append(number)
            else:
                self.named.setdefault(rule.name.lower(), []).append(number)

    def about(self, names: Iterable[str]) -> list[Rule]:
        numbers = {number for name in names for number in self.named.get(name, ())}
        return [self.rules[number] for number in sorted(numbers.union(self.others))]


_indexes: dict[int, _Index] = {}


def about(rules: tuple[Rule, ...], names: Iterable[str]) -> Sequence[Rule]:
    """The rules that may mean a program of one of these names (in lower case), in their order."""
    if len(rules) <= FEW:
        return rules
    index = _indexes.get(id(rules))
    if index is None or index.rules is not rules:
        if len(_indexes) >= MAX_INDEXES:
            _indexes.clear()
        index = _indexes[id(rules)] = _Index(rules)
    return index.about(names)


def counts(rule: Rule, layers: Layers) -> bool:
    """Whether an allowing entry is in force: not expired, not void, and for this user's role."""
    if rule.void or (rule.expires and layers.now >= rule.expires):
        return False
    return not rule.roles or layers.settings.role in rule.roles


def covers(rule: Rule, command: Command, layers: Layers) -> bool:
    """Whether an allowing rule certainly means this command, as it stands."""
    if not _is_the_program(rule, command, layers) or not _may_be_set_up_so(rule, command):
        return False
    words = _arguments(command)
    if rule.action and not _is_the_action(rule, command, words):
        return False
    if rule.args and _whole(rule.args, command, words) != Match.YES:
        return False
    if command.action.danger and _was_not_meant(rule):
        return False
    if rule.deny_args and _denied(rule.deny_args, words):
        return False
    if rule.paths != "any" and not _is_in_its_place(rule, command, words, layers):
        return False
    return not rule.sha256 or bool(rule.void) or _is_the_content(rule, command)


def blocks(rule: Rule, command: Command, layers: Layers) -> Match:
    """Whether a narrowing rule (a block, `decision: ask` or `deny`) may mean this command, however it is written."""
    if rule.roles and layers.settings.role and layers.settings.role not in rule.roles:
        return Match.NO
    if rule.expires and layers.now >= rule.expires:
        return Match.NO
    if not _may_be_the_program(rule, command, own_names(command)):
        return _blocks_spelling(rule, command)
    if rule.action:
        if action_words(command) != rule.action:
            return Match.NO
    if not rule.args:
        return Match.YES
    found = _begins(rule.args, command, _arguments(command))
    return found if found == Match.YES else max(found, _blocks_spelling(rule, command))


def _blocks_spelling(rule: Rule, command: Command) -> Match:
    """Whether the rule means what the command starts (`npx npm publish`), or what it is another name of."""
    if rule.tool or rule.path or rule.action:
        return Match.NO
    best = Match.NO
    for name, values in _spellings(command, same=bool(rule.args)):
        if name_matches(rule.name.lower(), name):
            lists = [values, *(values[start:] for start in after_options(values))]
            means = [_fits(parse(pattern), rule.name, lists) for pattern in rule.args]
            best = max(best, *means) if rule.args else Match.YES
    return best


def _spellings(command: Command, *, same: bool) -> list[Called]:
    """`same`: also programs that are another name of this one."""
    name, values = base_name(command.name).lower(), tuple(w.value for w in _arguments(command))
    others = started(name, values)
    if not same:
        return list(others)
    # The words of the action stand behind no global option: `docker-compose -f x.yaml down`.
    by_action = [(command.action.key[0], command.action.key[1:])] if command.action.rule else []
    return [*others, *(called for one in ((name, values), *by_action, *others) for called in same_action(*one))]


def _may_be_set_up_so(rule: Rule, command: Command) -> bool:
    """Whether the rule names every variable of the command that says where it acts, and those that it names with their
    values are set: `DRY_RUN=1 deploy` is not `deploy`."""
    chosen = (a.name for a in command.assignments if chooses(a.name, a.value.value or ""))
    wanted = (name for name, equals, _ in (one.partition("=") for one in rule.env) if equals)
    return all(may_set(rule.env, command, name) for name in (*chosen, *wanted))


def may_set(allowed: tuple[str, ...], command: Command, name: str) -> bool:
    """Whether a variable may be set for the command as it is: by its name (`NAME`), or with this very value
    (`NAME=value`)."""
    values = [a.value.value for a in command.assignments if a.name == name and not a.append]
    return name in allowed or (bool(values) and all(v is not None and f"{name}={v}" in allowed for v in values))


def is_installed(command: Command) -> bool:
    """Whether the program is the one that its name means: found by name, or in a directory where systems keep
    programs."""
    if command.foreign:
        return False
    # (Below /System macOS itself keeps its programs, and lets nobody write.)
    return (
        "/" not in command.name
        or command.name.rpartition("/")[0] in _SYSTEM_DIRS
        or (command.name.startswith("/System/Library/") and "/../" not in command.name)
    )


def name_matches(pattern: str, name: str) -> bool:
    """An exact name, or one `*` at the end, which stands for what programs' names are made of: `'swift '` is not
    `swift*`."""
    if pattern.endswith("*"):
        rest = name[len(pattern) - 1 :]
        return name.startswith(pattern[:-1]) and (not rest or all(c.isalnum() or c in "._+-@" for c in rest))
    return pattern == name


def _arguments(command: Command) -> tuple[Word, ...]:
    return command.argv[1:]


def _is_the_program(rule: Rule, command: Command, layers: Layers) -> bool:
    if rule.tool:
        return False
    if rule.name in PACKAGES:
        return is_installed(command) and bool(rule.action) and command.action.package.startswith(f"{rule.name} ")
    if rule.path:
        # A script of the project is meant by its real path; that it lies inside the project is then no surprise.
        return command.program == rule.path or (command.program is None and _lexical(command) == rule.path)
    return is_installed(command) and name_matches(rule.name, base_name(command.name))


def allowed_as(command: Command) -> tuple[str, ...]:
    """The names of entries that may allow it, in lower case."""
    package = command.action.package.partition(" ")[0]
    return (base_name(command.name).lower(), *((package,) if package else ()))


def names_of(command: Command) -> frozenset[str]:
    """What a block may call it, or what it starts or is another name of."""
    return own_names(command).union(name for name, _ in _spellings(command, same=True))


def own_names(command: Command) -> frozenset[str]:
    """File systems that ignore case exist; a block is meant whatever directory the program stands in."""
    names = (command.name, command.program or "", command.action.key[0] if command.action.key else "")
    return frozenset(base_name(name).lower() for name in names) - {""}


def _may_be_the_program(rule: Rule, command: Command, names: frozenset[str]) -> bool:
    if rule.tool:
        return False
    if rule.path:
        return rule.path in (command.program, command.name)
    wanted = rule.name.lower()
    return wanted in names or (wanted.endswith("*") and any(name_matches(wanted, name) for name in names))


def _lexical(command: Command) -> str:
    """The path of a script that does not exist (yet), without following links."""
    name = command.name
    if "/" not in name or (not name.startswith("/") and command.cwd is None):
        return ""
    return _normal(name if name.startswith("/") else f"{command.cwd}/{name}")


def _normal(path: str) -> str:
    parts: list[str] = []
    for part in path.split("/"):
        if part == "..":
            if parts:
                parts.pop()
        elif part not in ("", "."):
            parts.append(part)
    return "/" + "/".join(parts)


def _is_the_action(rule: Rule, command: Command, words: tuple[Word, ...]) -> bool:
    """The action as the tables of tools know it, on the same target. What else stands in the command is then inert: an
    option that is not makes another action or target of it, or a fact of its own, which no rule allows."""
    action = command.action
    if rule.target.startswith(PACKAGES_NAMED):
        named = installed_packages(command) if action.kind == Kind.INSTALL and action.rule else ""
        return (action_words(command), named) == (rule.action, rule.target)
    if not action.rule or not (action.free or action.kind in _BY_ACTION) or (action.danger and not rule.dangerous):
        return False
    if rule.name in PACKAGES:
        # Words behind the package are its own, whatever the runner makes of them elsewhere.
        said, target = action.package.partition(" ")[2], action.target
    else:
        said, target = action_words(command), target_of(command)
    if said != rule.action or rule.target not in (target, target.removesuffix(DRY_RUN).rstrip()):
        return False
    return " " not in action.rule or _is_plainly_behind(words)


def _is_plainly_behind(words: tuple[Word, ...]) -> bool:
    """Whether nothing stands before the sub-command that could change what it acts on (`git -C DIR push`)."""
    first = next((w.value for w in words if w.value not in _COSMETIC), None)
    return first is not None and not first.startswith(("-", "+"))


def _behind_cosmetics(command: Command, words: tuple[Word, ...]) -> tuple[Word, ...]:
    """The arguments without the options before the sub-command that only change what is printed."""
    if not command.action.rule or not command.action.key[1:]:
        return words
    first = next((n for n, w in enumerate(words) if w.value not in _COSMETIC), 0)
    return words[first:]


def _is_the_content(rule: Rule, command: Command) -> bool:
    """Whether what would run is still what the entry was written for."""
    # An interpreter that is named by its path (`.venv/bin/python x.py`) is not what was read: the file it runs is.
    by_path = rule.path and script_of(command) in ("", rule.path)
    return (run_hash(command, rule.path) if by_path else content_hash(command)) == rule.sha256 != NOT_KNOWN


def _whole(patterns: tuple[str, ...], command: Command, words: tuple[Word, ...]) -> Match:
    lists = dict.fromkeys((words, _behind_cosmetics(command, words)))
    return max(parse(pattern).match([w.value for w in found]) for pattern in patterns for found in lists)


def _was_not_meant(rule: Rule) -> bool:
    """A yes that lets words follow which nobody has named was no yes to what destroys something (`docker compose` and
    `down -v`). An entry without `paths` is a person's own text and means what it says."""
    open_ended = not rule.args or any(parse(pattern).rest for pattern in rule.args)
    return open_ended and not rule.dangerous and rule.paths != "any"


def _begins(patterns: tuple[str, ...], command: Command, words: tuple[Word, ...]) -> Match:
    best = Match.NO
    for pattern in map(parse, patterns):
        lists = ([w.value for w in words], *_lists_of(command, words))
        best = max(best, _fits(pattern, base_name(command.name), lists))
        if not command.action.rule and pattern.tokens:
            best = max(best, _shortened(pattern, command, words))
    return best


def _fits(pattern: Pattern, program: str, lists: Iterable[Sequence[str | None]]) -> Match:
    """Whether one of the lists begins so, by any name that the program has for the sub-command."""
    best = Match.NO
    for values in lists:
        best = max(best, pattern.match(list(values), rest=True))
        for other, is_certain in variants(program, tuple(values)) if best < Match.YES else ():
            best = max(best, min(pattern.match(list(other), rest=True), Match.YES if is_certain else Match.MAYBE))
    return best


def _shortened(pattern: Pattern, command: Command, words: tuple[Word, ...]) -> Match:
    """Whether a sub-command that no row knows may be short for the first token: `npm pub` is `npm publish`, and
    `npm distTag` is `npm dist-tag`. Where no row knows any, only of programs that take the beginning of a name."""
    if len(command.action.key) < 2 and base_name(command.name) not in ABBREVIATES:
        return Match.NO
    first, after = pattern.tokens[0].text, replace(pattern, tokens=pattern.tokens[1:])
    for start in (0, *after_options([w.value for w in words])):
        value = words[start].value if start < len(words) else None
        if value and not value.startswith("-"):
            written = "".join(f"-{c.lower()}" if c.isupper() else c for c in value)
            if first.startswith(written) and first != value:
                return after.match([w.value for w in words[start + 1 :]], rest=True)
    return Match.NO


def _lists_of(command: Command, words: tuple[Word, ...]) -> list[list[str | None]]:
    """The arguments as a block looks at them: by the action's own words, which know a sub-command by all its names, and
    behind whatever may be global options."""
    key, values = command.action.key[1:], [w.value for w in words]
    if not command.action.rule or not key:
        return [values[start:] for start in after_options([w.value for w in words])] or [values]
    unknown = {w.text for w in words if w.value is None}
    found: list[list[str | None]] = [[None if k in unknown else k for k in key]]
    if key[0] in values:
        found.append(values[values.index(key[0]) :])
    return found


def _denied(patterns: tuple[str, ...], words: tuple[Word, ...]) -> bool:
    """Whether one of the forbidden arguments is there, or could be."""
    if any(w.value is None and (w.many or not w.prefix or w.prefix.startswith("-")) for w in words):
        return True
    values = [w.value if w.value is not None else w.prefix for w in words]
    return any(_is_denied(pattern, values) for pattern in patterns)


def _is_denied(pattern: str, values: list[str]) -> bool:
    if len(pattern.split()) > 1:
        return any(parse(pattern).match([*values[i:]], rest=True) == Match.YES for i in range(len(values)))
    return any(_is_denied_word(pattern, value) for value in values)


def _is_denied_word(pattern: str, value: str) -> bool:
    if pattern.endswith("*"):
        return value.startswith(pattern[:-1])
    if pattern.startswith("--"):
        given = value.partition("=")[0]
        # Long options may be abbreviated: `--forc` is `--force`.
        return len(given) > 2 and given.startswith("--") and pattern.startswith(given)
    if len(pattern) == 2 and pattern[0] == "-":
        # Short options come in clusters: `-rf` holds `-f`.
        return value.startswith("-") and not value.startswith("--") and pattern[1] in value
    return value == pattern


def _is_in_its_place(rule: Rule, command: Command, words: tuple[Word, ...], layers: Layers) -> bool:
    if command.fed and not _leaves_input_open(rule, command):
        return False
    inside = _paths_inside(rule.paths, command, words, layers)
    if not inside or _names_another_file(rule, command, words, layers):
        return False
    return not _lets_words_follow(rule) or not any(_names_a_secret(word, command, layers) for word in words)


def _lets_words_follow(rule: Rule) -> bool:
    """Whether it says nothing of some words: `mytool build` with any further ones, any arguments of a package."""
    if rule.args:
        patterns = [parse(pattern) for pattern in rule.args]
        return any(p.rest or any(t.kind == "begins" and not t.text for t in p.tokens) for p in patterns)
    return not rule.action or rule.name in PACKAGES


def _names_a_secret(word: Word, command: Command, layers: Layers) -> bool:
    """Whether a word that nobody has spelled out names a file that holds secrets: `gh gist create ~/.ssh/id_rsa`. On
    another machine its name says so."""
    elsewhere = bool(machine_of(command))
    return any(_is_secret(path, layers) for path in _paths(word, command, layers) if elsewhere or os.path.lexists(path))


def _paths(word: Word, command: Command, layers: Layers) -> list[str]:
    """What a word may name, and what its pattern finds."""
    cwd, text = command.cwd or "/", word.value if word.value is not None else word.prefix
    pieces = (piece for part in names_in(text) for piece in (part, part.translate(_ENDS_A_NAME).partition("\0")[0]))
    names = (_at_home(name, layers) for name in pieces if name and "\0" not in name and len(name) < MAX_NAME)
    paths = [os.path.normpath(os.path.join(cwd, name)) for name in names]
    if word.value is None and word.glob:
        folder, _, begun = os.path.join(cwd, text).rpartition("/")
        paths += [f"{folder}/{name}" for name in _names_in_folder(folder) if name.startswith(begun)]
    return paths


_ENDS_A_NAME = str.maketrans(dict.fromkeys("#:,;@", "\0"))  # `.env#label`, `.env:/data`


def _at_home(name: str, layers: Layers) -> str:
    return f"{layers.home}{name[1:]}" if name.startswith("~/") else name


def _names_in_folder(folder: str) -> list[str]:
    try:
        return os.listdir(folder or "/")
    except OSError:
        return []


def _is_secret(path: str, layers: Layers) -> bool:
    places = [locate(name, layers) for name in dict.fromkeys((path, os.path.realpath(path)))]
    return any(is_secret(p) or is_private(p) or is_above_secrets(p) for p in places)


def _leaves_input_open(rule: Rule, command: Command) -> bool:
    """Whether what comes on the standard input is not part of what was said: `kubectl apply -f -` is what it reads."""
    if rule.args:
        patterns = [parse(pattern) for pattern in rule.args]
        return all(p.rest or any(t.kind == "begins" and not t.text for t in p.tokens) for p in patterns)
    if any(w.value == "-" for w in command.argv[1:]):
        return False
    return not rule.action or command.action.free or command.action.kind in (Kind.READ, Kind.BUILD)


def _paths_inside(where: str, command: Command, words: tuple[Word, ...], layers: Layers) -> bool:
    """Whether every word that may name a file lies in the project (or, with `tmp`, in the project or a temporary
    directory)."""
    if command.cwd is None or other_repository(command, layers.project):
        return False
    if where == "cwd":
        return _inside(".", "project", command.cwd, layers)
    for word in words:
        if word.value is None and not (word.glob and word.prefix):
            return False
        text = word.value if word.value is not None else word.prefix
        if not all(_inside(part, where, command.cwd, layers) for part in names_in(text)):
            return False
        if word.value is None and not _finds_no_way_out(word, where, command.cwd, layers):
            return False
    return _inside(".", where, command.cwd, layers)


def _inside(text: str, where: str, cwd: str, layers: Layers) -> bool:
    if ("/" in text and text[0] in "~$") or text == "~":
        return False  # some programs look for a home directory, or a variable, themselves
    path = _normal(text if text.startswith("/") else f"{cwd}/{text}")
    roots = [layers.project] if where == "project" else [layers.project, "/tmp", "/private/tmp", "/var/tmp"]
    return any(root and _is_below(path, root) for root in roots) and _leads_nowhere_else(path, roots)


def _finds_no_way_out(pattern: Word, where: str, cwd: str, layers: Layers) -> bool:
    """Whether no link that a pattern of names may find leads out."""
    folder, _, begun = _normal_from(pattern.prefix, cwd).rpartition("/")
    deep = "/" in pattern.text[len(pattern.prefix) :]
    seen = 0
    for at, folders, files in os.walk(folder or "/"):
        names = [n for n in (*folders, *files) if at != folder or n.startswith(begun)]
        seen += len(names)
        if seen > MAX_FOUND or not all(
            _inside(f"{at}/{n}", where, cwd, layers) for n in names if os.path.islink(f"{at}/{n}")
        ):
            return False
        folders[:] = [n for n in folders if n in names] if deep else []
    return True


def _normal_from(text: str, cwd: str) -> str:
    ends = "/" if text.endswith("/") else ""
    return _normal(text if text.startswith("/") else f"{cwd}/{text}") + ends


def _is_below(path: str, root: str) -> bool:
    return (path + "/").startswith(root.rstrip("/") + "/")


def _names_another_file(rule: Rule, command: Command, words: tuple[Word, ...], layers: Layers) -> bool:
    """Whether the words that the rule spells out name something else than they do in the project's own directory:
    `-r requirements.txt` in `docs` is another file."""
    spelled_out = rule.target or (rule.args and not all(parse(pattern).rest for pattern in rule.args))
    if not spelled_out or command.cwd == layers.project:
        return False
    verb = words[:1] if words and (words[0].value or "").replace("-", "").isalnum() else ()
    names = (part for word in words[len(verb) :] for part in names_in(word.value or word.prefix))
    return any(name and name[0] not in "/~" and os.path.lexists(f"{command.cwd}/{name}") for name in names)


def _leads_nowhere_else(path: str, roots: list[str]) -> bool:
    """A link in the project may lead out of it."""
    try:
        real = os.path.realpath(path)
        return real == path or any(root and _is_below(real, os.path.realpath(root)) for root in roots)
    except (OSError, ValueError):
        return "\0" not in path and len(path) > 4000
