"""Patterns of file names, judged as the names that lie in the directory: in a real repository."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from askfirst.gate import judged
from askfirst.model import Decision, Request
from askfirst.store.layers import load_layers

ALLOW, ASK, DENY = Decision.ALLOW, Decision.ASK, Decision.DENY
HELD = ("a.py", "b.py", "old.log", "logs/x.log", "cfg/conftest.py", "scripts/run.sh", "package.json")


@pytest.fixture
def repository(project: Path) -> Path:
    for name in HELD:
        (project / name).parent.mkdir(exist_ok=True)
        (project / name).write_text("x\n")
    git = ("git", "-c", "user.name=a", "-c", "user.email=a@b.c", "-C", str(project))
    for words in (("init", "-q"), ("add", "-A"), ("commit", "-qm", "one")):
        subprocess.run((*git, *words), check=True)
    (project / "new.txt").write_text("x\n")
    (project / "id_rsa").write_text("x\n")
    return project


def verdict(project: Path, command: str) -> Decision:
    request = Request("claude", "s", str(project), str(project), "Bash", {"command": command})
    layers = load_layers(str(project), session="s", now=1.0, profiles=("python-dev", "node-dev"))
    return judged(request, layers).verdict.decision


@pytest.mark.parametrize(
    ("command", "wanted"),
    [
        ("ruff check *.py", ALLOW),
        ("ruff check *.py 2>&1 | head -20", ALLOW),
        ("cd scripts && chmod +x *.sh", ALLOW),
        ("git add *.py && git commit -m x", ALLOW),
        ("rm *.log", ALLOW),  # HEAD holds all of them
        ("rm logs/*.log", ALLOW),
        ("rm *.txt", ASK),
        ("rm *", ASK),
        ("rm -rf *", ASK),
        ("cat id*", ASK),
        ("cp cfg/*.py scripts/", ASK),  # conftest.py
        ("mv *.json cfg/", ASK),
        ("sed -i s/a/b/ *.json", ASK),
        ("rm *.nothing", ASK),
        # What may have made a name before the pattern is read.
        ("touch x; ruff check *.py", ASK),
        ("ruff check *.py $(touch ./-x.py)", ASK),
        ("ruff check *.py | tee ./-x.py", ASK),
        ("ruff check *.py |& tee ./-x.py", ASK),
        ("ruff check *.py | head > ./-x.py", ASK),
        ("ruff check *.py | sort -u | uniq -c", ALLOW),
        ("ruff check *.py | sort -o ./-x.py", ASK),
        ("ruff check *.py | sort -uo./-x.py", ASK),
        ("ruff check *.py | uniq /dev/null ./-x.py", ASK),
        ("cd scripts && chmod +x **", ASK),  # with globstar all that is below
        ("ruff check *.py & touch ./-x.py", ASK),
        ("for i in 1 2; do ruff check *.py; touch ./-x.py; done", ASK),
        ("ruff check *.py; touch ./-x.py; bash -c 'ruff check *.py'", ASK),
        ("git checkout other; rm *.log", ASK),
        ("ruff check .*", ASK),
        ("ruff check [!a]*.py", ASK),
        ("ruff check ${x}*.py", ASK),
        ("ssh host 'rm *.log'", ASK),
    ],
)
def test_a_pattern_stands_for_what_is_there(command: str, wanted: Decision, repository: Path) -> None:
    assert verdict(repository, command) == wanted


@pytest.mark.parametrize("name", ["--config=evil.py", "-x.py", ".hidden.py", "@words.py"])
def test_a_name_that_is_more_than_a_name_is_asked_for(name: str, repository: Path) -> None:
    assert verdict(repository, "ruff check *.py") == ALLOW
    (repository / name).write_text("x\n")
    assert verdict(repository, "ruff check *.py") == ASK


def test_how_many_characters_a_name_has_is_not_known(repository: Path) -> None:
    """In the C locale `???.py` is `-é.py`, too."""
    (repository / "abc.py").write_text("x\n")
    assert verdict(repository, "ruff check ???.py") == ALLOW
    (repository / "-é.py").write_text("x\n")
    assert verdict(repository, "ruff check ???.py") == ASK
