"""What `npx`, `uvx` and their kin fetch and run: by which package a yes is remembered."""

from __future__ import annotations

from askfirst.knowledge.programs import (
    DANGEROUS,
    INTERPRETERS,
    PACKAGES,
    PROGRAM_OF_PACKAGE,
    SHELLS,
    WRAPPERS,
    is_harmless,
)
from askfirst.model import Action, Kind, Word

__all__ = ["by_package", "danger_in", "is_package", "program_of"]


def by_package(key: tuple[str, ...], rule: str) -> Action:
    """A yes is for the package, in this version; what it is told to do is its own business."""
    runs = (name for name, runners in PACKAGES.items() if rule in (r.removesuffix(" --") for r in runners))
    registry, about = next(runs, ""), "fetches a package and runs it"
    package = f"{registry} {key[-1]}" if registry else ""
    return Action(key, Kind.WRAPPER, rule=rule, description=about, free=True, package=package)


def danger_in(package: str, words: tuple[Word, ...], told: Action | None) -> str:
    """What is known of its program holds for a package: `npx supabase db reset` destroys what `supabase db reset` does.
    `told`: what that program does with these words, where a row says it."""
    program = program_of(package)
    if told is not None and (told.danger or told.kind == Kind.READ):
        return told.danger
    return "" if is_harmless(program, [w.value or "" for w in words]) else DANGEROUS.get(program, "")


def program_of(package: str) -> str:
    """The program that a package brings: its own name, where nothing else is known."""
    plain = _plain_name(package)
    return PROGRAM_OF_PACKAGE.get(plain, plain)


def is_package(name: str | None) -> bool:
    """A name from the registry, perhaps with a version: not an option, a path, an address or a shell."""
    if not name or (not name[0].isalnum() and name[0] != "@") or name.count("/") > name.startswith("@"):
        return False
    plain = _plain_name(name).lower()
    if plain.endswith(_FILES):
        return False
    shells = any(n in SHELLS or n in INTERPRETERS or n in WRAPPERS or n in _RUNS_ANYTHING for n in plain.split("/"))
    return not shells and all(c.isascii() and (c.isalnum() or c in "@/._-^~") for c in name)


def _plain_name(name: str | None) -> str:
    """Without its version."""
    head, at, _ = (name or "").rpartition("@")
    return head if at and head else name or ""


# npx takes such a name for a file here, pipx the last ones.
_FILES = (".tgz", ".tar", ".tar.gz", ".py", ".pyz", ".whl", ".zip")
# Packages whose first words are a command of any kind.
_RUNS_ANYTHING = frozenset(
    "cross-env cross-env-shell dotenv dotenv-cli env-cmd concurrently npm-run-all run-s run-p nodemon shx zx tsx "
    "ts-node esno vite-node babel-node wait-on start-server-and-test execa-cli npm npx pnpm yarn bun foreach onchange "
    "chokidar-cli shell-exec npm-run-all2 node-dev ts-node-dev node supervisor forever pm2 jiti dotenvx run-script-os "
    "shelljs swc-node electron hatch poetry pdm pipenv rye uv honcho jupyter pipx".split()
)
