"""The interactive client on a real terminal, and `askfirst watch` on another: tmux types and reads the screens."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable

from tests.e2e.client import PROGRAM, Client
from tests.e2e.fake_model import FakeModel
from tests.needs import needs

PATIENCE_S = 60.0


class Screen:
    """`with Screen(client, model) as screen:` is an attended session that has been told to go."""

    def __init__(self, client: Client, model: FakeModel, *words: str) -> None:
        needs("tmux")
        self.client, self.words = client, words
        self.environment = client.environment(model.url)
        self.socket = str(client.home / "tmux")
        state = {
            "hasCompletedOnboarding": True,
            "theme": "dark",
            "customApiKeyResponses": {"approved": ["not-a-key"], "rejected": []},
            "bypassPermissionsModeAccepted": True,
            "projects": {str(client.project): {"hasTrustDialogAccepted": True, "hasCompletedProjectOnboarding": True}},
        }
        (client.home / ".claude.json").write_text(json.dumps(state))

    def __enter__(self) -> Screen:
        variables = [f"{name}={value}" for name, value in self.environment.items()]
        command = ["env", "-i", *variables, str(PROGRAM), *self.words]
        self._tmux(
            "-f",
            "/dev/null",
            "new-session",
            "-d",
            "-s",
            "client",
            "-x",
            "120",
            "-y",
            "45",
            "-c",
            str(self.client.project),
            *command,
        )
        self.until("❯")
        self.say("go")
        return self

    def say(self, words: str) -> None:
        """Type into the client's prompt and send it."""
        self._tmux("send-keys", "-t", "client", "-l", words)
        self._wait(lambda text: f"❯ {words}" in _prompt(text), f"{words!r} in the prompt")
        self.press_until("Enter", lambda text: f"❯ {words}" not in _prompt(text))

    def watch(self) -> Watch:
        """`askfirst watch` in a window of its own, as a person would start it."""
        return Watch(self._tmux, self.environment)

    def __exit__(self, *_: object) -> None:
        self._tmux("kill-server", check=False)

    def _tmux(self, *words: str, check: bool = True) -> str:
        done = subprocess.run(
            ["tmux", "-S", self.socket, *words],
            capture_output=True,
            text=True,
            timeout=60,
            env={**os.environ, "LANG": "C.UTF-8"},
        )
        assert not check or done.returncode == 0, done.stderr
        return done.stdout

    def text(self) -> str:
        # The client draws its prompt with a no-break space.
        return self._tmux("capture-pane", "-p", "-t", "client").replace("\xa0", " ")

    def until(self, words: str) -> str:
        # "done" is the model's last word: nothing more will come after it.
        text = self._wait(lambda text: words in text or "● done" in text, repr(words))
        assert words in text, f"{words!r} never came on the screen:\n{text}"
        return text

    def _wait(self, condition: Callable[[str], bool], what: str) -> str:
        give_up = time.monotonic() + PATIENCE_S
        while not condition(text := self.text()):
            assert time.monotonic() < give_up, f"{what} never came on the screen:\n{text}"
            time.sleep(0.1)
        return text

    def press_until(self, key: str, done: Callable[[str], bool]) -> None:
        """A key may come before the client listens: press it again until it was heard."""
        give_up = time.monotonic() + PATIENCE_S
        while time.monotonic() < give_up:
            self._tmux("send-keys", "-t", "client", key)
            for _ in range(20):
                if done(self.text()):
                    return
                time.sleep(0.1)
        raise AssertionError(f"{key} was not heard:\n{self.text()}")


def _prompt(text: str) -> str:
    """What stands between the client's last two rules; without them, everything."""
    lines = text.splitlines()
    rules = [n for n, line in enumerate(lines) if line.startswith("────")]
    return "\n".join(lines[rules[-2] + 1 : rules[-1]]) if len(rules) > 1 else text


class Watch:
    """The dialog, seen and answered through tmux."""

    def __init__(self, tmux: Callable[..., str], environment: dict[str, str]) -> None:
        self._tmux = tmux
        variables = [f"{name}={value}" for name, value in environment.items()]
        tmux(
            "new-session",
            "-d",
            "-s",
            "watch",
            "-x",
            "120",
            "-y",
            "45",
            "env",
            "-i",
            *variables,
            sys.executable,
            "-m",
            "askfirst",
            "watch",
        )
        self.until(lambda: self.text().strip() != "", "the watch to be ready")

    def text(self) -> str:
        return self._tmux("capture-pane", "-p", "-S", "-200", "-t", "watch")

    def frame(self) -> str:
        """The frame that is drawn now: the last one."""
        return self.text().rpartition("╭─")[2]

    def until(self, condition: Callable[[], bool], what: str) -> None:
        give_up = time.monotonic() + PATIENCE_S
        while not condition():
            assert time.monotonic() < give_up, f"waited in vain for {what}:\n{self.text()}"
            time.sleep(0.1)

    def press(self, key: str, done: Callable[[], bool]) -> None:
        """Press a key whenever the dialog is ready, until it has worked: a busy machine may make it start from zero."""
        while not done():
            self.until(lambda: done() or "● ready" in self.frame(), f"ready, for {key}")
            if not done():
                self._tmux("send-keys", "-t", "watch", key)
                self.until(
                    lambda: done() or not any(mark in self.frame() for mark in ("● ready", "◉")), f"{key} to count"
                )
