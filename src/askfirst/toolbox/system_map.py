"""get_system_map: the services, entry points, tests, documents and infrastructure of a project, as its manifests
tell."""

from __future__ import annotations

import os
import re
from typing import Any

from askfirst.files.related_tests import is_test
from askfirst.toolbox.code_files import MAX_FILES, may_show, paths
from askfirst.toolbox.place import Place, enter, open_directory
from askfirst.toolbox.toolchain import manifest

MAX_NAMED = 100
_MANIFESTS = {
    "pyproject.toml": "python",
    "setup.py": "python",
    "package.json": "node",
    "Cargo.toml": "rust",
    "go.mod": "go",
    "pom.xml": "java",
    "build.gradle": "java",
    "build.gradle.kts": "kotlin",
    "Gemfile": "ruby",
    "composer.json": "php",
    "Package.swift": "swift",
    "mix.exs": "elixir",
    "pubspec.yaml": "dart",
}
_INFRASTRUCTURE = re.compile(
    r"(^|/)((?:[^/]*\.)?Dockerfile[^/]*|(?:docker-)?compose[^/]*\.ya?ml|[^/]+\.tf|Chart\.yaml|kustomization\.ya?ml"
    r"|Vagrantfile|Procfile|Jenkinsfile|serverless\.ya?ml|fly\.toml|vercel\.json|netlify\.toml|\.gitlab-ci\.yml)$"
    r"|^\.github/workflows/[^/]+\.ya?ml$|^\.circleci/config\.yml$"
)
_DOCUMENT = re.compile(r"\.(md|rst|adoc)$", re.IGNORECASE)


def get_system_map(place: Place, root_dir: str = "") -> dict[str, Any]:
    layers = enter(place, "get_system_map", root_dir=root_dir)
    top = open_directory(place, root_dir or ".", layers)
    base = os.path.relpath(top, place.project)
    files: list[str] = []
    for path in paths(place.project, "" if base == "." else base):
        if len(files) >= MAX_FILES:
            break
        if may_show(place.project, path, layers):  # not another service's, and no secrets
            files.append(path)
    services = _services(place.project, files)
    return {
        "root": base,
        "services": services,
        "documents": _first(f for f in files if _DOCUMENT.search(f)),
        "infrastructure": _first(f for f in files if _INFRASTRUCTURE.search(f)),
        "files": len(files),
        "truncated": len(files) >= MAX_FILES,
    }


def _first(found: Any) -> list[str]:
    return sorted(found, key=lambda f: (f.count("/"), f))[:MAX_NAMED]


def _services(project: str, files: list[str]) -> list[dict[str, Any]]:
    homes: dict[str, str] = {}
    for file in files:
        folder, _, name = file.rpartition("/")
        if name in _MANIFESTS and folder not in homes:
            homes[folder] = name
    return [_service(project, home, homes, files) for home in sorted(homes)][:MAX_NAMED]


def _service(project: str, home: str, homes: dict[str, str], files: list[str]) -> dict[str, Any]:
    own = [f for f in files if _home_of(f, homes) == home]
    name = homes[home]
    found = manifest(os.path.join(project, home, name)) if name.endswith((".json", ".toml")) else {}
    tests = [f for f in own if is_test(f)]
    return {
        "path": home or ".",
        "language": _MANIFESTS[name],
        "manifest": os.path.join(home, name),
        "name": _name(found) or os.path.basename(home) or os.path.basename(project),
        "entry_points": _entry_points(found, own),
        "tests": {"files": len(tests), "directories": sorted({os.path.dirname(t) for t in tests})[:20]},
        "files": len(own),
    }


def _home_of(file: str, homes: dict[str, str]) -> str | None:
    """The nearest directory above with a manifest."""
    folder = os.path.dirname(file)
    while folder not in homes and folder:
        folder = os.path.dirname(folder)
    return folder if folder in homes else None


def _name(found: dict[str, Any]) -> str:
    for section in (found, found.get("project"), found.get("package"), found.get("tool", {}).get("poetry")):
        if isinstance(section, dict) and isinstance(section.get("name"), str):
            return str(section["name"])
    return ""


def _entry_points(found: dict[str, Any], own: list[str]) -> list[str]:
    """Commands that the manifest makes, and files with the usual names."""
    project, poetry = found.get("project", {}), found.get("tool", {}).get("poetry", {})
    tables = (found.get("scripts"), project.get("scripts"), poetry.get("scripts"))
    named = [f"{key}: {value}" for table in tables if isinstance(table, dict) for key, value in table.items()]
    binary = found.get("bin")
    if isinstance(binary, dict):
        named += [f"{key}: {value}" for key, value in binary.items()]
    named += [f"{key}: {found[key]}" for key in ("main", "module") if isinstance(found.get(key), str)]
    usual = re.compile(
        r"(^|/)(__main__\.py|main\.(py|go|rs|ts|js|c|cpp)|manage\.py|app\.py|server\.[jt]s|cmd/[^/]+/main\.go)$"
    )
    return (named + [f for f in own if usual.search(f)])[:40]
