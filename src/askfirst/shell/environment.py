"""What an assignment means for what runs: nothing but other output, or other code (names: knowledge/variables.py)."""

from __future__ import annotations

from askfirst.knowledge.variables import (
    INERT,
    INERT_VALUES,
    PUBLIC_PREFIXES,
    holds_inert_options,
    is_choice,
    is_masked,
    is_obeyed,
    is_switch,
    loads_code,
)
from askfirst.model import OTHER_CODE

# Programs that load the project's own code in any case, where a profile allows them at all.
_RUNS_THE_PROJECT = frozenset(
    (
        "pytest",
        "py.test",
        "mypy",
        "tox",
        "nox",
        *(f"{python} -m {name}" for python in ("python", "python3") for name in ("pytest", "unittest", "mypy")),
        *(f"{python} -c" for python in ("python", "python3")),  # asks, or needs the profile where it may load code
    )
)
# Programs that run the project's scripts: what a variable of the project's own changes there is up to the project.
_RUNS_SCRIPTS = _RUNS_THE_PROJECT | frozenset("npm pnpm yarn bun make cargo go mvn gradle rake just".split())
# Of those, what runs nothing but these. To a compiler any word may be a program (`RUSTDOC=x cargo doc`).
_RUNS_NOTHING_ELSE = _RUNS_THE_PROJECT - {"tox", "nox"} | frozenset("npm pnpm yarn bun".split())
# Programs beside them that no variable which is not in the tables can make do something else.
_PLAIN = frozenset(
    """
ls cat head tail grep egrep fgrep wc sort uniq cut tr tee sleep date pwd mkdir rm rmdir touch find test true false
basename dirname realpath stat du df which diff cmp printf echo
""".split()
)


def runner(words: list[str | None]) -> str:
    """How a program is called, as far as it matters for its variables: `pytest`, or `python -m pytest`."""
    values = [w or "" for w in words]
    return (
        " ".join(values[: 3 if values[1] == "-m" else 2])
        if values[1:2] in (["-m"], ["-c"])
        else values[0]
        if values
        else ""
    )


def passed_on(name: str, value: str | None, program: str = "") -> str:
    """Why `NAME=value program`, or `export NAME=value`, is not known to be inert; "" when it is."""
    if value is not None and _is_inert_for(name, value, program):
        return ""
    if name in INERT_VALUES:
        return "" if value in INERT_VALUES[name] else f"`{name}` can make programs {OTHER_CODE}"
    if name == "TEST" and (value is None or not _is_project_path(value)):
        return "`TEST` names the file that rake runs"
    if name in INERT:
        return ""
    if is_masked(name) and not loads_code(name):
        return f"`{name}` is a credential: the program acts with the rights that it gives"
    return f"`{name}` can make programs {OTHER_CODE}" if is_obeyed(name) else f"`{name}` is not known to be inert"


def is_for_later(name: str, value: str | None) -> bool:
    """Whether what follows an `export` says what it means there: no table knows the name."""
    own = value is not None and (is_switch(name, value) or is_choice(name, value))
    return own and bool(passed_on(name, value))


def is_plain(program: str) -> bool:
    return program in _PLAIN


def _is_inert_for(name: str, value: str, program: str) -> bool:
    """Whether the value says that nothing else runs, or the program that it does in any case."""
    if value and holds_inert_options(name, value):
        return True
    if name == "PYTHONPATH":
        return bool(value) and program in _RUNS_THE_PROJECT and _is_project_path(value)
    if name.startswith(PUBLIC_PREFIXES) or (program in _RUNS_SCRIPTS and is_switch(name, value)):
        return True
    return program in _RUNS_NOTHING_ELSE and is_choice(name, value)


def _is_project_path(value: str) -> bool:
    """Directories of the project, which is where its tests are imported from."""
    return all(part and not part.startswith(("/", "~", "-")) and ".." not in part for part in value.split(":"))


def kept(name: str, value: str | None) -> str:
    """Why `NAME=value` as a command of its own is not harmless; "" when it is: a shell variable that nothing obeys."""
    if name in INERT or not is_obeyed(name):
        return ""
    if name in INERT_VALUES and name != "IFS" and value in INERT_VALUES[name]:
        return ""
    return f"`{name}` can make the shell or programs {OTHER_CODE}"
