"""Somebody is told elsewhere: by a real hook, at a real server; never more than once a try, never enough to answer."""

from __future__ import annotations

import json
import os
import pty
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from askfirst import notices
from askfirst.approval.manager import file_manager
from askfirst.model import Answer, Decision
from askfirst.notices import ALERT, FLOW, WAITING, Message, send, tell
from askfirst.policy.rules import Notice
from askfirst.store import alerts
from tests.e2e.loopback import Handler, Loopback
from tests.flow.session import organisation
from tests.hook.process import event, start
from tests.waiting import until

MESSAGE = Message("waiting", "01abcdef", "askfirst: a question waits", "Bash: make", "why", "app", "agent", "answer")


class Heard(Loopback):
    """Keeps what it is sent; answers with an error as often as it is told to."""

    def __init__(self, *, fails: int = 0, moves: str = "") -> None:
        self.posts: list[tuple[str, dict[str, str], bytes]] = []
        self.fails, self.moves = fails, moves
        super().__init__(_Keeper)


class _Keeper(Handler):
    model: Heard

    def do_POST(self) -> None:
        data = self.rfile.read(int(self.headers.get("content-length") or 0))
        self.model.posts.append((self.path, dict(self.headers), data))
        if self.model.moves:
            self.send_response(302)
            self.send_header("Location", self.model.moves)
        else:
            self.send_response(500 if len(self.model.posts) <= self.model.fails else 200)
        self.send_header("Content-Length", "0")
        self.end_headers()


@contextmanager
def asked(project: Path, command: str = "some-unknown-program --token=Zx9qLm2wE7rT") -> Iterator[str]:
    """A headless hook whose question waits; its id."""
    process = start(project)
    assert process.stdin is not None
    process.stdin.write(json.dumps(event(cwd=project, command=command)).encode())
    process.stdin.close()
    process.stdin = None
    try:
        yield until(file_manager().pending, "the request")[0].id
    finally:
        process.kill()
        process.communicate()


def test_a_headless_question_waits_and_is_told(project: Path) -> None:
    """Nobody is at a terminal: who is told may come, so the question waits."""
    with Heard() as server:
        organisation(f"version: 2\nnotify: [{{kind: webhook, url: '{server.url}/hook', after_seconds: 0}}]\n")
        with asked(project) as id:
            until(lambda: server.posts, "the message")
            path, headers, data = server.posts[0]
            said = json.loads(data)
            assert (path, headers["Content-Type"]) == ("/hook", "application/json")
            assert (said["event"], said["id"], said["project"]) == ("waiting", id[:8], project.name)
            assert "some-unknown-program" in said["summary"] and "Zx9qLm2wE7rT" not in data.decode()
            assert "askfirst watch" in said["answer"]
            question = file_manager().pending()[0]
            assert question.digest not in data.decode() and question.id not in data.decode()


def test_what_is_answered_in_time_is_not_told(project: Path) -> None:
    with Heard() as server:
        organisation(f"version: 2\nnotify: [{{kind: webhook, url: '{server.url}', after_seconds: 1000}}]\n")
        with asked(project) as id:
            settings = (Notice("webhook", server.url, after_s=1000),)
            naps: list[float] = []

            def sleep(seconds: float) -> None:
                naps.append(seconds)
                digest = file_manager().pending()[0].digest
                file_manager().respond(id, Answer(Decision.DENY, by="ann", digest=digest))

            tell(settings, WAITING, id, sleep=sleep)
        assert naps == [notices.LOOK_AGAIN_S] and server.posts == []


@pytest.mark.parametrize(("event_name", "told"), [(WAITING, 0), (FLOW, 1)])
def test_only_what_is_wanted_is_told(event_name: str, told: int, project: Path) -> None:
    with Heard() as server:
        organisation(f"version: 2\nnotify: [{{kind: webhook, url: '{server.url}', on: [flow]}}]\n")
        with asked(project) as id:
            tell((Notice("webhook", server.url, (FLOW,)),), event_name, id, sleep=lambda _: None)
        assert len(server.posts) == told


def test_an_alert_is_told(project: Path) -> None:
    for _ in range(6):
        alerts.count_violation("session-1", "agent", "a block", project=str(project))
    with Heard() as server:
        tell((Notice("slack", server.url),), ALERT, "session-1", sleep=lambda _: None)
        ((_, _, data),) = server.posts
    assert "flagged after 6 violations" in json.loads(data)["text"]
    with Heard() as server:
        tell((Notice("slack", server.url),), ALERT, "another", sleep=lambda _: None)
    assert server.posts == []


@pytest.mark.parametrize("kind", ["webhook", "slack", "ntfy"])
@pytest.mark.parametrize(("fails", "posts", "done"), [(0, 1, True), (2, 3, True), (99, notices.TRIES, False)])
def test_it_is_tried_again_with_a_limit(kind: str, fails: int, posts: int, done: bool) -> None:
    naps: list[float] = []
    with Heard(fails=fails) as server:
        assert send(Notice(kind, server.url), MESSAGE, sleep=naps.append) is done
    assert len(server.posts) == posts
    assert naps == [1.0, 3.0, 9.0][: posts - 1]


def test_ntfy_has_a_title_and_plain_text() -> None:
    with Heard() as server:
        send(Notice("ntfy", f"{server.url}/topic"), MESSAGE)
    ((path, headers, data),) = server.posts
    assert path == "/topic" and headers["Title"] == MESSAGE.title and data.decode().startswith("Bash: make\nwhy\n")


def test_it_follows_no_redirect_and_survives_a_dead_server() -> None:
    with Heard() as other, Heard(moves=other.url) as server:
        assert not send(Notice("webhook", server.url), MESSAGE, sleep=lambda _: None)
        assert other.posts == []
    assert not send(Notice("webhook", "http://127.0.0.1:1/"), MESSAGE, sleep=lambda _: None)


@pytest.mark.parametrize(("kind", "data"), [("bell", b"\a"), ("title", b"\x1b]0;askfirst: a question waits\a")])
def test_bell_and_title_reach_the_clients_terminal(kind: str, data: bytes) -> None:
    pid, terminal = pty.fork()
    if not pid:
        time.sleep(60)
        os._exit(0)
    try:
        until(lambda: notices._terminal_of(pid), "the terminal")
        assert send(Notice(kind), MESSAGE, client=pid)
        assert os.read(terminal, 100) == data
    finally:
        os.kill(pid, 9)
        os.waitpid(pid, 0)
        os.close(terminal)


def test_the_desktop_is_told_by_its_own_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "notify-send"
    program.write_text(f'#!/bin/sh\nprintf "%s\\n" "$@" > {tmp_path}/said\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    monkeypatch.setattr(sys, "platform", "linux")
    assert send(Notice("desktop"), MESSAGE)
    assert "a question waits" in (tmp_path / "said").read_text()


def test_the_hook_is_not_held_up(project: Path) -> None:
    """The child waits for its time alone; a deny with notifications set up comes as always."""
    organisation("version: 2\nnotify: [{kind: webhook, url: 'http://10.255.255.1/', after_seconds: 1800}]\n")
    process = start(project)
    said: Any = json.loads(
        process.communicate(json.dumps(event(cwd=project, command="sudo id")).encode(), timeout=60)[0]
    )
    assert said["hookSpecificOutput"]["permissionDecision"] == "deny"
