"""A running page, requests that wait for it, a raw client and a real browser."""

from __future__ import annotations

import json
import os
import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from askfirst.approval.identity import digest_of
from askfirst.approval.manager import ApprovalManager, file_manager
from askfirst.gate import judged
from askfirst.model import Action, Answer, Command, Decision, Finding, Kind, Layer, Origin, Request, Verdict, Word
from askfirst.policy.case import Case
from askfirst.policy.rules import Layers
from askfirst.web import open_server
from askfirst.web.server import PageServer
from tests.needs import needs, program
from tests.waiting import PATIENCE_S, until

# As it is outside the tests, which have a home of their own.
CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache", "askfirst-tests")


class Page:
    """A page that is being served, and the asking side behind it."""

    def __init__(self, server: PageServer, manager: ApprovalManager, project: Path) -> None:
        self.server, self.manager, self.project = server, manager, project
        self.port = server.server_address[1]
        self.host = server.guard.host
        self.answers: dict[str, Answer] = {}
        self.threads: list[threading.Thread] = []

    def ask(
        self,
        text: str = "frobnicate --all",
        *,
        danger: str = "",
        session: str = "session-1",
        said: str = "",
        agent: str = "claude",
        timeout_s: float | None = None,
    ) -> str:
        """A request that waits; its answer arrives in `answers`."""
        words = tuple(Word(w, w) for w in text.split()) or (Word("x", "x"),)
        action = Action((words[0].value or "",), Kind.OTHER, danger=danger)
        fact = Command(words[0].value or "", words, text, str(self.project), action=action)
        finding = Finding(fact, Decision.ASK, "no rule knows it", Origin(Layer.NOTHING, ""), danger=danger)
        given = {"command": text} | ({"description": said} if said else {})
        request = Request(agent, session, str(self.project), str(self.project), "Bash", given)
        layers = Layers(str(self.project), now=time.time(), digest=digest_of(request))
        case = Case(request, layers, (fact,), Verdict(Decision.ASK, "no rule knows it", (finding,)))
        return self._waiting(case, timeout_s)

    def ask_to_replace(self, name: str, old: str, new: str) -> str:
        """A Write over a file that is there."""
        (self.project / name).write_text(old)
        return self.ask_judged("Write", file_path=str(self.project / name), content=new)

    def ask_judged(self, tool: str, **given: str) -> str:
        """A call, judged as the gate does it."""
        request = Request("claude", "session-1", str(self.project), str(self.project), tool, given)
        return self._waiting(judged(request, Layers(str(self.project), now=time.time(), digest=digest_of(request))))

    def _waiting(self, case: Case, timeout_s: float | None = None) -> str:
        id = self.manager.request_approval(case, timeout_s=timeout_s)
        thread = threading.Thread(
            target=lambda: self.answers.__setitem__(id, self.manager.wait_for_response(id)), daemon=True
        )
        thread.start()
        self.threads.append(thread)
        return id

    def digest(self, id: str) -> str:
        return next(q.digest for q in self.manager.pending() if q.id == id)

    def token(self) -> str:
        token = self.server.logins.exchange(self.server.logins.code())
        assert token is not None
        return token

    def raw(self, data: bytes, *, read: int = 1 << 20) -> bytes:
        """Send bytes, read until the server closes."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE_S) as connection:
            connection.sendall(data)
            parts: list[bytes] = []
            while sum(len(p) for p in parts) < read:
                part = connection.recv(65536)
                if not part:
                    break
                parts.append(part)
            return b"".join(parts)

    def call(self, method: str, path: str, body: Any = None, **headers: str) -> tuple[int, dict[str, str], bytes]:
        """A request with good headers; `headers` change them (an empty text leaves one out).

        Underscores stand for dashes.
        """
        data = b"" if body is None else body if isinstance(body, bytes) else json.dumps(body).encode()
        lines = {
            "Host": self.host,
            "Origin": self.server.guard.origin,
            "Content-Type": "application/json",
            "Content-Length": str(len(data)),
        }
        if method == "GET":
            del lines["Content-Type"], lines["Content-Length"], lines["Origin"]
        lines |= {k.replace("_", "-"): v for k, v in headers.items()}
        head = "".join(f"{k}: {v}\r\n" for k, v in lines.items() if v)
        answer = self.raw(f"{method} {path} HTTP/1.1\r\n{head}\r\n".encode() + data)
        top, _, rest = answer.partition(b"\r\n\r\n")
        first, *others = top.decode().split("\r\n")
        return int(first.split()[1]), {k.lower(): v for k, _, v in (line.partition(": ") for line in others)}, rest

    def get(self, path: str) -> dict[str, Any]:
        status, _, data = self.call("GET", path, Authorization=f"Bearer {self.token()}")
        assert status == 200, data
        return dict(json.loads(data))

    def post(self, path: str, body: Any, **headers: str) -> tuple[int, dict[str, Any]]:
        status, _, data = self.call("POST", path, body, **({"Authorization": f"Bearer {self.token()}"} | headers))
        return status, json.loads(data)

    def answer_to(self, id: str) -> Answer:
        return until(lambda: self.answers.get(id), "an answer")  # type: ignore[no-any-return]


@pytest.fixture
def page(project: Path) -> Iterator[Page]:
    manager = file_manager()
    server = open_server(0, manager)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    server.live.start()
    served = Page(server, manager, project)
    yield served
    for question in manager.pending():
        for id in question.ids:
            manager.cancel(id, "the test is over")
    for waiting in served.threads:
        waiting.join(PATIENCE_S)
    server.stopping.set()
    server.live.stop()
    server.shutdown()
    server.server_close()


def chromium() -> tuple[str, str]:
    needs("chromium", "chromedriver")
    return str(program("chromium")), str(program("chromedriver"))


def start_browser() -> Any:
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service

    browser, driver = chromium()
    options = webdriver.ChromeOptions()
    options.binary_location = browser
    quiet = "gpu quic background-networking component-update sync dev-shm-usage"
    for flag in ("headless=new", "no-sandbox", "no-first-run", "window-size=1000,900", *quiet.split()):
        options.add_argument(f"--disable-{flag}" if flag in quiet.split() else f"--{flag}")
    options.add_argument("--host-resolver-rules=MAP rebound.example 127.0.0.1")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    found = webdriver.Chrome(options=options, service=Service(driver))
    found.set_page_load_timeout(PATIENCE_S)
    found.set_script_timeout(PATIENCE_S)
    return found


def axe_source() -> str:
    """Deque's accessibility engine, which .ci/install-client fetches."""
    found = sorted(CACHE.glob("axe-*/node_modules/axe-core/axe.min.js"))
    if not found:
        pytest.skip("axe-core is not installed (run .ci/install-client)")
    return found[-1].read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """One Chromium for a file of tests: starting it is the slow part."""
    found = start_browser()
    yield found
    found.quit()
