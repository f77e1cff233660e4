"""What an assignment means for what runs: nothing but other output, or other code (names: knowledge/variables.py)."""

from __future__ import annotations

from askfirst.knowledge.variables import INERT, INERT_VALUES, is_obeyed
from askfirst.model import OTHER_CODE

# Options of node that load nothing, and names that bundlers copy into what they build.
_INERT_NODE = frozenset(
    (
        "--max-old-space-size --max_old_space_size --no-warnings --experimental-vm-modules --enable-source-maps "
        "--no-deprecation --trace-warnings --trace-deprecation --unhandled-rejections --no-experimental-fetch "
        "--openssl-legacy-provider"
    ).split()
)
_INERT_GO = ("-mod", "-count", "-v", "-race", "-tags", "-buildvcs", "-trimpath")
_PUBLIC = ("VITE_", "NEXT_PUBLIC_", "REACT_APP_", "EXPO_PUBLIC_", "NUXT_PUBLIC_", "VUE_APP_", "GATSBY_")

# Programs that load the project's own code in any case, where a profile allows them at all.
_RUNS_THE_PROJECT = frozenset(
    (
        "pytest",
        "py.test",
        "mypy",
        "tox",
        "nox",
        *(f"{python} -m {name}" for python in ("python", "python3") for name in ("pytest", "unittest", "mypy")),
    )
)


def _is_lint(word: str) -> bool:
    """`-D warnings`, `-Wunused`: what the compiler complains about."""
    named = word[:2] in ("-D", "-W", "-A") and word[2:].replace("_", "").replace("-", "").isalnum()
    return named or word in ("-D", "-W", "-A", "warnings")


def runner(words: list[str | None]) -> str:
    """How a program is called, as far as it matters for its variables: `pytest`, or `python -m pytest`."""
    values = [w or "" for w in words]
    return " ".join(values) if values[1:2] == ["-m"] else values[0] if values else ""


def passed_on(name: str, value: str | None, program: str = "") -> str:
    """Why `NAME=value program`, or `export NAME=value`, is not known to be inert; "" when it is."""
    if value and _holds_inert_options(name, value, program):
        return ""
    if name.startswith(_PUBLIC) and value is not None:
        return ""
    if name in INERT_VALUES:
        return "" if value in INERT_VALUES[name] else f"`{name}` can make programs {OTHER_CODE}"
    if name in INERT:
        return ""
    if is_obeyed(name):
        return f"`{name}` can make programs {OTHER_CODE}"
    return f"`{name}` is not known to be inert"


def _holds_inert_options(name: str, value: str, program: str) -> bool:
    """Whether a variable that programs read options or directories from holds none that matters."""
    words = value.split()
    if name == "PYTHONPATH" and program in _RUNS_THE_PROJECT:
        # A directory of the project is where its tests are imported from.
        return all(part and not part.startswith(("/", "~", "-")) and ".." not in part for part in value.split(":"))
    if name == "NODE_OPTIONS":
        return all(one.partition("=")[0] in _INERT_NODE for one in words)
    if name in ("RUSTFLAGS", "RUSTDOCFLAGS"):
        return all(map(_is_lint, words))
    return name == "GOFLAGS" and all(one.partition("=")[0] in _INERT_GO for one in words)


def kept(name: str, value: str | None) -> str:
    """Why `NAME=value` as a command of its own is not harmless; "" when it is: a shell variable that nothing obeys."""
    if name in INERT or not is_obeyed(name):
        return ""
    if name in INERT_VALUES and name != "IFS" and value in INERT_VALUES[name]:
        return ""
    return f"`{name}` can make the shell or programs {OTHER_CODE}"
