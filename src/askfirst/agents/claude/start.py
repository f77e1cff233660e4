"""Does the hook fire? Proved by a real start of the client: `claude -p` against a model on loopback that has one line
to say (run `true`), and by the record of that call in askfirst's log. Nothing leaves the machine, and nothing is kept.

The client runs a repository's own hooks and helpers when it starts, also in a folder that nobody has trusted. So where
the project's settings bring such things along, it is not started, and doctor says so.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import threading
import uuid
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import islice
from typing import Any

from askfirst.agents.claude import settings
from askfirst.agents.claude.client import PROGRAM
from askfirst.agents.claude.environment import tampering_in
from askfirst.agents.registered import lies_in
from askfirst.agents.wire import STARTED_SESSIONS
from askfirst.audit.read import read_backwards
from askfirst.errors import AskfirstError
from askfirst.install.check import FAIL, NOTE, OK, Check

TIMEOUT_S = 60
NAME = "real start"
COMMAND = "true"
RECORDS = 200  # how many of the last records are looked at
# What would lead the client elsewhere than to loopback, or keep it from starting inside another session.
CLEARED = ("ANTHROPIC_", "CLAUDE", "AWS_BEARER")
KEPT = ("CLAUDE_CONFIG_DIR",)
ELSEWHERE = ("CLAUDE_CODE_USE_BEDROCK", "CLAUDE_CODE_USE_VERTEX", "CLAUDE_CODE_USE_FOUNDRY", "ANTHROPIC_AUTH_TOKEN")


def check(project: str) -> Iterator[Check]:
    program = shutil.which(PROGRAM)
    if program is None:
        text = f"not proved: the `{PROGRAM}` program is not on the PATH, so whether the hook fires was not tried"
        yield Check(NOTE, NAME, text, "run `askfirst doctor` where the client is")
        return
    why = _why_not(project)
    if why:
        yield Check(NOTE, NAME, f"not proved: the client was not started, because {why}", "look at that first")
        return
    problem = fires(program, project)
    if problem:
        yield Check(FAIL, NAME, f"the client was started, and {problem}", "see the other findings; claude doctor")
    else:
        yield Check(OK, NAME, "the client was started, and its call came to the gate")


def _why_not(project: str) -> str:
    """What the repository would run at a start of the client."""
    for file in settings.settings_files(project):
        if file.scope not in ("project", "local"):
            continue
        if file.runs:
            return f"{file.path} makes it run something of its own: {file.runs[0]}"
        if file.brings_plugins:
            return f"{file.path} brings plugins along"
        if any(lies_in(line.removesuffix(settings.CLOSES), project) for line in file.lines):
            return f"{file.path} runs a program of the project's own"
        if tampering_in(file.path):
            return f"{file.path} sets variables that load code"
    return ""


def fires(program: str, project: str) -> str:
    """What went wrong; "" when the log has the call."""
    session = f"{STARTED_SESSIONS}{uuid.uuid4().hex[:12]}"
    with _Model() as model:
        words = [program, "-p", "say nothing", "--session-id", session, "--strict-mcp-config", "--settings"]
        override = dict.fromkeys(ELSEWHERE, "") | {"ANTHROPIC_BASE_URL": model.url}
        words += [json.dumps({"env": override}), "--no-session-persistence"]
        try:
            done = subprocess.run(
                words,
                cwd=project,
                env=_environment(model.url),
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                timeout=TIMEOUT_S,
            )
        except (OSError, subprocess.SubprocessError) as error:
            return f"it did not end well: {type(error).__name__}"
    if _is_recorded(session):
        return ""
    if not model.asked:
        return f"it never spoke to its model: {(done.stderr or done.stdout).strip()[-200:]}"
    return "its call did not come to the gate: the hook does not fire"


def _environment(url: str) -> dict[str, str]:
    kept = {k: v for k, v in os.environ.items() if k in KEPT or not k.startswith(CLEARED)}
    quiet = ("DISABLE_TELEMETRY", "DISABLE_AUTOUPDATER", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC")
    return {**kept, **dict.fromkeys(quiet, "1"), "ANTHROPIC_BASE_URL": url, "ANTHROPIC_API_KEY": "not-a-key"}


def _is_recorded(session: str) -> bool:
    try:
        return any(record.get("session") == session for record in islice(read_backwards(), RECORDS))
    except (AskfirstError, OSError):
        return False


class _Model:
    """A Messages API on loopback with one thing to say."""

    def __init__(self) -> None:
        self.asked = False
        handler = type("Bound", (_Handler,), {"model": self})
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self) -> _Model:
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    def block_for(self, body: dict[str, Any]) -> dict[str, Any]:
        can_run = any(tool.get("name") == "Bash" for tool in body.get("tools") or ())
        has_run = any(message.get("role") == "assistant" for message in body.get("messages") or ())
        if not can_run or has_run:
            return {"type": "text", "text": "done"}
        self.asked = True
        given = {"command": COMMAND, "description": "askfirst checks that its hook fires"}
        return {"type": "tool_use", "id": "toolu_askfirst", "name": "Bash", "input": given}


class _Handler(BaseHTTPRequestHandler):
    model: _Model

    def log_message(self, format: str, *args: Any) -> None:
        pass

    def do_HEAD(self) -> None:
        self._send("application/json", b"{}")

    def do_GET(self) -> None:
        self._send("application/json", b'{"data":[],"has_more":false}')

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers.get("content-length") or 0)) or b"{}")
        if not self.path.partition("?")[0].endswith("/v1/messages"):
            self._send("application/json", b'{"input_tokens":1}')
            return
        block = self.model.block_for(body)
        message = {
            "id": f"msg_{uuid.uuid4().hex}",
            "type": "message",
            "role": "assistant",
            "model": body.get("model", "m"),
            "content": [block],
            "stop_reason": "tool_use" if block["type"] == "tool_use" else "end_turn",
            "stop_sequence": None,
            "usage": {"input_tokens": 1, "output_tokens": 1},
        }
        if body.get("stream"):
            events = [(name, json.dumps({"type": name, **value})) for name, value in _events(message)]
            text = "".join(f"event: {name}\ndata: {data}\n\n" for name, data in events)
            self._send("text/event-stream", text.encode())
        else:
            self._send("application/json", json.dumps(message).encode())

    def _send(self, kind: str, data: bytes) -> None:
        try:
            self.send_response(200)
            self.send_header("content-type", kind)
            self.send_header("content-length", str(len(data)))
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(data)
        except OSError:
            pass  # the client has gone


def _events(message: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    (block,) = message["content"]
    start: dict[str, Any]
    yield "message_start", {"message": {**message, "content": [], "stop_reason": None}}
    if block["type"] == "text":
        start, delta = {"type": "text", "text": ""}, {"type": "text_delta", "text": block["text"]}
    else:
        start = {**block, "input": {}}
        delta = {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}
    yield "content_block_start", {"index": 0, "content_block": start}
    yield "content_block_delta", {"index": 0, "delta": delta}
    yield "content_block_stop", {"index": 0}
    end = {"stop_reason": message["stop_reason"], "stop_sequence": None}
    yield "message_delta", {"delta": end, "usage": {"output_tokens": 1}}
    yield "message_stop", {}
