"""What a package runner is said to do: fetch, or run what the project has and its lock file pins."""

from __future__ import annotations

from pathlib import Path

import pytest

from askfirst.gate import judged
from askfirst.model import Decision, Request
from askfirst.store.layers import load_layers

LOCKS = {
    "package-lock.json": '{"packages": {"node_modules/ultracite": {"version": "5.1.0"}}}',
    "yarn.lock": "ultracite@^5.0.0:\n  version 5.1.0\n",
    "pnpm-lock.yaml": "packages:\n  ultracite@5.1.0:\n",
    "bun.lock": '{"packages": {"ultracite": ["ultracite@5.1.0", {}]}}',
}


def reason(project: Path, command: str, cwd: str = "") -> str:
    request = Request("claude", "s", str(project / cwd), str(project), "Bash", {"command": command})
    verdict = judged(request, load_layers(str(project), session="s", now=1.0)).verdict
    assert verdict.decision == Decision.ASK
    return verdict.reason


@pytest.mark.parametrize("lock", LOCKS)
def test_what_the_lock_file_pins_is_the_projects(lock: str, project: Path) -> None:
    (project / "node_modules/ultracite").mkdir(parents=True)
    (project / "src").mkdir(exist_ok=True)
    (project / "node_modules/ultracite/package.json").write_text("{}")
    assert "fetches a package" in reason(project, "npx ultracite check")
    (project / lock).write_text(LOCKS[lock])
    assert f"runs a package of the project, which {lock} pins" in reason(project, "npx ultracite check")
    assert f"which {lock} pins" in reason(project, "bunx ultracite check", "src")
    assert "fetches a package" in reason(project, "npx ultracite@latest check")
    assert "fetches a package" in reason(project, "npx other check")


def test_what_is_pinned_and_not_there_is_fetched(project: Path) -> None:
    (project / "package-lock.json").write_text(LOCKS["package-lock.json"])
    assert "fetches a package" in reason(project, "npx ultracite check")
