"""The interactive client on a real terminal: tmux types and reads the screen."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import time

import pytest

from tests.e2e.client import PROGRAM, Client
from tests.e2e.fake_model import FakeModel

PATIENCE_S = 90.0


class Screen:
    """`with Screen(client, model) as screen:` is an attended session that has been told to go."""

    def __init__(self, client: Client, model: FakeModel, *words: str) -> None:
        if shutil.which("tmux") is None:
            pytest.fail("tmux is not installed") if os.environ.get("CI") else pytest.skip("tmux is not installed")
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
            "-f", "/dev/null", "new-session", "-d", "-s", "client", "-x", "120", "-y", "45", "-c", str(self.client.project), *command
        )
        self.until("❯")
        self._tmux("send-keys", "-t", "client", "-l", "go")
        self.until("❯ go")
        self.press_until("Enter", lambda text: "❯ go" not in text.rsplit("────", 2)[-2])
        return self

    def __exit__(self, *_: object) -> None:
        self._tmux("kill-server", check=False)

    def _tmux(self, *words: str, check: bool = True) -> str:
        done = subprocess.run(
            ["tmux", "-S", self.socket, *words], capture_output=True, text=True, timeout=60, env={**os.environ, "LANG": "C.UTF-8"}
        )
        assert not check or done.returncode == 0, done.stderr
        return done.stdout

    def text(self) -> str:
        # The client draws its prompt with a no-break space.
        return self._tmux("capture-pane", "-p", "-t", "client").replace("\xa0", " ")

    def until(self, words: str) -> str:
        give_up = time.monotonic() + PATIENCE_S
        while time.monotonic() < give_up:
            text = self.text()
            if words in text:
                return text
            time.sleep(0.1)
        raise AssertionError(f"{words!r} never came on the screen:\n{text}")

    def press_until(self, key: str, done: object) -> None:
        """A key may come before the client listens: press it again until it was heard."""
        assert callable(done)
        give_up = time.monotonic() + PATIENCE_S
        while time.monotonic() < give_up:
            self._tmux("send-keys", "-t", "client", key)
            for _ in range(20):
                if done(self.text()):
                    return
                time.sleep(0.1)
        raise AssertionError(f"{key} was not heard:\n{self.text()}")
