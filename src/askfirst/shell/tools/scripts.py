"""Scripts that a project names itself (`npm run deploy`, `make release`): which names warn, and which arguments may
make the runner behind a name load other code."""

from __future__ import annotations

from askfirst.model import Fact, Word
from askfirst.shell.call import Analyst, Call
from askfirst.shell.tools.engine import unknown, write_fact

__all__ = ["is_code_file", "is_risky_script", "may_shorten_risky", "output_facts", "pasted_facts", "script_arguments"]

_RISKY = tuple(
    """
    deploy publish release destroy drop reset wipe purge rollback upload prod production push nuke seed
    migrate eject ship apply prepublish prepare install preinstall postinstall rm uninstall delete sonar sonarqube
    """.split()
)
# What asks behind `build` and `test` too: `build:release` builds, `build-and-deploy` does not only.
_LEAVES = ("deploy", "publish", "upload", "push", "ship")
# What says so in a longer word as well: `deployall`, `unpublish`.
_SAYS_SO = ("deploy", "publish", "upload")
# Parts of option names that make a runner load other code, whatever the runner is called.
_LOADS = tuple(
    """
    config setup teardown require import loader plugin preset resolver transform rootdir exec shell eval
    register inspect node-option nodeoption prefix cwd runner processor rulesdir serializer bootstrap prepend autoload
    printer
    """.split()
)
_LOADS_FILES = ("reporter", "format", "env", "parser", "filter", "provider", "pool", "syntax", "ui")


def is_risky_script(name: str) -> bool:
    """Scripts whose names say that they leave the machine or destroy data: asked for also with the profile. So is a
    pattern (`d*`), which may mean any of them.
    """
    if any(c in name for c in "*?"):
        return True
    words = [word.lower() for word in _words(name)]
    if words[:1] and words[0] in ("build", "test", "lint", "check", "typecheck"):
        return any(w in _LEAVES for w in words)
    return any(w in _RISKY or w.startswith(_SAYS_SO) or w.endswith(_SAYS_SO) for w in words)


def _words(name: str) -> list[str]:
    """`web:deployProd2` -> web, deploy, Prod."""
    spaced = "".join(
        f" {c}" if c.isupper() and not before.isupper() else c if c.isalpha() else " "
        for before, c in zip(f" {name}", name, strict=False)
    )
    return spaced.split()


def may_shorten_risky(name: str, *others: str) -> bool:
    """Whether a builder that completes names (`pub`, `dP`) may take this one for one of the risky names or `others`."""
    parts = "".join(f" {c}" if c.isupper() else c if c.isalpha() else " " for c in name).lower().split()
    return any(word.startswith(part) for part in parts for word in (*_RISKY, *_LEAVES, *others) if word != part)


def script_arguments(words: tuple[Word, ...], call: Call, analyst: Analyst, by: str) -> list[Fact]:
    """Arguments for a runner that is not named here: `npm test -- --globalSetup=…` reaches whatever `test` runs."""
    return _doubts(words, call, by) or output_facts(words, call, analyst, by)


def output_facts(words: tuple[Word, ...], call: Call, analyst: Analyst, by: str) -> list[Fact]:
    """What a runner that is not named here is told to write: `-o Makefile`, `--outputFile=.npmrc`, `--outDir src`."""
    facts: list[Fact] = []
    for word, after in zip(words, (*words[1:], Word("", "")), strict=False):
        name, equals, value = (word.value or word.prefix).partition("=")
        if not _says_output(name):
            continue
        glued = "" if name.startswith("--") else name[2:]
        for written in (Word(value, value),) if equals else (Word(glued, glued), after):
            if written.value and not written.value.startswith("-"):
                folder = analyst.names_in(analyst.path(written.value, call.cwd) or "") is not None
                facts += write_fact(written, call, analyst, by, "create" if folder else "overwrite", below=folder)
    return facts


def _says_output(option: str) -> bool:
    if not option.startswith("--"):
        return option.startswith("-o")
    words = [word.lower() for word in _words(option)]
    return any(w.startswith(("out", "log", "junit", "dest")) or w in ("report", "reports") for w in words) or (
        "coverage" in words and words[-1][:3] == "dir"
    )


def pasted_facts(words: tuple[Word, ...], call: Call, by: str) -> list[Fact]:
    """Words that a package manager or a builder pastes between double quotes into a shell's line: npm did before 8.13,
    nx before 22.
    """
    for word in words:
        text = word.value or word.prefix
        starts = any(part[0].isalpha() or part[0] in "_({" for part in text.split("$")[1:] if part)
        if starts or "`" in text or '\\"' in text:
            return [unknown("expansion", f"`{by}` may hand `{word.text}` to a shell", call, word.text)]
    return []


def _doubts(words: tuple[Word, ...], call: Call, by: str) -> list[Fact]:
    pasted = pasted_facts(words, call, by)
    if pasted:
        return pasted
    for index, word in enumerate(words):
        text = word.value
        if text is None:
            if not word.glob and not word.prefix:
                return [
                    unknown("expansion", f"`{word.text}` may become an option of what `{by}` runs", call, word.text)
                ]
            text = word.prefix
        name, _, value = text.partition("=")
        value = value or (words[index + 1].text if index + 1 < len(words) else "")
        if name.startswith("--") and name[2:] in _LEAVES:
            return [unknown("option", f"`{word.text}` may make `{by}` send what it builds", call, word.text)]
        if _loads(name, value):
            return [unknown("option", f"`{word.text}` may make `{by}` load other code", call, word.text)]
        if "{" in text and '"' in text:
            return [unknown("option", f"`{word.text}` may hold settings", call, word.text)]
    return []


def _loads(option: str, value: str) -> bool:
    """Whether an option of whatever runner may load code: by its name, or because its value is a file where a name is
    usual.
    """
    if option.startswith("--"):
        name = option.lower()
        return any(part in name for part in _LOADS) or (
            any(part in name for part in _LOADS_FILES) and is_code_file(value)
        )
    if option.startswith("-"):
        return option[1:2] in ("c", "r", "e") or (option[1:2] in ("f", "R", "u") and is_code_file(value))
    return False


def is_code_file(value: str) -> bool:
    """`./evil.js` where a reporter's or a format's name is expected."""
    return value.startswith((".", "/", "~")) or value.endswith((".js", ".cjs", ".mjs", ".ts", ".cts", ".mts"))
