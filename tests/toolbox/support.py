"""A place to call the tools from, a repository for them, and a person who answers."""

from __future__ import annotations

import os
import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from askfirst.approval.manager import file_manager
from askfirst.approval.person import user_name
from askfirst.approval.presence import announce
from askfirst.approval.question import Question
from askfirst.model import Answer, Decision
from askfirst.toolbox.place import Place
from askfirst.toolbox.tool_result import run
from tests.waiting import until

GIT = ("git", "-c", "user.name=T", "-c", "user.email=t@example.org", "-c", "init.defaultBranch=main")


def place_of(project: Path) -> Place:
    return Place(str(project), str(project), "session-1")


def called(tool: Callable[..., dict[str, Any]], project: Path, *given: Any, **named: Any) -> dict[str, Any]:
    """A call of a tool, as the server answers it."""
    return run(lambda: tool(place_of(project), *given, **named), str(project))


def data(result: dict[str, Any]) -> dict[str, Any]:
    assert result["status"] == "success", result
    found: dict[str, Any] = result["data"]
    return found


def error(result: dict[str, Any]) -> tuple[str, str]:
    """The code and the message of a refusal, which also says what to do."""
    assert result["status"] == "error" and result["error"]["suggestion"], result
    return result["error"]["code"], result["error"]["message"]


def organisation(text: str) -> None:
    """The user's own organisation file."""
    config = Path(os.environ["XDG_CONFIG_HOME"]) / "askfirst/config.yaml"
    config.parent.mkdir(parents=True, exist_ok=True)
    config.write_text(f"version: 2\n{text}\n")


def role(name: str, more: str = "") -> None:
    organisation(f"roles: {{{user_name()}: {name}}}\n{more}")


def git(project: Path, *words: str) -> str:
    done = subprocess.run([*GIT, *words], cwd=project, check=True, capture_output=True, text=True)
    return done.stdout.strip()


def repository(project: Path, **files: str) -> Path:
    git(project, "init", "-q")
    git(project, "config", "user.name", "T")
    git(project, "config", "user.email", "t@example.org")
    for name, text in files.items():
        path = project / name.replace("__", "/").replace("_dot_", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    git(project, "add", "-A")
    git(project, "commit", "-q", "--allow-empty", "-m", "first")
    return project


@contextmanager
def person(decision: Decision, *, first: Callable[[], object] = lambda: None, **extra: Any) -> Iterator[list[Question]]:
    """Somebody who answers the next question; what they were asked is in the list. `first` happens before. Fails where
    nobody is asked: the test is then about something else than it says."""
    manager, asked, ended = file_manager(), list[Question](), threading.Event()

    def answer() -> None:
        until(lambda: manager.pending() or ended.is_set())
        for question in manager.pending()[:1]:
            asked.append(question)
            first()
            manager.respond(question.id, Answer(decision, by="a person", digest=question.digest, **extra))

    with announce("watch"):
        thread = threading.Thread(target=answer)
        thread.start()
        try:
            yield asked
        finally:
            ended.set()
            thread.join()
    assert asked, "nobody was asked"
