"""Which tests belong to a source file: by their names, by what they import, and by what coverage has seen.

Looks at names and texts only; nothing is run. Bounded: of a very large tree a part is looked at, and that is said.
"""

from __future__ import annotations

import os
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass

MAX_FILES = 20_000
MAX_TEST_FILES = 3000
MAX_FILE_BYTES = 512 * 1024
SKIPPED = frozenset(
    ".git node_modules .venv venv __pycache__ .tox .nox target dist build .mypy_cache .ruff_cache .pytest_cache".split()
)
_TEST_NAME = re.compile(
    r"^(test_.+|.+_test|.+_tests|test)\.(py|go|rs|rb|c|cc|cpp)$|^.+[.-](test|spec)\.[cm]?[jt]sx?$"
    r"|^(.+_spec\.rb|.+Tests?\.(java|kt|swift|cs|scala|php)|Test.+\.java|.+Spec\.(scala|kt|groovy))$"
)
_TEST_DIRS = frozenset(("test", "tests", "__tests__", "spec", "specs"))
_ENDINGS = re.compile(r"\.([cm]?[jt]sx?|py|go|rs|rb|java|kt|swift|cs|scala|php|c|cc|cpp)$")


@dataclass(frozen=True)
class Related:
    path: str  # relative to the project
    why: str  # name, import, coverage


def is_test(path: str) -> bool:
    name = os.path.basename(path)
    if _TEST_NAME.match(name):
        return True
    inside = _TEST_DIRS.intersection(path.split("/")[:-1])
    return bool(inside) and bool(_ENDINGS.search(name)) and name not in ("conftest.py", "__init__.py")


def related_tests(project: str, path: str) -> tuple[Related, ...]:
    """The tests of a file, the surest first. `path` is relative to the project."""
    if is_test(path):
        return (Related(path, "it is a test itself"),)
    found: dict[str, str] = {}
    tests = list(_test_files(project))
    stem = os.path.basename(path).rpartition(".")[0] or os.path.basename(path)
    for test in tests:
        if stem not in ("__init__", "index", "mod", "main") and _is_named_after(test, stem):
            found[test] = "name"
    words = _imported_as(path)
    for test in tests[:MAX_TEST_FILES]:
        if test not in found and words and words.search(_text(os.path.join(project, test))):
            found[test] = "import"
    for test in _covering(project, path):
        found.setdefault(test, "coverage")
    order = {"name": 0, "coverage": 1, "import": 2}
    near = os.path.dirname(path)
    ranked = sorted(found, key=lambda t: (order[found[t]], -_shared(t, near), t))
    return tuple(Related(test, found[test]) for test in ranked)


def _shared(test: str, folder: str) -> int:
    """How many directories from the top two places have in common."""
    parts = zip(test.split("/"), folder.split("/"), strict=False)
    return next((n for n, (a, b) in enumerate(parts) if a != b), 0)


def _test_files(project: str) -> Iterator[str]:
    seen = 0
    for folder, directories, files in os.walk(project):
        directories[:] = sorted(d for d in directories if d not in SKIPPED)
        for name in sorted(files):
            seen += 1
            if seen > MAX_FILES:
                return
            relative = os.path.relpath(os.path.join(folder, name), project)
            if is_test(relative):
                yield relative


def _is_named_after(test: str, stem: str) -> bool:
    base = os.path.basename(test)
    plain = re.sub(r"\.[A-Za-z0-9]+$", "", base)
    plain = re.sub(r"[._-](test|tests|spec)$|^(test)[._-]", "", plain)
    plain = re.sub(r"(Tests?|Spec)$|^Test(?=[A-Z])", "", plain)
    return plain.lower() == stem.lower()


def _imported_as(path: str) -> re.Pattern[str] | None:
    """What a text has that imports the file: the last two parts of its name, however they are joined."""
    parts = re.sub(r"\.[A-Za-z0-9]+$", "", path).split("/")
    parts = [p for p in parts if p not in ("src", "lib", "__init__", "index")]
    if not parts:
        return None
    last = re.escape(parts[-1])
    if path.endswith(".py"):
        dotted = r"\.".join(map(re.escape, parts[-2:]))
        ways = [rf"\b(?:import|from)\s+(?:[\w.]*\.)?{dotted}\b"]
        if len(parts) > 1:
            ways.append(rf"\bfrom\s+[\w.]*{re.escape(parts[-2])}\s+import\s+[^\n]*\b{last}\b")
        return re.compile("|".join(ways))
    if path.endswith(".rs"):
        return re.compile(rf"\b(?:use|mod)\s+[\w:]*\b{last}\b")
    if path.endswith((".java", ".kt", ".scala")):
        return re.compile(rf"\bimport\s+[\w.]*\b{last}\b")
    if path.endswith(".go"):
        return None  # a test of a package stands beside its files
    return re.compile(rf"""(?:from|require\(|import\(?)\s*['"][^'"\n]*\b{last}(?:\.[cm]?[jt]sx?)?['"]""")


def _text(path: str) -> str:
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read(MAX_FILE_BYTES)
    except OSError:
        return ""


def _covering(project: str, path: str) -> Iterator[str]:
    """Tests that coverage.py saw running lines of the file, where it was told to note them (`--cov-context=test`)."""
    data = os.path.join(project, ".coverage")
    if not os.path.isfile(data):
        return
    query = (
        "select distinct context.context from line_bits join file on file.id = line_bits.file_id "
        "join context on context.id = line_bits.context_id where file.path = ? limit 1000"
    )
    try:
        with closing(sqlite3.connect(f"file:{data}?mode=ro&immutable=1", uri=True)) as base:
            rows = base.execute(query, (os.path.join(project, path),)).fetchall()
    except sqlite3.Error:
        return
    for (context,) in rows:
        test = str(context).partition("::")[0]
        if test and os.path.isfile(os.path.join(project, test)):
            yield test
