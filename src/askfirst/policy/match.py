"""Whether a rule means a command. Pure text; an answer of MAYBE is a yes for blocks and a no for allows.

`args` are compared as token prefixes behind the program's inert global options. What is inert is known by the tables of
tools, which hand over the action's own words (`npm --silent run build` has the key npm, run, build); for a program
without a table only the words as written count."""

from __future__ import annotations

from askfirst._record import OrderedEnum
from askfirst.knowledge.programs import ABBREVIATES, base_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from askfirst.model import Command, Word
    from askfirst.policy.rules import Layers, Rule

__all__ = ["Match", "blocks", "counts", "covers", "is_installed", "name_matches"]

# A program named by its path is the one of the rule only where systems keep their programs.
_SYSTEM_DIRS = ("/bin", "/usr/bin", "/usr/local/bin", "/sbin", "/usr/sbin", "/opt/homebrew/bin", "/opt/local/bin")


class Match(OrderedEnum):
    NO = 0
    MAYBE = 1  # a word that is not known could make it a yes
    YES = 2


def counts(rule: Rule, layers: Layers) -> bool:
    """Whether an allowing entry is in force: not expired, not void, and for this user's role."""
    if rule.void or (rule.expires and layers.now >= rule.expires):
        return False
    return not rule.roles or layers.settings.role in rule.roles


def covers(rule: Rule, command: Command, layers: Layers) -> bool:
    """Whether an allowing rule certainly means this command, as it stands."""
    if not _is_the_program(rule, command, layers):
        return False
    words = _arguments(command)
    if rule.args and _args(rule.args, command, words) != Match.YES:
        return False
    if rule.deny_args and _denied(rule.deny_args, words):
        return False
    return rule.paths == "any" or _paths_inside(rule.paths, command, words, layers)


def blocks(rule: Rule, command: Command, layers: Layers) -> Match:
    """Whether a narrowing rule (a block, `decision: ask` or `deny`) may mean this command."""
    if rule.roles and layers.settings.role and layers.settings.role not in rule.roles:
        return Match.NO
    if rule.expires and layers.now >= rule.expires:
        return Match.NO
    if not _may_be_the_program(rule, command):
        return Match.NO
    return _args(rule.args, command, _arguments(command), anywhere=True) if rule.args else Match.YES


def is_installed(command: Command) -> bool:
    """Whether the program is the one that its name means: found by name, or in a directory where systems keep
    programs."""
    if command.foreign:
        return False
    return "/" not in command.name or command.name.rpartition("/")[0] in _SYSTEM_DIRS


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
    if rule.path:
        # A script of the project is meant by its real path; that it lies inside the project is then no surprise.
        return command.program == rule.path or (command.program is None and _lexical(command, layers) == rule.path)
    return is_installed(command) and name_matches(rule.name, base_name(command.name))


def _may_be_the_program(rule: Rule, command: Command) -> bool:
    if rule.path:
        return rule.path in (command.program, command.name)
    # File systems that ignore case exist; a block is meant whatever directory the program stands in.
    names = {base_name(command.name).lower(), base_name(command.program or "").lower()}
    if command.action.key:
        names.add(base_name(command.action.key[0]).lower())
    return any(name_matches(rule.name.lower(), n) for n in names if n)


def _lexical(command: Command, layers: Layers) -> str:
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


def _args(patterns: tuple[str, ...], command: Command, words: tuple[Word, ...], *, anywhere: bool = False) -> Match:
    best = Match.NO
    for pattern in patterns:
        tokens = pattern.split()
        best = max(best, _prefix(tokens, [w.value for w in words]), _key_prefix(tokens, command, words))
        if anywhere and not command.action.rule:
            for start in _after_options(words):
                best = max(best, _prefix(tokens, [w.value for w in words[start:]]))
            best = max(best, _shortened(tokens, command, words))
    return best


def _shortened(tokens: list[str], command: Command, words: tuple[Word, ...]) -> Match:
    """Whether a sub-command that no row knows may be short for the first token: `npm pub` is `npm publish`, and
    `npm distTag` is `npm dist-tag`. Where no row knows any, only of programs that take the beginning of a name."""
    if len(command.action.key) < 2 and base_name(command.name) not in ABBREVIATES:
        return Match.NO
    for start in (0, *_after_options(words)):
        value = words[start].value if start < len(words) else None
        if value and not value.startswith("-"):
            written = "".join(f"-{c.lower()}" if c.isupper() else c for c in value)
            if tokens[0].startswith(written) and tokens[0] != value:
                return _prefix(tokens[1:], [w.value for w in words[start + 1 :]])
    return Match.NO


def _key_prefix(tokens: list[str], command: Command, words: tuple[Word, ...]) -> Match:
    """The tokens against the action's own words, and against what follows them in the command."""
    key = command.action.key[1:]
    if not command.action.rule or not key:
        return Match.NO
    unknown = {w.text for w in words if w.value is None}
    found = _prefix(tokens, [None if k in unknown else k for k in key])
    if found == Match.NO and len(tokens) > len(key):
        values = [w.value for w in words]
        if key[0] in values:
            found = _prefix(tokens, values[values.index(key[0]) :])
    return found


def _prefix(tokens: list[str], values: list[str | None]) -> Match:
    if len(values) < len(tokens):
        # Unknown words may become several: `npm $x` could be `npm run build`.
        return (
            Match.MAYBE if None in values and _prefix(tokens[: values.index(None)], values) == Match.YES else Match.NO
        )
    for index, token in enumerate(tokens):
        value = values[index]
        if value is None:
            return Match.MAYBE
        last = index == len(tokens) - 1
        if not (value.startswith(token[:-1]) if last and token.endswith("*") else value == token):
            return Match.NO
    return Match.YES


def _after_options(words: tuple[Word, ...]) -> list[int]:
    """Where a sub-command may begin: behind options and what could be their values."""
    starts, index = [], 0
    while index < len(words):
        value = words[index].value
        if value is None or not value.startswith("-"):
            break
        starts.append(index + 1)
        if "=" not in value:
            starts.append(index + 2)
            # `--app NAME deploy`: the word behind an option may be its value or the sub-command.
            if index + 1 < len(words) and not (words[index + 1].value or "-").startswith("-"):
                index += 1
        index += 1
    return [s for s in starts if s < len(words)]


def _denied(patterns: tuple[str, ...], words: tuple[Word, ...]) -> bool:
    """Whether one of the forbidden arguments is there, or could be."""
    if any(w.value is None and (w.many or not w.prefix or w.prefix.startswith("-")) for w in words):
        return True
    values = [w.value if w.value is not None else w.prefix for w in words]
    return any(_is_denied(pattern, values) for pattern in patterns)


def _is_denied(pattern: str, values: list[str]) -> bool:
    tokens = pattern.split()
    if len(tokens) > 1:
        return any(_prefix(tokens, [*values[i:]]) == Match.YES for i in range(len(values)))
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


def _paths_inside(where: str, command: Command, words: tuple[Word, ...], layers: Layers) -> bool:
    """Whether every word that may name a file lies in the project (or, with `tmp`, in the project or a temporary
    directory)."""
    if command.cwd is None:
        return False
    for word in words:
        if word.value is None and not (word.glob and word.prefix):
            return False
        text = word.value if word.value is not None else word.prefix
        parts = [text, text.partition("=")[2]]
        if text.startswith("-") and "/" in text:
            parts.append(text[text.index("/") :])  # a glued value: `-I/usr/include`
        for part in parts:
            if (
                ("/" in part or part in ("..", "~"))
                and "://" not in part
                and not _inside(part, where, command.cwd, layers)
            ):
                return False
    return _inside(".", where, command.cwd, layers)


def _inside(text: str, where: str, cwd: str, layers: Layers) -> bool:
    if text.startswith("~"):
        return False
    path = _normal(text if text.startswith("/") else f"{cwd}/{text}") + "/"
    roots = [layers.project] if where == "project" else [layers.project, "/tmp", "/private/tmp", "/var/tmp"]
    return any(root and path.startswith(root.rstrip("/") + "/") for root in roots)
