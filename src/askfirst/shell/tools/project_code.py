"""What all runners of the project's own code have in common: where they run, and that none of their words leads out of
the project.

`npm test` is safe to allow by profile because it runs *this* project. The same words in another directory, or with an
argument that names a file elsewhere (`pytest /tmp/evil`, `npm test -- --globalSetup=/tmp/evil.js`), run something else,
and ask.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from askfirst.knowledge.places import OBEYED_NAMES
from askfirst.knowledge.secrets import is_pattern, names_secret
from askfirst.model import Action, Fact, Kind, Read, Word
from askfirst.shell.call import Analyst, Call, Outcome
from askfirst.shell.tools.engine import action_of, facts_of, row, unknown
from askfirst.shell.tools.options import parse
from askfirst.shell.tools.scripts import script_arguments
from askfirst.shell.tools.table import INERT, Tool

__all__ = [
    "arguments_file",
    "as_told",
    "counted",
    "from_lock",
    "inside",
    "is_inside",
    "leaves_project",
    "own_program",
    "place_facts",
    "plain_words",
    "project_file",
    "project_row",
    "runner",
    "runs_elsewhere",
    "runs_tasks",
    "with_own_settings",
    "wrapper",
]

_HARMLESS = ("/dev/null", "/dev/stdout", "/dev/stderr", "/dev/stdin")
# Settings that a tool of the project loads by itself, or its kin: writing one of these asks, so naming one adds
# nothing.
_OWN_SETTINGS = frozenset(
    """
pyproject.toml setup.cfg tox.ini pytest.ini .pytest.ini mypy.ini .mypy.ini .pylintrc pylintrc .flake8 ruff.toml
.ruff.toml .coveragerc
pyrightconfig.json .bandit .isort.cfg .pre-commit-config.yaml .yamllint .yamllint.yml .yamllint.yaml .rubocop.yml
.golangci.yml
.golangci.yaml .golangci.toml biome.json biome.jsonc phpunit.xml phpunit.xml.dist phpstan.neon phpstan.neon.dist
""".split()
)
_SETTINGS_OPTIONS = frozenset(
    (
        "-c --config --config-file --configfile --rcfile --cov-config --settings-file --settings-path --sp --conf -p "
        "--project --config-path --configuration"
    ).split()
)


def with_own_settings(call: Call, analyst: Analyst) -> Call:
    """The call without `--config FILE`, where the file is one that the project's tools load by themselves."""
    words, kept, at = call.words, [call.words[0]], 1
    while at < len(words):
        option, equals, value = (words[at].value or "").partition("=")
        follows = words[at + 1] if not equals and at + 1 < len(words) else None
        file = replace(words[at], value=value, text=value) if equals else follows
        if (
            option in _SETTINGS_OPTIONS
            and file is not None
            and _is_own_settings(file.value)
            and inside(file, call, analyst)
        ):
            at += 1 if equals else 2
            continue
        kept.append(words[at])
        at += 1
    return call if len(kept) == len(words) else replace(call, words=tuple(kept))


def _is_own_settings(path: str | None) -> bool:
    name = (path or "").rpartition("/")[2]
    if name in _OWN_SETTINGS or name.startswith((".eslintrc", ".prettierrc", ".mocharc", ".stylelintrc", ".babelrc")):
        return True
    stem, _, kind = name.rpartition(".")
    return kind in ("js", "cjs", "mjs", "ts", "mts", "cts") and stem.endswith((".config", ".conf"))


_COUNTS = ("$(nproc)", '"$(nproc)"', "`nproc`", "$(sysctl -n hw.ncpu)", "$(getconf _NPROCESSORS_ONLN)")


def counted(call: Call) -> Call:
    """The call with a number in the place of `$(nproc)` and its kin."""
    if "nproc" not in call.text and "ncpu" not in call.text and "NPROC" not in call.text:
        return call
    words = []
    for word in call.words:
        count = next((c for c in _COUNTS if word.value is None and word.text.endswith(c)), "")
        head = word.text[: len(word.text) - len(count)]
        plain = count and head.replace("-", "").replace("=", "").isalpha() if head else count
        words.append(Word(head + "4", head + "4") if plain else word)
    return replace(call, words=tuple(words))


def plain_words(words: tuple[Word, ...], tool: Tool, call: Call, analyst: Analyst) -> list[Fact]:
    """Doubts about words that a recipe pastes into a shell's line: signs of the shell, paths out of the project,
    options that load.
    """
    for word in words:
        text = word.shown
        if word.value is None or any(c in text for c in ";&|<>()$`\\\"'\n!*?{}"):
            return [unknown("variable", f"`{word.text}` is pasted into a line that a shell runs", call, word.text)]
        pieces = tuple(Word(piece, piece) for piece in text.replace("=", " ", 1).split())
        if any(leaves_project(piece, call, analyst) for piece in pieces):
            return [unknown("path", f"`{word.text}` is not in the project", call, word.text)]
        doubts = script_arguments(pieces, call, analyst, tool.name)
        if doubts:
            return doubts
    return []


def arguments_file(tool: Tool, call: Call) -> list[Fact]:
    """`pytest @file`, `gcc @file`: more arguments come from a file that nobody looked at."""
    for word in call.words[1:]:
        text = word.value if word.value is not None else word.prefix
        if text.startswith("@"):
            return [unknown("option", f"`{tool.name}` would take arguments from `{word.text}`", call, word.text)]
    return []


def from_lock(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    """A row of a program that installs what the project's lock file says.

    A script that speaks of the file may have changed it.
    """
    outcome = runner(tool, call, analyst)
    if outcome.action.profile:
        outcome = replace(outcome, action=replace(outcome.action, profile=f"{outcome.action.profile} lockfile-only"))
    around = analyst.whole_text()
    named = next((n for n in _LOCKS if n in around), "")
    if not named:
        return outcome
    return replace(
        outcome,
        facts=(*outcome.facts, unknown("lock file", f"the same script names {named}, and may have changed it", call)),
    )


def bare_install(bare: Tool, asked: Tool, call: Call, analyst: Analyst) -> Outcome:
    """An installation that names no package takes what the project's manifest says: the row `bare`, whose profile
    allows it. Any other, and one with options that this row does not know, is `asked`.

    What the manifest says must be what git's HEAD has (knowledge/obeyed.py): a new package is a question.
    """
    parsed = parse(bare, call.words[1:])
    if parsed.operands or parsed.doubts:
        return row(asked, call, analyst)
    outcome = from_lock(bare, call, analyst)
    # It may change the lock file, so it is not what `lockfile-only` means.
    return replace(outcome, action=replace(outcome.action, profile=bare.profile))


_LOCKS = (
    "package.json",
    "package-lock",
    "npm-shrinkwrap",
    ".npmrc",
    "yarn.lock",
    ".yarnrc",
    "pnpm-lock",
    "bun.lock",
    "pyproject.toml",
    "uv.lock",
    "poetry.lock",
    "pdm.lock",
    "Pipfile",
    "requirements",
    "Gemfile",
    "composer.json",
    "composer.lock",
    "Podfile",
    "git checkout",
    "git restore",
    "git apply",
    "git stash",
    "git merge",
    "git pull",
)


def project_row(profile: str, name: str, description: str, **more: Any) -> Tool:
    """The row of a program, or a sub-command, that works with the project's code: its stack's profile allows it."""
    more.setdefault("operands", (INERT, ...))
    more["options"] = "flag -h,--help\n" + more.get("options", "")
    return Tool(
        name,
        more.pop("kind", Kind.BUILD),
        description,
        profile=profile,
        special=more.pop("special", runner),
        key_words=len(name.split()),
        **more,
    )


def runner(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    """A row of a program that runs the project's code (to be set as `special`)."""
    outcome = row(tool, with_own_settings(call, analyst), analyst)
    return replace(outcome, facts=(*outcome.facts, *place_facts(tool, call, analyst)))


def own_program(name: str, description: str, *, flags: str = "", values: str = "", **more: Any) -> Tool:
    """The row of a command that runs the project's own program. It asks; a yes is for what it runs and tells it, with
    or without those of its own options that stand in front and change neither."""
    varies = (frozenset(flags.split()), frozenset(values.split()))

    def special(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
        return Outcome(as_told(action_of(tool), call, analyst, varies, behind=False))

    return Tool(name, Kind.CODE, description, allowed=False, key_words=len(name.split()), special=special, **more)


def as_told(
    action: Action, call: Call, analyst: Analyst, varies: tuple[frozenset[str], frozenset[str]], *, behind: bool
) -> Action:
    """The action on what the words say, without the options that do not matter: flags, and those that have a value.
    `behind`: these may stand behind the first operand, too; else all that stands there is the program's own. A file
    that is named runs as it is now: then the exact words are left, with its content."""
    flags, values = varies
    kept: list[Word] = []
    left = list(call.words[1:])
    while left and left[0].value != "--" and (behind or left[0].shown.startswith("-")):
        word = left.pop(0)
        name, has_value, _ = word.shown.partition("=")
        if word.value in flags or (has_value and name in values):
            continue
        if word.value in values and left and not left[0].shown.startswith("-"):
            del left[0]
            continue
        kept.append(word)
    said = [*kept, *left]
    known = all(word.value is not None for word in call.words)
    free = known and not any(_names_file(word.shown, call, analyst) for word in said)
    return replace(action, target=" ".join(word.shown for word in said), free=free)


def _names_file(text: str, call: Call, analyst: Analyst) -> bool:
    path = analyst.path(text.rpartition("=")[2], call.cwd)
    return path is not None and analyst.exists(path) and analyst.names_in(path) is None


def place_facts(tool: Tool, call: Call, analyst: Analyst) -> list[Fact]:
    """Doubts about the place: another directory than the project, or a word that points out of it."""
    facts = runs_elsewhere(tool.name, call, analyst)
    for word in call.words[1:]:
        if leaves_project(word, call, analyst):
            facts.append(
                unknown("path", f"`{tool.name}` would use `{word.text}`, which is not in the project", call, word.text)
            )
            break
    for word in call.words[1:]:
        facts += _kept_facts(tool, word, call, analyst)
    return facts + _revision_facts(tool, call)


def _revision_facts(tool: Tool, call: Call) -> list[Fact]:
    """`--base='$(x)'`: older versions of nx paste a revision into a shell's line, and `--since=--output=x` is an option
    of git.
    """
    for word, after in zip(call.words[1:], (*call.words[2:], Word("", "")), strict=False):
        name, equals, value = (word.value or word.prefix).partition("=")
        value = value if equals else after.value or after.prefix
        if name in _REVISIONS and (value.startswith("-" if equals else "--output") or not _is_revision(value)):
            return [unknown("option", f"`{tool.name}` hands `{value}` to git", call, word.text)]
    return []


_REVISIONS = frozenset(
    "--base --head --since --changed --changedSince --changed-since --ref --from-ref --to-ref --from-git-ref --diff "
    "--new-from-rev --compare-branch --diff-branch".split()
)


def _is_revision(text: str) -> bool:
    return all(c.isalnum() or c in "._/~^@{}:+-*,=" for c in text)


def _kept_facts(tool: Tool, word: Word, call: Call, analyst: Analyst) -> list[Fact]:
    """A word that names what no runner has to write (`--outputFile=.claude/settings.json`), or that may be the file of
    a secret. A pattern (`.e*`) counts in quotes too: many runners expand it themselves.
    """
    text = word.text if word.value is None and word.glob else word.value or word.prefix
    facts: list[Fact] = []
    for part in _parts(text):
        if any(piece.lower() in OBEYED_NAMES for piece in part.split("/")):
            facts.append(
                unknown("path", f"`{tool.name}` would use `{word.text}`, which other tools obey", call, word.text)
            )
        elif not part.startswith("-") and names_secret(part) and not part.endswith(_SOURCES):
            facts.append(Read(analyst.path(part, call.cwd), word.text, tool.name))
    pattern = text.partition("=")[2] if text.startswith("-") else text
    return facts[:1] or ([_pattern_fact(tool, pattern, call, analyst)] if is_pattern(pattern) else [])


def _pattern_fact(tool: Tool, pattern: str, call: Call, analyst: Analyst) -> Read:
    known = pattern[: min(pattern.find(c) for c in "*?[{" if c in pattern)]
    return Read(analyst.path(known or ".", call.cwd), pattern, tool.name)


_SOURCES = tuple(".py .js .jsx .ts .tsx .mjs .cjs .go .rs .rb .java .kt .php .cs .swift .c .cpp .exs".split())


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
    return is_inside(
        analyst.path(word.prefix.rpartition("/")[0] or ("/" if word.prefix.startswith("/") else "."), call.cwd), analyst
    )


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
    for mark in "=,:;!@{[\"' ":
        parts = [piece for part in parts for piece in (part.split(mark) if mark in part else (part,))]
    return [p.strip("]})") for p in parts if p]


def wrapper(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    """A row of a program that runs another one in the project's environment (`uv run`, `bundle exec`): the inner one
    counts too.
    """
    parsed = parse(tool, call.words[1:])
    # What the inner program makes of its own words, its own row says.
    own = replace(call, words=call.words[: len(call.words) - len(parsed.operands)])
    facts = [*facts_of(tool, call, replace(parsed, operands=()), analyst), *place_facts(tool, own, analyst)]
    if not parsed.operands:
        return Outcome(replace(action_of(tool), allowed=False, profile=""), tuple(facts))
    facts += analyst.argv(parsed.operands, call, tool.name)
    return Outcome(action_of(tool), tuple(facts))


def runs_tasks(
    tool: Tool, names: tuple[str, ...], facts: list[Fact], *, profile: str, description: str, risky: bool
) -> Outcome:
    """Tasks of the project by their names, all of them in the key.

    A name that says more than building asks, whatever the profile.
    """
    action = Action((tool.name, *names), Kind.BUILD, rule=tool.name, description=description)
    return Outcome(action if risky else replace(action, allowed=True, profile=profile), tuple(facts))


def is_test(path: str) -> bool:
    """Whether runners of tests load a file by its name: `test_db.py`, `cart.test.ts`, `__tests__/cart.js`."""
    folder, _, name = path.rpartition("/")
    stem, _, kind = name.rpartition(".")
    if kind == "py":
        return stem.startswith("test_") or stem.endswith("_test")
    return kind in _SCRIPTS and (stem.endswith((".test", ".spec")) or folder.endswith("/__tests__"))


_SCRIPTS = frozenset("js mjs cjs jsx ts mts cts tsx".split())


def project_file(
    tool: Tool, call: Call, analyst: Analyst, word: Word, facts: tuple[Fact, ...] = (), *, tests: str = ""
) -> Outcome:
    """An interpreter with a file: what runs is the file, so the file's real path is what an approval pins. `tests`: the
    profile that runs the project's tests; one that is run by itself is one of them."""
    path = analyst.path(word.value, call.cwd) if word.value is not None else None
    if tests and path is not None and is_test(path) and is_inside(path, analyst):
        action = Action((*tool.name.split(), "tests"), Kind.BUILD, rule=f"{tool.name} tests", allowed=True)
        action = replace(action, profile=tests, description="runs a test of the project")
        return Outcome(action, (*facts, *place_facts(tool, call, analyst)))
    if path is None:
        return Outcome(
            replace(action_of(tool), allowed=False, profile=""),
            (*facts, unknown("code file", "the file that would run is not known", call, word.text)),
        )
    return Outcome(
        Action(
            (*tool.name.split(), word.value or ""),
            Kind.CODE,
            rule=tool.name,
            description="runs a file as code",
            target=path,
        ),
        facts,
    )
