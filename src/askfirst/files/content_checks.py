"""What a content means: does it bring in a secret, does it change what tools run by themselves."""

from __future__ import annotations

import os
import re
from typing import Any

from askfirst import jsontext
from askfirst.knowledge.secret_formats import CREDENTIAL_NAMES
from askfirst.knowledge.secrets import is_harmless_name
from askfirst.redact import find, is_common, looks_random

# Generated files are full of hashes; only known formats count there, not what merely looks random.
GENERATED = (
    "package-lock.json",
    "yarn.lock",
    "pnpm-lock.yaml",
    "go.sum",
    "cargo.lock",
    "poetry.lock",
    "uv.lock",
    "composer.lock",
    "gemfile.lock",
    "flake.lock",
    "npm-shrinkwrap.json",
    "pdm.lock",
    "bun.lock",
    "deno.lock",
)
GENERATED_ENDINGS = (".svg", ".ipynb", ".min.js", ".min.css", ".map", ".snap", ".lock", ".sum", ".b64")
MAX_SECRETS = 10
# What a name alone calls secret, and nobody would mistake for one: `password = "test1234"`, `fake-api-key`.
_SAMPLES = frozenset(
    """
password passwd passw0rd pass pwd secret s3cret hunter letmein qwerty welcome admin root user guest postgres postgresql
mysql mariadb redis rabbitmq minio mongo test testing tester testpass testpassword demo dev development local localhost
dummy fake mock sample example invalid wrong bad old new my your token key api access jwt value default changeme
    """.split()
)
_NAMED = frozenset(name.replace("_", "-") for name in CREDENTIAL_NAMES) | {"pass"}
_FOR_TESTS = frozenset(
    "test tests __tests__ spec specs e2e cypress fixtures fixture testdata mocks __mocks__ factories".split()
)
_TEST_STEMS = ("_test", ".test", "_spec", ".spec", "-test", "-spec")
_NEAR = 4  # directories above a file that may say what it is for
# Keys of package.json that only describe, or name packages to install. Every other one may be read by a tool that
# runs what it says.
INERT_NODE_KEYS = frozenset(
    (
        "name version private description keywords author contributors maintainers license licenses homepage "
        "repository bugs funding engines os cpu files type types typings typesVersions sideEffects publishConfig "
        "dependencies devDependencies peerDependencies optionalDependencies peerDependenciesMeta dependenciesMeta "
        "bundledDependencies bundleDependencies $schema"
    ).split()
)
COMPOSER_KEYS = ("scripts", "config", "autoload", "autoload-dev", "bin", "extra")
# Sections of pyproject.toml below `tool` that name no code.
INERT_TOOLS = frozenset(
    {
        "black",
        "isort",
        "ruff",
        "pyright",
        "basedpyright",
        "codespell",
        "vulture",
        "djlint",
        "typos",
        "pydocstyle",
    }
)

# What says nothing of which packages are installed, nor of what runs then. All else may.
_NOT_INSTALLED_BY = frozenset(
    "description keywords author contributors maintainers license licenses homepage repository bugs funding version "
    "sideEffects type types typings main module browser exports files jest eslintConfig prettier browserslist "
    "lint-staged stylelint commitlint nyc c8 ava mocha $schema".split()
)
_RUNS_AT_INSTALL = re.compile("install|prepare|prepublish|pack|dependencies", re.IGNORECASE)
_NOT_BUILT_BY = frozenset("description readme keywords classifiers authors maintainers urls license version".split())
_NOT_BUILT_BY_TOOL = INERT_TOOLS | frozenset(
    "pytest coverage pylint flake8 bandit interrogate deptry mutmut towncrier commitizen bumpversion".split()
)


def installs_alike(name: str, old: str, new: str) -> bool:
    """Whether the same is installed, and run meanwhile, by two texts of a manifest."""
    import tomllib

    try:
        if name == "package.json":
            return _of_package(jsontext.loads(old)) == _of_package(jsontext.loads(new))
        return name == "pyproject.toml" and _of_project(tomllib.loads(old)) == _of_project(tomllib.loads(new))
    except (ValueError, RecursionError, AttributeError):  # no table
        return False


def _of_package(package: dict[str, Any]) -> dict[str, Any]:
    kept = {key: value for key, value in package.items() if key not in _NOT_INSTALLED_BY}
    scripts = kept.get("scripts")
    if isinstance(scripts, dict) and not any(map(_RUNS_AT_INSTALL.search, scripts)):
        del kept["scripts"]  # one that runs may call every other
    return kept


def _of_project(project: dict[str, Any]) -> dict[str, Any]:
    kept = dict(project)
    for table, left_out in (("project", _NOT_BUILT_BY), ("tool", _NOT_BUILT_BY_TOOL)):
        if isinstance(kept.get(table), dict):
            kept[table] = {key: value for key, value in kept[table].items() if key not in left_out}
    return {key: value for key, value in kept.items() if value != {}}


def secrets_in(path: str, lines: list[str], spans: list[tuple[int, int]], old: str) -> tuple[str, ...]:
    """Secrets that new lines bring in: `line 12: aws-access-key AKIA****`. What stood there before is not news."""
    name = os.path.basename(path).lower()
    generated = name in GENERATED or name.endswith(GENERATED_ENDINGS)
    numbers = [n for start, end in spans for n in range(start, end)]
    text = "\n".join([lines[n] for n in numbers])  # all at once: every search begins with a look at the environment
    shown: list[str] = []
    for secret in find(text) if text else ():
        value = text[secret.start : secret.end]
        if value in old or (generated and secret.name == "high-entropy"):
            continue
        if secret.name == "url-password" and is_common(value):
            continue  # `postgres://user:password@localhost/app` stands in every example
        if secret.name in _NAMED and _is_sample(value, path):
            continue
        line = numbers[text.count("\n", 0, secret.start)] + 1
        shown.append(f"line {line}: {secret.name} {mask(value)}")
        if len(shown) == MAX_SECRETS:
            break
    return tuple(shown)


def _is_sample(value: str, path: str) -> bool:
    """A word that stands for a secret; in a test, or in a file of examples, whatever does not look random."""
    if looks_random(value):
        return False
    words = set(filter(None, re.split(r"[\d!@#$%.]*(?:[-_ ]|$)", value.lower())))
    return (bool(words) and words <= _SAMPLES) or _holds_samples(path)


def _holds_samples(path: str) -> bool:
    *near, name = path.lower().split("/")[-_NEAR - 1 :]
    stem = name.rpartition(".")[0]
    is_test = name.startswith("test_") or name == "conftest.py" or stem.endswith(_TEST_STEMS)
    return is_test or not _FOR_TESTS.isdisjoint(near) or is_harmless_name(name)


def mask(value: str) -> str:
    """Enough to find the place, never enough to use it."""
    head = value.split("\n", 1)[0]
    return f"{head[:4]}****" if len(value) >= 16 and not head[:4].isspace() else "****"


def running_part(name: str, old: str, new: str) -> str:
    """Which part that tools run by themselves differs between the two texts; "" when none does or the file is of no
    such kind."""
    if name == "package.json":
        return _changed_keys(old, new, inert=INERT_NODE_KEYS)
    if name == "composer.json":
        return _changed_keys(old, new, watched=COMPOSER_KEYS)
    if name == "pyproject.toml":
        return _changed_sections(old, new)
    if name == "cargo.toml":
        return _changed_crate(old, new)
    return ""


def _changed_keys(old: str, new: str, *, watched: tuple[str, ...] = (), inert: frozenset[str] = frozenset()) -> str:
    try:
        before: Any = jsontext.loads(old) if old.strip() else {}
        after: Any = jsontext.loads(new) if new.strip() else {}
    except ValueError:
        return "content that is not valid JSON"
    if not isinstance(before, dict) or not isinstance(after, dict):
        return "the whole file"
    keys = watched or [k for k in {**before, **after} if k not in inert]
    return ", ".join(f"`{k}`" for k in keys if before.get(k) != after.get(k))


def _changed_sections(old: str, new: str) -> str:
    import tomllib

    try:
        before, after = tomllib.loads(old), tomllib.loads(new)
    except (tomllib.TOMLDecodeError, RecursionError):
        return "content that is not valid TOML"
    parts = [k for k in ("build-system",) if before.get(k) != after.get(k)]
    old_project, new_project = before.get("project") or {}, after.get("project") or {}
    parts += [
        f"project.{k}"
        for k in ("scripts", "gui-scripts", "entry-points", "dynamic")
        if _get(old_project, k) != _get(new_project, k)
    ]
    old_tool, new_tool = before.get("tool") or {}, after.get("tool") or {}
    names = sorted({*_keys(old_tool), *_keys(new_tool)} - INERT_TOOLS)
    parts += [f"tool.{k}" for k in names if _get(old_tool, k) != _get(new_tool, k)]
    return ", ".join(f"`{p}`" for p in parts)


def _changed_crate(old: str, new: str) -> str:
    """Cargo runs a build script and a procedural macro while it compiles, and compiles what a path or a patch names."""
    import tomllib

    try:
        before, after = tomllib.loads(old), tomllib.loads(new)
    except (tomllib.TOMLDecodeError, RecursionError):
        return "content that is not valid TOML"
    watched = (
        ("package", "build"),
        ("package", "links"),
        ("package", "workspace"),
        ("lib", "proc-macro"),
        ("lib", "proc_macro"),
    )
    parts = [f"{t}.{k}" for t, k in watched if _get(before.get(t) or {}, k) != _get(after.get(t) or {}, k)]
    parts += [k for k in ("patch", "replace") if before.get(k) != after.get(k)]
    parts += [f"path = {p}" for p in sorted(_paths_out(after) - _paths_out(before))]
    return ", ".join(f"`{p}`" for p in parts)


def _paths_out(table: object) -> set[str]:
    """Every `path` in a manifest that leads far away; a crate beside this one (`../core`) is the project's own."""
    if isinstance(table, list):
        return {p for item in table for p in _paths_out(item)}
    if not isinstance(table, dict):
        return set()
    own = table.get("path")
    out = {own} if isinstance(own, str) and (own.startswith("/") or own.split("/").count("..") > 2) else set()
    return out | {p for value in table.values() for p in _paths_out(value)}


def _keys(table: object) -> list[str]:
    return list(table) if isinstance(table, dict) else []


def _get(table: object, key: str) -> object:
    return table.get(key) if isinstance(table, dict) else table
