"""A model that reads from a script, in three protocols: OpenAI's responses and chat completions, and Gemini's.

On loopback, with no credentials. Which turn a request gets is counted from the calls that stand in it, so a retry does
not advance the script; a request that offers none of the script's tools (a title, a summary) gets a word.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from tests.e2e.loopback import Handler, Loopback

Call = tuple[str, dict[str, Any] | str]  # a tool's name and its arguments; a text for a tool that takes free text
Body = dict[str, Any]


class ScriptedModel(Loopback):
    """`with ScriptedModel([("shell", {...})]) as model:` plays one call a turn, then says "done"."""

    def __init__(self, calls: list[Call]) -> None:
        self.calls = calls
        self.requests: list[tuple[str, Body]] = []
        super().__init__(_Handler)

    def next_call(self, path: str, body: Body, offered: set[str], done: int) -> tuple[str, Call] | None:
        """(an id, the call) of the turn that is due; None when there is nothing more to call."""
        self.requests.append((path, body))
        if not offered or done >= len(self.calls):
            return None
        return f"call_{done}", self.calls[done]

    def told(self) -> str:
        """Everything the model was told, as one text: the results of its calls stand in it."""
        return json.dumps([body for _, body in self.requests])

    def tools(self) -> set[str]:
        """The names of all tools that were offered."""
        return {name for path, body in self.requests for name in _offered(path, body)}


def _offered(path: str, body: Body) -> set[str]:
    names: set[str] = set()
    for tool in body.get("tools") or ():
        if "functionDeclarations" in tool:
            names |= {f["name"] for f in tool["functionDeclarations"]}
        elif "function" in tool:
            names.add(tool["function"]["name"])
        elif "tools" in tool:  # a namespace
            names |= {f["name"] for f in tool["tools"]}
        elif "name" in tool:
            names.add(tool["name"])
        else:
            names.add(tool.get("type", ""))
    return names


class _Handler(Handler):
    model: ScriptedModel

    def do_GET(self) -> None:
        model = {"id": "scripted", "object": "model", "created": 1, "owned_by": "test"}
        self.send_json({"object": "list", "data": [model], "models": []})

    def do_POST(self) -> None:
        body = self.body()
        path = self.path.split("?")[0]
        if path.endswith("/responses"):
            self._stream(_responses(self.model, path, body))
        elif path.endswith("/chat/completions"):
            chunks = _chat(self.model, path, body)
            if body.get("stream"):
                self._stream(((None, chunk) for chunk in chunks), end=b"data: [DONE]\n\n")
            else:
                self.send_json(_whole_chat(list(chunks)))
        elif "GenerateContent" in path or "generateContent" in path:
            value = _gemini(self.model, path, body)
            if "stream" in path:
                self._stream([(None, value)])
            else:
                self.send_json(value)
        elif "countTokens" in path:
            self.send_json({"totalTokens": 10})
        else:
            self.send_json({})

    def _stream(self, events: Any, end: bytes = b"") -> None:
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("connection", "close")
        self.end_headers()
        try:
            for name, value in events:
                head = f"event: {name}\n" if name else ""
                self.wfile.write(f"{head}data: {json.dumps(value)}\n\n".encode())
            self.wfile.write(end)
            self.wfile.flush()
        except (BrokenPipeError, ConnectionResetError):
            pass
        self.close_connection = True


def _responses(model: ScriptedModel, path: str, body: Body) -> Iterator[tuple[str, Body]]:
    given = body.get("input")
    items = given if isinstance(given, list) else []
    done = sum(
        i.get("type") in ("function_call_output", "custom_tool_call_output", "local_shell_call_output") for i in items
    )
    due = model.next_call(path, body, _offered(path, body), done)
    item: Body
    if due is None:
        item = {
            "type": "message",
            "role": "assistant",
            "id": f"msg_{done}",
            "status": "completed",
            "content": [{"type": "output_text", "text": "done", "annotations": []}],
        }
    else:
        ident, (name, arguments) = due
        item = {"id": f"fc_{done}", "call_id": ident, "status": "completed", "name": name}
        item |= (
            {"type": "custom_tool_call", "input": arguments}
            if isinstance(arguments, str)
            else {"type": "function_call", "arguments": json.dumps(arguments)}
        )
    usage = {
        "input_tokens": 1,
        "output_tokens": 1,
        "total_tokens": 2,
        "input_tokens_details": {"cached_tokens": 0},
        "output_tokens_details": {"reasoning_tokens": 0},
    }
    response = {
        "id": f"resp_{len(model.requests)}",
        "object": "response",
        "created_at": 1,
        "model": body.get("model", "m"),
        "status": "completed",
        "output": [item],
        "usage": usage,
    }
    begun = {**response, "status": "in_progress", "output": [], "usage": None}
    numbered: list[tuple[str, Body]] = [("response.created", {"response": begun})]
    numbered.append(("response.output_item.added", {"output_index": 0, "item": item}))
    if item["type"] == "message":
        numbered.append(
            (
                "response.output_text.delta",
                {"item_id": item["id"], "output_index": 0, "content_index": 0, "delta": "done"},
            )
        )
    elif item["type"] == "function_call":
        whole = {"item_id": item["id"], "output_index": 0, "arguments": item["arguments"]}
        numbered.append(("response.function_call_arguments.done", whole))
    numbered.append(("response.output_item.done", {"output_index": 0, "item": item}))
    numbered.append(("response.completed", {"response": response}))
    for number, (name, value) in enumerate(numbered):
        yield name, {"type": name, "sequence_number": number, **value}


def _chat(model: ScriptedModel, path: str, body: Body) -> Iterator[Body]:
    done = sum(m.get("role") == "tool" for m in body.get("messages", ()))
    due = model.next_call(path, body, _offered(path, body), done)
    head = {
        "id": f"chat_{len(model.requests)}",
        "object": "chat.completion.chunk",
        "created": 1,
        "model": body.get("model", "m"),
    }
    delta: Body = {"role": "assistant", "content": "done"}
    reason = "stop"
    if due is not None:
        ident, (name, arguments) = due
        call = {
            "index": 0,
            "id": ident,
            "type": "function",
            "function": {"name": name, "arguments": json.dumps(arguments)},
        }
        delta, reason = {"role": "assistant", "content": None, "tool_calls": [call]}, "tool_calls"
    yield {**head, "choices": [{"index": 0, "delta": delta, "finish_reason": None}]}
    usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
    yield {**head, "choices": [{"index": 0, "delta": {}, "finish_reason": reason}], "usage": usage}


def _whole_chat(chunks: list[Body]) -> Body:
    message = {**chunks[0]["choices"][0]["delta"]}
    choice = {"index": 0, "message": message, "finish_reason": chunks[-1]["choices"][0]["finish_reason"]}
    return {**chunks[0], "object": "chat.completion", "choices": [choice], "usage": chunks[-1]["usage"]}


def _gemini(model: ScriptedModel, path: str, body: Body) -> Body:
    done = sum("functionResponse" in part for c in body.get("contents", ()) for part in c.get("parts", ()))
    due = model.next_call(path, body, _offered(path, body), done)
    part: Body = {"text": "done"}
    if due is not None:
        ident, (name, arguments) = due
        part = {"functionCall": {"id": ident, "name": name, "args": arguments}}
    return {
        "candidates": [{"content": {"role": "model", "parts": [part]}, "finishReason": "STOP", "index": 0}],
        "usageMetadata": {"promptTokenCount": 1, "candidatesTokenCount": 1, "totalTokenCount": 2},
        "modelVersion": "m",
    }
