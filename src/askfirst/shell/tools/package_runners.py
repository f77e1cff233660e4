"""What `npx`, `uvx` and their kin fetch and run: by which package a yes is remembered."""

from __future__ import annotations

from askfirst.knowledge.programs import DANGEROUS, INTERPRETERS, PACKAGES, SHELLS, WRAPPERS, is_harmless
from askfirst.model import Action, Kind, Word

__all__ = ["by_package", "is_package"]


def by_package(key: tuple[str, ...], rule: str, told: tuple[Word, ...] = ()) -> Action:
    """A yes is for the package, in this version; what it is told to do is its own business. A dangerous one is
    remembered by what it is told."""
    name = _plain_name(key[-1])
    about, danger = "fetches a package and runs it", DANGEROUS.get(name, "")
    registry = next(
        (name for name, runners in PACKAGES.items() if rule in (r.removesuffix(" --") for r in runners)), ""
    )
    package = f"{registry} {key[-1]}" if registry and not danger else ""
    free, harmless = not danger, bool(told) and is_harmless(name, [w.value or "" for w in told])
    return Action(
        key, Kind.WRAPPER, rule=rule, description=about, danger="" if harmless else danger, free=free, package=package
    )


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
