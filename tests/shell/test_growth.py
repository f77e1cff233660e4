"""Twice the text takes about twice the steps, whatever its shape: steps are counted, not timed."""

from __future__ import annotations

import sys
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from benchmarks.bench_shapes import SHAPES, text_of

from askfirst.files import look
from askfirst.policy.judge import judge
from askfirst.policy.rules import Layers, Settings
from askfirst.shell import analyze
from askfirst.shell.surroundings import Surroundings


def steps(text: str, project: Path) -> int:
    around = Surroundings(cwd=str(project), project=str(project), home=str(project.parent), path=("/usr/bin", "/bin"))
    layers = Layers(str(project), settings=Settings(), home=str(project.parent))
    count = 0

    def counts(_frame: FrameType, _event: str, _argument: Any) -> None:
        nonlocal count
        count += 1

    before = sys.getprofile()
    sys.setprofile(counts)
    try:
        judge(look(analyze(text, around), project=str(project), settings=layers.settings.writes), layers)
    finally:
        sys.setprofile(before)
    return count


@pytest.mark.parametrize("shape", SHAPES)
def test_twice_the_text_takes_twice_the_steps(shape: str, project: Path) -> None:
    steps(text_of(SHAPES[shape], 200), project)  # fills caches
    small, large = (steps(text_of(SHAPES[shape], size), project) for size in (1500, 3000))
    assert large < 2.4 * small
