"""tsc writes where its settings say, and those that they extend: only plain places of the project pass."""

from __future__ import annotations

from pathlib import Path

import pytest

from askfirst.model import Decision
from tests.scorecard import Bench

FILES = {
    "tsconfig.json": '{"extends": "./base.json"}',
    "base.json": '{"compilerOptions": {"outDir": "/home/x"}}',
    "tsconfig.build.json": '{"compilerOptions": {"outDir": "../../x"}}',
    "ok/tsconfig.json": '{"extends": ["./base"], "compilerOptions": {"outDir": "dist"}}',
    "ok/base.json": '{"compilerOptions": {"strict": true}}',
}


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    bench = Bench(tmp_path)
    for name, text in FILES.items():
        path = bench.project / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    return bench


@pytest.mark.parametrize("command", ["tsc --noEmit", "tsc -p ok", "tsc -p ok/tsconfig.json", "cd ok && tsc"])
def test_what_writes_in_the_project_passes(command: str, bench: Bench) -> None:
    assert bench.judge(command).decision == Decision.ALLOW


@pytest.mark.parametrize(
    "command",
    [
        "tsc",
        "tsc -p .",
        "tsc -p tsconfig.build.json",
        "npx tsc -p tsconfig.build.json",
        "cp base.json ok/tsconfig.json; tsc -p ok",
        "sed -i s,dist,/x, ok/tsconfig.json && tsc -p ok",
    ],
)
def test_what_may_write_elsewhere_asks(command: str, bench: Bench) -> None:
    assert bench.judge(command).decision != Decision.ALLOW
