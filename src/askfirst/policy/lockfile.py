"""The profile `lockfile-only`: dependencies come from the lock file. Adding one is refused, with what to use
instead."""

from __future__ import annotations

from askfirst.knowledge.programs import base_name
from askfirst.model import Command

__all__ = ["refusal"]

# program -> (sub-commands that change what is locked, what to use instead)
_CHANGES: dict[str, tuple[str, str]] = {
    "npm": (
        "install i in ins inst insta instal isnt isnta isntal isntall add update up upgrade udpate link install-test "
        "it",
        "npm ci",
    ),
    "pnpm": ("add install i update up upgrade link", "pnpm install --frozen-lockfile"),
    "yarn": ("add upgrade up link install", "yarn install --immutable"),
    "bun": ("add install i update", "bun install --frozen-lockfile"),
    "pip": ("install", "poetry install` or `uv sync"),
    "pip3": ("install", "poetry install` or `uv sync"),
    "pipx": ("install inject", "poetry install` or `uv sync"),
    "poetry": ("add update", "poetry install"),
    "pdm": ("add update", "pdm sync"),
    "pipenv": ("install update upgrade", "pipenv sync"),
    "uv": ("add remove", "uv sync"),
    "rye": ("add remove", "rye sync"),
    "mix": ("deps.update", "mix deps.get"),
    "conda": ("install update", "conda-lock install"),
    "mamba": ("install update", "conda-lock install"),
    "cargo": ("add install update", "cargo build --locked"),
    "go": ("get install", "go mod download"),
    "gem": ("install update", "bundle install"),
    "bundle": ("add update", "bundle install --frozen"),
    "composer": ("require update", "composer install"),
    "dotnet": ("add", "dotnet restore --locked-mode"),
    "deno": ("add install", "deno install --frozen"),
    "easy_install": ("", "poetry install` or `uv sync"),
    "pod": ("update", "pod install --deployment"),
    "dart": ("add upgrade", "dart pub get --enforce-lockfile"),
    "flutter": ("add", "flutter pub get --enforce-lockfile"),
}
# What says that the lock file is left as it is.
_FROZEN = frozenset(
    "--frozen-lockfile --immutable --frozen --locked --require-hashes --no-lockfile --deployment".split()
)
_UPGRADING = frozenset("-U --upgrade -P --upgrade-package".split())
# Programs whose bare `install` only installs what is locked.
_BARE_INSTALL_IS_FINE = frozenset(("pnpm", "yarn", "bun", "pip", "pip3", "pipenv"))
_WITH_VALUE = frozenset(
    (
        "-r --requirement -c --constraint -i --index-url --extra-index-url -f --find-links --prefix -C --dir --cwd "
        "--python -t --target -w --workspace -F --filter --loglevel --registry --working-dir -d --directory -P "
        "--project"
    ).split()
)


def refusal(command: Command) -> tuple[str, str] | None:
    """(reason, advice) when the command would install what is not locked."""
    name, words = _program(base_name(command.name), [w.value for w in command.argv[1:]])
    if name not in _CHANGES or any(w in _FROZEN for w in words):
        return None
    changing, instead = _CHANGES[name]
    operands = _without_scope(name, _operands(words))
    if name == "uv" and operands[:1] in (["sync"], ["lock"], ["run"]) and any(w in _UPGRADING for w in words):
        return f"`uv {operands[0]}` with an upgrade changes what is locked", f"use `{instead}`"
    if not operands or (changing and operands[0] not in changing.split()):
        return None
    if _installs_what_is_locked(name, operands):
        return None
    shown = " ".join([name, *(o or "…" for o in operands[:2])])
    return f"`{shown}` changes dependencies past the lock file", f"use `{instead}`"


def _program(name: str, words: list[str | None]) -> tuple[str, list[str | None]]:
    """`python -m pip` and `uv pip` are pip."""
    if name.startswith("python") and words[:2] == ["-m", "pip"]:
        return "pip", words[2:]
    if name == "uv" and _operands(words)[:1] == ["pip"]:
        return "pip", words[words.index("pip") + 1 :]
    return name, words


def _without_scope(name: str, operands: list[str | None]) -> list[str | None]:
    """`yarn workspace NAME add PACKAGE` adds; so does `dart pub add PACKAGE`."""
    if name in ("yarn", "npm") and operands[:1] == ["workspace"]:
        return operands[2:]
    if name in ("dart", "flutter") and operands[:1] == ["pub"]:
        return operands[1:]
    return operands


def _installs_what_is_locked(name: str, operands: list[str | None]) -> bool:
    if name not in _BARE_INSTALL_IS_FINE or operands[0] not in ("install", "i"):
        return False
    pip = name.startswith("pip")
    # The project itself, by its path, is not a new dependency.
    return all(pip and (p is None or p.startswith((".", "/"))) for p in operands[1:])


def _operands(words: list[str | None]) -> list[str | None]:
    found: list[str | None] = []
    skip = False
    for word in words:
        if skip:
            skip = False
        elif word is not None and word.startswith("-"):
            skip = word in _WITH_VALUE
        else:
            found.append(word)
    return found
