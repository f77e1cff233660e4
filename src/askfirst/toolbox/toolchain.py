"""Which programs test, lint and install here: read from the project's manifests, or said in its rule file
(`toolchain: {test: …, lint: …}`)."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from askfirst.knowledge.programs import base_name
from askfirst.policy.rules import ToolboxSettings
from askfirst.toolbox.tool_result import Failure

MAX_MANIFEST_BYTES = 4 << 20
_PYTHON_FILES = ("pyproject.toml", "setup.py", "setup.cfg", "requirements.txt", "pytest.ini")


@dataclass(frozen=True)
class Runner:
    """A program and the words before the target. `kind` says how its output is read."""

    kind: str  # pytest, unittest, vitest, jest, node, cargo, go, maven, gradle; ruff, eslint, clippy, golangci-lint; ""
    argv: tuple[str, ...]
    source: str  # why this one: a file's name


def as_word(path: str) -> str:
    """A path among a program's words that is nothing else: `-x` would be an option, `@x` a file with more words."""
    return path if path[:1].isalnum() or path[:1] in "._/" else f"./{path}"


def test_runner(root: str, settings: ToolboxSettings) -> Runner:
    return _chosen(root, settings.test, "test", _TESTS)


def lint_runner(root: str, settings: ToolboxSettings) -> Runner:
    return _chosen(root, settings.lint, "lint", _LINTS)


def _chosen(root: str, said: str, what: str, rows: dict[str, Callable[[str], Runner | None]]) -> Runner:
    if said:
        return _own(said, what)
    found = next((runner for look in rows.values() if (runner := look(root)) is not None), None)
    if found is None:
        hint = f"ask the user to say it in the project's rule file: `toolchain: {{{what}: COMMAND}}`"
        raise Failure("NoToolchain", f"no manifest here says how to {what}", hint)
    return found


def _own(said: str, what: str) -> Runner:
    try:
        words = tuple(shlex.split(said))
    except ValueError as error:
        raise Failure("InvalidSetting", f"`toolchain: {what}` is not a command: {error}", "tell the user") from None
    return Runner(_kind_of(words), words, "toolchain")


def _kind_of(words: tuple[str, ...]) -> str:
    """How the output of a command is read: by the program that it certainly ends in."""
    names = [base_name(w) for w in words if not w.startswith("-")]
    if names and names[0] in ("npx", "bunx", "pnpm", "yarn", "uv", "poetry", "hatch", "pdm"):
        names = [n for n in names[1:] if n not in ("run", "exec", "dlx")]
    if names and names[0].startswith("python"):
        names = [words[words.index("-m") + 1]] if "-m" in words[:-1] else names
    first = names[0] if names else ""
    if first == "cargo":
        return "clippy" if "clippy" in names else "cargo"
    renamed = {"py.test": "pytest", "mvn": "maven", "mvnw": "maven", "gradlew": "gradle"}
    first = renamed.get(first, first)
    known = (*_TESTS, *_LINTS)
    return first if first in known else ""


def manifest(path: str) -> dict[str, Any]:
    """A JSON or TOML manifest; {} when there is none that can be read."""
    try:
        with open(path, "rb") as file:
            data = file.read(MAX_MANIFEST_BYTES).decode()
        value = json.loads(data) if path.endswith(".json") else tomllib.loads(data)
    except (OSError, ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def python_of(root: str) -> str:
    """The project's own Python where it has an environment, else the one on the PATH."""
    for place in (".venv/bin/python", "venv/bin/python"):
        if os.access(os.path.join(root, place), os.X_OK):
            return place
    return "python3"


def _has(root: str, *names: str) -> str:
    return next((n for n in names if os.path.isfile(os.path.join(root, n))), "")


def _node_packages(root: str) -> set[str]:
    found = manifest(os.path.join(root, "package.json"))
    sections = (found.get(key) for key in ("dependencies", "devDependencies"))
    return {name for section in sections if isinstance(section, dict) for name in section}


def _python_test(root: str) -> str:
    """The file that says that pytest is used; "" when nothing does."""
    project = manifest(os.path.join(root, "pyproject.toml"))
    if "pytest" in project.get("tool", {}):
        return "pyproject.toml"
    named = _has(root, "pytest.ini", "conftest.py", "tests/conftest.py", "tox.ini")
    if named:
        return named
    texts = (json.dumps(project), _text(root, "requirements.txt"), _text(root, "requirements-dev.txt"))
    return "pyproject.toml" if any("pytest" in t for t in texts) else ""


def _text(root: str, name: str) -> str:
    try:
        with open(os.path.join(root, name), encoding="utf-8", errors="replace") as file:
            return file.read(MAX_MANIFEST_BYTES)
    except OSError:
        return ""


def _pytest(root: str) -> Runner | None:
    source = _python_test(root)
    return Runner("pytest", (python_of(root), "-m", "pytest"), source) if source else None


def _unittest(root: str) -> Runner | None:
    source = _has(root, *_PYTHON_FILES)
    return Runner("unittest", (python_of(root), "-m", "unittest"), source) if source else None


def _from_node(package: str, *words: str) -> Callable[[str], Runner | None]:
    def look(root: str) -> Runner | None:
        return Runner(package, ("npx", package, *words), "package.json") if package in _node_packages(root) else None

    return look


def _node(root: str) -> Runner | None:
    scripts = manifest(os.path.join(root, "package.json")).get("scripts")
    test = scripts.get("test") if isinstance(scripts, dict) else None
    is_node = isinstance(test, str) and test.startswith("node ") and "--test" in test
    return Runner("node", ("node", "--test"), "package.json") if is_node else None


def _where(kind: str, argv: tuple[str, ...], *names: str) -> Callable[[str], Runner | None]:
    def look(root: str) -> Runner | None:
        source = _has(root, *names)
        return Runner(kind, argv, source) if source else None

    return look


def _gradle(root: str) -> Runner | None:
    source = _has(root, "build.gradle", "build.gradle.kts")
    program = "./gradlew" if _has(root, "gradlew") else "gradle"
    return Runner("gradle", (program, "test"), source) if source else None


def _maven(root: str) -> Runner | None:
    program = "./mvnw" if _has(root, "mvnw") else "mvn"
    return Runner("maven", (program, "-B", "test"), "pom.xml") if _has(root, "pom.xml") else None


def _ruff(root: str) -> Runner | None:
    source = _has(root, "ruff.toml", ".ruff.toml", *_PYTHON_FILES)
    own = os.path.join(root, ".venv/bin/ruff")
    program = ".venv/bin/ruff" if os.access(own, os.X_OK) else "ruff"
    return Runner("ruff", (program, "check"), source) if source else None


def _golangci(root: str) -> Runner | None:
    source = _has(root, "go.mod")
    if not source:
        return None
    if shutil.which("golangci-lint") is None:
        raise Failure("NotRunnable", "`golangci-lint` is not installed", "ask the user to install it")
    return Runner("golangci-lint", ("golangci-lint", "run"), source)


# What is looked for, in this order: the more specific first.
_TESTS: dict[str, Callable[[str], Runner | None]] = {
    "pytest": _pytest,
    "vitest": _from_node("vitest", "run"),
    "jest": _from_node("jest"),
    "node": _node,
    "cargo": _where("cargo", ("cargo", "test"), "Cargo.toml"),
    "go": _where("go", ("go", "test"), "go.mod"),
    "maven": _maven,
    "gradle": _gradle,
    "unittest": _unittest,
}
_LINTS: dict[str, Callable[[str], Runner | None]] = {
    "eslint": _from_node("eslint"),
    "clippy": _where("clippy", ("cargo", "clippy"), "Cargo.toml"),
    "golangci-lint": _golangci,
    "ruff": _ruff,
}
