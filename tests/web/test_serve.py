"""`askfirst serve` as a process in a real terminal."""

from __future__ import annotations

import json
import os
import pty
import re
import select
import shutil
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request

import pytest

from askfirst.approval.presence import approvers
from askfirst.store import pages, paths
from tests.waiting import PATIENCE_S, until


class Terminal:
    """A command on a pty."""

    def __init__(self, *words: str) -> None:
        self.parent, child = pty.openpty()
        environment = {k: v for k, v in os.environ.items() if not k.startswith("CLAUDE")}
        self.process = subprocess.Popen(
            [sys.executable, "-I", "-m", "askfirst", *words],
            stdin=child,
            stdout=child,
            stderr=child,
            env=environment,
            start_new_session=True,
            preexec_fn=lambda: own_terminal(child),
        )
        os.close(child)
        self.text = ""

    def read_until(self, pattern: str) -> re.Match[str]:
        give_up = time.monotonic() + PATIENCE_S
        while time.monotonic() < give_up:
            found = re.search(pattern, self.text)
            if found:
                return found
            ready, _, _ = select.select([self.parent], [], [], 0.2)
            if ready:
                try:
                    self.text += os.read(self.parent, 65536).decode("utf-8", "replace")
                except OSError:
                    break
        raise AssertionError(f"no {pattern!r} in {self.text!r}")


def own_terminal(fd: int) -> None:
    import fcntl
    import termios

    fcntl.ioctl(fd, termios.TIOCSCTTY, 0)


def test_serve_prints_a_link_announces_itself_and_ends_on_a_signal() -> None:
    terminal = Terminal("serve", "--no-open")
    try:
        link = terminal.read_until(r"http://127\.0\.0\.1:(\d+)/#([\w-]+)")
        until(lambda: [a.kind for a in approvers()] == ["page"], "the announcement")
        with urllib.request.urlopen(f"http://127.0.0.1:{link[1]}/", timeout=PATIENCE_S) as answer:
            assert b"askfirst" in answer.read()
        terminal.text = ""
        os.write(terminal.parent, b"\n")
        again = terminal.read_until(r"http://127\.0\.0\.1:(\d+)/#([\w-]+)")
        assert again[1] == link[1] and again[2] != link[2]
        terminal.process.send_signal(signal.SIGTERM)
        assert terminal.process.wait(PATIENCE_S) == 0
        until(lambda: not approvers(), "the announcement to end")
    finally:
        terminal.process.kill()
        terminal.process.wait()
        os.close(terminal.parent)


def test_serve_ends_when_its_state_is_gone() -> None:
    """Nothing can be answered any more, and a page that looks alive would say otherwise."""
    terminal = Terminal("serve", "--no-open")
    try:
        terminal.read_until(r"http://127\.0\.0\.1:(\d+)/#([\w-]+)")
        until(lambda: [a.kind for a in approvers()] == ["page"], "the announcement")
        shutil.rmtree(paths.state_dir())
        terminal.read_until("the state directory is gone")
        assert terminal.process.wait(PATIENCE_S) == 1
    finally:
        terminal.process.kill()
        terminal.process.wait()
        os.close(terminal.parent)


def test_serve_refuses_without_a_terminal() -> None:
    words = [sys.executable, "-I", "-m", "askfirst", "serve", "--no-open"]
    done = subprocess.run(
        words, capture_output=True, text=True, stdin=subprocess.DEVNULL, start_new_session=True, timeout=PATIENCE_S
    )
    assert done.returncode != 0 and "terminal" in done.stderr


def test_a_browser_is_announced_listed_and_ended() -> None:
    terminal = Terminal("serve", "--no-open", "--origin", "https://laptop.example.ts.net")
    try:
        link = terminal.read_until(r"http://127\.0\.0\.1:(\d+)/#([\w-]+)")
        terminal.read_until(r"https://laptop\.example\.ts\.net/#[\w-]+")
        origin = f"http://127.0.0.1:{link[1]}"
        asked = urllib.request.Request(
            f"{origin}/api/session",
            json.dumps({"code": link[2]}).encode(),
            {"Content-Type": "application/json", "Origin": origin, "User-Agent": "curious/1.0"},
        )
        with urllib.request.urlopen(asked, timeout=PATIENCE_S) as answer:
            token = json.loads(answer.read())["token"]
        id = terminal.read_until(r"opened the page: curious/1\.0, at http://127\S+ \(session (\w+)\)")[1]
        until(lambda: [login["id"] for _, login in pages.logins()] == [id], "the list")
        assert token not in str(pages.logins())
        ending = Terminal("serve", "--end", "all")
        ending.read_until(f"ended: {id}")
        assert ending.process.wait(PATIENCE_S) == 0
        os.close(ending.parent)
        terminal.read_until(f"session {id} was ended")
        asked = urllib.request.Request(f"{origin}/api/settings", headers={"Authorization": f"Bearer {token}"})
        with pytest.raises(urllib.error.HTTPError, match="401"):
            urllib.request.urlopen(asked, timeout=PATIENCE_S)
        os.write(terminal.parent, b"q\n")
        terminal.read_until("[▀▄█]{5}")
    finally:
        terminal.process.kill()
        terminal.process.wait()
        os.close(terminal.parent)
