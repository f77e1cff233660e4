"""A model that reads from a script: a Messages API on loopback for the real client. No credentials, no network.

Which turn a request gets is counted from the assistant's messages in it, so a retry does not advance the script.
"""

from __future__ import annotations

import json
from typing import Any

from tests.e2e.loopback import Handler, Loopback

Block = dict[str, Any]


def use(tool: str, **input: Any) -> Block:
    return {"type": "tool_use", "name": tool, "input": input}


def bash(command: str) -> Block:
    return use("Bash", command=command, description="part of a test")


class FakeModel(Loopback):
    """`with FakeModel([[bash("ls")]]) as model:` plays one list of blocks a turn, then says "done"."""

    def __init__(self, turns: list[list[Block]]) -> None:
        self.turns = turns
        self.requests: list[dict[str, Any]] = []
        super().__init__(_Handler)

    def blocks_for(self, body: dict[str, Any]) -> list[Block]:
        """Side calls (titles, summaries) offer no Bash; they get a word."""
        if "Bash" not in {tool.get("name") for tool in body.get("tools") or []}:
            return [{"type": "text", "text": "ok"}]
        self.requests.append(body)
        turn = sum(m.get("role") == "assistant" for m in body.get("messages", []))
        if turn >= len(self.turns):
            return [{"type": "text", "text": "done"}]
        return [{**block, "id": f"toolu_{turn}_{place}"} for place, block in enumerate(self.turns[turn])]

    def tool_results(self) -> list[str]:
        """What the model was told about its calls, in order."""
        messages = self.requests[-1]["messages"] if self.requests else []
        blocks = [
            b
            for m in messages
            if isinstance(m["content"], list)
            for b in m["content"]
            if b.get("type") == "tool_result"
        ]
        return [b["content"] if isinstance(b["content"], str) else json.dumps(b["content"]) for b in blocks]


class _Handler(Handler):
    model: FakeModel

    def do_HEAD(self) -> None:
        self.send_json({})

    def do_GET(self) -> None:
        self.send_json({"data": [], "has_more": False})

    def do_POST(self) -> None:
        body = self.body()
        if self.path.split("?")[0].endswith("/count_tokens"):
            self.send_json({"input_tokens": 10})
            return
        if not self.path.split("?")[0].endswith("/v1/messages"):
            self.send_json({})
            return
        blocks = self.model.blocks_for(body)
        stop = "tool_use" if any(b["type"] == "tool_use" for b in blocks) else "end_turn"
        usage = {"input_tokens": 1, "output_tokens": 1, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0}
        # The client takes messages with one id for one message: without a new one the conversation never gets on.
        message = {
            "id": f"msg_{len(self.model.requests)}_{id(blocks):x}",
            "type": "message",
            "role": "assistant",
            "model": body.get("model", "m"),
            "content": blocks,
            "stop_reason": stop,
            "stop_sequence": None,
            "usage": usage,
        }
        if body.get("stream"):
            self._stream(message)
        else:
            self.send_json(message)

    def _stream(self, message: dict[str, Any]) -> None:
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("connection", "close")
        self.end_headers()
        try:
            for name, value in _events(message):
                self.wfile.write(f"event: {name}\ndata: {json.dumps({'type': name, **value})}\n\n".encode())
            self.wfile.flush()
        except (BrokenPipeError, ConnectionResetError):
            pass  # the client was interrupted: that is the test
        self.close_connection = True


def _events(message: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    events: list[tuple[str, dict[str, Any]]] = [
        ("message_start", {"message": {**message, "content": [], "stop_reason": None}})
    ]
    for index, block in enumerate(message["content"]):
        start: Block
        if block["type"] == "text":
            start, delta = {"type": "text", "text": ""}, {"type": "text_delta", "text": block["text"]}
        else:
            start, delta = (
                {**block, "input": {}},
                {"type": "input_json_delta", "partial_json": json.dumps(block["input"])},
            )
        events.append(("content_block_start", {"index": index, "content_block": start}))
        events.append(("content_block_delta", {"index": index, "delta": delta}))
        events.append(("content_block_stop", {"index": index}))
    events.append(
        (
            "message_delta",
            {"delta": {"stop_reason": message["stop_reason"], "stop_sequence": None}, "usage": {"output_tokens": 1}},
        )
    )
    events.append(("message_stop", {}))
    return events
